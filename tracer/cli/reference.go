package cli

import (
	"fmt"
	"time"

	"glint/tracer"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// ReferenceFlags say what pictures are measured against.
type ReferenceFlags struct {
	Reference    string `placeholder:"FILE" help:"Linear picture (.exr, .pfm, .hdr) to measure against. Without it one is rendered by path."`
	ReferenceSPP int    `name:"reference-spp" default:"1024" placeholder:"N" help:"Samples a pixel of that. Default ${default}."`
}

// referenceSeed sets the reference's samples apart from those of what is measured.
const referenceSeed = 0x2545f491

func (c *ReferenceFlags) checkReference() error {
	if c.ReferenceSPP < 1 {
		return fmt.Errorf("--reference-spp %d: want at least one sample a pixel", c.ReferenceSPP)
	}
	return nil
}

// find reads the picture to measure against, or renders it; r displays what is measured.
func (c *ReferenceFlags) find(p *Program, j *job, r *tracer.Renderer) (*judge, error) {
	find := c.render
	if c.Reference != "" {
		find = c.read
	}
	img, noise, err := find(p, j)
	if err != nil {
		return nil, err
	}
	judge, err := newJudge(r, j.settings, img)
	if err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	judge.noise = noise
	return judge, nil
}

// read reads a file; nobody knows how noisy it is.
func (c *ReferenceFlags) read(_ *Program, j *job) (img *imageio.Image, noise float64, err error) {
	if img, err = imageio.Read(c.Reference); err != nil {
		return nil, 0, err
	}
	if img.Width != j.view.Width || img.Height != j.view.Height {
		return nil, 0, fmt.Errorf("--reference %s is %d×%d: compare at --size %[2]dx%[3]d", c.Reference, img.Width, img.Height)
	}
	return img, 0, nil
}

// render path traces one by the settings that all share. Its own error is that of its mean against the mean of its first
// half: both differ from the truth by independent halves, so the expected squares are the same.
func (c *ReferenceFlags) render(p *Program, j *job) (img *imageio.Image, noise float64, err error) {
	s, n := j.referenceSettings(), c.ReferenceSPP
	bar := newBar(p.Stderr, n, "samples of the reference")
	defer bar.finish()
	begun := time.Now()
	var half *imageio.Image
	for i := range n {
		if _, err := j.renderer.Render(j.view, s, view.Target{}); err != nil {
			return nil, 0, err
		}
		if i+1 == n/2 {
			if half, err = j.renderer.Radiance(); err != nil {
				return nil, 0, err
			}
		}
		bar.set(i + 1)
	}
	if img, err = j.renderer.Radiance(); err != nil {
		return nil, 0, err
	}
	if half != nil {
		noise, err = metric.RelMSE(half, img)
	}
	p.log.Info("reference", "samples", n, "seconds", rounded(time.Since(begun)), "relMSE of its noise", short(noise))
	return img, noise, err
}

// about says what the reference is.
func (c *ReferenceFlags) about(noise float64) string {
	about := fmt.Sprintf("path, %d samples a pixel", c.ReferenceSPP)
	if c.Reference != "" {
		about = c.Reference
	}
	if noise > 0 {
		about += fmt.Sprintf("\nrelMSE of its noise %.2g", noise)
	}
	return about
}

func (j *job) referenceSettings() settings.Settings {
	s := j.settings
	s.Integrator, s.Denoise = "path", "off"
	s.Seed ^= referenceSeed
	return s
}
