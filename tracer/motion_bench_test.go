package tracer_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// BenchmarkMotion plays the files that GLINT_MOVING names (path:path) as a window does, at 1920×1080 with restir and the built-in
// denoiser, and again at rest in one pose.
func BenchmarkMotion(b *testing.B) {
	for _, path := range filepath.SplitList(os.Getenv("GLINT_MOVING")) {
		s, err := scene.Load(b.Context(), path, scene.Options{Scene: -1, Animated: true})
		if err != nil {
			b.Fatal(err)
		}
		for _, plays := range []bool{true, false} {
			name := filepath.Base(path) + map[bool]string{true: ", playing", false: ", at rest"}[plays]
			b.Run(name, func(b *testing.B) {
				fx := tracertest.OnFastest(b).Use(s, nil)
				o := tracertest.Settings(func(o *settings.Settings) { o.Integrator, o.Denoise = "restir", "atrous" })
				v := schedule.Request{View: view.View{Camera: s.FrameAll(16. / 9), Width: 1920, Height: 1080}, Live: true, Moving: true, Window: true}
				slowest, frames := 0.0, 0
				b.ResetTimer()
				for b.Loop() {
					begun := time.Now()
					if plays {
						if err := fx.Renderer.Engine().Pose(s.Motion.Pose(0, s.Motion.Clips[0].Time(float64(frames)/60, true))); err != nil {
							b.Fatal(err)
						}
					}
					v.Frame = frames
					fx.Frame(v, o, view.Target{})
					if err := fx.Renderer.Finish(); err != nil {
						b.Fatal(err)
					}
					if frames++; frames > 10 {
						slowest = max(slowest, time.Since(begun).Seconds()*1e3)
					}
				}
				b.ReportMetric(float64(frames)/b.Elapsed().Seconds(), "frames/s")
				b.ReportMetric(slowest, "slowest-ms")
			})
		}
	}
}
