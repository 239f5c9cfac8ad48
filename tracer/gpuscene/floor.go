package gpuscene

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// The floor is a disc below the middle of the scene. Lengths are in radii of the scene.
const (
	floorSolid    = 2  // to here it hides all that is behind it
	floorEnd      = 10 // here nothing is left of it
	floorGap      = 5e-4
	floorSegments = 64
	floorRings    = 12 // over which it fades
)

// Albedos of the floor: where no environment tells one, and the range in which one is taken from an environment.
const (
	plainFloor    = 0.5
	darkestFloor  = 0.1
	lightestFloor = 0.8
)

// withFloor is the scene standing on a round floor, which fades into what is behind it. The scene itself stays as it is.
func withFloor(s *scene.Scene, env *preparedEnvironment) *scene.Scene {
	out := *s
	solid := floorMaterial(floorAlbedo(env))
	fading := solid
	fading.AlphaMode = scene.AlphaBlend
	first := uint32(len(s.Materials))
	out.Materials = append(slices.Clip(s.Materials), solid, fading)
	m := floorMesh(s.Bounds(), first, first+1)
	base := uint32(len(s.Vertices))
	for i := range m.Faces {
		for k := range m.Faces[i].V {
			m.Faces[i].V[k] += base
		}
	}
	out.Vertices = slices.Concat(s.Vertices, m.Vertices)
	out.Faces = slices.Concat(s.Faces, m.Faces)
	out.Objects = append(slices.Clip(s.Objects), uint32(len(s.Faces)))
	if len(s.Objects) == 0 && len(s.Faces) > 0 {
		out.Objects = []uint32{0, uint32(len(s.Faces))}
	}
	return &out
}

// floorMaterial reflects diffusely and nothing else: a gloss would show the horizon where the floor should fade into it.
func floorMaterial(albedo mgl32.Vec3) scene.Material {
	m := scene.NewMaterial("floor")
	m.BaseColor, m.Metallic, m.Specular, m.DoubleSided = albedo.Vec4(1), 0, 0, true
	return m
}

// floorMesh is the disc: rings of faces about its middle, of which all but the first fade by the alpha of their corners.
func floorMesh(b scene.Bounds, solid, fading uint32) scene.Mesh {
	center, radius := b.Center(), b.Radius()
	if !(radius > 0) {
		radius = 1
	}
	// Below the scene by more than rounding in single precision, since a model may have a ground of its own.
	const precision = 16.0 / (1 << 23)
	far := max(b.Max.Len(), b.Min.Len())
	center[1] = b.Min[1] - max(floorGap*radius, precision*far)
	var m scene.Mesh
	corner := func(along, angle, alpha float64) {
		sin, cos := math.Sincos(angle)
		r := float32(along) * radius
		m.Vertices = append(m.Vertices, scene.Vertex{
			Position: center.Add(mgl32.Vec3{r * float32(cos), 0, r * float32(sin)}), Normal: mgl32.Vec3{0, 1, 0},
			Tangent: mgl32.Vec4{1, 0, 0, 1}, Color: mgl32.Vec4{1, 1, 1, float32(alpha)},
		})
	}
	corner(0, 0, 1)
	for ring := range floorRings + 1 {
		t := float64(ring) / floorRings
		for segment := range floorSegments {
			corner(floorSolid*math.Pow(floorEnd/floorSolid, t), 2*math.Pi*float64(segment)/floorSegments, 1-smooth(t))
		}
	}
	for segment := range uint32(floorSegments) {
		next := (segment + 1) % floorSegments
		m.Faces = append(m.Faces, scene.Face{V: [3]uint32{0, 1 + next, 1 + segment}, Material: solid})
		for ring := range uint32(floorRings) {
			in, out := 1+ring*floorSegments, 1+(ring+1)*floorSegments
			m.Faces = append(m.Faces,
				scene.Face{V: [3]uint32{in + segment, in + next, out + next}, Material: fading},
				scene.Face{V: [3]uint32{in + segment, out + next, out + segment}, Material: fading})
		}
	}
	return m
}

// smooth rises from 0 at 0 to 1 at 1, without a bend at either end.
func smooth(t float64) float64 { return t * t * (3 - 2*t) }

// floorAlbedo is that of ground which looks as the environment does below its horizon, so that the floor hardly differs
// from what it fades into. Where there is no environment it is a grey.
func floorAlbedo(e *preparedEnvironment) mgl32.Vec3 {
	albedo := mgl32.Vec3{plainFloor, plainFloor, plainFloor}
	ground, light := e.aboutHorizon()
	for c := range albedo {
		if light[c] > 0 {
			albedo[c] = float32(min(max(math.Pi*ground[c]/light[c], darkestFloor), lightestFloor))
		}
	}
	return albedo
}

// aboutHorizon is the radiance from the horizon to 30 degrees below (nit; the geometric mean, of which lamps are no large
// part), and the irradiance of level ground. Both are 0 for an image that is too small to tell.
func (p *preparedEnvironment) aboutHorizon() (ground, light [3]float64) {
	if p.texels == nil {
		for c, x := range p.constant {
			ground[c], light[c] = float64(x), math.Pi*float64(x)
		}
		return ground, light
	}
	const lowest, darkest = -0.5, 1e-6
	texel := 2 * math.Pi * math.Pi / float64(p.width) / float64(p.height) // sr, at the horizon
	var below float64                                                     // texels, as large as there
	for y := range p.height {
		sin, up := math.Sincos(math.Pi * (float64(y) + 0.5) / float64(p.height))
		for _, t := range p.texels[y*p.width : (y+1)*p.width] {
			for c := range ground {
				if up > 0 {
					light[c] += float64(t[c]) * up * sin * texel
				} else if up > lowest {
					ground[c] += math.Log(max(float64(t[c]), darkest)) * sin
				}
			}
		}
		if up <= 0 && up > lowest {
			below += sin * float64(p.width)
		}
	}
	if below == 0 {
		return [3]float64{}, [3]float64{}
	}
	for c := range ground {
		ground[c] = math.Exp(ground[c] / below)
	}
	return ground, light
}
