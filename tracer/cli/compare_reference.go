package cli

import (
	"fmt"
	"time"

	"glint/tracer"
	"glint/tracer/imageio"
	"glint/tracer/metric"
)

// referenceSeed sets the reference's samples apart from the sides'.
const referenceSeed = 0x2545f491

// findReference reads the picture to measure against, or renders it.
func (t *trial) findReference() error {
	find := t.renderReference
	if t.asked.Reference != "" {
		find = t.readReference
	}
	img, noise, err := find()
	if err != nil {
		return err
	}
	if t.judge, err = newJudge(t.sides[0].renderer, t.settings, img); err != nil {
		return fmt.Errorf("reference: %w", err)
	}
	t.judge.noise = noise
	return nil
}

// readReference reads a file; nobody knows how noisy it is.
func (t *trial) readReference() (img *imageio.Image, noise float64, err error) {
	if img, err = imageio.Read(t.asked.Reference); err != nil {
		return nil, 0, err
	}
	if img.Width != t.view.Width || img.Height != t.view.Height {
		return nil, 0, fmt.Errorf("--reference %s is %d×%d: compare at --size %[2]dx%[3]d", t.asked.Reference, img.Width, img.Height)
	}
	return img, 0, nil
}

// renderReference path traces one by the settings that both sides share. Its own error is that of its mean against the
// mean of its first half: both differ from the truth by independent halves, so the expected squares are the same.
func (t *trial) renderReference() (img *imageio.Image, noise float64, err error) {
	settings := t.referenceSettings()
	r, n := t.renderer, t.asked.ReferenceSPP
	bar := newBar(t.program.Stderr, n, "samples of the reference")
	defer bar.finish()
	begun := time.Now()
	var half *imageio.Image
	for i := range n {
		if _, err := r.Render(t.view, settings, tracer.Target{}); err != nil {
			return nil, 0, err
		}
		if i+1 == n/2 {
			if half, err = r.Radiance(); err != nil {
				return nil, 0, err
			}
		}
		bar.set(i + 1)
	}
	if img, err = r.Radiance(); err != nil {
		return nil, 0, err
	}
	if half != nil {
		noise, err = metric.RelMSE(half, img)
	}
	t.program.log.Info("reference", "samples", n, "seconds", rounded(time.Since(begun)), "relMSE of its noise", short(noise))
	return img, noise, err
}

func (t *trial) referenceSettings() tracer.Settings {
	s := t.settings
	s.Integrator = "path"
	s.Seed ^= referenceSeed
	return s
}

// warnOfNoise tells when the reference hides part of what it should measure.
func (t *trial) warnOfNoise() {
	for _, s := range t.sides {
		if t.judge.noise > 0.1*s.final.RelMSE {
			t.program.log.Warn("the reference is too noisy to measure this: raise --reference-spp", "side", s.name,
				"relMSE of the side", short(s.final.RelMSE), "of the reference", short(t.judge.noise))
		}
	}
}
