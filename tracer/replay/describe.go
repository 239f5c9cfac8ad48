package replay

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"glint/cuda"
	"glint/tracer/imageio"
)

// Names are what things of a scene are called.
type Names interface {
	MaterialName(material uint32) string
	ObjectName(object int32) string
	LightName(light uint32) string
}

// Step is a vertex of a path, or a shared sample, in words.
type Step struct {
	Title   string
	Details []string
}

// lobes are the names of enum Lobe (LOBES in cuda/kernels/params/scene.h).
var lobes = [...]string{"diffuse", "paint", "clear coat", "sheen", "translucent", "reflection", "glass", "thin glass"}

// events are what becomes of a path (enum ReplayEvent).
var events = [...]string{
	cuda.ReplayScattered: "", cuda.ReplayPassed: "passes straight", cuda.ReplayInMedium: "is scattered in a medium", cuda.ReplayLeft: "leaves the scene",
	cuda.ReplayEnded: "ends here", cuda.ReplayRoulette: "is ended by Russian roulette", cuda.ReplayAbsorbed: "ends in a medium",
}

// Describe says what happens at each vertex of a path.
func (p *Path) Describe(names Names) []Step {
	var steps []Step
	for i := range p.Vertices {
		v := &p.Vertices[i]
		step := Step{Title: fmt.Sprintf("%d   ", i+1) + titleOf(v, names)}
		if v.Event != cuda.ReplayLeft {
			step.add("%.4g m on, at %s", v.Distance, numbers(v.Position))
		}
		step.add("throughput %s%s", numbers(v.Throughput), pdfOf(v))
		if v.Emitted != ([3]float32{}) {
			step.add("+ %s emitted here, MIS weight %.3g", numbers(v.Emitted), v.EmissionWeight)
		}
		switch {
		case v.Direct != [3]float32{}:
			from := "a lamp"
			if v.Light != cuda.NoLight {
				from = names.LightName(v.Light)
			}
			step.add("+ %s from %s%s", numbers(v.Direct), from, weightOf(v))
		case v.LightDistance > 0:
			step.add("nothing from %s: hidden, or it shines elsewhere", names.LightName(v.Light))
		}
		steps = append(steps, step)
	}
	return steps
}

func (s *Step) add(format string, values ...any) {
	s.Details = append(s.Details, fmt.Sprintf(format, values...))
}

// titleOf is where a path is, and what becomes of it.
func titleOf(v *cuda.ReplayVertex, names Names) string {
	switch v.Event {
	case cuda.ReplayLeft, cuda.ReplayInMedium, cuda.ReplayAbsorbed:
		return events[v.Event]
	}
	title := names.MaterialName(v.Material)
	if v.Object >= 0 {
		title += ", " + names.ObjectName(v.Object)
	}
	if v.Event != cuda.ReplayEnded && int(v.Lobe) < len(lobes) {
		title += ": " + lobes[v.Lobe]
	}
	if what := events[v.Event]; what != "" {
		title += ": " + what
	}
	return title
}

func pdfOf(v *cuda.ReplayVertex) string {
	switch {
	case v.Event != cuda.ReplayScattered && v.Event != cuda.ReplayInMedium:
		return ""
	case v.Pdf == 0:
		return " · a mirror's direction"
	}
	return fmt.Sprintf(" · pdf %.3g", v.Pdf)
}

func weightOf(v *cuda.ReplayVertex) string {
	if v.LightDistance == 0 {
		return ""
	}
	return fmt.Sprintf(", MIS weight %.3g, pdf %.3g", v.LightWeight, v.LightPdf)
}

// kinds are what shared samples come from (enum SampleKind).
var kinds = [...]string{cuda.SampleSurface: "a surface", cuda.SampleDistant: "afar", cuda.SamplePunctual: "a lamp"}

// Describe says what each sample adds that a pixel shares, of an image so wide.
func (s *Shared) Describe(width int) []Step {
	var steps []Step
	own := int(s.Query.Y)*width + int(s.Query.X)
	for i, r := range s.Samples {
		whose := fmt.Sprintf("pixel %d, %d", int(r.Pixel)%width, int(r.Pixel)/width)
		if int(r.Pixel) == own {
			whose = "its own"
		}
		step := Step{Title: fmt.Sprintf("%d   light from %s, found by %s", i+1, kinds[r.Kind], whose)}
		step.add("weight W %.3g · confidence %d · %d frames old", r.Weight, r.Confidence, r.Age)
		step.add("+ %s of %s that arrive from %s", numbers(r.L), numbers(r.Radiance), numbers(r.X2))
		steps = append(steps, step)
	}
	return steps
}

// numbers writes three of them.
func numbers(v [3]float32) string {
	return strings.TrimSpace(fmt.Sprintf("%.3g, %.3g, %.3g", v[0], v[1], v[2]))
}

const (
	mostLights = 3    // that are named
	leastShare = 0.05 // of the light: what is less is not said
)

// LitBy says from where the light of some samples comes, and how much of it: from lamps, also by way of other surfaces.
func LitBy(paths []Path, names Names) string {
	shares, all := map[string]float64{}, 0.0
	add := func(name string, light [3]float32) {
		if l := imageio.Luminance(float64(light[0]), float64(light[1]), float64(light[2])); l > 0 {
			shares[name] += l
			all += l
		}
	}
	for i := range paths {
		for k := range paths[i].Vertices {
			v := &paths[i].Vertices[k]
			if v.Event == cuda.ReplayLeft {
				add("the environment", v.Emitted)
			} else {
				add(names.MaterialName(v.Material)+", which glows", v.Emitted)
			}
			if v.Light != cuda.NoLight {
				add(names.LightName(v.Light), v.Direct)
			}
		}
	}
	sorted := slices.SortedFunc(maps.Keys(shares), func(a, b string) int {
		return cmp.Or(cmp.Compare(shares[b], shares[a]), cmp.Compare(a, b))
	})
	var said []string
	for _, name := range sorted[:min(len(sorted), mostLights)] {
		if share := shares[name] / all; share >= leastShare {
			said = append(said, fmt.Sprintf("%s %.0f %%", name, 100*share))
		}
	}
	return strings.Join(said, "; ")
}
