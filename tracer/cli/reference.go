package cli

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"math/bits"
	"time"

	"glint/tracer"
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

func (c *ReferenceFlags) checkReference() error {
	return checkSamples("--reference-spp", c.ReferenceSPP, 1)
}

// load reads or renders the reference, or as much of it as there is when the context ends; it is nil if there is none. r displays
// what is measured.
func (c *ReferenceFlags) load(ctx context.Context, p *Process, t *team, r *tracer.Renderer) (*reference, error) {
	get, j := c.render, t.members[0].job
	if c.Reference != "" {
		get = c.read
	}
	img, about, err := get(ctx, p, t)
	if err != nil || img == nil {
		return nil, err
	}
	ref, err := newReference(r, j.settings, img)
	if err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	ref.quality = about
	return ref, nil
}

// read reads a file, of unknown noise.
func (c *ReferenceFlags) read(_ context.Context, _ *Process, t *team) (img *imageio.Image, about quality, err error) {
	j := t.members[0].job
	if img, err = imageio.Read(c.Reference); err != nil {
		return nil, about, err
	}
	if img.Width != j.view.Width || img.Height != j.view.Height {
		return nil, about, fmt.Errorf("--reference %s is %d×%d: compare at --size %[2]dx%[3]d", c.Reference, img.Width, img.Height)
	}
	return img, about, nil
}

// render renders the reference of the job's view.
func (c *ReferenceFlags) render(ctx context.Context, p *Process, t *team) (img *imageio.Image, about quality, err error) {
	begun := time.Now()
	if t.asked {
		img, about, err = t.renderReference(ctx, p, c.ReferenceSPP)
	} else {
		j := t.members[0].job
		img, about, err = j.renderReference(ctx, p, j.view, c.ReferenceSPP)
	}
	p.Log.Info("reference", "samples", about.samples, "seconds", rounded(time.Since(begun)), "relMSE of its noise", about.said())
	return img, about, err
}

// quality says how good a reference is.
type quality struct {
	samples int     // per pixel, if it was rendered here
	noise   float64 // relMSE of the reference itself, estimated; NaN where that was not possible, 0 of a file
}

// said is how noisy it is, in words.
func (q quality) said() string {
	if math.IsNaN(q.noise) {
		return "not known: one sample, or a block of them, does not tell"
	}
	return fmt.Sprintf("%.4g", q.noise)
}

// renderReference renders a view by path, until the context ends; the picture is nil if there is none by then. The error of the
// picture is estimated by comparing it with the mean of its first samples, about half of them.
func (j *job) renderReference(ctx context.Context, p *Process, v view.View, samples int) (img *imageio.Image, about quality, err error) {
	about.noise = math.NaN()
	s := j.referenceSettings()
	bar := newBar(p.Stderr, samples, "samples of the reference")
	defer bar.finish()
	var part *imageio.Image // of the first samples
	first := 0
	for i := range samples {
		if ctx.Err() != nil {
			break
		}
		_, err := j.renderer.Render(v, s, view.Target{})
		if errors.Is(err, view.ErrStopped) {
			break
		}
		if err != nil {
			return nil, about, err
		}
		about.samples = i + 1
		if n := i + 1; n == samples/2 || n < samples && bits.OnesCount(uint(n)) == 1 { // a signal may end it at any number
			if part, err = j.renderer.Image().Radiance(); err != nil {
				return nil, about, err
			}
			first = n
		}
		bar.set(i + 1)
	}
	if about.samples == 0 {
		return nil, about, nil
	}
	if img, err = j.renderer.Image().Radiance(); err != nil {
		return nil, about, err
	}
	if first > 0 && first < about.samples {
		about.noise, err = noiseBy(part, first, img, about.samples)
	}
	return img, about, err
}

// renderReference is that of a job, by all devices: the noise is estimated from about the first half.
func (t *team) renderReference(ctx context.Context, p *Process, samples int) (img *imageio.Image, about quality, err error) {
	bar := newBar(p.Stderr, samples, "samples of the reference")
	defer bar.finish()
	jobs := map[*member]*job{}
	for _, m := range t.members {
		own := *m.job
		own.settings = m.job.referenceSettings()
		jobs[m] = &own
	}
	of := func(m *member) *job { return jobs[m] }
	progress := func(samples int) error {
		bar.set(samples)
		return nil
	}
	size := t.members[0].job.view
	about.noise = math.NaN()
	sums := &film.Sums{Size: film.Size{Width: size.Width, Height: size.Height}}
	var part *imageio.Image // of the first samples
	first := samples / 2 / film.BlockSamples * film.BlockSamples
	if first > 0 {
		if err = t.sample(ctx, sums, first, of, progress); err == nil {
			part = meanOf(sums)
		}
	}
	if err == nil {
		err = t.sample(ctx, sums, samples, of, progress)
	}
	if err != nil && !isInterrupted(ctx, err) || sums.End == 0 {
		return nil, about, err
	}
	if part == nil && len(sums.Trees) > 1 { // ended before the half
		first = film.BlockSamples << sums.Trees[0].Level
		part = meanOf(&film.Sums{Size: sums.Size, Planes: sums.Planes, Trees: sums.Trees[:1]})
	}
	img, about.samples = meanOf(sums), sums.End
	if part == nil || first >= sums.End {
		return img, about, nil
	}
	about.noise, err = noiseBy(part, first, img, sums.End)
	return img, about, err
}

// noiseBy estimates the error of a picture of so many samples by one of the first of them: in expected squares they differ by
// whole/first − 1 times as much as the picture differs from the truth.
func noiseBy(part *imageio.Image, first int, img *imageio.Image, whole int) (float64, error) {
	apart, err := metric.RelMSE(part, img)
	return apart / (float64(whole)/float64(first) - 1), err
}

// about says what the reference is.
func (c *ReferenceFlags) about(r *reference) string {
	about := fmt.Sprintf("path, %d samples per pixel", r.samples)
	if c.Reference != "" {
		about = c.Reference
	}
	if r.noise > 0 {
		about += fmt.Sprintf("\nrelMSE of its noise %.2g", r.noise)
	}
	return about
}

func (j *job) referenceSettings() settings.Settings {
	s := j.settings
	s.Integrator, s.Denoise = "path", "off"
	s.Seed ^= referenceSeed
	return s
}

// trimmedShare is the share of the worst pixels that the trimmed error leaves out.
const trimmedShare = 0.001

// measurement is the error of a picture against the reference, at some number of samples.
type measurement struct {
	Samples int     `json:"samples"` // in each pixel; of a live view the number of the frame
	Seconds float64 `json:"seconds"` // of rendering so far; of a live view of this frame
	RelMSE  float64 `json:"relmse"`
	Trimmed float64 `json:"relmse_trimmed"` // without the worst 0.1 % of the pixels
	FLIP    float64 `json:"flip"`           // mean, as displayed
}

// result is a picture with what was measured of it.
type result struct {
	measurement
	HDRFLIP float64 // mean over the exposures that show the reference
	linear  *imageio.Image
	display *image.NRGBA
	flip    *metric.Map
}

// reference is the picture that others are measured against, displayed by the settings that all share.
type reference struct {
	renderer *tracer.Renderer
	settings settings.Settings
	image    *imageio.Image
	display  *image.NRGBA
	light    *imageio.Image // of the display that shows the reference
	quality
}

func newReference(r *tracer.Renderer, s settings.Settings, picture *imageio.Image) (*reference, error) {
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
	return &reference{renderer: r, settings: s, image: picture, display: shown, light: display.Light(shown)}, nil
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

// measure compares a picture with the reference.
func (r *reference) measure(img *imageio.Image) (*result, error) {
	e := &result{linear: img}
	var err error
	if e.RelMSE, err = metric.RelMSE(img, r.image); err != nil {
		return nil, err
	}
	if e.Trimmed, err = metric.TrimmedRelMSE(img, r.image, trimmedShare); err != nil {
		return nil, err
	}
	if e.display, _, err = r.renderer.Image().Display(img, r.settings); err != nil {
		return nil, err
	}
	if e.flip, err = metric.FLIP(display.Light(e.display), r.light, metric.DefaultPixelsPerDegree); err != nil {
		return nil, err
	}
	e.FLIP = e.flip.Mean()
	return e, nil
}

// measureFinally adds what is too slow to compute more than once.
func (r *reference) measureFinally(e *result) error {
	m, err := metric.HDRFLIP(e.linear, r.image, metric.DefaultPixelsPerDegree)
	if err != nil {
		return err
	}
	e.HDRFLIP = m.Mean()
	return nil
}
