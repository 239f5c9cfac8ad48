package tracer_test

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// TestUpscalingTable logs the table of docs/measurements.md (Upscaling): relMSE and FLIP of the first frame and of the 16th, at rest and in motion,
// and the processor time of a frame.
func TestUpscalingTable(t *testing.T) {
	if !long() {
		t.Skip("GLINT_LONG=1 measures upscaling on three scenes")
	}
	const width, height, frames = 240, 150, 16
	for _, name := range []string{"chess", "door-ajar", "mixed-reflection"} {
		s := made(t, name, builtin.Options{})
		camera := s.Cameras[0]
		truth := onFastest(t).use(s, nil).take(shot{camera: camera, width: width, height: height, samples: 256,
			settings: changed(func(s *settings.Settings) { s.Seed = 99 })})
		errorsOf := func(img *imageio.Image) string {
			seen, err := metric.FLIP(img, truth, metric.DefaultPixelsPerDegree)
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf("%.3f %.3f", relMSE(t, img, truth), seen.Mean())
		}
		for _, integrator := range []string{"path", "restir-gi"} {
			own := changed(func(s *settings.Settings) { s.Integrator, s.RestirMode = integrator, "interactive" })
			for _, scale := range []float64{1, 0.75, 0.5, 0.33} {
				own.RenderScale = scale
				line := fmt.Sprintf("%s %s %.2f:", name, integrator, scale)
				for _, step := range []float64{0, 0.3} {
					st := onFastest(t).use(s, nil)
					begun := processorTime(t)
					for frame := range frames {
						v := view.View{Camera: orbited(camera, step*float64(frame-frames+1)), Width: width, Height: height, Live: true, Moving: true}
						if step == 0 {
							v.Camera = camera
						}
						st.rendered(v, own, view.Target{})
						if frame == 0 && step == 0 || frame == frames-1 {
							line += fmt.Sprintf(" %s |", errorsOf(st.whatIsShown(scale)))
						}
					}
					line += fmt.Sprintf(" %.0f ms |", (processorTime(t)-begun).Seconds()*1e3/frames)
				}
				t.Log(line)
			}
		}
	}
}

// processorTime is what all cores have worked for the process: other work on the machine does not count.
func processorTime(t testing.TB) time.Duration {
	t.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		t.Fatal(err)
	}
	return time.Duration(use.Utime.Nano())
}

// whatIsShown is the image of the last frame.
func (st *studio) whatIsShown(scale float64) *imageio.Image {
	st.t.Helper()
	read := st.r.Image().Upscaled
	if scale == 1 {
		read = st.r.Image().Radiance
	}
	img, err := read()
	if err != nil {
		st.t.Fatal(err)
	}
	return img
}
