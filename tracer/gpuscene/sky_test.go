package gpuscene

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// brightest is the texel with the most luminance, and what that is.
func brightest(e *Environment) (x, y int, nits float64) {
	for i := range e.Width * e.Height {
		if l := float64(luminance(mgl32.Vec3{e.Pixels[3*i], e.Pixels[3*i+1], e.Pixels[3*i+2]})); l > nits {
			x, y, nits = i%e.Width, i/e.Width, l
		}
	}
	return x, y, nits
}

// TestSky: a surface that faces the sun is white, sunlight is several times that of the sky by day and redder than it when the sun
// is low, the sky is blue, and every texel is light that exists.
func TestSky(t *testing.T) {
	for _, elevation := range []float64{2, 10, 40, 70, 90} {
		e := Sky{Elevation: elevation, Turbidity: 3}.Environment()
		for i, v := range e.Pixels {
			if !(v >= 0) || math.IsInf(float64(v), 0) {
				t.Fatalf("elevation %v: texel %d is %v", elevation, i/3, v)
			}
		}
		x, y, _ := brightest(e)
		sun := directionOf(x, y, e.Width, e.Height)
		if got := math.Asin(float64(sun[1])) * 180 / math.Pi; math.Abs(got-elevation) > 0.6 {
			t.Errorf("elevation %v: the brightest texel is at %.2f", elevation, got)
		}
		if got := irradiance(e, sun) / math.Pi; math.Abs(got-1) > 0.02 {
			t.Errorf("elevation %v: white towards the sun is %.3f", elevation, got)
		}
		at := 3 * (y*e.Width + x)
		redness := float64(e.Pixels[at] / e.Pixels[at+2])
		away := irradiance(e, mgl32.Vec3{-sun[0], 0, -sun[2]}.Normalize()) / math.Pi
		t.Logf("elevation %v: sun %v, red over blue %.2f, white away from it %.3f", elevation, sun, redness, away)
		if elevation >= 10 && elevation < 80 && (away < 0.03 || away > 0.4) {
			t.Errorf("elevation %v: white away from the sun is %.3f, want a good deal less than 1", elevation, away)
		}
		if elevation <= 10 && redness < 1.5 {
			t.Errorf("elevation %v: the sun's red is %.2f of its blue", elevation, redness)
		}
		if zenith := 3 * (e.Width * (e.Height / 8)); elevation == 40 && e.Pixels[zenith+2] < 1.5*e.Pixels[zenith] {
			t.Errorf("the sky is %v", e.Pixels[zenith:zenith+3])
		}
	}
}

// TestSkySpecs: what --env takes.
func TestSkySpecs(t *testing.T) {
	for spec, works := range map[string]bool{"sky": true, "sky:5": true, "studio": true, "none": true, "sky:": false, "sky:91": false, "sky:x": false, "studio:1": false} {
		if e, err := LoadEnvironment(spec, nil); (err == nil) != works || works && e == nil {
			t.Errorf("%q: %v, %v", spec, e != nil, err)
		}
	}
}
