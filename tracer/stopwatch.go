package tracer

import (
	"errors"

	"glint/cuda/driver"
)

// stopwatch times launches by events in a stream, while somebody wants to know. Events are used again, so that frames cost
// none, however many there are.
type stopwatch struct {
	context *driver.Context
	on      *sheet // takes the times of what is launched; nil: launches are not timed
	pending []span // not read yet
	idle    []*driver.Event
}

// span is one launch between two events.
type span struct {
	on         *sheet
	of         entry
	start, end *driver.Event
}

// each tells whether launches are timed by themselves.
func (w *stopwatch) each() bool { return w.on != nil && !w.on.whole }

// around records an event before and after a launch.
func (w *stopwatch) around(e entry, s *driver.Stream, launch func() error) error {
	if !w.each() {
		return launch()
	}
	return w.record(e, s, launch)
}

// aroundAll does the same around a frame that is timed as a whole.
func (w *stopwatch) aroundAll(s *driver.Stream, play func() error) error {
	if w.on == nil || !w.on.whole {
		return play()
	}
	return w.record(wholeFrame, s, play)
}

func (w *stopwatch) record(of entry, s *driver.Stream, launch func() error) error {
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
