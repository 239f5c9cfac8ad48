package scene

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
)

// enoughLight is the mean radiance (nits) that a scene's own emission must send out through the sphere around it for the scene
// to need no other light. Status lights, glowing labels and other decoration stay below; the lamp of a room is well above.
const enoughLight = 0.03

// HasLight reports whether the scene lights itself: by a punctual light, by an environment of its own, or by surfaces that emit
// enough to see by. Unlit surfaces do not count: they show their colour and light nothing.
func (s *Scene) HasLight() bool {
	return len(s.Lights) > 0 || s.Environment != "" || s.ImageLight != nil || s.emission() >= enoughLight
}

// Glows tells whether a material emits light, in any pose.
func (s *Scene) Glows(material uint32) bool {
	return s.brightest(material) != mgl32.Vec3{} || s.Motion.boundsOf(material).glows
}

// brightest bounds the emission of a material in all poses of clips, nits. Edits do not count: while a user drags an emission, the
// environment that stands in where nothing lights a scene is to stay.
func (s *Scene) brightest(material uint32) mgl32.Vec3 {
	out := s.Materials[material].Emission
	for i, most := range s.Motion.boundsOf(material).emission {
		out[i] = max(out[i], most)
	}
	return out
}

// Features are what kernels need for a material in any pose.
func (s *Scene) Features(material uint32) Feature {
	return s.Materials[material].Features() | s.Motion.boundsOf(material).needs
}

// emission is the power of the emissive surfaces over π times the area of the sphere around the scene, nits.
func (s *Scene) emission() float64 {
	radiance := make([]float64, len(s.Materials))
	for i := range s.Materials {
		radiance[i] = s.meanEmission(uint32(i))
	}
	power := emittedPower(s.Vertices, s.Faces, radiance)
	for i := range s.Meshes {
		if m := &s.Meshes[i]; m.deforms { // others emit nothing
			power += emittedPower(m.Vertices, m.Faces, radiance)
		}
	}
	if power == 0 {
		return 0
	}
	radius := float64(s.Bounds().Radius())
	return power / (4 * math.Pi * radius * radius)
}

// emittedPower is the power over π of faces in the world, whose materials send out so much.
func emittedPower(vertices []Vertex, faces []Face, radiance []float64) (power float64) {
	if !slices.ContainsFunc(radiance, func(r float64) bool { return r > 0 }) {
		return 0
	}
	for _, f := range faces {
		if radiance[f.Material] > 0 {
			p := vertices[f.V[0]].Position
			e1, e2 := vertices[f.V[1]].Position.Sub(p), vertices[f.V[2]].Position.Sub(p)
			power += radiance[f.Material] * float64(e1.Cross(e2).Len()) / 2
		}
	}
	return power
}

// meanEmission is the mean luminance that a material sends out, nits, as if its whole texture were seen; both sides count. What
// a clip lights up counts as at its brightest.
// A picture that glows no brighter than white paper is a label, not a lamp, and gives 0.
func (s *Scene) meanEmission(material uint32) float64 {
	m := &s.Materials[material]
	factor := s.brightest(material)
	textured := m.Textures[TextureEmissive].Texture >= 0
	isLabel := textured && max(factor[0], factor[1], factor[2]) <= 1
	if m.Unlit || isLabel {
		return 0
	}
	if textured {
		c := s.Images[s.Textures[m.Textures[TextureEmissive].Texture].Image].meanColor()
		factor = mgl32.Vec3{factor[0] * c[0], factor[1] * c[1], factor[2] * c[2]}
	}
	mean := float64(0.2126*factor[0] + 0.7152*factor[1] + 0.0722*factor[2])
	if m.DoubleSided {
		mean *= 2
	}
	return mean
}
