package upscale_test

import (
	"fmt"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestUpscalingTable logs the table of docs/measurements.md (Upscaling): relMSE and FLIP of the first frame and of the 16th, at rest and in motion,
// and the processor time of a frame.
func TestUpscalingTable(t *testing.T) {
	if !tracertest.Long() {
		t.Skip("GLINT_LONG=1 measures upscaling on three scenes")
	}
	const width, height, frames = 240, 150, 16
	for _, name := range []string{"chess", "door-ajar", "mixed-reflection"} {
		s := tracertest.Builtin(t, name, builtin.Options{})
		camera := s.Cameras[0]
		truth := tracertest.OnFastest(t).Use(s, nil).Render(tracertest.Shot{Camera: camera, Width: width, Height: height, Samples: 256,
			Settings: tracertest.Settings(func(s *settings.Settings) { s.Seed = 99 })})
		errorsOf := func(img *imageio.Image) string {
			seen, err := metric.FLIP(img, truth, metric.DefaultPixelsPerDegree)
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf("%.3f %.3f", tracertest.RelMSE(t, img, truth), seen.Mean())
		}
		for _, integrator := range []string{"path", "restir-gi"} {
			own := tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.RestirMode = integrator, "interactive" })
			for _, scale := range []float64{1, 0.75, 0.5, 0.33} {
				own.RenderScale = scale
				line := fmt.Sprintf("%s %s %.2f:", name, integrator, scale)
				for _, step := range []float64{0, 0.3} {
					fx := tracertest.OnFastest(t).Use(s, nil)
					begun := tracertest.ProcessorTime(t)
					for frame := range frames {
						v := schedule.Request{View: view.View{Camera: tracertest.Orbited(camera, step*float64(frame-frames+1)), Width: width, Height: height}, Live: true, Moving: true}
						if step == 0 {
							v.Camera = camera
						}
						fx.Frame(v, own, view.Target{})
						if frame == 0 && step == 0 || frame == frames-1 {
							line += fmt.Sprintf(" %s |", errorsOf(whatIsShown(fx, scale)))
						}
					}
					line += fmt.Sprintf(" %.0f ms |", (tracertest.ProcessorTime(t)-begun).Seconds()*1e3/frames)
				}
				t.Log(line)
			}
		}
	}
}

// whatIsShown is the image of the last frame.
func whatIsShown(fx *tracertest.Fixture, scale float64) *imageio.Image {
	fx.T.Helper()
	read := fx.Renderer.Image().Upscaled
	if scale == 1 {
		read = fx.Renderer.Image().Radiance
	}
	img, err := read()
	if err != nil {
		fx.T.Fatal(err)
	}
	return img
}
