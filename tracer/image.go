package tracer

import (
	"fmt"
	"image"

	"glint/cuda"
	"glint/tracer/denoise"
	"glint/tracer/display"
	"glint/tracer/film"
	"glint/tracer/imageio"
	"glint/tracer/integrator"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Image is what a renderer has accumulated, to be read back.
type Image struct {
	engine   *Engine
	pipeline *pipeline
	screen   *display.Display
}

// Radiance is the image so far: the mean of every pixel's samples, linear, nits. Light beyond all numbers is the largest float.
func (i Image) Radiance() (*imageio.Image, error) {
	if err := i.pipeline.full.clearStale(); err != nil {
		return nil, fmt.Errorf("read the image back: %w", err)
	}
	img, err := i.pipeline.full.film.Radiance()
	if err != nil {
		return nil, err
	}
	imageio.MakeFinite(img.Pix)
	return img, nil
}

// Block is what the samples so far add up to, with so many planes of AOVs, for [film.Sums].
func (i Image) Block() (values []float32, planes int, err error) {
	f := i.pipeline.full.film
	values, err = f.ReadSums()
	return values, f.AOVs(), err
}

// SetSums has the image hold other samples than its own. They must be of the same size, and have the planes of AOVs that it keeps.
func (i Image) SetSums(s *film.Sums) error {
	n := i.pipeline.full
	if n.film.Size() != s.Size {
		return errNoImage
	}
	if kept := n.film.AOVs(); kept > s.Planes {
		return fmt.Errorf("the samples were rendered without what the flags ask for: %d planes of AOVs, not %d", s.Planes, kept)
	}
	if err := n.film.WriteSums(s.Of(n.film.AOVs())); err != nil {
		return err
	}
	n.denoise.Forget()
	n.sampler.SetSamples(s.End - s.First)
	return nil
}

// Light is what the light of the samples so far adds up to, for SetLight; it takes the room of `into` if that is large enough.
func (i Image) Light(into []float32) ([]float32, error) {
	return film.ReadLight(i.pipeline.full.film, into)
}

// SetLight has the image hold the light of other samples than its own. What is kept of pixels besides begins anew.
func (i Image) SetLight(values []float32, samples int) error {
	n := i.pipeline.full
	if err := film.WriteLight(n.film, values); err != nil {
		return err
	}
	n.denoise.Forget()
	n.sampler.SetSamples(samples)
	return nil
}

// Resting is an image of a live view that rests: what its samples are rendered by, with nothing left to decide.
type Resting struct {
	View     schedule.Request
	Settings settings.Settings
	Guides   bool // those of the denoiser are kept
	Samples  int  // so far
}

// Resting says how another device renders samples of the image. It is false where they would not fit in: while the view moves, before
// the image has so many samples that last, where another renderer's image is compared with it, and where more is kept than light and guides.
func (i Image) Resting(v schedule.Request, s settings.Settings, least int) (r Resting, ok bool) {
	n, p := i.pipeline.full, i.engine.Plan(v, s)
	if !v.Live || v.Moving || v.Layers || p.errorMap || schedule.ShowsData(&s) || v.Compared || i.engine.renderers > 1 ||
		n.sampler.Key() != p.Key || n.film.AOVs() > int(cuda.AovFilterPlanes) || n.sampler.SinceReplace() < least {
		return r, false
	}
	r = Resting{Guides: n.film.AOVs() > 0, Samples: n.sampler.Samples(), Settings: p.Settings,
		View: schedule.Request{View: view.View{Camera: v.Camera, Width: v.Width, Height: v.Height, Frame: v.Frame, Aspect: v.Aspect}}}
	r.Settings.Denoise, r.Settings.Exec = denoise.Off, s.Exec // each device has an engine that suits it
	return r, true
}

// TakesSamples tells whether samples can be added now: none is under way.
func (i Image) TakesSamples() bool { return i.pipeline.full.sampler.AtSampleEnd() }

// AddSamples adds samples of another device: values as Block gives them.
func (i Image) AddSamples(values []float32, count int) error {
	n := i.pipeline.full
	if err := n.film.AddSums(values); err != nil {
		return err
	}
	n.sampler.AddSamples(count)
	return nil
}

// KeepGuides has guides kept for a denoiser elsewhere, whatever the settings say.
func (i Image) KeepGuides(keep bool) { i.pipeline.full.needGuides = keep }

// Layers are all AOVs of the image so far, except the error map. They are kept while Request.Layers is on.
func (i Image) Layers() ([]imageio.Layer, error) {
	layers, err := i.pipeline.full.film.Layers()
	for _, layer := range layers {
		imageio.MakeFinite(layer.Pix)
	}
	return layers, err
}

// Alpha is how much of each pixel surfaces cover, as the alpha channel of a picture whose background is hidden; none where it is seen.
func (i Image) Alpha(s *settings.Settings) ([]imageio.Layer, error) {
	if !s.HidesBackground() {
		return nil, nil
	}
	alpha, err := film.Alpha(i.pipeline.full.film)
	return []imageio.Layer{alpha}, err
}

// Upscaled is the upscaled image that is shown (linear, nits).
func (i Image) Upscaled() (*imageio.Image, error) {
	size := i.pipeline.full.film.Size()
	return i.pipeline.upscaler.Image(size.Width, size.Height)
}

// Denoised is the denoised image of what has been accumulated (linear, nits), made now unless the last frame made it. It is
// shown from then on.
func (i Image) Denoised(v schedule.Request, s settings.Settings) (*imageio.Image, error) {
	n := i.pipeline.full
	err := i.isOf(&v)
	var img *imageio.Image
	if err == nil {
		img, err = n.denoise.Image(n.source(i.engine.Plan(v, s)))
	}
	if err != nil {
		return nil, fmt.Errorf("denoise: %w", err)
	}
	imageio.MakeFinite(img.Pix)
	return img, nil
}

// ErrorMap is the map of the error that is left in the denoised image so far, as a layer. What it is made of is kept while
// Request.Layers is on and the image is to be denoised.
func (i Image) ErrorMap(v schedule.Request, s settings.Settings) (imageio.Layer, error) {
	if err := i.isOf(&v); err != nil {
		return imageio.Layer{}, fmt.Errorf("error map: %w", err)
	}
	n := i.pipeline.full
	return n.errorMap.Layer(n.source(i.engine.Plan(v, s)))
}

// isOf tells whether the image has the size of a view: what kernels write is as large as that, whatever there is room for.
func (i Image) isOf(v *schedule.Request) error {
	if (film.Size{Width: v.Width, Height: v.Height}) != i.pipeline.full.film.Size() {
		return errNoImage
	}
	return nil
}

// Newest is a picture of all samples so far, and their number: it is denoised now unless it was. Where that fails, it is what is shown.
func (i Image) Newest(v schedule.Request, s settings.Settings) (img *image.NRGBA, samples int, err error) {
	p := i.pipeline
	plan := i.engine.Plan(v, s)
	if plan.showsDenoised && !schedule.ShowsData(&s) && !p.upscaler.Shows() {
		_, _ = i.Denoised(v, s) // the window says why it is not denoised
	}
	img, err = i.Picture(v, s)
	return img, p.samplesShown(plan), err
}

// Picture shows what has been accumulated, for a screenshot.
func (i Image) Picture(v schedule.Request, s settings.Settings) (*image.NRGBA, error) {
	if s.AOVView == "trust" && !v.Live {
		if _, err := i.ErrorMap(v, s); err != nil {
			return nil, err
		}
	}
	plan := i.engine.Plan(v, s)
	plan.showsDenoised = s.Denoise != "off"
	img := image.NewNRGBA(image.Rect(0, 0, v.Width, v.Height))
	if err := i.resolve(plan, view.Target{Pixels: img.Pix, Alpha: true}); err != nil {
		return nil, fmt.Errorf("display: %w", err)
	}
	return img, nil
}

// Show resolves what has been accumulated into a target, as Render does after it has added samples.
func (i Image) Show(v schedule.Request, s settings.Settings, t view.Target) error {
	if err := v.Check(t); err != nil {
		return fmt.Errorf("show: %w", err)
	}
	if err := i.resolve(i.engine.Plan(v, s), t); err != nil {
		return fmt.Errorf("show: %w", err)
	}
	return nil
}

// Display shows a linear picture (nits) of the image's size, say a reference, as Picture shows what was accumulated, which
// stays as it is. It also tells the exposure that auto exposure finds for it (EV; 0 without).
func (i Image) Display(img *imageio.Image, s settings.Settings) (*image.NRGBA, float64, error) {
	out := image.NewNRGBA(image.Rect(0, 0, img.Width, img.Height))
	if err := i.display(img, s, out.Pix); err != nil {
		return nil, 0, fmt.Errorf("display: %w", err)
	}
	if !s.AutoExposure {
		return out, 0, nil
	}
	return out, i.engine.autoExposure.EV(), nil
}

func (i Image) display(img *imageio.Image, s settings.Settings, pixels []byte) error {
	if err := img.Validate(); err != nil {
		return err
	}
	n := i.pipeline.full
	if i.engine.scene == nil {
		return errNoImage
	}
	if err := n.film.Import(img); err != nil {
		return err
	}
	f := n.frame(i.engine.Plan(schedule.Request{View: view.View{Width: img.Width, Height: img.Height}}, s))
	n.film.FillImported(&f)
	return i.into(view.Target{Pixels: pixels}, func(address uint64) error { return i.screen.Resolve(&f, &s, 0, address) })
}

// resolve turns the image into a picture in the target.
func (i Image) resolve(p *Plan, t view.Target) error {
	if err := i.isOf(&p.Request); err != nil {
		return err
	}
	n := i.pipeline.full
	f := n.frame(p)
	if t.FlipY {
		f.Sampling.Flags |= cuda.FrameFlipY
	}
	if t.Alpha {
		display.KeepAlpha(&f)
	}
	if err := n.sampler.FillReuseView(&f, p.Settings.Integrator, p.Settings.ReuseView); err != nil {
		return err
	}
	i.pipeline.fillShown(&f, p)
	return i.into(t, func(address uint64) error { return i.screen.Resolve(&f, &p.Settings, p.Request.Clock, address) })
}

// into has a function write the image's pixels to an address, which is the target's own or stands in for it.
func (i Image) into(t view.Target, write func(address uint64) error) error {
	d, film := i.engine.device, i.pipeline.full.film
	if t.Buffer != 0 {
		address, err := d.Map(t.Buffer)
		if err != nil {
			return err
		}
		err = write(address)
		if unmapErr := d.Unmap(t.Buffer); err == nil {
			err = unmapErr
		}
		return err
	}
	if len(t.Pixels) == 4*film.Size().Pixels() {
		if address, release, ok := d.Reach(t.Pixels); ok {
			defer release()
			return write(address)
		}
	}
	if err := write(film.Target()); err != nil || t.Pixels == nil {
		return err
	}
	return film.ReadTarget(t.Pixels)
}

// AOV is something that is kept of each pixel besides its light.
type AOV = film.AOV

// AOVs lists them.
func AOVs() []AOV { return film.AOVs() }

// ReuseView is something that --reuse-view shows.
type ReuseView = integrator.ReuseView

// ReuseViews lists them.
func ReuseViews() []ReuseView { return integrator.ReuseViews() }
