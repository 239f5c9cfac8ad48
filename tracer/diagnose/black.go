// Package diagnose says in words what is wrong with a picture, and what mends it.
package diagnose

import (
	"fmt"
	"math"
	"slices"

	"glint/tracer/imageio"
	"glint/tracer/settings"
)

// Cause is why a picture is black. What mends it is one of the last three fields.
type Cause struct {
	Why  string // a sentence
	Mend string // what mends it, in the words of a button; empty: that is not known
	Flag string // the same on the command line

	Change      func(*settings.Settings)
	Environment string // to light the scene by
	Frame       bool   // the whole scene is to be seen
}

// Picture is what is known of one.
type Picture struct {
	Settings settings.Settings
	Bright   float64 // Brightness of its radiance, nit
	Dark     bool    // nothing lights the scene
	Around   bool    // only the environment does
	Radius   float32 // of the scene, m
	// Pick is how far away the surface is that is seen at a place of the picture, 0 to 1 to the right and down, m along the camera's axis.
	Pick func(s settings.Settings, x, y float32) (depth float32, hit bool, err error)
}

// Black finds out why a picture is black. It tells false where it is not.
func Black(p Picture) (Cause, bool, error) {
	switch {
	case p.Dark:
		return Cause{Why: "Nothing lights this scene: no lamps, no environment.", Mend: "light it with a studio", Flag: "--env studio",
			Environment: "studio"}, true, nil
	case p.Settings.AutoExposure && p.Bright > leastMetered, !p.Settings.AutoExposure && p.Bright*math.Exp2(p.Settings.Exposure) >= leastSeen:
		return Cause{}, false, nil
	case p.Settings.LightScale == 0:
		return Cause{Why: "All lights are at strength 0 (--light-scale).", Mend: "light strength 1", Flag: "--light-scale 1",
			Change: func(s *settings.Settings) { s.LightScale = 1 }}, true, nil
	case p.Settings.EnvStrength == 0 && p.Around:
		return Cause{Why: "The environment is the only light, and is at strength 0 (--env-strength).", Mend: "environment strength 1", Flag: "--env-strength 1",
			Change: func(s *settings.Settings) { s.EnvStrength = 1 }}, true, nil
	case p.Bright > 0:
		ev := math.Ceil(math.Log2(middleGrey / p.Bright))
		why := fmt.Sprintf("The light is faint: it needs an exposure of about %+.0f EV.", ev)
		if p.Bright > leastMetered {
			return Cause{Why: why, Mend: "auto exposure", Flag: "--auto-exposure on", Change: func(s *settings.Settings) { s.AutoExposure = true }}, true, nil
		}
		return Cause{Why: why, Mend: fmt.Sprintf("exposure %+.0f EV", ev), Flag: fmt.Sprintf("--exposure %.0f", ev),
			Change: func(s *settings.Settings) { s.AutoExposure, s.Exposure = false, ev }}, true, nil
	}
	cause, err := unlit(p)
	return cause, true, err
}

const (
	leastSeen    = 0.004          // of white: what is darker can hardly be told from black
	leastMetered = 1. / (1 << 11) // nit: what is darker auto exposure takes for black (METER_LOWEST in the kernels, and a stop)
	middleGrey   = 0.18
	seenShare    = 0.001   // of the pixels: fewer bright ones do not count
	mostSeen     = 1 << 16 // pixels that are looked at
)

// Brightness is the luminance that one pixel in a thousand exceeds, nit. Of large pictures it looks at one pixel in so many.
func Brightness(img *imageio.Image) float64 {
	step := len(img.Pix)/3/mostSeen + 1
	lights := make([]float32, 0, len(img.Pix)/3/step+1)
	for i := 0; i+2 < len(img.Pix); i += 3 * step {
		if l := imageio.Luminance(img.Pix[i], img.Pix[i+1], img.Pix[i+2]); l > 0 { // NaN is not
			lights = append(lights, l)
		}
	}
	wanted := int(seenShare * float64(len(img.Pix)/3/step))
	if len(lights) <= wanted {
		return 0
	}
	slices.Sort(lights)
	return float64(lights[len(lights)-1-wanted])
}

// unlit is why light does not reach a camera although there is some.
func unlit(p Picture) (Cause, error) {
	seen, err := look(p, p.Settings)
	if err != nil {
		return Cause{}, err
	}
	frame := Cause{Mend: "show the whole scene", Flag: "leave out --eye and --target", Frame: true}
	switch {
	case len(seen) == 0:
		through := p.Settings
		through.Cull = false
		if backs, err := look(p, through); err != nil || len(backs) > 0 && p.Settings.Cull {
			return Cause{Why: "Only backs of single-sided surfaces are in view, and those are hidden (--cull).", Mend: "show backs", Flag: "--cull off",
				Change: func(s *settings.Settings) { s.Cull = false }}, err
		}
		frame.Why = "Nothing of the scene is in view."
		return frame, nil
	case p.Settings.Bounces == 0:
		return Cause{Why: "With 0 bounces only what glows itself is seen.", Mend: "8 bounces", Flag: "--bounces 8",
			Change: func(s *settings.Settings) { s.Bounces = 8 }}, nil
	case p.Settings.Show != "all":
		return Cause{Why: "Only " + p.Settings.Show + " light is shown, and there is none.", Mend: "show all light", Flag: "--show all",
			Change: func(s *settings.Settings) { s.Show = "all" }}, nil
	case p.Settings.Bounces < fewBounces:
		return Cause{Why: fmt.Sprintf("No light gets here within %d bounces.", p.Settings.Bounces), Mend: "8 bounces", Flag: "--bounces 8",
			Change: func(s *settings.Settings) { s.Bounces = 8 }}, nil
	case len(seen) == places*places && slices.Max(seen) < insideShare*p.Radius:
		frame.Why = "The camera is inside something, or right in front of it."
		return frame, nil
	}
	if p.Around {
		frame.Why = "The camera is shut in: the only light comes from around the scene, and none gets in here."
		return frame, nil
	}
	return Cause{Why: "No light reaches what is in view: the lamps are shut in, or shine elsewhere.", Mend: "add a studio's light", Flag: "--env studio",
		Environment: "studio"}, nil
}

const (
	places      = 5    // where the picture is looked at, along both axes
	insideShare = 0.02 // of the scene's radius: what is nearer all around shuts the camera in
	fewBounces  = 3
)

// look is how far away surfaces are that are seen, m.
func look(p Picture, s settings.Settings) (depths []float32, err error) {
	for i := range places * places {
		x, y := (float32(i%places)+0.5)/places, (float32(i/places)+0.5)/places
		depth, hit, err := p.Pick(s, x, y)
		if err != nil {
			return nil, err
		}
		if hit {
			depths = append(depths, depth)
		}
	}
	return depths, nil
}
