package denoise_test

import (
	"testing"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/denoise"
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

// TestFilterTimesOnGPU prints what the kernels of each built-in filter take in a frame of a moving view, with one sample.
func TestFilterTimesOnGPU(t *testing.T) {
	_, gpu := tracertest.OnBothBackends(t)
	s := tracertest.Builtin(t, "chess", builtin.Options{})
	gpu.Use(s, nil)
	for _, size := range [][2]int{{1280, 720}, {1920, 1080}} {
		for _, denoiser := range []string{denoise.Atrous, denoise.Learned} {
			const frames = 40
			v := schedule.Request{View: view.View{Width: size[0], Height: size[1]}, Live: true, Moving: true}
			own := filtering(func(s *settings.Settings) { s.Bounces, s.Denoise = 1, denoiser })
			orbit := func(frame int) scene.Camera { return tracertest.Orbited(s.Cameras[0], float64(frame)) }
			shoot(gpu, v, own, 5, orbit, nil)
			gpu.Timings()
			shoot(gpu, v, own, frames, orbit, nil)
			total := 0.0
			took := gpu.Timings()
			for k := range cuda.KernelCount {
				if ms := took[k.String()] / frames; ms > 0 && k.Category() == cuda.CategoryDenoising {
					t.Logf("%d×%d, %s: %-18s %.3f ms", size[0], size[1], denoiser, k, ms)
					total += ms
				}
			}
			t.Logf("%d×%d, %s: %.3f ms in all", size[0], size[1], denoiser, total)
		}
	}
}
