package integrator_test

import (
	"testing"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// On a GPU the first frames of a scene are made by kernels with code for every feature, which must leave alone what this scene has not,
// and the memory for it.
func TestKernelsForEveryScene(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	for _, exec := range []string{"megakernel", "wavefront"} {
		for _, integrator := range []string{"path", "restir-gi", "restir"} {
			v := tracertest.Shot{Camera: s.Cameras[0], Width: 40, Height: 30, Samples: 2,
				Settings: tracertest.Settings(func(o *settings.Settings) { o.Integrator, o.Exec = integrator, exec })}
			want := tracertest.OnCPU(t).Use(s, tracertest.Dark()).Render(v)
			d := tracertest.NewDevice()
			d.ChangeFrame = func(f *cuda.Frame) { f.Scene.Missing = 0 }
			got := d.Open(t).Use(s, tracertest.Dark()).Render(v)
			if share := tracertest.ShareBeyond(got, want, 1e-3); share > 0.01 { // they may round otherwise
				t.Errorf("%s by %s: kernels for every scene give %.1f %% of the pixels another light", integrator, exec, 100*share)
			}
		}
	}
}
