package flags

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
)

// TestFarFlags: cameras of flags are in the coordinates of the file, with all their digits.
func TestFarFlags(t *testing.T) {
	s := &scene.Scene{Origin: mgl64.Vec3{500_000, 4_000_000, 0}}
	var f CameraFlags
	for text, to := range map[string]*vector{"500000.25,4000001.125,3": &f.Eye, "500000.5,4000001,0": &f.Target, "0,0,1": &f.Up} {
		if err := to.UnmarshalText([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := f.Choose(s, 1)
	if err != nil || c.Eye != (mgl64.Vec3{0.25, 1.125, 3}) || c.Target != (mgl64.Vec3{0.5, 1, 0}) || c.Up != (mgl32.Vec3{0, 0, 1}) {
		t.Errorf("%+v, %v", c, err)
	}
}
