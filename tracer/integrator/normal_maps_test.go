package integrator_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// tilted is the normal of a texel, in the frame of tangent, bitangent and normal.
var tiltedTexel = [4]byte{165, 149, 247, 255}

func tilted() mgl32.Vec3 {
	var n mgl32.Vec3
	for i := range n {
		n[i] = float32(tiltedTexel[i])/255*2 - 1
	}
	return n.Normalize()
}

// mappedSheet is a square that faces +z, with tangents along +x and bitangents along +y, whose normal map leans everywhere alike.
// `texture` says which texture of the material is the map.
func mappedSheet(m scene.Material, texture scene.TextureUse) *scene.Scene {
	s := &scene.Scene{Name: "mapped sheet",
		Images:   []scene.Image{{Width: 1, Height: 1, Pixels: tiltedTexel[:]}},
		Textures: []scene.Texture{{Image: 0}}}
	m.DoubleSided = true
	m.Textures[texture] = scene.TextureRef{Texture: 0, Transform: scene.IdentityTransform}
	tracertest.AddQuad(s, mgl32.Vec3{-1, -1, 0}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 2, 0}, m)
	return s
}

// The normal that a normal map gives is turned as a whole where the back is seen (glTF 2.0 §3.9.6): seen and lit from the opposite
// directions, a back looks as its front.
func TestNormalMapsAreTurnedOnBacks(t *testing.T) {
	matte := tracertest.Matte(0.5)
	coated := tracertest.Matte(0)
	coated.Clearcoat = scene.Clearcoat{Factor: 1, Roughness: 0.3, NormalScale: 1}
	const strength = 3
	shapes := map[string]struct {
		change func(s *scene.Scene)
		normal mgl32.Vec3 // of the front
	}{
		"as it is": {func(*scene.Scene) {}, tilted()},
		"of the other handedness": {func(s *scene.Scene) {
			for i := range s.Vertices {
				s.Vertices[i].Tangent[3] = -1
			}
		}, mgl32.Vec3{tilted()[0], -tilted()[1], tilted()[2]}},
		"corners in the other order": {func(s *scene.Scene) { // but normals as before: they say which way the map lies
			for i, f := range s.Faces {
				s.Faces[i].V = [3]uint32{f.V[0], f.V[2], f.V[1]}
			}
		}, tilted()},
		"an instance": {func(s *scene.Scene) { *s = *asMappedInstance(s, mgl32.Ident4()) }, tilted()},
		"an instance turned over": {func(s *scene.Scene) { *s = *asMappedInstance(s, mgl32.HomogRotate3DY(math.Pi)) },
			mgl32.Vec3{-tilted()[0], tilted()[1], -tilted()[2]}},
	}
	fx := tracertest.OnBestBackend(t)
	everyWay(t, func(t *testing.T, o settings.Settings) {
		o.Bounces = 1
		for name, shape := range shapes {
			// radiance is what is seen along −side·z, lit so that the normal would mirror the light into the eye, or from along it.
			radiance := func(m scene.Material, use scene.TextureUse, side float32, mirrors bool) float64 {
				s := mappedSheet(m, use)
				shape.change(s)
				n := shape.normal
				if n[2] < 0 {
					n = n.Mul(-1) // the side towards +z
				}
				n = n.Mul(side)
				eye := mgl32.Vec3{0, 0, side}
				to := n
				if mirrors {
					to = n.Mul(2 * n.Dot(eye)).Sub(eye)
				}
				s.Lights = []scene.Light{{Kind: scene.LightDirectional, Direction: to.Mul(-1), Intensity: mgl32.Vec3{strength, strength, strength}}}
				camera := scene.Camera{Eye: scene.Wide(eye), Up: mgl32.Vec3{0, 1, 0}, VFov: 0.5}
				img := fx.Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: camera, Width: 4, Height: 4, Samples: 1, Settings: o})
				return tracertest.Mean(img)[1]
			}
			for _, side := range []float32{1, -1} {
				if got, want := radiance(matte, scene.TextureNormal, side, false), 0.5*strength/math.Pi; math.Abs(got/want-1) > 2e-3 {
					t.Errorf("%s, from %+.0f z: radiance %.4f under a light along the map's normal, want %.4f", name, side, got, want)
				}
			}
			front, back := radiance(coated, scene.TextureClearcoatNormal, 1, true), radiance(coated, scene.TextureClearcoatNormal, -1, true)
			if front < 0.1 || math.Abs(back/front-1) > 2e-3 {
				t.Errorf("%s: the coat mirrors %.4f on one side and %.4f on the other", name, front, back)
			}
		}
	})
}

// asMappedInstance draws the scene as an instance, of which there is another far away.
func asMappedInstance(s *scene.Scene, world mgl32.Mat4) *scene.Scene {
	i := asInstance(s)
	i.Images, i.Textures = s.Images, s.Textures
	i.Instances[0].World = world
	return i
}
