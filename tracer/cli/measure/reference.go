// Package measure has the reference that pictures are measured against, their errors, and pictures of how they differ.
package measure

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"math/bits"
	"time"

	"glint/tracer"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/job"
	"glint/tracer/cli/terminal"
	"glint/tracer/display"
	"glint/tracer/film"
	"glint/tracer/imageio"
	"glint/tracer/metric"
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
	ref.quality = about
	return ref, nil
}

// read reads a file, of unknown noise.
func (c *ReferenceFlags) read(_ context.Context, _ *job.Process, t *job.Team) (img *imageio.Image, about quality, err error) {
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
func (c *ReferenceFlags) render(ctx context.Context, p *job.Process, t *job.Team) (img *imageio.Image, about quality, err error) {
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

// quality says how good a reference is.
type quality struct {
	Samples int     // per pixel, if it was rendered here
	Noise   float64 // relMSE of the reference itself, estimated; NaN where that was not possible, 0 of a file
}

// Said is how noisy it is, in words.
func (q quality) Said() string {
	if math.IsNaN(q.Noise) {
		return "not known: one sample, or a block of them, does not tell"
	}
	return fmt.Sprintf("%.4g", q.Noise)
}

// RenderReference renders a view by path, until the context ends; the picture is nil if there is none by then. The error of the
// picture is estimated by comparing it with the mean of its first samples, about half of them.
func RenderReference(ctx context.Context, p *job.Process, j *job.Job, v view.View, samples int) (img *imageio.Image, about quality,
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
func renderReferenceByTeam(ctx context.Context, p *job.Process, t *job.Team, samples int) (img *imageio.Image, about quality, err error) {
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

func ReferenceSettings(s settings.Settings) settings.Settings {
	s.Integrator, s.Denoise = "path", "off"
	s.Seed ^= referenceSeed
	return s
}

// trimmedShare is the share of the worst pixels that the trimmed error leaves out.
const trimmedShare = 0.001

// Measurement is the error of a picture against the reference, at some number of samples.
type Measurement struct {
	Samples int     `json:"samples"` // in each pixel; of a live view the number of the frame
	Seconds float64 `json:"seconds"` // of rendering so far; of a live view of this frame
	RelMSE  float64 `json:"relmse"`
	Trimmed float64 `json:"relmse_trimmed"` // without the worst 0.1 % of the pixels
	FLIP    float64 `json:"flip"`           // mean, as displayed
}

// Result is a picture with what was measured of it.
type Result struct {
	Measurement
	HDRFLIP float64 // mean over the exposures that show the reference
	Linear  *imageio.Image
	Display *image.NRGBA
	Flip    *metric.Map
}

// Reference is the picture that others are measured against, displayed by the settings that all share.
type Reference struct {
	renderer *tracer.Renderer
	Settings settings.Settings
	Image    *imageio.Image
	Display  *image.NRGBA
	light    *imageio.Image // of the display that shows the reference
	quality
}

func NewReference(r *tracer.Renderer, s settings.Settings, picture *imageio.Image) (*Reference, error) {
	if _, err := metric.Exposures(picture); err != nil {
		return nil, err
	}
	s, err := exposedAs(r, picture, s)
	if err != nil {
		return nil, err
	}
	shown, _, err := r.Image().Display(picture, s)
	if err != nil {
		return nil, err
	}
	return &Reference{renderer: r, Settings: s, Image: picture, Display: shown, light: display.Light(shown)}, nil
}

// exposedAs are settings that expose every picture as auto exposure would this one (linear, nits).
func exposedAs(r *tracer.Renderer, picture *imageio.Image, s settings.Settings) (settings.Settings, error) {
	if !s.AutoExposure {
		return s, nil
	}
	_, ev, err := r.Image().Display(picture, s)
	if err != nil {
		return s, err
	}
	s.AutoExposure = false
	s.Exposure += ev
	return s, nil
}

// Measure compares a picture with the reference.
func (r *Reference) Measure(img *imageio.Image) (*Result, error) {
	e := &Result{Linear: img}
	var err error
	if e.RelMSE, err = metric.RelMSE(img, r.Image); err != nil {
		return nil, err
	}
	if e.Trimmed, err = metric.TrimmedRelMSE(img, r.Image, trimmedShare); err != nil {
		return nil, err
	}
	if e.Display, _, err = r.renderer.Image().Display(img, r.Settings); err != nil {
		return nil, err
	}
	if e.Flip, err = metric.FLIP(display.Light(e.Display), r.light, metric.DefaultPixelsPerDegree); err != nil {
		return nil, err
	}
	e.FLIP = e.Flip.Mean()
	return e, nil
}

// MeasureFinally adds what is too slow to compute more than once.
func (r *Reference) MeasureFinally(e *Result) error {
	m, err := metric.HDRFLIP(e.Linear, r.Image, metric.DefaultPixelsPerDegree)
	if err != nil {
		return err
	}
	e.HDRFLIP = m.Mean()
	return nil
}
