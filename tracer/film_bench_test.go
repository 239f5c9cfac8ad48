package tracer_test

import (
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// BenchmarkFilm turns a megapixel of light into 8 bits.
func BenchmarkFilm(b *testing.B) {
	for _, curve := range []string{"none", "reinhard", "aces", "agx", "neutral"} {
		b.Run(curve, func(b *testing.B) {
			s := made(b, "cornell", builtin.Options{})
			st := onCPU(b).use(s, nil)
			own := changed(func(s *settings.Settings) { s.ToneMap, s.Bounces = curve, 1 })
			v := view.View{Camera: s.Cameras[0], Width: 1000, Height: 1000}
			pixels := make([]byte, 4*v.Width*v.Height)
			if _, err := st.r.Render(v, own, view.Target{}); err != nil {
				b.Fatal(err)
			}
			before := processorTime(b)
			for b.Loop() {
				if err := st.r.Image().Show(v, own, view.Target{Pixels: pixels}); err != nil {
					b.Fatal(err)
				}
			}
			work := processorTime(b) - before
			b.ReportMetric(float64(work)/float64(b.N*v.Width*v.Height), "cpu-ns/pixel")
		})
	}
}
