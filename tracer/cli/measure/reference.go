// Package measure has the reference that pictures are measured against, their errors, and pictures of how they differ.
package measure

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"time"

	"glint/tracer"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/job"
	"glint/tracer/cli/terminal"
	"glint/tracer/film"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// ReferenceFlags choose the reference that images are measured against.
type ReferenceFlags struct {
	Reference    string `placeholder:"FILE" help:"Linear image (.exr, .pfm or .hdr) to measure against. Without it one is rendered by path."`
	ReferenceSPP int    `name:"reference-spp" default:"1024" placeholder:"N" help:"Samples per pixel of the reference, if it is rendered. Default ${default}."`
}

// referenceSeed makes the samples of the reference independent of those that are measured.
const referenceSeed = 0x2545f491

// CheckReference refuses numbers of samples that cannot be rendered.
func (c *ReferenceFlags) CheckReference() error {
	return flags.CheckSamples("--reference-spp", c.ReferenceSPP, 1)
}

// Load reads or renders the reference, or as much of it as there is when the context ends; it is nil if there is none. r displays
// what is measured.
func (c *ReferenceFlags) Load(ctx context.Context, p *job.Process, t *job.Team, r *tracer.Renderer) (*Reference, error) {
	get, j := c.render, t.Members[0].Job
	if c.Reference != "" {
		get = c.read
	}
	img, about, err := get(ctx, p, t)
	if err != nil || img == nil {
		return nil, err
	}
	ref, err := NewReference(r, j.Settings, img)
	if err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	ref.Quality = about
	return ref, nil
}

// read reads a file, of unknown noise.
func (c *ReferenceFlags) read(_ context.Context, _ *job.Process, t *job.Team) (img *imageio.Image, about Quality, err error) {
	j := t.Members[0].Job
	if img, err = imageio.Read(c.Reference); err != nil {
		return nil, about, err
	}
	if img.Width != j.View.Width || img.Height != j.View.Height {
		return nil, about, fmt.Errorf("--reference %s is %d×%d: compare at --size %[2]dx%[3]d", c.Reference, img.Width, img.Height)
	}
	return img, about, nil
}

// render renders the reference of the job's view.
func (c *ReferenceFlags) render(ctx context.Context, p *job.Process, t *job.Team) (img *imageio.Image, about Quality, err error) {
	begun := time.Now()
	if t.Asked {
		img, about, err = renderReferenceByTeam(ctx, p, t, c.ReferenceSPP)
	} else {
		j := t.Members[0].Job
		img, about, err = RenderReference(ctx, p, j, j.View, c.ReferenceSPP)
	}
	p.Log.Info("reference", "samples", about.Samples, "seconds", job.Seconds(time.Since(begun)), "relMSE of its noise", about.Said())
	return img, about, err
}

// RenderReference renders a view by path, until the context ends; the picture is nil if there is none by then. The error of the
// picture is estimated by comparing it with the mean of its first samples, about half of them.
func RenderReference(ctx context.Context, p *job.Process, j *job.Job, v schedule.Request, samples int) (img *imageio.Image, about Quality,
	err error) {
	about.Noise = math.NaN()
	s := ReferenceSettings(j.Settings)
	bar := terminal.NewBar(p.Stderr, samples, "samples of the reference")
	defer bar.Finish()
	var part *imageio.Image // of the first samples
	first := 0
	for i := range samples {
		if ctx.Err() != nil {
			break
		}
		_, err := j.Renderer.Render(v, s, view.Target{})
		if errors.Is(err, view.ErrStopped) {
			break
		}
		if err != nil {
			return nil, about, err
		}
		about.Samples = i + 1
		if n := i + 1; n == samples/2 || n < samples && bits.OnesCount(uint(n)) == 1 { // a signal may end it at any number
			if part, err = j.Renderer.Image().Radiance(); err != nil {
				return nil, about, err
			}
			first = n
		}
		bar.Set(i + 1)
	}
	if about.Samples == 0 {
		return nil, about, nil
	}
	if img, err = j.Renderer.Image().Radiance(); err != nil {
		return nil, about, err
	}
	if first > 0 && first < about.Samples {
		about.Noise, err = noiseBy(part, first, img, about.Samples)
	}
	return img, about, err
}

// renderReferenceByTeam is the same by all devices: the noise is estimated from about the first half.
func renderReferenceByTeam(ctx context.Context, p *job.Process, t *job.Team, samples int) (img *imageio.Image, about Quality, err error) {
	bar := terminal.NewBar(p.Stderr, samples, "samples of the reference")
	defer bar.Finish()
	jobs, err := t.Copies(func(j *job.Job) error {
		j.Settings = ReferenceSettings(j.Settings)
		return nil
	})
	if err != nil {
		return nil, about, err
	}
	progress := func(samples int) error {
		bar.Set(samples)
		return nil
	}
	size := t.Members[0].Job.View
	about.Noise = math.NaN()
	sums := &film.Sums{Size: film.Size{Width: size.Width, Height: size.Height}}
	var part *imageio.Image // of the first samples
	first := samples / 2 / film.BlockSamples * film.BlockSamples
	if first > 0 {
		if err = t.Sample(ctx, sums, first, jobs, progress); err == nil {
			part = sums.Mean()
		}
	}
	if err == nil {
		err = t.Sample(ctx, sums, samples, jobs, progress)
	}
	if err != nil && !interrupt.Is(ctx, err) || sums.End == 0 {
		return nil, about, err
	}
	if part == nil && len(sums.Trees) > 1 { // ended before the half
		first = film.BlockSamples << sums.Trees[0].Level
		part = (&film.Sums{Size: sums.Size, Planes: sums.Planes, Trees: sums.Trees[:1]}).Mean()
	}
	img, about.Samples = sums.Mean(), sums.End
	if part == nil || first >= sums.End {
		return img, about, nil
	}
	about.Noise, err = noiseBy(part, first, img, sums.End)
	return img, about, err
}

// noiseBy estimates the error of a picture of so many samples by one of the first of them: in expected squares they differ by
// whole/first − 1 times as much as the picture differs from the truth.
func noiseBy(part *imageio.Image, first int, img *imageio.Image, whole int) (float64, error) {
	apart, err := metric.RelMSE(part, img)
	return apart / (float64(whole)/float64(first) - 1), err
}

// About says what the reference is.
func (c *ReferenceFlags) About(r *Reference) string {
	about := fmt.Sprintf("path, %d samples per pixel", r.Samples)
	if c.Reference != "" {
		about = c.Reference
	}
	if r.Noise > 0 {
		about += fmt.Sprintf("\nrelMSE of its noise %.2g", r.Noise)
	}
	return about
}

// ReferenceSettings are those of a reference for pictures with settings s.
func ReferenceSettings(s settings.Settings) settings.Settings {
	s.Integrator, s.Denoise, s.Clamp = "path", "off", 0
	s.Seed ^= referenceSeed
	return s
}
