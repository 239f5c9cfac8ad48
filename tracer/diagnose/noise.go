package diagnose

import (
	"fmt"
	"math"
	"slices"

	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// Part is a cause of noise.
type Part struct {
	Why    string  // a sentence
	Share  float64 // of the variance, 0…1; parts overlap
	Mend   string  // what helps, in the words of a button; empty: time
	Change func(*settings.Settings)
}

// suspect is a cause: settings with which it alone is left, or all but it.
type suspect struct {
	part    Part
	without func(*settings.Settings) // what is left then is not its share
	alone   func(*settings.Settings) // what is left then is its share
}

func suspects(s settings.Settings) []suspect {
	shared := Part{Mend: "share samples", Change: func(s *settings.Settings) { s.Integrator = "restir" }}
	if s.Integrator == "restir" {
		shared = Part{}
	}
	with := func(p Part, why string) Part {
		p.Why = why
		return p
	}
	list := []suspect{
		{part: with(shared, "direct light: lamps and environment as they meet surfaces"), alone: func(s *settings.Settings) { s.Show = "direct" }},
		{part: with(shared, "indirect light"), alone: func(s *settings.Settings) { s.Show = "indirect" }},
		{part: with(Part{Mend: "4 bounces", Change: func(s *settings.Settings) { s.Bounces = 4 }}, "light after more than four bounces"),
			without: func(s *settings.Settings) { s.Bounces = min(s.Bounces, 4) }},
	}
	if s.DepthOfField && s.Aperture > 0 {
		list = append(list, suspect{part: Part{Why: "the lens: what is out of focus", Mend: "half the aperture", Change: func(s *settings.Settings) { s.Aperture /= 2 }},
			without: func(s *settings.Settings) { s.DepthOfField = false }})
	}
	return list
}

// Surface is of what a pixel shows first.
type Surface uint8

// The surfaces whose light is harder to find.
const (
	Opaque Surface = iota
	Glass          // bends light
	Medium         // scatters it inside
)

// Surfaces are the kinds of the pixels of a picture, for Noise; empty where they are not known.
type Surfaces []Surface

// SurfacesOf are those of a picture, by its AOV material.
func SurfacesOf(layers []imageio.Layer, materials []scene.Material) (seen Surfaces) {
	at := slices.IndexFunc(layers, func(l imageio.Layer) bool { return l.Name == "material" })
	if at < 0 {
		return nil
	}
	for _, number := range layers[at].Pix {
		of := Opaque
		if i := int(number); i >= 0 && i < len(materials) {
			switch m := &materials[i]; {
			case m.Scatters():
				of = Medium
			case m.Transmission > 0 && !m.IsPane() && !m.IsStraight():
				of = Glass
			}
		}
		seen = append(seen, of)
	}
	return seen
}

// parts is how much of the variance is in pixels of each kind, and what helps. Where it is no more than their share of the picture, they are no
// cause.
func (s Surfaces) parts(variances []float64, mended Part) (parts []Part) {
	if len(s) != len(variances) {
		return nil
	}
	all := sum(variances)
	for kind, why := range []string{Glass: "glass: what is seen through it and mirrored in it", Medium: "light that scatters inside what is seen"} {
		share, pixels := 0., 0.
		for i, of := range s {
			if why != "" && of == Surface(kind) {
				share += variances[i] / all
				pixels += 1 / float64(len(s))
			}
		}
		if share > pixels {
			mended.Why, mended.Share = why, share
			parts = append(parts, mended)
		}
	}
	return parts
}

const (
	leastPart = 0.1   // of the variance: what is less is not said
	fewPixels = 0.001 // of the picture, whose share is that of rare bright samples
)

// Noise finds out what makes pictures of a view noisy. It has render make small ones by path, with settings that leave causes out, each with
// two seeds: half the squared difference of both is their variance. Settings cannot leave out surfaces, so their share is that of the pixels that
// show them: what glass casts on others is not known.
func Noise(s settings.Settings, seen Surfaces, render func(settings.Settings) (*imageio.Image, error)) ([]Part, error) {
	denoised := Part{}
	if s.Denoise == "off" {
		denoised = Part{Mend: "denoise", Change: func(s *settings.Settings) { s.Denoise = "auto" }}
	}
	s.Denoise, s.Show, s.AOVView, s.ReuseView = "off", "all", "off", "off"
	trial := s
	trial.Integrator = "path"
	var reference []float32
	noise := func(change func(*settings.Settings)) ([]float64, error) {
		now := trial
		if change != nil {
			change(&now)
		}
		var pictures [2]*imageio.Image
		for i := range pictures {
			now.Seed = trial.Seed + 1 + i
			var err error
			if pictures[i], err = render(now); err != nil {
				return nil, err
			}
		}
		a, b := pictures[0].Pix, pictures[1].Pix
		if reference == nil {
			reference = make([]float32, len(a))
			for i := range a {
				reference[i] = (a[i] + b[i]) / 2
			}
		}
		variances := make([]float64, len(a)/3)
		for i := range a {
			d, r := float64(a[i]-b[i]), float64(reference[i])
			variances[i/3] += d * d / 2 / (r*r + 0.01)
		}
		return variances, nil
	}
	pixels, err := noise(nil)
	if err != nil {
		return nil, err
	}
	all := sum(pixels)
	if !(all > 0) || math.IsInf(all, 0) {
		return nil, nil
	}
	var parts []Part
	for _, c := range suspects(s) {
		change := c.alone
		if change == nil {
			change = c.without
		}
		left, err := noise(change)
		if err != nil {
			return nil, err
		}
		if c.part.Share = min(sum(left)/all, 1); c.alone == nil {
			c.part.Share = max(1-c.part.Share, 0)
		}
		parts = append(parts, c.part)
	}
	parts = append(parts, seen.parts(pixels, denoised)...)
	slices.Sort(pixels)
	rare := sum(pixels[len(pixels)-max(int(fewPixels*float64(len(pixels))), 1):]) / all
	denoised.Why, denoised.Share = "rare bright samples: a lamp that is met by chance, also one that glass or a mirror casts", rare
	parts = append(parts, denoised)
	parts = slices.DeleteFunc(parts, func(p Part) bool { return p.Share < leastPart })
	slices.SortStableFunc(parts, func(p, q Part) int { return int(math.Copysign(1, q.Share-p.Share)) })
	return parts, nil
}

// String says how much the part is.
func (p Part) String() string { return fmt.Sprintf("%.0f %%   %s", 100*p.Share, p.Why) }
