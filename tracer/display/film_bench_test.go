package display_test

import (
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// BenchmarkFilm turns a megapixel of light into 8 bits.
func BenchmarkFilm(b *testing.B) {
	for _, curve := range []string{"none", "reinhard", "aces", "agx", "neutral"} {
		b.Run(curve, func(b *testing.B) {
			s := tracertest.Builtin(b, "cornell", builtin.Options{})
			fx := tracertest.OnCPU(b).Use(s, nil)
			own := tracertest.Settings(func(s *settings.Settings) { s.ToneMap, s.Bounces = curve, 1 })
			v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 1000, Height: 1000}}
			pixels := make([]byte, 4*v.Width*v.Height)
			if _, err := fx.Renderer.Render(v, own, view.Target{}); err != nil {
				b.Fatal(err)
			}
			before := tracertest.ProcessorTime(b)
			for b.Loop() {
				if err := fx.Renderer.Image().Show(v, own, view.Target{Pixels: pixels}); err != nil {
					b.Fatal(err)
				}
			}
			work := tracertest.ProcessorTime(b) - before
			b.ReportMetric(float64(work)/float64(b.N*v.Width*v.Height), "cpu-ns/pixel")
		})
	}
}
