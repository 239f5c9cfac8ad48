package viewer

import (
	"image"

	"glint/tracer"
	"glint/tracer/imageio"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// renderer is what the window asks of a tracer. Its methods mean what tracer.Renderer says they mean.
type renderer interface {
	Backend() tracer.Backend
	Use(p *tracer.Prepared) error
	Plant(t *tracer.Tree) error
	Uproot(method string)
	Attach(buffer uint32) error
	Detach(buffer uint32) error
	Render(v view.View, s settings.Settings, t view.Target) (view.Stats, error)
	Pick(v view.View, x, y int) (float32, bool, error)
	Film(v view.View, s settings.Settings) (*image.NRGBA, error)
	Radiance() (*imageio.Image, error)
	CheckDenoiser(s settings.Settings) error
	Restart()
	Watch(w tracer.Watch)
	Statistics() (tracer.Statistics, error)
	Finish() error
	Twin() (renderer, error)
	Close() error
}

// realRenderer is the tracer as the window sees it.
type realRenderer struct{ *tracer.Renderer }

// Twin shares device and scene.
func (r realRenderer) Twin() (renderer, error) { return asRenderer(r.Renderer.Twin()) }

func asRenderer(r *tracer.Renderer, err error) (renderer, error) {
	if err != nil {
		return nil, err
	}
	return realRenderer{r}, nil
}

// openTracer is the renderer that users get; tests have another.
func openTracer(o tracer.Options) (renderer, error) { return asRenderer(tracer.Open(o)) }
