package gpuscene

import (
	"context"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/imageio"
	"glint/tracer/scene"
)

// relit is an emitter whose material a clip lights up or dims, with all else that its power depends on.
type relit struct {
	light    uint32 // index into lights
	material uint32 // index into Motion.Materials
	weight   emitterWeight
}

// collectLights lists every emitter and weighs how often light sampling should choose it.
func (p *Prepared) collectLights(ctx context.Context) error {
	radius := float64(p.radius)
	changing := p.relightable()
	emits := p.emitting()
	collect := func(triangles []cuda.Triangle, vertices []scene.Vertex, faces []scene.Face, firstFace uint32) {
		if !slices.Contains(emits, true) {
			return
		}
		for i := range triangles {
			t := &triangles[i]
			if !emits[t.Material&^cuda.AlphaBit] {
				continue
			}
			l, weight := p.triangleLight(t, vertices, faces[t.Face-firstFace])
			if weight == (emitterWeight{}) {
				continue
			}
			t.Light = uint32(len(p.lights))
			if at, changes := changing[l.Material&^cuda.LightMarks]; changes {
				p.relit = append(p.relit, relit{t.Light, at, weight})
			}
			p.lights = append(p.lights, l)
			p.powers = append(p.powers, weight.power(l.Emission))
		}
	}
	collect(p.triangles, p.drawn.Vertices, p.drawn.Faces, 0)
	p.fixedEmitters = len(p.lights)
	for i := range p.meshes {
		if m := &p.drawn.Meshes[i]; m.Deforms() {
			collect(p.meshes[i].triangles, m.Vertices, m.Faces, p.meshes[i].firstFace)
		}
	}
	p.firstPunctual = len(p.lights)
	for i := range p.Scene.Lights {
		l, power := punctualLight(&p.Scene.Lights[i], radius)
		p.lights = append(p.lights, l)
		p.powers = append(p.powers, power)
	}
	if p.environment.mean > 0 {
		p.environment.light = uint32(len(p.lights))
		p.lights = append(p.lights, cuda.Light{Kind: cuda.LightEnvironment})
	}
	weights := p.lightWeights(p.powers)
	p.lightAlias = choices(p.lights, weights)
	if err := p.growLightTree(ctx, weights); err != nil {
		return err
	}
	if !p.Scene.Motion.Relights() {
		p.powers = nil // nobody asks again
		return nil
	}
	// Of each pose there is a copy.
	return p.memory.Take("lights that change", int64(len(p.lights))*(2*8+2*16+80)+int64(len(p.relit))*24)
}

// emitting tells of each material whether its triangles are lights, in any pose. Unlit surfaces are seen but not sampled.
func (p *Prepared) emitting() []bool {
	out := make([]bool, len(p.drawn.Materials))
	for i := range out {
		out[i] = p.drawn.Glows(uint32(i)) && !p.drawn.Materials[i].Unlit
	}
	return out
}

// relightable are the materials whose light clips may change, with their index into Motion.Materials.
func (p *Prepared) relightable() map[uint32]uint32 {
	if !p.Scene.Motion.Relights() {
		return nil
	}
	out := map[uint32]uint32{}
	for at, material := range p.Scene.Motion.Materials {
		out[uint32(material)] = uint32(at)
	}
	return out
}

// lightWeights is how often light sampling should choose each light: by power, with a floor.
func (p *Prepared) lightWeights(powers []float64) []float64 {
	weights := mixUniform(powers, 0.05)
	if mean := p.environment.mean; mean > 0 {
		radius := float64(p.radius)
		weights = appendEnvironment(weights, math.Pi*math.Pi*radius*radius*float64(mean))
	}
	return weights
}

// choices is the table that draws lights by weights. The lights get the probabilities of that.
func choices(lights []cuda.Light, weights []float64) []cuda.AliasEntry {
	table := buildAlias(weights)
	for i := range lights {
		lights[i].Selection = table[i].Pdf
	}
	return table
}

// emitterWeight is what the power of an emissive triangle depends on besides its emission; all 0 for none.
type emitterWeight struct {
	area, texture, coverage float32 // m², and means over it
	sides                   float32
}

// power is that of an emission in nits.
func (w emitterWeight) power(emission mgl32.Vec3) float64 {
	power := math.Pi * float64(w.area*luminance(emission)*w.texture*w.coverage) * float64(w.sides)
	return max(power, math.SmallestNonzeroFloat32)
}

// triangleLight is a triangle in the world that emits (emitting) as a light; no weight when it has no area.
func (p *Prepared) triangleLight(t *cuda.Triangle, vertices []scene.Vertex, f scene.Face) (cuda.Light, emitterWeight) {
	m := &p.drawn.Materials[f.Material]
	area := mgl32.Vec3(t.E1).Cross(mgl32.Vec3(t.E2)).Len() / 2
	if !(area > 0) {
		return cuda.Light{}, emitterWeight{}
	}
	weight := emitterWeight{area: area, texture: p.meanTexture(vertices, f, m.Textures[scene.TextureEmissive]), coverage: p.meanCoverage(vertices, f, m), sides: 1}
	if m.DoubleSided {
		weight.sides = 2
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
	return l, weight
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

// mixUniform is weights mixed with a uniform share, so that a weak light near by is still found.
func mixUniform(weights []float64, share float64) []float64 {
	var sum float64
	for _, w := range weights {
		sum += w
	}
	out := make([]float64, len(weights), len(weights)+1) // room for the environment
	for i, w := range weights {
		out[i] = w*(1-share) + share*sum/float64(len(weights))
	}
	return out
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
