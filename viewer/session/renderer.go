package session

import (
	"image"

	"glint/tracer"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Renderer is what the window needs of a tracer.Renderer and its engine, whose methods these are.
type Renderer interface {
	Backend() device.Info
	Use(p *gpuscene.Prepared) error
	SceneNotes() []string
	Helpers() []string
	Pose(p *scene.Pose) error
	Attach(gl uint32) error
	Detach(gl uint32) error
	Pick(v view.View, s *settings.Settings, x, y int) (depth float32, hit bool, err error)
	CheckDenoiser(s settings.Settings) error
	Render(v view.View, s settings.Settings, t view.Target) (view.Stats, error)
	Show(v view.View, s settings.Settings, t view.Target) error
	Picture(v view.View, s settings.Settings) (*image.NRGBA, error)
	Radiance() (*imageio.Image, error)
	Restart()
	SetProfilePolicy(p profile.Policy)
	Statistics() (profile.Statistics, error)
	Finish() error
	Twin() (Renderer, error)
	Close() error
}

// realRenderer is a tracer.Renderer with its engine.
type realRenderer struct {
	*tracer.Renderer
	*tracer.Engine
}

// Show resolves what has been accumulated.
func (r realRenderer) Show(v view.View, s settings.Settings, t view.Target) error {
	return r.Image().Show(v, s, t)
}

// Picture shows what has been accumulated.
func (r realRenderer) Picture(v view.View, s settings.Settings) (*image.NRGBA, error) {
	return r.Image().Picture(v, s)
}

// Radiance is the image so far.
func (r realRenderer) Radiance() (*imageio.Image, error) { return r.Image().Radiance() }

// Twin shares device and scene.
func (r realRenderer) Twin() (Renderer, error) { return asRenderer(r.NewRenderer(everyFrame)) }

func asRenderer(r *tracer.Renderer, err error) (Renderer, error) {
	if err != nil {
		return nil, err
	}
	return realRenderer{r, r.Engine()}, nil
}

// OpenTracer opens the real renderer; tests have another.
func OpenTracer(o tracer.Options) (Renderer, error) {
	return asRenderer(tracer.Open(o, everyFrame))
}

// everyFrame has every frame timed until the window chooses.
var everyFrame = profile.Policy{TimeEvery: 1}
