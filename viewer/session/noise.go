package session

import (
	"errors"

	"glint/tracer/diagnose"
	"glint/tracer/imageio"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Noise says what makes the view noisy, when the user asks.
type Noise struct {
	frames *Frames
	parts  []diagnose.Part // nil: nobody has asked
}

const (
	noisyAcross  = 128 // pixels of the small pictures by which that is found out
	noisySamples = 8   // of each
)

// Look finds out what makes the view noisy, in pictures that nobody sees.
func (n *Noise) Look() {
	side := n.frames.Active
	v := side.View
	if side.Device == nil || v.Width == 0 || v.Height == 0 {
		return
	}
	v.Aspect = float32(v.Width) / float32(v.Height)
	v.Width, v.Height = noisyAcross, max(noisyAcross*v.Height/v.Width, 1)
	v.Live, v.Window, v.Moving, v.Budget, v.Goal, v.Unseen = false, false, false, 0, 0, true
	twin, err := side.Device.Twin()
	if err != nil {
		n.frames.Messages.Warn("Why is it noisy: " + err.Error())
		return
	}
	asked := side.Settings
	asked.Integrator = side.Integrator() // which auto may stand for
	seen, err := n.surfaces(twin, v, asked)
	if err != nil {
		n.frames.Messages.Warn("Why is it noisy: " + errors.Join(err, twin.Close()).Error())
		return
	}
	parts, err := diagnose.Noise(asked, seen, func(s settings.Settings) (*imageio.Image, error) {
		for range noisySamples {
			if _, err := twin.Render(v, s, view.Target{}); err != nil {
				return nil, err
			}
		}
		return twin.Radiance()
	})
	if err := errors.Join(err, twin.Close()); err != nil {
		n.frames.Messages.Warn("Why is it noisy: " + err.Error())
		return
	}
	if n.parts = parts; len(parts) == 0 {
		n.frames.Messages.Say("it is not noisy")
	}
}

// surfaces are those that a view shows.
func (n *Noise) surfaces(twin Renderer, v schedule.Request, s settings.Settings) (diagnose.Surfaces, error) {
	v.Layers, s.Denoise = true, "off"
	if _, err := twin.Render(v, s, view.Target{}); err != nil {
		return nil, err
	}
	layers, err := twin.Layers()
	if err != nil {
		return nil, err
	}
	return diagnose.SurfacesOf(layers, n.frames.Rendered.scene.Scene.Materials), nil
}

// Close forgets what was found. It tells whether there was something.
func (n *Noise) Close() bool {
	had := len(n.parts) > 0
	n.parts = nil
	return had
}

// findings is what is shown of it.
func (n *Noise) findings() *Findings {
	if len(n.parts) == 0 {
		return nil
	}
	f := &Findings{Title: "Why it is noisy", Close: CloseFindings{}}
	for i, p := range n.parts {
		f.Lines = append(f.Lines, Finding{Text: p.String(), Mend: p.Mend, Do: MendNoise{Part: i}})
	}
	return f
}

// mend does what helps against a part.
func (n *Noise) mend(part int) {
	if part < len(n.parts) && n.parts[part].Change != nil {
		n.parts[part].Change(&n.frames.Active.Settings)
		n.frames.Messages.Say(n.parts[part].Mend)
	}
	n.Close()
}
