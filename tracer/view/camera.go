package view

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// Lens is the view's camera in the kernels' layout.
func (v View) Lens(s *settings.Settings) cuda.Camera {
	if v.Aspect == 0 {
		v.Aspect = float32(v.Width) / float32(v.Height)
	}
	return deviceCamera(v.Camera, s, v.Aspect)
}

// deviceCamera is a camera in the kernels' layout for an image so many times as wide as high.
func deviceCamera(c scene.Camera, s *settings.Settings, aspect float32) cuda.Camera {
	toTarget := c.Sight()
	distance := toTarget.Len()
	forward, right, up := cameraAxes(toTarget, c.Up)
	d := cuda.Camera{
		Eye: scene.Single(c.Eye), Right: right, Up: up, Forward: forward,
		Aspect: aspect, OrthoHalfHeight: c.Orthographic,
		TanHalfFovY:   float32(math.Tan(float64(mgl32.DegToRad(c.VFov)) / 2)),
		FocusDistance: float32(s.Focus),
	}
	if s.Focus <= 0 {
		d.FocusDistance = max(distance, 1e-6)
	}
	if s.DepthOfField {
		d.ApertureRadius = float32(s.Aperture / 2)
		if s.Blades > 0 {
			d.Blades = max(3, uint32(s.Blades))
		}
	}
	if d.ApertureRadius == 0 {
		d.FocusDistance, d.Blades = 1, 0 // a pinhole has none: changing them must not restart the picture
	}
	return d
}

// cameraAxes makes an orthonormal right-handed frame, whatever the up vector is.
func cameraAxes(toTarget, upHint mgl32.Vec3) (forward, right, up mgl32.Vec3) {
	forward = mgl32.Vec3{0, 0, -1}
	if toTarget.Len() > 0 {
		forward = toTarget.Normalize()
	}
	side := forward.Cross(upHint)
	if side.Len() < 1e-6*upHint.Len() || upHint.Len() == 0 {
		axis := mgl32.Vec3{0, 0, -1}
		if math.Abs(float64(forward[2])) > 0.9 {
			axis = mgl32.Vec3{0, 1, 0}
		}
		side = forward.Cross(axis)
	}
	right = side.Normalize()
	return forward, right, right.Cross(forward)
}

// Ray is the ray through the point (x, y) of the image, 0…1 from its top left, without lens.
func Ray(c cuda.Camera, x, y float32) cuda.Ray {
	x, y = 2*x-1, 1-2*y
	eye, forward, right, up := mgl32.Vec3(c.Eye), mgl32.Vec3(c.Forward), mgl32.Vec3(c.Right), mgl32.Vec3(c.Up)
	if c.OrthoHalfHeight > 0 {
		eye = eye.Add(right.Mul(x * c.Aspect * c.OrthoHalfHeight)).Add(up.Mul(y * c.OrthoHalfHeight))
		return cuda.Ray{Origin: eye, Direction: forward, TMax: math.MaxFloat32}
	}
	d := forward.Add(right.Mul(x * c.Aspect * c.TanHalfFovY)).Add(up.Mul(y * c.TanHalfFovY))
	return cuda.Ray{Origin: eye, Direction: d.Normalize(), TMax: math.MaxFloat32}
}

// Fill fills in what is looked at.
func (v View) Fill(f *cuda.Frame, s *settings.Settings) { f.Camera = v.Lens(s) }
