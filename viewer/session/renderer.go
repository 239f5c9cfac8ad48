package session

import (
	"errors"
	"image"

	"glint/tracer"
	"glint/tracer/crew"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/replay"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Samples are those of a renderer's image.
type Samples interface {
	Replay(v schedule.Request, s settings.Settings, samples []tracer.PixelSample, most int) ([]replay.Path, error)
	Reused(v schedule.Request, s settings.Settings, x, y int) (replay.Shared, error)
	Counters() (profile.Counters, error)
	Light(into []float32) ([]float32, error)
	SetLight(values []float32, samples int) error
	TakesSamples() bool
}

// Renderer is what the window needs of a tracer.Renderer and its engine, whose methods these are.
type Renderer interface {
	Samples
	Backend() device.Info
	Use(p *gpuscene.Prepared) error
	SceneNotes() []string
	Helpers() []string
	Pose(p *scene.Pose) error
	Attach(gl uint32) error
	Detach(gl uint32) error
	Pick(v schedule.Request, s *settings.Settings, x, y int) (depth float32, hit bool, err error)
	CheckDenoiser(s settings.Settings) error
	Render(v schedule.Request, s settings.Settings, t view.Target) (view.Stats, error)
	Show(v schedule.Request, s settings.Settings, t view.Target) error
	Newest(v schedule.Request, s settings.Settings) (img *image.NRGBA, samples int, err error)
	Radiance() (*imageio.Image, error)
	Alpha(s *settings.Settings) ([]imageio.Layer, error)
	Layers() ([]imageio.Layer, error)
	Restart()
	SetProfilePolicy(p profile.Policy)
	Planned(v schedule.Request, s settings.Settings) settings.Settings
	Statistics() (profile.Statistics, error)
	Finish() error
	Twin() (Renderer, error)
	Close() error
}

// realRenderer is a tracer.Renderer with its engine, and the devices that help it.
type realRenderer struct {
	*tracer.Renderer
	*tracer.Engine
	crew *crew.Crew
}

// Use takes a scene.
func (r realRenderer) Use(p *gpuscene.Prepared) error {
	err := r.Engine.Use(p)
	if err == nil {
		r.crew.Use(p)
	}
	return err
}

// Pose moves what moves in the scene.
func (r realRenderer) Pose(p *scene.Pose) error {
	r.crew.Pose(p)
	return r.Engine.Pose(p)
}

// Helpers are the names of devices that help.
func (r realRenderer) Helpers() []string { return r.crew.Names() }

// Render renders, and lets other devices help.
func (r realRenderer) Render(v schedule.Request, s settings.Settings, t view.Target) (view.Stats, error) {
	stats, err := r.Renderer.Render(v, s, t)
	if err == nil {
		err = r.crew.Help(r.Renderer, v, s, &stats)
	}
	return stats, err
}

// Close gives everything back.
func (r realRenderer) Close() error {
	r.crew.Close()
	return r.Renderer.Close()
}

// Show resolves what has been accumulated.
func (r realRenderer) Show(v schedule.Request, s settings.Settings, t view.Target) error {
	return r.Image().Show(v, s, t)
}

// Newest is a picture of all samples so far.
func (r realRenderer) Newest(v schedule.Request, s settings.Settings) (img *image.NRGBA, samples int, err error) {
	return r.Image().Newest(v, s)
}

// Planned are the settings in which nothing is auto any more.
func (r realRenderer) Planned(v schedule.Request, s settings.Settings) settings.Settings {
	return r.Engine.Plan(v, s).Settings
}

// Radiance is the image so far.
func (r realRenderer) Radiance() (*imageio.Image, error) { return r.Image().Radiance() }

// Alpha is the picture's alpha channel, where it has one.
func (r realRenderer) Alpha(s *settings.Settings) ([]imageio.Layer, error) { return r.Image().Alpha(s) }

// Replay traces samples of the image again.
func (r realRenderer) Replay(v schedule.Request, s settings.Settings, samples []tracer.PixelSample, most int) ([]replay.Path, error) {
	return r.Image().Replay(v, s, samples, most)
}

// Reused is what ReSTIR's last frame shaded at a pixel.
func (r realRenderer) Reused(v schedule.Request, s settings.Settings, x, y int) (replay.Shared, error) {
	return r.Image().Reused(v, s, x, y)
}

// Light is what the light of the image's samples adds up to.
func (r realRenderer) Light(into []float32) ([]float32, error) { return r.Image().Light(into) }

// SetLight has the image hold the light of other samples than its own.
func (r realRenderer) SetLight(values []float32, samples int) error {
	return r.Image().SetLight(values, samples)
}

// TakesSamples tells whether it may.
func (r realRenderer) TakesSamples() bool { return r.Image().TakesSamples() }

// Layers are the AOVs that were kept.
func (r realRenderer) Layers() ([]imageio.Layer, error) { return r.Image().Layers() }

// Twin shares device and scene. Nobody helps it, nor the first while there are two.
func (r realRenderer) Twin() (Renderer, error) {
	twin, err := r.NewRenderer(everyFrame)
	if err != nil {
		return nil, err
	}
	return realRenderer{twin, r.Engine, &crew.Crew{}}, nil
}

// OpenTracer opens the real renderer, and devices that help it.
func OpenTracer(on tracer.Options, helpers []tracer.Options) (Renderer, error) {
	r, err := tracer.Open(on, everyFrame)
	if err != nil {
		return nil, err
	}
	others, err := crew.Open(helpers, everyFrame)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return realRenderer{r, r.Engine(), others}, nil
}

// everyFrame has every frame timed until the window chooses.
var everyFrame = profile.Policy{TimeEvery: 1}
