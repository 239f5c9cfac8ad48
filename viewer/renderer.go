package viewer

import (
	"image"

	"glint/tracer"
)

// renderer is what the window asks of a tracer. Its methods mean what tracer.Renderer says they mean.
type renderer interface {
	Backend() tracer.Backend
	Use(p *tracer.Prepared) error
	Attach(buffer uint32) error
	Detach(buffer uint32) error
	Render(v tracer.View, s tracer.Settings, t tracer.Target) (tracer.FrameStats, error)
	Pick(v tracer.View, x, y int) (float32, bool, error)
	Film(v tracer.View, s tracer.Settings) (*image.NRGBA, error)
	Close() error
}

// openTracer is the renderer that users get; tests have another.
func openTracer(o tracer.Options) (renderer, error) {
	r, err := tracer.Open(o)
	if err != nil {
		return nil, err
	}
	return r, nil
}
