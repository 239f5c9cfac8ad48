package gpuscene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/imageio"
	"glint/tracer/scene"
)

// collectLights lists every emitter and weighs how often light sampling should choose it: by power, with a floor.
func (p *Prepared) collectLights() {
	var weights []float64
	radius := float64(p.radius)
	collect := func(triangles []cuda.Triangle, vertices []scene.Vertex, faces []scene.Face, firstFace uint32) {
		for i := range triangles {
			t := &triangles[i]
			if l, power := p.triangleLight(t, vertices, faces[t.Face-firstFace]); power > 0 {
				t.Light = uint32(len(p.lights))
				p.lights = append(p.lights, l)
				weights = append(weights, power)
			}
		}
	}
	collect(p.triangles, p.drawn.Vertices, p.drawn.Faces, 0)
	for i := range p.meshes {
		if m := &p.drawn.Meshes[i]; m.Deforms() {
			collect(p.meshes[i].triangles, m.Vertices, m.Faces, p.meshes[i].firstFace)
		}
	}
	p.firstPunctual = len(p.lights)
	for i := range p.Scene.Lights {
		l, power := punctualLight(&p.Scene.Lights[i], radius)
		p.lights = append(p.lights, l)
		weights = append(weights, power)
	}
	weights = mixUniform(weights, 0.05)
	if mean := p.environment.mean; mean > 0 {
		p.environment.light = uint32(len(p.lights))
		p.lights = append(p.lights, cuda.Light{Kind: cuda.LightEnvironment})
		weights = appendEnvironment(weights, math.Pi*math.Pi*radius*radius*float64(mean))
	}
	p.lightAlias = buildAlias(weights)
	for i := range p.lights {
		p.lights[i].Selection = p.lightAlias[i].Pdf
	}
}

// triangleLight is a triangle in the world as a light; power 0 when it does not emit. Unlit surfaces are seen but not sampled.
func (p *Prepared) triangleLight(t *cuda.Triangle, vertices []scene.Vertex, f scene.Face) (cuda.Light, float64) {
	m := &p.drawn.Materials[f.Material]
	if m.Emission.LenSqr() == 0 || m.Unlit {
		return cuda.Light{}, 0
	}
	area := mgl32.Vec3(t.E1).Cross(mgl32.Vec3(t.E2)).Len() / 2
	if !(area > 0) {
		return cuda.Light{}, 0
	}
	power := math.Pi * float64(area*luminance(m.Emission)*p.meanTexture(vertices, f, m.Textures[scene.TextureEmissive])*p.meanCoverage(vertices, f, m))
	if m.DoubleSided {
		power *= 2
	}
	l := cuda.Light{Kind: cuda.LightTriangle, Position: t.V0, Direction: t.E1, Intensity: t.E2, Face: t.Face, Area: area,
		Emission: m.Emission, Material: f.Material}
	if m.DoubleSided {
		l.Material |= cuda.TwoSidedBit
	}
	if m.Textures[scene.TextureEmissive].Texture >= 0 {
		l.Material |= cuda.TexturedBit
	}
	if m.AlphaMode != scene.AlphaOpaque {
		l.Material |= cuda.TestedBit
	}
	return l, max(power, math.SmallestNonzeroFloat32)
}

func punctualLight(l *scene.Light, radius float64) (cuda.Light, float64) {
	d := cuda.Light{Position: l.Position, Direction: l.Direction, Intensity: l.Intensity, Range: l.Range}
	strength := float64(luminance(l.Intensity))
	switch l.Kind {
	case scene.LightSpot:
		d.Kind = cuda.LightSpot
		d.CosInner = float32(math.Cos(float64(l.InnerCone)))
		d.CosOuter = float32(math.Cos(float64(l.OuterCone)))
		return d, 2 * math.Pi * (1 - float64(d.CosOuter)) * strength
	case scene.LightDirectional:
		d.Kind = cuda.LightDirectional
		return d, math.Pi * radius * radius * strength
	default:
		d.Kind = cuda.LightPoint
		return d, 4 * math.Pi * strength
	}
}

func luminance(c mgl32.Vec3) float32 { return imageio.Luminance(c[0], c[1], c[2]) }

// mixUniform mixes weights with a uniform share, so that a weak light near by is still found.
func mixUniform(weights []float64, share float64) []float64 {
	var sum float64
	for _, w := range weights {
		sum += w
	}
	for i, w := range weights {
		weights[i] = w*(1-share) + share*sum/float64(len(weights))
	}
	return weights
}

// appendEnvironment adds the environment's weight, kept between a quarter and three quarters of all: its power says little
// about how much of it enters a room.
func appendEnvironment(weights []float64, power float64) []float64 {
	var sum float64
	for _, w := range weights {
		sum += w
	}
	if sum > 0 {
		power = min(max(power, sum/3), 3*sum)
	}
	return append(weights, power)
}

// buildAlias is Walker's method in Vose's form (1991): draws i with probability weights[i] / sum in constant time.
func buildAlias(weights []float64) []cuda.AliasEntry {
	n := len(weights)
	table := make([]cuda.AliasEntry, n)
	var sum float64
	for _, w := range weights {
		sum += w
	}
	if sum == 0 {
		return table
	}
	scaled := make([]float64, n)
	var small, large []uint32
	for i, w := range weights {
		table[i].Pdf = float32(w / sum)
		scaled[i] = w / sum * float64(n)
		if scaled[i] < 1 {
			small = append(small, uint32(i))
		} else {
			large = append(large, uint32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		table[s].Threshold, table[s].Alias = float32(scaled[s]), l
		scaled[l] -= 1 - scaled[s]
		if scaled[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, i := range append(small, large...) {
		table[i].Threshold, table[i].Alias = 1, i
	}
	return table
}
