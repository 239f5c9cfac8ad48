package denoise_test

import (
	"math"
	"testing"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/film"
	"glint/tracer/imageio"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestBlocksOfSamples: what is kept of blocks is what sixteen successive samples add up to, and the last, which is not whole, is left out.
func TestBlocksOfSamples(t *testing.T) {
	const block, samples, pixels = film.BlockSamples, 40, 12 * 8 // parts of stills add up whole blocks
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnFastest(t).Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.DefaultCamera(1.5), Width: 12, Height: 8}}
	own := filtering(func(s *settings.Settings) { s.Integrator = "path" })
	var sum, squares, last [pixels]float64
	var values []float32
	for n := 1; n <= samples; n++ {
		fx.Frame(v, own, view.Target{})
		if n%block != 0 && n != samples {
			continue
		}
		var err error
		if values, _, err = fx.Renderer.Image().Block(); err != nil {
			t.Fatal(err)
		}
		for i := range pixels {
			p := values[4*i:]
			if l := imageio.Luminance(float64(p[0]), float64(p[1]), float64(p[2])); n != samples {
				squares[i] += (l - last[i]) * (l - last[i]) / float64(block)
				sum[i], last[i] = l, l
			}
		}
	}
	blocks := values[4*pixels*(1+int(cuda.AovFilterPlanes)):]
	for i := range pixels {
		want := [2]float64{sum[i], squares[i]}
		for c, x := range blocks[2*i : 2*i+2] {
			if math.Abs(float64(x)-want[c]) > 1e-4*(1+math.Abs(want[c])) {
				t.Fatalf("pixel %d: sum and squares of blocks are %v, want %v", i, blocks[2*i:2*i+2], want)
			}
		}
	}
}
