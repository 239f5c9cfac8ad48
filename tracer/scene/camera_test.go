package scene_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
)

// TestCameraCheck: a camera is refused for each number that is none, or too large to square.
func TestCameraCheck(t *testing.T) {
	usable := scene.Camera{Eye: mgl64.Vec3{0, 0, 1}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}
	if err := usable.Check(); err != nil {
		t.Fatal(err)
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, bad := range []float32{nan, inf, -inf, 2e19} {
		for i, spoil := range []func(c *scene.Camera){
			func(c *scene.Camera) { c.Eye[0] = float64(bad) },
			func(c *scene.Camera) { c.Target[1] = float64(bad) },
			func(c *scene.Camera) { c.Up[2] = bad },
			func(c *scene.Camera) { c.VFov = bad },
			func(c *scene.Camera) { c.Orthographic = bad },
		} {
			c := usable
			spoil(&c)
			if c.Check() == nil {
				t.Errorf("number %d of a camera may be %v", i, bad)
			}
		}
	}
}
