package tracer_test

import (
	"context"
	"testing"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// TestBackendsGiveTheSamePixels: two bounces leave rounding little room to grow, so the same seed gives the same pixels.
func TestBackendsGiveTheSamePixels(t *testing.T) {
	for _, info := range builtin.List() {
		t.Run(info.Name, func(t *testing.T) {
			cpu, gpu := tracertest.OnBothBackends(t)
			s := tracertest.Builtin(t, info.Name, builtin.Options{})
			v := tracertest.Shot{Camera: s.Cameras[0], Width: 256, Height: 256, Samples: 1,
				Settings: tracertest.Settings(func(s *settings.Settings) { s.Bounces = 2 })}
			a, b := cpu.Use(s, nil).Render(v), gpu.Use(s, nil).Render(v)
			far := tracertest.ShareBeyond(a, b, 1e-3)
			t.Logf("%.4f %% of the pixels differ by more than 1e-3", 100*far)
			if far > 1e-3 {
				t.Errorf("%.3f %% of the pixels differ by more than 1e-3, at most 0.1 %% may", 100*far)
			}
		})
	}
}

// lastDigits is what kernels for every scene may differ by from those that lack what a scene does not need: colours at vertices that
// are all white are interpolated to white but for rounding.
const lastDigits = 1e-6

// TestFeaturesThatAreLackingChangeNothing: kernels for every scene give the picture of those that lack what the scene does not need.
func TestFeaturesThatAreLackingChangeNothing(t *testing.T) {
	for _, name := range []string{"cornell", "chess", "cornell-glossy", "carpaint"} {
		t.Run(name, func(t *testing.T) {
			s := tracertest.Builtin(t, name, builtin.Options{})
			v := tracertest.Shot{Camera: s.Cameras[0], Width: 96, Height: 96, Samples: 2,
				Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator = "path" })}
			special := tracertest.OnCPU(t).Use(s, nil).Render(v)
			d := tracertest.NewDevice()
			d.ChangeFrame = func(f *cuda.Frame) { f.Scene.Missing = 0 }
			general := d.Open(t).Use(s, nil).Render(v)
			if share := tracertest.ShareBeyond(general, special, lastDigits); share > 0 {
				t.Errorf("%.4f %% of the pixels differ", 100*share)
			}
		})
	}
}

// TestSpecialKernelsGiveTheSamePicture: until the driver has compiled kernels for a scene, those for all scenes render it, from
// machine code where there is some for the GPU. The picture does not show which it was. Where the driver has a cache, the
// first picture may come of special kernels already; with CUDA_CACHE_DISABLE=1 it does not.
func TestSpecialKernelsGiveTheSamePicture(t *testing.T) {
	for _, name := range []string{"cornell", "chess"} {
		t.Run(name, func(t *testing.T) {
			_, gpu := tracertest.OnBothBackends(t)
			s := tracertest.Builtin(t, name, builtin.Options{})
			v := tracertest.Shot{Camera: s.Cameras[0], Width: 256, Height: 256, Samples: 2,
				Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator = "path" })}
			p, err := gpuscene.Prepare(context.Background(), s, gpuscene.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := gpu.Renderer.Engine().Use(p); err != nil {
				t.Fatal(err)
			}
			general := gpu.Render(v)
			special := gpu.Use(s, nil).Render(v)
			if share := tracertest.ShareBeyond(general, special, lastDigits); share > 0 {
				t.Errorf("%.4f %% of the pixels differ", 100*share)
			}
		})
	}
}
