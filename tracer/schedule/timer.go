package schedule

import (
	"time"

	"glint/tracer/view"
)

// SampleTimer measures what the samples of a side have cost since it restarted.
type SampleTimer struct {
	Samples int           // whole ones
	before  int           // those of them that there were when the timer began
	Spent   time.Duration // in all
	Whole   time.Duration // spent when the last sample was completed
	first   lap           // the first sample, which includes previews and allocations
	warmup  lap           // warmSamples samples
}

// lap is how much had been spent at some sample.
type lap struct {
	samples int // 0: not reached
	spent   time.Duration
}

// How many samples are no measure of later ones (caches fill, and ReSTIR shares history at first), and how many are one: as
// many again, or few that took long.
const (
	WarmSamples = 16
	fewSamples  = 4
	longEnough  = time.Second
)

// Add accounts for a call of Render. A timer that begins while the image goes on counts what is new.
func (t *SampleTimer) Add(stats view.Stats) {
	if stats.Restarted {
		*t = SampleTimer{}
	} else if *t == (SampleTimer{}) && stats.Samples > 1 {
		t.Samples, t.before = stats.Samples, stats.Samples
		return
	}
	t.Spent += stats.Elapsed
	if stats.Samples == t.Samples {
		return
	}
	t.Samples, t.Whole = stats.Samples, t.Spent
	now := lap{t.Samples, t.Whole}
	if t.first.samples == 0 {
		t.first = now
	}
	if t.warmup.samples == 0 && t.timed() >= WarmSamples {
		t.warmup = now
	}
}

// timed is how many samples the timer has seen.
func (t SampleTimer) timed() int { return t.Samples - t.before }

// Mean is the mean cost of a sample; 0 before there is one.
func (t SampleTimer) Mean() time.Duration {
	if t.timed() == 0 {
		return 0
	}
	return t.Whole / time.Duration(t.timed())
}

// Steady is what a sample costs without warmup; 0 before enough of them say so.
func (t SampleTimer) Steady() time.Duration {
	since := func(l lap) (cost time.Duration, samples int) {
		if l.samples == 0 || t.Samples == l.samples {
			return 0, 0
		}
		return (t.Whole - l.spent) / time.Duration(t.Samples-l.samples), t.Samples - l.samples
	}
	if cost, samples := since(t.warmup); samples >= WarmSamples {
		return cost
	}
	if cost, samples := since(t.first); samples >= fewSamples && t.Whole-t.first.spent >= longEnough {
		return cost
	}
	return 0
}
