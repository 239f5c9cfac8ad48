package device

import (
	"errors"
	"slices"

	"glint/cuda/driver"
)

// maxGraphs bounds the graphs that are kept: first frames, settling, accumulating, each for two sides, and as many for small
// images along with them.
const maxGraphs = 16

// manyGraphs bounds them where programs cut batches into as many as there are waves.
const manyGraphs = 16 * maxGraphs

// graph is a batch of launches as a CUDA graph: one call to the driver launches them all.
type graph struct {
	batch []Launch
	graph *driver.Graph
}

// graphCache holds the graphs that were used last, the latest last.
type graphCache struct {
	context *driver.Context
	stream  *driver.Stream
	graphs  []graph
}

// queue puts a launch into a stream.
type queue func(l Launch, s *driver.Stream) error

// of is the graph of a batch, which is captured where there is none.
func (c *graphCache) of(batch []Launch, put queue) (*driver.Graph, error) {
	i := slices.IndexFunc(c.graphs, func(g graph) bool { return slices.Equal(g.batch, batch) })
	if i < 0 {
		captured, err := c.capture(batch, put)
		if err != nil {
			return nil, err
		}
		i = len(c.graphs)
		c.graphs = append(c.graphs, graph{slices.Clone(batch), captured})
	}
	g := c.graphs[i]
	c.graphs = append(slices.Delete(c.graphs, i, i+1), g)
	return g.graph, nil
}

// evict closes the least recently used graphs when there are too many; cut: of batches that programs cut. The driver keeps one that is running until it has
// ended.
func (c *graphCache) evict(cut bool) error {
	most := maxGraphs
	if cut {
		most = manyGraphs
	}
	var errs []error
	for len(c.graphs) > most {
		errs = append(errs, c.graphs[0].graph.Close())
		c.graphs = slices.Delete(c.graphs, 0, 1)
	}
	return errors.Join(errs...)
}

func (c *graphCache) close() error {
	var errs []error
	for _, one := range c.graphs {
		errs = append(errs, one.graph.Close())
	}
	c.graphs = nil
	return errors.Join(errs...)
}

// capture makes a graph of a batch. A launch that may overlap others goes to a stream of its own; the launch after the next, or
// the end of the batch, waits for it.
func (c *graphCache) capture(batch []Launch, put queue) (graph *driver.Graph, err error) {
	var sides [2]*sideStream
	defer func() {
		for _, s := range sides {
			if s != nil {
				err = errors.Join(err, s.close())
			}
		}
	}()
	for i := range sides {
		if sides[i], err = newSideStream(c.context); err != nil {
			return nil, err
		}
	}
	return c.stream.Capture(func() error { return c.queueAll(batch, put, sides[0], sides[1]) })
}

// sideStream runs one launch at the same time as those of the device's stream.
type sideStream struct {
	stream     *driver.Stream
	fork, join *driver.Event
	due        int // the launch of the batch before which it must have ended; −1: nothing runs there
}

func newSideStream(c *driver.Context) (*sideStream, error) {
	s := &sideStream{due: -1}
	var errs [3]error
	s.stream, errs[0] = c.NewStream()
	s.fork, errs[1] = c.NewEvent()
	s.join, errs[2] = c.NewEvent()
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
func (s *sideStream) run(main *driver.Stream, put queue, l Launch, due int) error {
	s.due = due
	return errors.Join(s.fork.Record(main), s.stream.Wait(s.fork), put(l, s.stream), s.join.Record(s.stream))
}

// queueAll queues a batch. Launches that may overlap all others run one after the other.
func (c *graphCache) queueAll(batch []Launch, put queue, next, last *sideStream) error {
	for i, l := range batch {
		if err := next.joinAt(i, c.stream); err != nil {
			return err
		}
		var err error
		switch l.Overlap {
		case Next:
			err = next.run(c.stream, put, l, min(i+2, len(batch)))
		case Rest:
			err = last.run(c.stream, put, l, len(batch))
		default:
			err = put(l, c.stream)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(next.joinAt(len(batch), c.stream), last.joinAt(len(batch), c.stream))
}

// joinAt has a stream wait before the launch that is due.
func (s *sideStream) joinAt(at int, stream *driver.Stream) error {
	if s.due != at {
		return nil
	}
	s.due = -1
	return stream.Wait(s.join)
}
