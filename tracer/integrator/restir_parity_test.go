package integrator_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// U5: without history, the first frame is the same on both backends, colour and reservoirs, but for few pixels where
// rounding turned a choice. So it is on scenes, and on every lobe and layer.
func TestReuseGivesTheSamePixelsOnBothBackends(t *testing.T) {
	for _, name := range []string{"cornell", "cornell-glossy", "mixed-reflection", "smooth-coat-floor", "chess"} {
		s := tracertest.Builtin(t, name, builtin.Options{})
		sameReuse(t, name, s, nil, s.DefaultCamera(1))
	}
	s, camera := materialSheet()
	sameReuse(t, s.Name, s, leaning(mgl32.Vec3{0.4, 0.5, 0.6}), camera)
}

func sameReuse(t *testing.T, name string, s *scene.Scene, env *gpuscene.Environment, camera scene.Camera) {
	t.Helper()
	for _, row := range []struct {
		integrator string
		spatial    bool
		paths      int
	}{{"restir-gi", false, 1}, {"restir-gi", true, 1}, {"restir", false, 1}, {"restir", true, 1}, {"restir", false, 2}, {"restir", true, 2}} {
		cpu, gpu := tracertest.OnBothBackends(t)
		v := tracertest.Shot{Camera: camera, Width: 256, Height: 256, Paths: row.paths, Settings: tracertest.Settings(func(o *settings.Settings) {
			o.Integrator, o.Bounces, o.RestirSpatial = row.integrator, 2, row.spatial
		})}
		a, b := cpu.Use(s, env).RenderLive(v, 1, nil), gpu.Use(s, env).RenderLive(v, 1, nil)
		_, onCPU := readReservoirs(cpu)
		_, onGPU := readReservoirs(gpu)
		far, weights := tracertest.ShareBeyond(a, b, parity), weightsBeyond(onCPU, onGPU, parity)
		t.Logf("%s, %v: colours of %.4f %% and weights of %.4f %% of the pixels differ", name, row, 100*far, 100*weights)
		if far > 1e-3 || weights > 1e-3 {
			t.Errorf("%s, %v: colours of %.3f %% and weights of %.3f %% of the pixels differ, at most 0.1 %% may",
				name, row, 100*far, 100*weights)
		}
	}
}

// parity is the relative difference up to which two backends say the same.
const parity = 1e-3

// weightsBeyond is the share of pixels whose W differs by more than the relative bound.
func weightsBeyond(a, b []cuda.Reservoir, bound float64) float64 {
	far := 0
	for i := range a {
		x, y := float64(a[i].W), float64(b[i].W)
		if math.Abs(x-y) > bound*max(x, y) {
			far++
		}
	}
	return float64(far) / float64(len(a))
}
