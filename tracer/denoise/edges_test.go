package denoise_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/imageio"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// edgeError is the root mean square error of the pixels through which an edge runs, of those that are unlike all of `flat`.
func edgeError(img, truth *imageio.Image, flat ...float64) float64 {
	sum, n := 0.0, 0.0
	for i, want := range truth.Pix {
		edge := true
		for _, f := range flat {
			edge = edge && math.Abs(float64(want)-f) > 0.04
		}
		if edge {
			sum += (float64(img.Pix[i]) - float64(want)) * (float64(img.Pix[i]) - float64(want))
			n++
		}
	}
	return math.Sqrt(sum / n)
}

// TestEdgesAreSmooth: pixels of a live view are means of three camera rays, whatever they show on both sides of an edge: textures,
// lamps, and the sky. So their error is at most 1/√3 = 0.58 of that of one sample, and a little for the light.
func TestEdgesAreSmooth(t *testing.T) {
	s, camera := checkered()
	tracertest.AddQuad(s, mgl32.Vec3{-0.5, 0.001, 0.5}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0.1, 0, -1}, tracertest.Emitter(1.5))
	own := flatlyLit("off")
	const width, height = 120, 90
	use := func() *tracertest.Fixture { return tracertest.OnCPU(t).Use(s, tracertest.Constant(1)) }
	truth := use().Render(tracertest.Shot{Camera: camera, Width: width, Height: height, Samples: 256, Settings: own})
	flat := []float64{0.1, 0.8, 1, 1.5}
	one := edgeError(use().Render(tracertest.Shot{Camera: camera, Width: width, Height: height, Samples: 1, Settings: own}), truth, flat...)
	for _, samples := range []int{1, 2} {
		v := view.View{Camera: camera, Width: width, Height: height, Live: true, Frame: 1}
		fx := use()
		own := filtering(func(s *settings.Settings) { *s = flatlyLit("atrous") })
		for range samples {
			fx.Frame(v, own, view.Target{})
		}
		img, err := fx.Renderer.Image().Denoised(v, own)
		if err != nil {
			t.Fatal(err)
		}
		got := edgeError(img, truth, flat...)
		t.Logf("%d samples: error at edges %.3f, of one sample alone %.3f", samples, got, one)
		if !(got < 0.62*one) {
			t.Errorf("%d samples: error at edges %.3f, of one sample alone %.3f: they are jagged", samples, got, one)
		}
	}
}
