package tracer_test

import (
	"math"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/settings"
)

// TestEnergyGrowsWithBounces: every further scattering event can only add light.
func TestEnergyGrowsWithBounces(t *testing.T) {
	st := onCPU(t)
	s := made(t, "box-closed", builtin.Options{})
	st.use(s, nil)
	before := 0.0
	for bounces := range 6 {
		img := st.take(shot{camera: s.Cameras[0], width: 32, height: 32, samples: 128,
			settings: changed(func(s *settings.Settings) { s.Bounces, s.Roulette = bounces, false })})
		mean := meanImage(img)[1]
		if mean < before || bounces == 1 && mean <= before {
			t.Errorf("%d bounces: mean %.4f after %.4f with one less", bounces, mean, before)
		}
		before = mean
	}
}

// TestDirectIsOneBounce: the integrator direct is path with a single scattering event.
func TestDirectIsOneBounce(t *testing.T) {
	st := onCPU(t)
	v := smallShot(t, st, "cornell-glossy")
	v.settings.Integrator = "direct"
	direct := st.take(v)
	v.settings.Integrator, v.settings.Bounces = "path", 1
	path := st.take(v)
	for i := range direct.Pix {
		if direct.Pix[i] != path.Pix[i] {
			t.Fatalf("value %d: direct %v, path with one bounce %v", i, direct.Pix[i], path.Pix[i])
		}
	}
}

// TestEveryBuiltinIsFinite: no scene may make a sample that is not a number (the studio counts them) or a negative one, and
// all but the empty-handed show something.
func TestEveryBuiltinIsFinite(t *testing.T) {
	st := onCPU(t)
	for _, info := range builtin.List() {
		for _, integrator := range []string{"naive", "path"} {
			t.Run(info.Name+"/"+integrator, func(t *testing.T) {
				s := made(t, info.Name, builtin.Options{Triangles: min(info.Triangles, 70_000)})
				img := st.use(s, nil).take(shot{camera: s.Cameras[0], width: 96, height: 72, samples: 4,
					settings: changed(func(s *settings.Settings) { s.Integrator, s.Bounces = integrator, 32 })})
				for i, v := range img.Pix {
					if !(v >= 0) || math.IsInf(float64(v), 0) {
						t.Fatalf("value %d is %v", i, v)
					}
				}
				if mean := meanImage(img); !(mean[1] > 0.01) {
					t.Errorf("the picture is black: mean %v", mean)
				}
			})
		}
	}
}
