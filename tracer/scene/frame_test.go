package scene

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// boxScene is a tetrahedron that touches all sides of a box.
func boxScene(lo, hi mgl32.Vec3) *Scene {
	s := triangleScene(lo, mgl32.Vec3{hi[0], hi[1], lo[2]}, mgl32.Vec3{hi[0], lo[1], hi[2]})
	s.Vertices = append(s.Vertices, Vertex{Position: mgl32.Vec3{lo[0], hi[1], hi[2]}})
	s.Faces = append(s.Faces, Face{V: [3]uint32{0, 1, 3}})
	return s
}

// projected is where a point falls in the picture of the camera, −1…1 in both directions inside it; behind is true for
// points at or behind the eye.
func projected(c Camera, aspect float32, p mgl32.Vec3) (x, y float32, behind bool) {
	forward := c.Sight().Normalize()
	right := forward.Cross(c.Up).Normalize()
	up := right.Cross(forward)
	d := p.Sub(Single(c.Eye))
	z := d.Dot(forward)
	tan := float32(math.Tan(float64(mgl32.DegToRad(c.VFov)) / 2))
	return d.Dot(right) / (z * tan * aspect), d.Dot(up) / (z * tan), z <= 0
}

func TestFrameAllFillsThePicture(t *testing.T) {
	for _, c := range []struct {
		name   string
		lo, hi mgl32.Vec3
	}{
		{"cube", mgl32.Vec3{-1, -1, -1}, mgl32.Vec3{1, 1, 1}},
		{"tower far off", mgl32.Vec3{100, 0, 7}, mgl32.Vec3{101, 30, 8}},
		{"panel", mgl32.Vec3{-5, -5, 0}, mgl32.Vec3{5, 5, 0.1}},
		{"ground", mgl32.Vec3{-5, 0, -5}, mgl32.Vec3{5, 0, 5}},
		{"corridor", mgl32.Vec3{-1, 0, -40}, mgl32.Vec3{1, 2, 40}},
		{"millimetre", mgl32.Vec3{0, 0, 0}, mgl32.Vec3{1e-3, 1e-3, 1e-3}},
	} {
		for _, aspect := range []float32{0.5, 1, 16. / 9} {
			s := boxScene(c.lo, c.hi)
			camera := s.FrameAll(aspect)
			var most float32
			for _, v := range s.Vertices {
				x, y, behind := projected(camera, aspect, v.Position)
				if behind {
					t.Fatalf("%s at aspect %g: %v is behind the eye %v", c.name, aspect, v.Position, camera.Eye)
				}
				most = max(most, x, -x, y, -y)
			}
			if math.Abs(float64(most-frameFill)) > 0.01 {
				t.Errorf("%s at aspect %g: the scene reaches %g of the way to the edge, want %g", c.name, aspect, most, frameFill)
			}
		}
	}
}

func TestPanelsAreSeenFromTheFront(t *testing.T) {
	angle := func(lo, hi mgl32.Vec3) float64 {
		c := boxScene(lo, hi).FrameAll(1.5)
		return math.Acos(c.Eye.Sub(c.Target).Normalize()[2]) * 180 / math.Pi
	}
	if a := angle(mgl32.Vec3{-5, -5, 0}, mgl32.Vec3{5, 5, 0.1}); a > 8 {
		t.Errorf("a panel is seen %.0f° from the side, want at most 8°", a)
	}
	if a := angle(mgl32.Vec3{-1, -1, -1}, mgl32.Vec3{1, 1, 1}); a < 15 || a > 40 {
		t.Errorf("a cube is seen %.0f° from the side, want three of its faces", a)
	}
}

func TestEmptySceneIsFramed(t *testing.T) {
	c := (&Scene{}).FrameAll(1)
	if d := c.Eye.Sub(c.Target).Len(); !(d > 0.5 && d < 100) {
		t.Errorf("an empty scene is seen from %g m", d)
	}
}
