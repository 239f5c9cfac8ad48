package tracer

import (
	"errors"
	"slices"

	"glint/cuda/driver"
)

// maxScores bounds the graphs that are kept: first frames, settling, accumulating, each for two sides.
const maxScores = 8

// score is a frame's launches as a CUDA graph: one call to the driver plays them all.
type score struct {
	batch []launch
	graph *driver.Graph
}

// scores are the graphs of late, the latest last.
type scores []score

// play queues a batch as one graph; where launches are timed, one by one.
func (d *gpuDevice) play(batch []launch) error {
	if d.stopwatch.each() || len(batch) < 2 {
		return d.stopwatch.aroundAll(d.stream, func() error { return d.playEach(batch) })
	}
	i := slices.IndexFunc(d.scores, func(s score) bool { return slices.Equal(s.batch, batch) })
	if i < 0 {
		graph, err := d.record(batch)
		if err != nil {
			return err
		}
		i = len(d.scores)
		d.scores = append(d.scores, score{slices.Clone(batch), graph})
	}
	s := d.scores[i]
	d.scores = append(slices.Delete(d.scores, i, i+1), s)
	if err := d.stopwatch.aroundAll(d.stream, func() error { return s.graph.Launch(d.stream) }); err != nil {
		return err
	}
	return d.scores.forget()
}

func (d *gpuDevice) playEach(batch []launch) error {
	for _, l := range batch {
		if err := d.queue(l, d.stream); err != nil {
			return err
		}
	}
	return nil
}

// forget closes the graph that was played longest ago when there are too many. The driver keeps one that is being played
// until it has ended.
func (s *scores) forget() error {
	if len(*s) <= maxScores {
		return nil
	}
	oldest := (*s)[0]
	*s = slices.Delete(*s, 0, 1)
	return oldest.graph.Close()
}

func (s *scores) close() error {
	var errs []error
	for _, one := range *s {
		errs = append(errs, one.graph.Close())
	}
	*s = nil
	return errors.Join(errs...)
}

// record captures a batch. A launch that may run beside others goes to a stream of its own; the launch after the next, or
// the end of the batch, waits for it.
func (d *gpuDevice) record(batch []launch) (graph *driver.Graph, err error) {
	var sides [2]*sideStream
	defer func() {
		for _, s := range sides {
			if s != nil {
				err = errors.Join(err, s.close())
			}
		}
	}()
	for i := range sides {
		if sides[i], err = d.newSideStream(); err != nil {
			return nil, err
		}
	}
	return d.stream.Capture(func() error { return d.perform(batch, sides[0], sides[1]) })
}

// sideStream runs one launch beside those of the device's stream.
type sideStream struct {
	stream     *driver.Stream
	fork, join *driver.Event
	due        int // the launch of the batch before which it must have ended; −1: nothing runs there
}

func (d *gpuDevice) newSideStream() (*sideStream, error) {
	s := &sideStream{due: -1}
	var errs [3]error
	s.stream, errs[0] = d.context.NewStream()
	s.fork, errs[1] = d.context.NewEvent()
	s.join, errs[2] = d.context.NewEvent()
	if err := errors.Join(errs[:]...); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *sideStream) close() error {
	var errs []error
	if s.stream != nil {
		errs = append(errs, s.stream.Close())
	}
	for _, e := range []*driver.Event{s.fork, s.join} {
		if e != nil {
			errs = append(errs, e.Close())
		}
	}
	return errors.Join(errs...)
}

// take queues a launch that what was queued before must precede.
func (s *sideStream) take(d *gpuDevice, l launch, due int) error {
	s.due = due
	return errors.Join(s.fork.Record(d.stream), s.stream.Wait(s.fork), d.queue(l, s.stream), s.join.Record(s.stream))
}

// perform queues a batch; of the launches that may run beside all others there is one at most.
func (d *gpuDevice) perform(batch []launch, next, last *sideStream) error {
	for i, l := range batch {
		if err := next.joinAt(i, d.stream); err != nil {
			return err
		}
		var err error
		switch l.beside {
		case following:
			err = next.take(d, l, min(i+2, len(batch)))
		case all:
			err = last.take(d, l, len(batch))
		default:
			err = d.queue(l, d.stream)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(next.joinAt(len(batch), d.stream), last.joinAt(len(batch), d.stream))
}

// joinAt has a stream wait before the launch that is due.
func (s *sideStream) joinAt(at int, stream *driver.Stream) error {
	if s.due != at {
		return nil
	}
	s.due = -1
	return stream.Wait(s.join)
}
