// Package tracer renders a scene: settings in, pixels out. It knows devices and kernels, but no window.
//
//	r, err := tracer.Open(tracer.Options{Backend: "auto"})
//	p, err := tracer.Prepare(s, nil, nil)          // any goroutine: builds the tree and the light tables
//	err = r.Use(p)                                 // the render thread: uploads
//	stats, err := r.Render(view, settings, target) // one more sample of every pixel, resolved into target
//
// A Renderer belongs to one goroutine that is locked to its OS thread (CUDA and GL contexts are per thread).
package tracer

import (
	"errors"
	"fmt"
	"image"
	"log/slog"
	"time"

	"glint/cuda"
	"glint/tracer/imageio"
	"glint/tracer/settings"
	"glint/tracer/view"

	"github.com/go-gl/mathgl/mgl32"
)

// Options choose the device.
type Options struct {
	Backend    string       // auto, cuda or cpu
	Device     int          // ordinal of the GPU
	Statistics bool         // count rays and living paths, in every frame; see Watch
	Log        *slog.Logger // may be nil
}

func (o Options) debug(message string, args ...any) {
	if o.Log != nil {
		o.Log.Debug(message, args...)
	}
}

// Backend says what renders and why it was taken.
type Backend struct {
	Kind   string // cuda or cpu
	Device string // the device's own name
	Why    string // why auto did not take CUDA, or empty
}

// Renderer accumulates one image of one scene on one device. Twins of it share both.
type Renderer struct {
	*stage
	film     film
	progress progress
	reuse    reuse
	denoise  denoising
	trust    trust
	eye      cuda.Camera // of the last whole frame; zero before, which sees nothing
	watch    watcher
	tree     string // that the sample under way goes through: a choice of setting bvh
	taken    sampleID
	single   bool // each frame is an image by itself
	guided   bool // guides are wanted whatever the settings say
	upscaler upscaler
}

// Open finds a device. With Backend auto it takes CUDA when that works, else the CPU, and says why.
func Open(o Options) (*Renderer, error) {
	d, err := openDevice(o)
	if err != nil {
		return nil, err
	}
	w := Watch{TimeEvery: 1}
	if o.Statistics {
		w.CountEvery = 1
	}
	return newRenderer(&stage{device: d}, w)
}

// Twin is a renderer with an image of its own that shares the device and whatever scene is in use, so that two ways of
// rendering can be compared. Both belong to the same goroutine; each is closed by itself, in any order.
func (r *Renderer) Twin() (*Renderer, error) { return newRenderer(r.stage, r.watch.Watch) }

func newRenderer(s *stage, w Watch) (*Renderer, error) {
	r := &Renderer{stage: s, watch: watcher{Watch: w}}
	if err := s.enter(); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	if err := r.film.open(s.device); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// openDevice takes the backend that was asked for.
func openDevice(o Options) (device, error) {
	switch o.Backend {
	case "cpu":
		return newCPUDevice(""), nil
	case "cuda", "auto", "":
		gpu, err := newGPUDevice(o.Device)
		if err == nil {
			o.debug("kernels compiled by the driver", "registers and spills", gpu.program.module.Log)
			return gpu, nil
		}
		if o.Backend == "cuda" {
			return nil, fmt.Errorf("open the CUDA backend: %w", err)
		}
		return newCPUDevice(err.Error()), nil
	}
	return nil, fmt.Errorf("backend %q is unknown: use auto, cuda or cpu", o.Backend)
}

// Backend tells what renders.
func (r *Renderer) Backend() Backend { return r.device.backend() }

// Use uploads a prepared scene and drops the one before, for twins, too. On an error the old scene stays.
func (r *Renderer) Use(p *Prepared) error {
	if err := r.stage.use(p); err != nil {
		return fmt.Errorf("upload %s: %w", p.Scene.Name, err)
	}
	return nil
}

// Settle waits for kernels that are being made for the scene in use. Without it they are taken when they are ready, for
// the same image; measurements want to know which ones run.
func (r *Renderer) Settle() error { return r.device.settle() }

// Attach registers a GL buffer object, so that film writes straight into it. An error means that interop is not to be
// had: give Render plain memory instead. Detach before the buffer is deleted or resized.
func (r *Renderer) Attach(buffer uint32) error { return r.device.attach(buffer) }

// Detach forgets an attached buffer.
func (r *Renderer) Detach(buffer uint32) error { return r.device.detach(buffer) }

// Render adds samples and resolves the image into the target. Accumulation restarts by itself when the view, the scene or
// a setting that matters has changed.
func (r *Renderer) Render(v view.View, s settings.Settings, t view.Target) (view.Stats, error) {
	start := time.Now()
	if r.scene == nil {
		return view.Stats{}, errors.New("render: no scene in use")
	}
	if err := v.Check(t); err != nil {
		return view.Stats{}, fmt.Errorf("render: %w", err)
	}
	s.Integrator = r.Integrator(v, s)
	var instead error
	s.Denoise, instead = r.denoiser(v, s)
	if s.Denoise == "off" {
		r.stopDenoising()
	}
	if !trustWanted(v, s) {
		r.stopTrust()
	}
	defer r.device.time(nil)
	stats, err := r.expose(v, s)
	shows := t.Buffer != 0 || t.Pixels != nil
	if err == nil && shows {
		err = r.resolve(v, s, t)
	}
	if err != nil {
		return stats, fmt.Errorf("render: %w", err)
	}
	stats.Instead = instead
	if stats.Trusted = r.trust.samples; stats.Trusted > 0 {
		stats.TrustedBy = r.trust.buffers.denoiser
	}
	if s.AutoExposure {
		stats.Metered = float64(r.meter.found.Ev)
	}
	stats.Elapsed = time.Since(start)
	if small := stats.Width < v.Width; v.Goal > 0 && shows && (small || r.upscaler.small == nil) {
		r.upscaler.governor.took(v.Goal, stats.Elapsed)
	}
	return stats, nil
}

// Integrator is what renders a view: auto stands for restir-gi where frames follow each other quickly, so that history
// pays.
func (r *Renderer) Integrator(v view.View, s settings.Settings) string {
	if s.Integrator != "auto" {
		return s.Integrator
	}
	if v.Live && r.device.backend().Kind == "cuda" {
		return "restir-gi"
	}
	return "path"
}

// Radiance is the image so far: the mean of every pixel's samples, linear, nits.
func (r *Renderer) Radiance() (*imageio.Image, error) {
	w, h := r.film.width, r.film.height
	sums := make([][4]float32, w*h)
	if err := r.clearStale(); err != nil {
		return nil, fmt.Errorf("read the image back: %w", err)
	}
	if err := r.device.download(r.film.accumulation, bytesOf(sums)); err != nil {
		return nil, fmt.Errorf("read the image back: %w", err)
	}
	img := &imageio.Image{Width: w, Height: h, Pix: make([]float32, 3*w*h)}
	for i, s := range sums {
		for c := range 3 {
			img.Pix[3*i+c] = s[c] / max(s[3], 1)
		}
	}
	return img, nil
}

// Film resolves what has been accumulated into a picture, for a screenshot.
func (r *Renderer) Film(v view.View, s settings.Settings) (*image.NRGBA, error) {
	img := image.NewNRGBA(image.Rect(0, 0, v.Width, v.Height))
	if s.AOVView == "trust" && !v.Live {
		if _, err := r.Trust(v, s); err != nil {
			return nil, err
		}
	}
	if err := r.resolve(v, s, view.Target{Pixels: img.Pix}); err != nil {
		return nil, fmt.Errorf("develop: %w", err)
	}
	return img, nil
}

// Pick is the depth along the camera's axis (m) of what pixel (x, y), from the top left, shows. False when it is nothing.
func (r *Renderer) Pick(v view.View, x, y int) (float32, bool, error) {
	if r.scene == nil {
		return 0, false, nil
	}
	f := r.frame(v, settings.Defaults())
	ray := view.Ray(f.Camera, (float32(x)+0.5)/float32(v.Width), (float32(y)+0.5)/float32(v.Height))
	hits, err := r.trace(&f, []cuda.Ray{ray})
	if err != nil || hits[0].Triangle == cuda.NoHit {
		return 0, false, err
	}
	return hits[0].T * mgl32.Vec3(ray.Direction).Dot(f.Camera.Forward), true, nil
}

// Close gives the image's memory back, and the device with the last of its renderers.
func (r *Renderer) Close() error {
	r.closeDenoiser()
	err := r.stopUpscaling()
	r.closeTrust()
	r.leaveMeter()
	r.film.close(r.device)
	return errors.Join(err, r.stage.leave())
}

// SettingsTable lists every setting with all the choices that there are.
func SettingsTable() []settings.Setting {
	return settings.Table(settings.Vocabulary{Integrators: integrators(), AOVs: aovChoices(), ReuseViews: reuseChoices()})
}
