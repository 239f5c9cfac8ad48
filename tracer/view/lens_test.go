package view_test

import (
	"math"
	"testing"

	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// throughLens renders a scene with an aperture (m) and a focus distance (m).
func throughLens(t *testing.T, s *scene.Scene, camera scene.Camera, aperture, focus float64, samples int) *imageio.Image {
	t.Helper()
	return tracertest.OnCPU(t).Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: camera, Width: 64, Height: 64, Samples: samples,
		Settings: tracertest.Settings(func(s *settings.Settings) { s.Aperture, s.Focus, s.Bounces = aperture, focus, 0 })})
}

// TestFocusPlaneStaysSharp: what lies in the plane of focus does not change with the aperture.
func TestFocusPlaneStaysSharp(t *testing.T) {
	s, camera := tracertest.SmallLight(0.5)
	pinhole, wide := throughLens(t, s, camera, 0, 4, 64), throughLens(t, s, camera, 0.5, 4, 64)
	for i := range pinhole.Pix {
		if math.Abs(float64(pinhole.Pix[i]-wide.Pix[i])) > 0.1 {
			t.Fatalf("value %d is %v through a pinhole and %v through a lens", i, pinhole.Pix[i], wide.Pix[i])
		}
	}
}

// TestCircleOfConfusion: a point at distance d spreads, in its own plane, over a disk of diameter A |d − f| / f.
func TestCircleOfConfusion(t *testing.T) {
	const side = 0.1
	s, camera := tracertest.SmallLight(side)
	for _, row := range []struct{ aperture, focus float64 }{{0.6, 2}, {0.4, 2}, {1, 8}} {
		diameter := row.aperture * math.Abs(4-row.focus) / row.focus
		want := math.Pi / 4 * diameter * diameter
		light, spread := moments(throughLens(t, s, camera, row.aperture, row.focus, 1024))
		if math.Abs(light/(side*side)-1) > 0.03 {
			t.Errorf("aperture %v, focus %v: the lens passes %.4f of the light", row.aperture, row.focus, light/(side*side))
		}
		// Variances add: a disk of radius r has ⟨x² + y²⟩ = r²/2, a square of side a has a²/6.
		if got := 2 * math.Pi * (spread - side*side/6); math.Abs(got/want-1) > 0.03 {
			t.Errorf("aperture %v, focus %v: circle of confusion of %.4f m², want %.4f", row.aperture, row.focus, got, want)
		}
	}
}

// moments are the light of a picture of 2 m × 2 m (nit m²) and its mean squared distance from the middle (m²).
func moments(img *imageio.Image) (light, spread float64) {
	for i := 0; i < len(img.Pix); i += 3 {
		at := func(k int) float64 { return (float64(k)+0.5)/float64(img.Width)*2 - 1 }
		x, y := at(i/3%img.Width), at(i/3/img.Width)
		light += float64(img.Pix[i])
		spread += float64(img.Pix[i]) * (x*x + y*y)
	}
	return light * 4 / float64(img.Width*img.Height), spread / light
}

// TestDepthOfFieldOff: the switch makes any lens a pinhole.
func TestDepthOfFieldOff(t *testing.T) {
	s, camera := tracertest.SmallLight(0.5)
	fx := tracertest.OnCPU(t).Use(s, tracertest.Dark())
	v := tracertest.Shot{Camera: camera, Width: 32, Height: 32, Samples: 4,
		Settings: tracertest.Settings(func(s *settings.Settings) { s.Aperture, s.Focus, s.DepthOfField = 0.5, 2, false })}
	off := fx.Render(v)
	v.Settings.Aperture = 0
	pinhole := fx.Render(v)
	for i := range off.Pix {
		if off.Pix[i] != pinhole.Pix[i] {
			t.Fatalf("value %d is %v with depth of field off, %v through a pinhole", i, off.Pix[i], pinhole.Pix[i])
		}
	}
}
