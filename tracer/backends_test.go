package tracer_test

import (
	"math"
	"slices"
	"testing"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/settings"
)

// bothBackends opens a CPU and a CUDA studio, or skips the test where there is no GPU.
func bothBackends(t *testing.T) (cpu, gpu *studio) {
	t.Helper()
	cpu = onCPU(t)
	r, err := tracer.Open(tracer.Options{Backend: "cuda"}, profile.Policy{TimeEvery: 1})
	if err != nil {
		t.Skipf("no GPU to compare with: %v", err)
	}
	return cpu, newStudio(t, r)
}

// TestBackendsGiveTheSamePixels: two bounces leave rounding little room to grow, so the same seed gives the same pixels.
func TestBackendsGiveTheSamePixels(t *testing.T) {
	for _, info := range builtin.List() {
		t.Run(info.Name, func(t *testing.T) {
			cpu, gpu := bothBackends(t)
			s := made(t, info.Name, builtin.Options{})
			v := shot{camera: s.Cameras[0], width: 256, height: 256, samples: 1,
				settings: changed(func(s *settings.Settings) { s.Bounces = 2 })}
			a, b := cpu.use(s, nil).take(v), gpu.use(s, nil).take(v)
			far := shareBeyond(a, b, 1e-3)
			t.Logf("%.4f %% of the pixels differ by more than 1e-3", 100*far)
			if far > 1e-3 {
				t.Errorf("%.3f %% of the pixels differ by more than 1e-3, at most 0.1 %% may", 100*far)
			}
		})
	}
}

// TestSpecialKernelsGiveTheSameBits: until the driver has compiled kernels for a scene, those for all scenes render it, from
// machine code where there is some for the GPU. The picture does not show which it was. Where the driver has a cache, the
// first picture may come of special kernels already; with CUDA_CACHE_DISABLE=1 it does not.
func TestSpecialKernelsGiveTheSameBits(t *testing.T) {
	for _, name := range []string{"cornell", "chess"} {
		t.Run(name, func(t *testing.T) {
			_, gpu := bothBackends(t)
			s := made(t, name, builtin.Options{})
			v := shot{camera: s.Cameras[0], width: 256, height: 256, samples: 2, settings: changed(func(s *settings.Settings) { s.Integrator = "path" })}
			p, err := gpuscene.Prepare(s, gpuscene.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := gpu.r.Engine().Use(p); err != nil {
				t.Fatal(err)
			}
			general := gpu.take(v)
			special := gpu.use(s, nil).take(v)
			if !slices.Equal(general.Pix, special.Pix) {
				t.Errorf("%.4f %% of the pixels differ", 100*shareBeyond(general, special, 0))
			}
		})
	}
}

// shareBeyond is the share of pixels one of whose channels differs by more than the relative bound.
func shareBeyond(a, b *imageio.Image, bound float64) float64 {
	far := 0
	for i := 0; i < len(a.Pix); i += 3 {
		for c := range 3 {
			x, y := float64(a.Pix[i+c]), float64(b.Pix[i+c])
			if math.Abs(x-y) > bound*max(math.Abs(x), math.Abs(y)) {
				far++
				break
			}
		}
	}
	return float64(far) / float64(len(a.Pix)/3)
}

// TestBackendsAgreeAtDepth: rounding grows along a path, so deep paths agree as estimates do.
func TestBackendsAgreeAtDepth(t *testing.T) {
	for _, row := range agreementRows() {
		t.Run(row.scene, func(t *testing.T) {
			cpu, gpu := bothBackends(t)
			deep := func(s *settings.Settings) { s.Bounces = 16 }
			s := row.shot(t, cpu, deep)
			row.shot(t, gpu, deep)
			s.samples = 2 * row.fast["mis"]
			images := cpu.images(s, agreementRuns, 1)
			s.samples, s.zoom = row.long["mis"], longZoom
			agree(t, images, gpu.runs(s, agreementRuns, naiveSeed))
		})
	}
}
