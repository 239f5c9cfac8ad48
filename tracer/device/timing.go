package device

import (
	"errors"

	"glint/cuda"
	"glint/cuda/driver"
)

// stopwatch times launches by events in a stream, while somebody wants to know. Events are used again, so that frames cost
// none, however many there are.
type stopwatch struct {
	context *driver.Context
	on      *Timings // takes the times of what is launched; nil: launches are not timed
	pending []span   // not read yet
	idle    []*driver.Event
}

// span is one launch between two events.
type span struct {
	on         *Timings
	of         Slot
	start, end *driver.Event
}

// each tells whether launches are timed one by one.
func (w *stopwatch) each() bool { return w.on != nil && !w.on.Whole }

// around records an event before and after a launch.
func (w *stopwatch) around(of Slot, s *driver.Stream, launch func() error) error {
	if !w.each() {
		return launch()
	}
	return w.record(of, s, launch)
}

// aroundAll does the same around a frame that is timed as a whole.
func (w *stopwatch) aroundAll(s *driver.Stream, play func() error) error {
	if w.on == nil || !w.on.Whole {
		return play()
	}
	return w.record(wholeFrame, s, play)
}

func (w *stopwatch) record(of Slot, s *driver.Stream, launch func() error) error {
	start, err := w.mark(s)
	if err != nil {
		return err
	}
	if err := launch(); err != nil {
		w.idle = append(w.idle, start)
		return err
	}
	end, err := w.mark(s)
	if err != nil {
		w.idle = append(w.idle, start)
		return err
	}
	w.on.pending++
	w.pending = append(w.pending, span{w.on, of, start, end})
	return nil
}

func (w *stopwatch) mark(s *driver.Stream) (*driver.Event, error) {
	var e *driver.Event
	if last := len(w.idle) - 1; last >= 0 {
		e, w.idle = w.idle[last], w.idle[:last]
	} else {
		var err error
		if e, err = w.context.NewEvent(); err != nil {
			return nil, err
		}
	}
	if err := e.Record(s); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// collect reads what is pending; the stream must have passed it. A time that cannot be read is left out: the error that
// kept it comes back from the next launch.
func (w *stopwatch) collect() {
	for _, s := range w.pending {
		if ms, err := driver.ElapsedMs(s.start, s.end); err == nil {
			s.on.add(s.of, ms)
		}
		s.on.pending--
		w.idle = append(w.idle, s.start, s.end)
	}
	w.pending = w.pending[:0]
}

func (w *stopwatch) close() error {
	w.collect()
	var errs []error
	for _, e := range w.idle {
		errs = append(errs, e.Close())
	}
	w.idle = nil
	return errors.Join(errs...)
}

// Timings takes the times of one frame's launches, or of the frame as a whole.
type Timings struct {
	Whole    bool               // launches are not timed one by one, so that timing does not slow the frame
	FrameMs  float64            // where it is timed as a whole; without those kernels that show the picture
	Ms       [SlotCount]float64 // by slot
	Launches [SlotCount]int
	Paths    uint64 // of the frame
	pending  int    // launches whose time is not known yet
}

// Complete tells whether every launch's time is known.
func (t *Timings) Complete() bool { return t.pending == 0 }

// wholeFrame stands for all launches of a frame, where one measurement is of all.
const wholeFrame = SlotCount

// add notes a launch, or a whole frame, that took so many milliseconds.
func (t *Timings) add(s Slot, ms float64) {
	if t.Whole {
		if s == wholeFrame || s.Kernel().Category() != cuda.CategoryOutput {
			t.FrameMs += ms
		}
		return
	}
	t.Ms[s] += ms
	t.Launches[s]++
}

// Slot numbers what is timed separately: the kernels, then for each that shades the classes of materials that it was launched
// for one by one.
type Slot int

const (
	shadePathsSlots  = Slot(cuda.KernelCount)
	shadeSharedSlots = shadePathsSlots + Slot(cuda.ClassCount)
	// SlotCount is how many slots there are.
	SlotCount = shadeSharedSlots + Slot(cuda.ClassCount)
)

// className is THE table of what classes of materials are called.
var className = [cuda.ClassCount]string{cuda.ClassNone: "missed", cuda.ClassPlain: "plain", cuda.ClassTextured: "textured",
	cuda.ClassGlass: "glass", cuda.ClassPaint: "paint"}

// ClassName is what a class of materials is called (enum MaterialClass).
func ClassName(class int) string { return className[class] }

// SlotOf is the slot of a launch.
func SlotOf(k cuda.Kernel, arg uint32) Slot {
	class := arg >> cuda.ClassShift
	switch {
	case class > 0 && k == cuda.ShadePaths:
		return shadePathsSlots + Slot(class-1)
	case class > 0 && k == cuda.ShadeGiPaths:
		return shadeSharedSlots + Slot(class-1)
	}
	return Slot(k)
}

// Kernel is the one that is timed.
func (s Slot) Kernel() cuda.Kernel {
	switch {
	case s >= shadeSharedSlots:
		return cuda.ShadeGiPaths
	case s >= shadePathsSlots:
		return cuda.ShadePaths
	}
	return cuda.Kernel(s)
}

// Class is the class of materials that is shaded; −1 where the slot is of all.
func (s Slot) Class() int {
	switch {
	case s >= shadeSharedSlots:
		return int(s - shadeSharedSlots)
	case s >= shadePathsSlots:
		return int(s - shadePathsSlots)
	}
	return -1
}

// String is the kernel's name, and of what class of materials.
func (s Slot) String() string {
	if s.Class() < 0 {
		return s.Kernel().String()
	}
	return s.Kernel().String() + " " + className[s.Class()]
}
