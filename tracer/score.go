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

// record captures a batch. A launch that may run beside the next one goes to a stream of its own; the launch after the next
// waits for it.
func (d *gpuDevice) record(batch []launch) (graph *driver.Graph, err error) {
	side, err := d.context.NewStream()
	if err != nil {
		return nil, err
	}
	fork, err := d.context.NewEvent()
	if err != nil {
		return nil, errors.Join(err, side.Close())
	}
	join, err := d.context.NewEvent()
	if err != nil {
		return nil, errors.Join(err, side.Close(), fork.Close())
	}
	graph, err = d.stream.Capture(func() error { return d.perform(batch, side, fork, join) })
	return graph, errors.Join(err, side.Close(), fork.Close(), join.Close())
}

func (d *gpuDevice) perform(batch []launch, side *driver.Stream, fork, join *driver.Event) error {
	due := -1 // the launch before which the side stream must have ended
	for i, l := range batch {
		if i == due {
			if err := d.stream.Wait(join); err != nil {
				return err
			}
		}
		if !l.beside {
			if err := d.queue(l, d.stream); err != nil {
				return err
			}
			continue
		}
		due = i + 2
		if err := errors.Join(fork.Record(d.stream), side.Wait(fork), d.queue(l, side), join.Record(side)); err != nil {
			return err
		}
	}
	if due >= len(batch) {
		return d.stream.Wait(join)
	}
	return nil
}
