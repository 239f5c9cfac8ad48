package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

var inf = math.Inf(1)

// defaultVFov is the vertical field of view of a camera that no file chose, degrees.
const defaultVFov = 40

// DefaultCamera is the file's first camera, or one that frames the whole scene at the given aspect ratio
// (width / height) from slightly above and to the side.
func (s *Scene) DefaultCamera(aspect float32) Camera {
	if len(s.Cameras) > 0 {
		return s.Cameras[0]
	}
	return s.FrameAll(aspect)
}

// FrameAll is a camera outside the scene that sees all of its bounding sphere.
func (s *Scene) FrameAll(aspect float32) Camera {
	b := s.Bounds()
	half := float64(mgl32.DegToRad(defaultVFov)) / 2
	if aspect < 1 {
		half = math.Atan(math.Tan(half) * float64(aspect))
	}
	distance := max(b.Radius(), 1e-6) / float32(math.Sin(half))
	toEye := mgl32.Vec3{0.35, 0.3, 1}.Normalize()
	return Camera{
		Name: "framed", Eye: b.Center().Add(toEye.Mul(distance)), Target: b.Center(),
		Up: mgl32.Vec3{0, 1, 0}, VFov: defaultVFov,
	}
}
