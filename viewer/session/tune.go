package session

import (
	"fmt"
	"slices"
	"time"

	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Tuner measures engines and their switches on the view in turns, and takes the fastest. All give the same image.
type Tuner struct {
	frames *Frames
	run    *tuning // nil: nobody has asked
}

// tuning is one such measurement.
type tuning struct {
	twin     Renderer // nil once it has ended
	of       *Side
	view     schedule.Request
	variants []variant
	turn     int // of all variants, one after another
	said     string
}

// variant is a way to execute what the settings say.
type variant struct {
	name  string
	set   func(*settings.Settings)
	costs []time.Duration // of a sample, one in each turn
}

const (
	tuneRounds = 9                     // turns of each variant: the median lies between the second and the eighth in 96 of 100 cases
	tuneTurn   = 40 * time.Millisecond // at least
	tunePixels = 1 << 17               // on a processor, where whole samples of large images would hold up the window
)

// variants are the ways that there are.
func variants() []variant {
	way := func(name, exec, compaction, sort string) variant {
		return variant{name: name, set: func(s *settings.Settings) { s.Exec, s.Compaction, s.Sort = exec, compaction, sort }}
	}
	return []variant{
		way("megakernel", "megakernel", "atomic", "none"),
		way("wavefront", "wavefront", "atomic", "none"),
		way("wavefront, paths in order", "wavefront", "scan", "none"),
		way("wavefront, sorted by material", "wavefront", "atomic", "key"),
		way("wavefront, sorted by class", "wavefront", "atomic", "class"),
	}
}

// Start begins to measure the active side, while that goes on.
func (t *Tuner) Start() {
	t.Close()
	side := t.frames.Active
	if side.Device == nil || side.View.Width == 0 {
		return
	}
	twin, err := side.Device.Twin()
	if err != nil {
		t.frames.Messages.Warn("Tune: " + err.Error())
		return
	}
	v := side.View
	v.Budget, v.Goal, v.Moving, v.Unseen = 0, 0, false, true
	for side.Sliced() && v.Width*v.Height > tunePixels {
		v.Width, v.Height = (v.Width+1)/2, (v.Height+1)/2
	}
	t.run = &tuning{twin: twin, of: side, view: v, variants: variants()}
}

// step gives a variant its turn.
func (t *Tuner) step() {
	r := t.run
	if r == nil || r.twin == nil {
		return
	}
	if err := r.step(); err != nil {
		t.frames.Messages.Warn("Tune: " + err.Error())
		t.Close()
		return
	}
	if r.turn == tuneRounds*len(r.variants) {
		r.take()
		r.end()
	}
}

// step renders samples of the variant whose turn it is. In every other round the order is reversed, since what else the machine does may
// grow or shrink.
func (r *tuning) step() error {
	i := r.turn % len(r.variants)
	if r.turn/len(r.variants)%2 == 1 {
		i = len(r.variants) - 1 - i
	}
	r.turn++
	s := r.of.Settings
	r.variants[i].set(&s)
	s.Denoise = "off"
	sample := func() error {
		_, err := r.twin.Render(r.view, s, view.Target{})
		return err
	}
	if err := sample(); err != nil { // which makes room
		return err
	}
	if err := r.twin.Finish(); err != nil {
		return err
	}
	begun, made := time.Now(), 0
	for ; made == 0 || time.Since(begun) < tuneTurn; made++ {
		if err := sample(); err != nil {
			return err
		}
	}
	if err := r.twin.Finish(); err != nil {
		return err
	}
	r.variants[i].costs = append(r.variants[i].costs, time.Since(begun)/time.Duration(made))
	return nil
}

// bounds are the median of a variant's costs, and between which costs that lies.
func (v *variant) bounds() (middle, low, high time.Duration) {
	if len(v.costs) == 0 {
		return 0, 0, 0
	}
	sorted := slices.Sorted(slices.Values(v.costs))
	n := len(sorted)
	return sorted[n/2], sorted[min(1, n-1)], sorted[max(n-2, 0)]
}

// take sets the fastest variant, unless that may be chance: where others are as fast, the first one of the table is taken.
func (r *tuning) take() {
	best := 0
	for i := range r.variants {
		_, _, high := r.variants[i].bounds()
		if _, low, _ := r.variants[best].bounds(); high < low {
			best = i
		}
	}
	v := &r.variants[best]
	v.set(&r.of.Settings)
	r.said = v.name + " is taken: "
	var slowest time.Duration
	for i := range r.variants {
		middle, _, _ := r.variants[i].bounds()
		slowest = max(slowest, middle)
	}
	middle, _, _ := v.bounds()
	r.said += fmt.Sprintf("%s a sample; with the slowest it takes %.2f times as long", Duration(middle), slowest.Seconds()/middle.Seconds())
}

// end gives the memory back.
func (r *tuning) end() {
	if r.twin != nil {
		_ = r.twin.Close() // nothing hangs on it
		r.twin = nil
	}
}

// Close ends it, and shows it no more. It tells whether there was something.
func (t *Tuner) Close() bool {
	if t.run == nil {
		return false
	}
	t.run.end()
	t.run = nil
	return true
}

// findings is what is shown of it.
func (t *Tuner) findings() *Findings {
	if t.run == nil {
		return nil
	}
	f := &Findings{Title: "Tuning this view", Close: CloseFindings{}}
	for i := range t.run.variants {
		v := &t.run.variants[i]
		middle, low, high := v.bounds()
		f.Lines = append(f.Lines, Finding{Text: fmt.Sprintf("%s a sample (%s to %s)   %s", Duration(middle), Duration(low), Duration(high), v.name)})
	}
	if t.run.said != "" {
		f.Lines = append(f.Lines, Finding{Text: t.run.said})
	}
	return f
}
