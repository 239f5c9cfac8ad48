package tracertest

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/view"
)

// Builtin is a built-in scene.
func Builtin(t testing.TB, name string, o builtin.Options) *scene.Scene {
	t.Helper()
	s, err := builtin.Make(name, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Dark is an environment without light.
func Dark() *gpuscene.Environment { return &gpuscene.Environment{} }

// Constant is an environment of one radiance, nit.
func Constant(radiance float32) *gpuscene.Environment {
	return &gpuscene.Environment{Constant: [3]float32{radiance, radiance, radiance}}
}

// Gradient is an environment whose radiance is a smooth function of direction, with a bright spot.
func Gradient() *gpuscene.Environment {
	const w, h = 128, 64
	e := &gpuscene.Environment{Width: w, Height: h}
	for y := range h {
		for x := range w {
			d := TexelDirection(x, y, w, h)
			v := float32(0.5 + 0.3*d[0] + 0.1*d[2] + 20*math.Exp(30*(0.8*d[1]+0.6*d[0]-1)))
			e.Pixels = append(e.Pixels, v, 2*v, 3*v)
		}
	}
	return e
}

// TexelDirection inverts u = atan2(z, x)/2π + ½, v = acos(y)/π at the centre of an environment's texel.
func TexelDirection(x, y, w, h int) [3]float64 {
	phi := ((float64(x)+0.5)/float64(w) - 0.5) * 2 * math.Pi
	theta := (float64(y) + 0.5) / float64(h) * math.Pi
	return [3]float64{math.Sin(theta) * math.Cos(phi), math.Cos(theta), math.Sin(theta) * math.Sin(phi)}
}

// EmptySky has the fixture look at an even sky of 1 nit, with nothing in the way.
func EmptySky(fx *Fixture, width, height int) schedule.Request {
	fx.T.Helper()
	fx.Use(&scene.Scene{Name: "empty"}, Constant(1))
	camera := scene.Camera{Target: mgl64.Vec3{0, 0, -1}, Up: mgl32.Vec3{0, 1, 0}, VFov: 60}
	return schedule.Request{View: view.View{Camera: camera, Width: width, Height: height}}
}

// Matte is a Lambert reflector without any coat.
func Matte(albedo float32) scene.Material {
	m := scene.NewMaterial("matte")
	m.BaseColor, m.Metallic, m.Specular = mgl32.Vec4{albedo, albedo, albedo, 1}, 0, 0
	return m
}

// Emitter is black and emits radiance (nit) from its front.
func Emitter(radiance float32) scene.Material {
	m := Matte(0)
	m.Emission = mgl32.Vec3{radiance, radiance, radiance}
	return m
}

// AddQuad adds the parallelogram at corner with edges u and v; its front is where u × v points.
func AddQuad(s *scene.Scene, corner, u, v mgl32.Vec3, m scene.Material) {
	s.Materials = append(s.Materials, m)
	base := uint32(len(s.Vertices))
	normal := u.Cross(v).Normalize()
	for _, p := range []mgl32.Vec3{corner, corner.Add(u), corner.Add(u).Add(v), corner.Add(v)} {
		s.Vertices = append(s.Vertices, scene.Vertex{Position: p, Normal: normal, Tangent: u.Normalize().Vec4(1),
			Color: mgl32.Vec4{1, 1, 1, 1}})
	}
	material := uint32(len(s.Materials) - 1)
	s.Faces = append(s.Faces, scene.Face{V: [3]uint32{base, base + 1, base + 2}, Material: material},
		scene.Face{V: [3]uint32{base, base + 2, base + 3}, Material: material})
}

// Ground is a matte plane through the origin that faces +Y, seen FromAbove.
func Ground(albedo, vfov float32) (*scene.Scene, scene.Camera) {
	s := &scene.Scene{Name: "ground"}
	AddQuad(s, mgl32.Vec3{-50, 0, 50}, mgl32.Vec3{100, 0, 0}, mgl32.Vec3{0, 0, -100}, Matte(albedo))
	return s, FromAbove(vfov)
}

// FromAbove looks straight down from 1 m with a vertical field of view in degrees: +X is right, −Z is up in the image.
func FromAbove(vfov float32) scene.Camera {
	return scene.Camera{Eye: mgl64.Vec3{0, 1, 0}, Up: mgl32.Vec3{0, 0, -1}, VFov: vfov}
}

// SmallLight is a square emitter of the given side at z = 0, seen from 4 m away in an image 2 m wide and high there.
func SmallLight(side float32) (*scene.Scene, scene.Camera) {
	s := &scene.Scene{Name: "small light"}
	AddQuad(s, mgl32.Vec3{-side / 2, -side / 2, 0}, mgl32.Vec3{side, 0, 0}, mgl32.Vec3{0, side, 0}, Emitter(1))
	return s, scene.Camera{Eye: mgl64.Vec3{0, 0, 4}, Up: mgl32.Vec3{0, 1, 0}, VFov: 2 * mgl32.RadToDeg(float32(math.Atan(0.25)))}
}

// Transformed is a copy of the scene and its first camera, scaled about the origin and then moved. Radiance does not change.
func Transformed(s *scene.Scene, scale float32, move mgl32.Vec3) (*scene.Scene, scene.Camera) {
	c := *s
	c.Vertices = append([]scene.Vertex(nil), s.Vertices...)
	for i := range c.Vertices {
		c.Vertices[i].Position = c.Vertices[i].Position.Mul(scale).Add(move)
	}
	camera := s.Cameras[0]
	for _, p := range []*mgl64.Vec3{&camera.Eye, &camera.Target} { // rounded as vertices are
		*p = scene.Wide(scene.Single(*p).Mul(scale).Add(move))
	}
	return &c, camera
}

// Orbited turns a camera about its target, degrees counter-clockwise seen from above.
func Orbited(c scene.Camera, degrees float64) scene.Camera {
	turn := mgl64.HomogRotate3DY(mgl64.DegToRad(degrees))
	c.Eye = c.Target.Add(turn.Mul4x1(c.Eye.Sub(c.Target).Vec4(0)).Vec3())
	return c
}
