package tracer_test

import (
	"os"
	"path/filepath"
	"testing"

	"glint/tracer"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// BenchmarkOpen opens the files that GLINT_OPEN names (path:path) up to their first picture, at 640×360 with the tree that is built
// quickest.
func BenchmarkOpen(b *testing.B) {
	for _, path := range filepath.SplitList(os.Getenv("GLINT_OPEN")) {
		b.Run(filepath.Base(path), func(b *testing.B) {
			fx := tracertest.OnFastest(b)
			for b.Loop() {
				how, baked := tracer.Repeats(tracer.Options{})
				s, err := scene.Load(b.Context(), path, scene.Options{Scene: -1, Instancing: how, BakedBytes: baked})
				if err != nil {
					b.Fatal(err)
				}
				fx.UseWith(s, gpuscene.Options{BVH: "fast"})
				o := tracertest.Settings(func(o *settings.Settings) { o.Integrator, o.Denoise, o.BVH = "path", "off", "fast" })
				fx.Frame(schedule.Request{View: view.View{Camera: s.DefaultCamera(16. / 9), Width: 640, Height: 360}}, o, view.Target{})
				if err := fx.Renderer.Finish(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
