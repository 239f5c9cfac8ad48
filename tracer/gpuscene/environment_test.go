package gpuscene

import (
	"context"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// TestStudioEnvironmentExposesWhite holds the sky to a level at which white matt surfaces are neither burnt out nor dull at 0 EV, and
// to lamps that give form: the side of the main lamp must be clearly brighter than the other.
func TestStudioEnvironmentExposesWhite(t *testing.T) {
	sky := studioEnvironment()
	white := func(normal mgl32.Vec3) (radiance float64) {
		for y := range sky.Height {
			theta := math.Pi * (float64(y) + 0.5) / float64(sky.Height)
			for x := range sky.Width {
				phi := 2 * math.Pi * ((float64(x)+0.5)/float64(sky.Width) - 0.5)
				d := mgl32.Vec3{float32(math.Sin(theta) * math.Cos(phi)), float32(math.Cos(theta)), float32(math.Sin(theta) * math.Sin(phi))}
				if cos := d.Dot(normal); cos > 0 {
					at := 3 * (y*sky.Width + x)
					l := luminance(mgl32.Vec3{sky.Pixels[at], sky.Pixels[at+1], sky.Pixels[at+2]})
					radiance += float64(l*cos) * math.Sin(theta)
				}
			}
		}
		return radiance * 2 * math.Pi / float64(sky.Width) / float64(sky.Height)
	}
	lit, shaded := white(mgl32.Vec3{-0.55, 0.75, 0.6}.Normalize()), white(mgl32.Vec3{0.55, -0.3, 0.6}.Normalize())
	if lit < 0.8 || lit > 1.3 {
		t.Errorf("white towards the lamp is %.2f, want about 1", lit)
	}
	if lit < 2*shaded || shaded < 0.15 {
		t.Errorf("white away from the lamp is %.2f beside %.2f", shaded, lit)
	}
}

// TestSceneBringsItsEnvironment: it lights the scene unless the user chooses another, and no studio is added.
func TestSceneBringsItsEnvironment(t *testing.T) {
	s := &scene.Scene{Name: "courtyard", Environment: "sky:20"}
	sky, err := LoadEnvironment(s.Environment, nil)
	if err != nil {
		t.Fatal(err)
	}
	own, err := Prepare(context.Background(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want, err := prepareEnvironment(context.Background(), sky, nil); err != nil || own.environment.mean != want.mean || len(own.Notes) > 0 {
		t.Errorf("the mean of its environment is %g, want %g; notes %v; %v", own.environment.mean, want.mean, own.Notes, err)
	}
	chosen, err := Prepare(context.Background(), s, Options{Environment: &Environment{Constant: mgl32.Vec3{3, 3, 3}}})
	if err != nil {
		t.Fatal(err)
	}
	if chosen.environment.mean != luminance(mgl32.Vec3{3, 3, 3}) {
		t.Errorf("the user's environment has a mean of %g", chosen.environment.mean)
	}
	s.Environment = "skyy"
	if _, err := Prepare(context.Background(), s, Options{}); err == nil {
		t.Error("an environment that does not exist is no error")
	}
}
