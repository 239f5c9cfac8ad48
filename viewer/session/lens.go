package session

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
)

// sensorHeight is that of a full-frame sensor (36 × 24 mm), m.
const sensorHeight = 0.024

// focalLength is the distance, m, at which a full-frame sensor sees the camera's vertical field of view: half of the sensor's height is
// f·tan(vfov/2).
func focalLength(c scene.Camera) float64 {
	return sensorHeight / 2 / math.Tan(mgl64.DegToRad(float64(c.VFov))/2)
}

// FocalLength is that of a lens with the camera's field of view on a full-frame sensor; empty for a parallel view.
func FocalLength(c scene.Camera) string {
	if c.Orthographic > 0 {
		return ""
	}
	return fmt.Sprintf("%.0f mm", 1e3*focalLength(c))
}

// FNumber is that of such a lens whose aperture has a diameter (m): N = f/d. It blurs as the camera does, since blur depends on the
// diameter, the angle and the focus alone. It is empty for a pinhole and for a parallel view.
func FNumber(aperture float64, c scene.Camera) string {
	if aperture <= 0 || c.Orthographic > 0 {
		return ""
	}
	n := focalLength(c) / aperture
	if n >= 10 {
		return fmt.Sprintf("f/%.0f", n)
	}
	return fmt.Sprintf("f/%.2g", n)
}
