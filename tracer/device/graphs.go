package device

import (
	"errors"
	"slices"

	"glint/cuda/driver"
)

// maxGraphs bounds the graphs that are kept: first frames, settling, accumulating, each for two sides, and as many for small
// images beside them.
const maxGraphs = 16

// graph is a batch of launches as a CUDA graph: one call to the driver launches them all.
type graph struct {
	batch []Launch
	graph *driver.Graph
}

// graphCache holds the graphs that were used last, the latest last.
type graphCache []graph

// Submit queues a batch as one graph; where launches are timed, one by one.
func (d *cudaDevice) Submit(batch []Launch) error {
	if d.stopwatch.each() || len(batch) < 2 {
		return d.stopwatch.aroundAll(d.stream, func() error { return d.submitEach(batch) })
	}
	i := slices.IndexFunc(d.graphs, func(g graph) bool { return slices.Equal(g.batch, batch) })
	if i < 0 {
		captured, err := d.capture(batch)
		if err != nil {
			return err
		}
		i = len(d.graphs)
		d.graphs = append(d.graphs, graph{slices.Clone(batch), captured})
	}
	g := d.graphs[i]
	d.graphs = append(slices.Delete(d.graphs, i, i+1), g)
	if err := d.stopwatch.aroundAll(d.stream, func() error { return g.graph.Launch(d.stream) }); err != nil {
		return err
	}
	return d.graphs.evict()
}

func (d *cudaDevice) submitEach(batch []Launch) error {
	for _, l := range batch {
		if err := d.queue(l, d.stream); err != nil {
			return err
		}
	}
	return nil
}

// evict closes the least recently used graph when there are too many. The driver keeps one that is running until it has
// ended.
func (s *graphCache) evict() error {
	if len(*s) <= maxGraphs {
		return nil
	}
	oldest := (*s)[0]
	*s = slices.Delete(*s, 0, 1)
	return oldest.graph.Close()
}

func (s *graphCache) close() error {
	var errs []error
	for _, one := range *s {
		errs = append(errs, one.graph.Close())
	}
	*s = nil
	return errors.Join(errs...)
}

// capture makes a graph of a batch. A launch that may overlap others goes to a stream of its own; the launch after the next, or
// the end of the batch, waits for it.
func (d *cudaDevice) capture(batch []Launch) (graph *driver.Graph, err error) {
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
	return d.stream.Capture(func() error { return d.queueAll(batch, sides[0], sides[1]) })
}

// sideStream runs one launch at the same time as those of the device's stream.
type sideStream struct {
	stream     *driver.Stream
	fork, join *driver.Event
	due        int // the launch of the batch before which it must have ended; −1: nothing runs there
}

func (d *cudaDevice) newSideStream() (*sideStream, error) {
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

// run queues a launch that what was queued before must precede.
func (s *sideStream) run(d *cudaDevice, l Launch, due int) error {
	s.due = due
	return errors.Join(s.fork.Record(d.stream), s.stream.Wait(s.fork), d.queue(l, s.stream), s.join.Record(s.stream))
}

// queueAll queues a batch. Launches that may overlap all others run one after the other.
func (d *cudaDevice) queueAll(batch []Launch, next, last *sideStream) error {
	for i, l := range batch {
		if err := next.joinAt(i, d.stream); err != nil {
			return err
		}
		var err error
		switch l.Overlap {
		case Next:
			err = next.run(d, l, min(i+2, len(batch)))
		case Rest:
			err = last.run(d, l, len(batch))
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
