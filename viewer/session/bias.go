package session

import (
	"fmt"
	"image"
	"log/slog"
	"time"

	"glint/tracer/diagnose"
	"glint/tracer/film"
	"glint/tracer/guard"
	"glint/tracer/imageio"
	"glint/tracer/integrator"
	"glint/tracer/schedule"
)

// Bias finds out where two sides differ by more than chance, while that is shown. The zero value has no samples.
type Bias struct {
	OwnPicture
	of      *diagnose.Bias
	found   *diagnose.BiasMap
	epoch   int // of the images that it is of
	readAt  time.Time
	working bool
	log     *slog.Logger
}

const (
	biasEvery   = 250 * time.Millisecond // how often images are read at most
	independent = 4                      // samples of a block where they do not depend on each other
	dependent   = 16                     // the same where they share history
)

// leastBlock is how many samples make a block.
func leastBlock(sides []*Side) int {
	for _, s := range sides {
		if integrator.Reuses(s.Integrator()) && s.Settings.RestirTemporal && s.Settings.RestirSettle > independent {
			return dependent
		}
	}
	return independent
}

// step takes a block of samples of both sides when there is one, and makes the map in the background.
func (b *Bias) step(sides []*Side, v schedule.Request, epoch int, tasks *Mailbox, at time.Time) error {
	if b.of == nil || b.epoch != epoch {
		b.forget()
		b.of, b.epoch = diagnose.NewBias(v.Width, v.Height, leastBlock(sides)), epoch
	}
	if b.working {
		return nil
	}
	samples := [2]int{sides[0].Timer.Samples, sides[1].Timer.Samples}
	if at.Sub(b.readAt) < biasEvery || !b.of.Due(samples[0], samples[1]) {
		return nil
	}
	var pictures [2]*imageio.Image
	for i, s := range sides {
		var err error
		if pictures[i], err = s.Device.Radiance(); err != nil {
			return err
		}
		if pictures[i].Width != v.Width || pictures[i].Height != v.Height {
			return nil // of the window before it was resized
		}
	}
	b.working, b.readAt = true, at
	of := b.of
	var found *diagnose.BiasMap
	var picture *image.NRGBA
	guard.Go(func() error {
		if err := of.Take(pictures, samples); err != nil {
			return err
		}
		found = of.Map()
		picture = found.Picture(pictures[0])
		return nil
	}, func(err error) {
		tasks.Post(func() {
			b.working = false
			if err == nil && b.of == of {
				b.found = found
				err = b.show(picture)
			}
			if err != nil {
				b.log.Error("find bias", "err", err)
			}
		})
	})
	return nil
}

// forget forgets all samples, and frees the map.
func (b *Bias) forget() {
	b.of, b.found = nil, nil
	b.release()
}

// legend says what is seen, and what the colours mean.
func (b *Bias) legend() Legend {
	if b.found == nil {
		return Legend{Name: "bias map", Help: "The first samples are being counted."}
	}
	l := Legend{Name: "bias map: which side is brighter", Help: b.found.String(), Bar: true}
	side := func(name string) string { return fmt.Sprintf("%s by %.3g %%", name, 100*b.found.Scale) }
	for _, step := range []struct {
		share float64
		label string
	}{{-1, side("A")}, {-0.3, ""}, {0, "may be chance"}, {0.3, ""}, {1, side("B")}} {
		c := b.found.Color(step.share*b.found.Scale, 40)
		l.Colors = append(l.Colors, film.Swatch{RGB: uint32(c[0])<<16 | uint32(c[1])<<8 | uint32(c[2]), Label: step.label})
	}
	return l
}
