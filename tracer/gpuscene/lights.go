package gpuscene

import (
	"context"
	"math"
	"slices"

	"glint/cuda"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// relit is an emitter whose material a clip lights up or dims, with all else that its power depends on.
type relit struct {
	light    uint32 // index into lights
	material uint32 // index into Motion.Materials
	weight   emitterWeight
}

// lights are the emitters of a scene, and how they are chosen.
type lights struct {
	table []cuda.Light
	alias []cuda.AliasEntry
	tree  lightTree
	// What each light but the environment's sends out, and which emitters clips change; nil where no clip changes any.
	powers []float64
	relit  []relit
	// Where in the table those of scene.Scene.Lights begin; triangles that emit come before them, first those that stand still.
	firstPunctual, fixedEmitters int
	environment                  uint32  // which of them it is
	mean                         float32 // luminance of the environment, nits
	radius                       float64 // of the scene, m
}

// collectLights lists every emitter and weighs how often light sampling should choose it.
func collectLights(ctx context.Context, g *geometry, radius float64, mean float32, memory *guard.Memory) (lights, error) {
	s := g.scene
	l := lights{environment: cuda.NoLight, mean: mean, radius: radius}
	changing, emits := relightable(s.Motion), emitting(s)
	collect := func(triangles []cuda.Triangle, vertices []scene.Vertex, faces []scene.Face, firstFace uint32) {
		if !slices.Contains(emits, true) {
			return
		}
		for i := range triangles {
			t := &triangles[i]
			if !emits[t.Material&^cuda.AlphaBit] {
				continue
			}
			light, weight := triangleLight(s, t, vertices, faces[t.Face-firstFace])
			if weight == (emitterWeight{}) {
				continue
			}
			t.Light = uint32(len(l.table))
			if at, changes := changing[light.Material&^cuda.LightMarks]; changes {
				l.relit = append(l.relit, relit{t.Light, at, weight})
			}
			l.table = append(l.table, light)
			l.powers = append(l.powers, weight.power(light.Emission))
		}
	}
	collect(g.triangles, s.Vertices, s.Faces, 0)
	l.fixedEmitters = len(l.table)
	for i := range g.meshes {
		if m := &s.Meshes[i]; m.Deforms() {
			collect(g.meshes[i].triangles, m.Vertices, m.Faces, g.meshes[i].firstFace)
		}
	}
	l.firstPunctual = len(l.table)
	for i := range s.Lights {
		light, power := punctualLight(&s.Lights[i], radius)
		l.table = append(l.table, light)
		l.powers = append(l.powers, power)
	}
	if mean > 0 {
		l.environment = uint32(len(l.table))
		l.table = append(l.table, cuda.Light{Kind: cuda.LightEnvironment})
	}
	weights := l.weights(l.powers)
	l.alias = choices(l.table, weights)
	still := func(light int) bool { return light < l.fixedEmitters || s.Motion == nil }
	var err error
	if l.tree, err = growLightTree(ctx, g, l.table, still, l.powers, weights, memory); err != nil {
		return l, err
	}
	if !s.Motion.Relights() {
		l.powers = nil // no longer needed
		return l, nil
	}
	// Of each pose there is a copy.
	return l, memory.Take("lights that change", int64(len(l.table))*(2*8+2*16+80)+int64(len(l.relit))*24)
}

// posed has emitters glow as their materials do in a pose, and chooses lights by their powers then.
func (l *lights) posed(pose *scene.Pose, punctual []cuda.Light, punctualPowers []float64) ([]cuda.Light, []cuda.AliasEntry) {
	table, powers := slices.Clone(l.table), slices.Clone(l.powers)
	for _, e := range l.relit {
		table[e.light].Emission = pose.Materials[e.material].Emission
		powers[e.light] = e.weight.power(table[e.light].Emission)
	}
	copy(table[l.firstPunctual:], punctual)
	copy(powers[l.firstPunctual:], punctualPowers)
	return table, choices(table, l.weights(powers))
}

// weights is how often light sampling should choose each light: by power, with a floor.
func (l *lights) weights(powers []float64) []float64 {
	weights := mixUniform(powers, 0.05)
	if l.mean > 0 {
		weights = appendEnvironment(weights, math.Pi*math.Pi*l.radius*l.radius*float64(l.mean))
	}
	return weights
}

// emitting tells of each material whether its triangles are lights, in any pose. Unlit surfaces are seen but not sampled.
func emitting(s *scene.Scene) []bool {
	out := make([]bool, len(s.Materials))
	for i := range out {
		out[i] = s.Glows(uint32(i)) && !s.Materials[i].Unlit
	}
	return out
}

// relightable are the materials whose light clips may change, with their index into Motion.Materials.
func relightable(motion *scene.Motion) map[uint32]uint32 {
	if !motion.Relights() {
		return nil
	}
	out := map[uint32]uint32{}
	for at, material := range motion.Materials {
		out[uint32(material)] = uint32(at)
	}
	return out
}

// choices is the table that draws lights by weights. The lights get the probabilities of that.
func choices(lights []cuda.Light, weights []float64) []cuda.AliasEntry {
	table := buildAlias(weights)
	for i := range lights {
		lights[i].Selection = table[i].Pdf
	}
	return table
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

// mixUniform is weights mixed with a uniform share, so that a weak light near by is still found.
func mixUniform(weights []float64, share float64) []float64 {
	sum := total(weights)
	out := make([]float64, len(weights), len(weights)+1) // room for the environment
	for i, w := range weights {
		out[i] = w*(1-share) + share*sum/float64(len(weights))
	}
	return out
}

// appendEnvironment adds the environment's weight, kept between a quarter and three quarters of all: its power says little
// about how much of it enters a room.
func appendEnvironment(weights []float64, power float64) []float64 {
	if sum := total(weights); sum > 0 {
		power = min(max(power, sum/3), 3*sum)
	}
	return append(weights, power)
}
