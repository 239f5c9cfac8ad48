package denoise_test

import (
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestFilterGivesTheSamePictureOnBothBackends: the same seed gives the same samples but for rounding (TestBackendsGiveTheSamePixels), and
// so does their filter, history included. A pixel whose samples differ changes those around it: hence a bound of its own.
func TestFilterGivesTheSamePictureOnBothBackends(t *testing.T) {
	const apart, most = 1e-2, 0.01
	for _, c := range [][2]string{{"cornell-glossy", "atrous"}, {"chess", "atrous"}, {"mixed-reflection", "atrous"}, {"chess", "learned"},
		{"mixed-reflection", "learned"}} {
		name, denoiser := c[0], c[1]
		t.Run(name+", "+denoiser, func(t *testing.T) {
			cpu, gpu := tracertest.OnBothBackends(t)
			s := tracertest.Builtin(t, name, builtin.Options{})
			filtered := func(fx *tracertest.Fixture) *imageio.Image {
				v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 192, Height: 128}, Live: true, Moving: true}
				own := filtering(func(s *settings.Settings) { s.Bounces, s.Denoise = 2, denoiser })
				orbit := func(frame int) scene.Camera { return tracertest.Orbited(s.Cameras[0], float64(frame)) }
				return shoot(fx.Use(s, nil), v, own, 6, orbit, nil)
			}
			far := tracertest.ShareBeyond(filtered(cpu), filtered(gpu), apart)
			t.Logf("%.3f %% of the pixels differ by more than %g", 100*far, apart)
			if far > most {
				t.Errorf("%.3f %% of the pixels differ by more than %g, at most %g %% may", 100*far, apart, 100*most)
			}
		})
	}
}
