// Package profile is what frames cost.
package profile

import (
	"glint/cuda"
	"glint/tracer/device"
)

// Policy selects which frames are timed or counted. Timing needs each launch by itself, counting needs atomics; the frames in
// between are neither timed nor counted, so that they cost what they cost without a profiler.
type Policy struct {
	TimeEvery  int // one frame in so many has its launches timed, others are as a whole; 0: none is
	CountEvery int // one frame in so many has its rays and living paths counted; 0: none
}

// Profiler adds up what the selected frames of one image cost. The zero value selects none.
type Profiler struct {
	policy    Policy
	begun     int               // frames since the policy was changed
	open      bool              // a frame is under way
	timings   *device.Timings   // of the last frame begun, where it is timed
	counting  bool              // the last frame begun is counted, and has not been read
	waves     bool              // the last complete frame was traced by the wavefront engine
	filled    []*device.Timings // of complete frames
	read      Counters          // since the image began, when last read
	nonFinite uint64
	sum       sums
}

// New is a profiler with a policy.
func New(p Policy) *Profiler { return &Profiler{policy: p} }

// sums are what was gathered since it was last asked for.
type sums struct {
	timed, counted int
	paths          uint64                   // of the frames timed
	whole          Spread                   // ms of frames that were timed as a whole
	wholePaths     uint64                   // of these
	slots          [device.SlotCount]Spread // ms
	launches       [device.SlotCount]int
	counters       Counters
	queues         []Queue
}

// Policy is the one in force.
func (p *Profiler) Policy() Policy { return p.policy }

// SetPolicy changes which frames are timed or counted, beginning with the next one.
func (p *Profiler) SetPolicy(policy Policy) {
	if policy != p.policy {
		p.policy, p.begun = policy, 0
	}
}

// due tells whether it is the turn of frame n; counted frames come half a cycle after timed ones, whose time they would add to.
func due(n, every, offset int) bool { return every > 0 && n%every == offset%every }

// Begin starts a frame, or goes on with it.
func (p *Profiler) Begin(d device.Device) {
	if !p.open {
		p.open = true
		p.counting = due(p.begun, p.policy.CountEvery, p.policy.CountEvery/2)
		p.timings = p.newTimings()
		p.begun++
	}
	d.Time(p.timings)
}

// newTimings is for the frame that begins: whole where it is neither one to be timed launch by launch nor slowed down by
// counting.
func (p *Profiler) newTimings() *device.Timings {
	switch {
	case due(p.begun, p.policy.TimeEvery, 0):
		return &device.Timings{}
	case p.policy.TimeEvery > 0 && !p.counting:
		return &device.Timings{Whole: true}
	}
	return nil
}

// Fill says in the frame whether its kernels count.
func (p *Profiler) Fill(f *cuda.Frame) {
	if p.counting {
		f.Sampling.Flags |= cuda.FrameStatistics
	}
}

// Finish ends a frame. The launches that display it are still its own.
func (p *Profiler) Finish(f *cuda.Frame) {
	p.open = false
	p.waves = f.Wavefront.PoolSize > 0
	if p.timings != nil {
		p.timings.Paths = uint64(f.Film.Width) * uint64(f.Film.Height)
	}
}

// Forget drops a frame that was left half-way; the device's counters begin at 0 again.
func (p *Profiler) Forget() {
	p.open, p.timings, p.counting = false, nil, false
	p.read, p.nonFinite = Counters{}, 0
}

// NonFinite is how many samples have been dropped since the image began, as the last counted frame says.
func (p *Profiler) NonFinite() uint64 { return p.nonFinite }

// Source is where counters are read back from.
type Source interface {
	Counters() ([cuda.CounterCount]uint64, error)
	Queues() ([]Queue, error)
}

// Collect adds up the frames that are complete.
func (p *Profiler) Collect(from Source) error {
	if p.open {
		return nil
	}
	if p.timings != nil {
		p.filled, p.timings = append(p.filled, p.timings), nil
	}
	waiting := p.filled[:0]
	for _, t := range p.filled {
		if !t.Complete() {
			waiting = append(waiting, t)
			continue
		}
		p.sum.addTimings(t)
	}
	p.filled = waiting
	if !p.counting {
		return nil
	}
	p.counting = false
	return p.readCounted(from)
}

// readCounted adds what the last frame counted.
func (p *Profiler) readCounted(from Source) error {
	raw, err := from.Counters()
	if err != nil {
		return err
	}
	var queues []Queue
	if p.waves {
		if queues, err = from.Queues(); err != nil {
			return err
		}
	}
	c := CountersOf(raw)
	p.sum.counted++
	p.sum.counters.add(c, p.read)
	p.sum.queues = addQueues(p.sum.queues, queues, 1)
	p.read, p.nonFinite = c, c.NonFinite
	return nil
}

func (t *sums) addTimings(s *device.Timings) {
	if s.Whole {
		t.whole.add(s.FrameMs)
		t.wholePaths += s.Paths
		return
	}
	t.timed++
	t.paths += s.Paths
	for e, n := range s.Launches {
		if n > 0 {
			t.slots[e].add(s.Ms[e])
			t.launches[e] += n
		}
	}
}

// join adds what another renderer's frames tell.
func (t *sums) join(o sums) {
	t.timed += o.timed
	t.counted += o.counted
	t.paths += o.paths
	t.whole.join(o.whole)
	t.wholePaths += o.wholePaths
	for e := range t.slots {
		t.slots[e].join(o.slots[e])
		t.launches[e] += o.launches[e]
	}
	t.counters.add(o.counters, Counters{})
	t.queues = addQueues(t.queues, o.queues, 1)
}
