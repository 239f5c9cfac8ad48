package session

import (
	"log/slog"
	"time"

	"glint/tracer/diagnose"
	"glint/tracer/guard"
	"glint/tracer/imageio"
)

// CrossCheck finds out how far the pictures of two devices agree, at equal samples. The zero value knows nothing.
type CrossCheck struct {
	found   *diagnose.Agreement
	samples int // that it is of
	epoch   int // of the images
	readAt  time.Time
	working bool
	log     *slog.Logger
}

// step compares two sides in the background now and then, when both have the same number of samples and nothing of another one.
func (x *CrossCheck) step(sides []*Side, epoch int, tasks *Mailbox, at time.Time) error {
	samples := sides[0].Timer.Samples
	if x.epoch != epoch {
		x.found, x.epoch, x.samples = nil, epoch, 0
	}
	if x.working || samples == 0 || samples == x.samples || samples != sides[1].Timer.Samples || x.found != nil && at.Sub(x.readAt) < measureEvery {
		return nil
	}
	var pictures [2]*imageio.Image
	for i, s := range sides {
		if !s.Device.TakesSamples() {
			return nil
		}
		var err error
		if pictures[i], err = s.Device.Radiance(); err != nil {
			return err
		}
	}
	x.working, x.readAt = true, at
	var found diagnose.Agreement
	guard.Go(func() (err error) {
		found, err = diagnose.Agree(pictures[0], pictures[1])
		return err
	}, func(err error) {
		tasks.Post(func() {
			x.working = false
			switch {
			case err != nil:
				x.log.Error("compare the devices", "err", err)
			case x.epoch == epoch:
				x.found, x.samples = &found, samples
			}
		})
	})
	return nil
}
