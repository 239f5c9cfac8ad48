package denoise_test

import (
	"testing"

	"glint/cuda"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestFilterBesideSamples prints the table of docs/denoising.md: errors of live pictures by the built-in filter, and of the samples that
// they are made of, in an orbit of 1° a frame and at rest.
func TestFilterBesideSamples(t *testing.T) {
	if !tracertest.Long() {
		t.Skip("GLINT_LONG=1 renders references for minutes")
	}
	const width, height = 320, 180
	for name, lit := range floorScenes(t) {
		options := gpuscene.Options{Environment: lit.sky}
		camera := lit.DefaultCamera(float32(width) / height)
		reference := tracertest.OnFastest(t).UseWith(lit.Scene, options).Render(tracertest.Shot{Camera: camera, Width: width, Height: height, Samples: 1024,
			Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Seed = "path", 7 })})
		for _, row := range []struct {
			what            string
			frames, samples int
		}{{"orbit", 12, 4}, {"orbit", 12, 16}, {"rest", 1, 16}, {"rest", 1, 100}} {
			d := tracertest.NewDevice()
			fx := d.Open(t).UseWith(lit.Scene, options)
			own := filtering(func(s *settings.Settings) { s.Integrator = "path" })
			v := view.View{Width: width, Height: height, Live: true, Moving: row.frames > 1}
			for i := range row.frames {
				v.Frame++
				v.Camera = tracertest.Orbited(camera, float64(i+1-row.frames))
				for k := range row.samples {
					v.Unseen = k < row.samples-1
					fx.Frame(v, own, view.Target{})
				}
			}
			filtered, err := fx.Renderer.Image().Denoised(v, own)
			if err != nil {
				t.Fatal(err)
			}
			raw := &imageio.Image{Width: width, Height: height}
			for _, sum := range tracertest.ReadBuffer[[4]float32](t, d, d.FrameOf(cuda.Guides).Film.Accumulation) {
				raw.Pix = append(raw.Pix, sum[0]/sum[3], sum[1]/sum[3], sum[2]/sum[3])
			}
			rel, flip := errorsOf(t, raw, reference)
			filteredRel, filteredFlip := errorsOf(t, filtered, reference)
			t.Logf("%s | %s | %d samples | FLIP %.4f → %.4f (%.2f) | relMSE %.4f → %.4f", name, row.what, row.samples, flip, filteredFlip, filteredFlip/flip, rel, filteredRel)
		}
	}
}
