package tracer_test

import (
	"testing"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/scene"
)

// live renders consecutive frames of a view that may move, as the viewer does, and returns the last.
func (st *studio) live(s shot, frames int, camera func(frame int) scene.Camera) *imageio.Image {
	st.t.Helper()
	s.settings.RestirSettle = 1 << 16 // never average: the last frame is wanted
	s.settings.RestirTemporal = s.settings.RestirTemporal && frames > 1
	for i := range frames {
		v := tracer.View{Camera: s.camera, Width: s.width, Height: s.height, Live: true}
		if camera != nil {
			v.Camera = camera(i)
		}
		if _, err := st.r.Render(v, s.settings, tracer.Target{}); err != nil {
			st.t.Fatal(err)
		}
	}
	img, err := st.r.Radiance()
	if err != nil {
		st.t.Fatal(err)
	}
	return img
}

// reuseCase is one way of resampling that must not change the mean (docs/restir-gi.md, B1 to B4).
type reuseCase struct {
	name   string
	frames int
	change func(*tracer.Settings)
}

func reuseCases() []reuseCase {
	return []reuseCase{
		{"B1 initial", 1, func(s *tracer.Settings) { s.RestirSpatial = false }},
		{"B2 spatial", 1, func(*tracer.Settings) {}},
		{"B3 temporal", 5, func(s *tracer.Settings) { s.RestirSpatial = false }},
		{"B4 both", 5, func(*tracer.Settings) {}},
	}
}

// Resampling must leave the mean of independent runs where plain path tracing has it.
func TestReuseIsUnbiased(t *testing.T) {
	for _, name := range []string{"cornell", "glossy"} {
		s := made(t, name, builtin.Options{})
		base := shot{camera: s.DefaultCamera(1), width: 64, height: 64, settings: changed(func(o *tracer.Settings) { o.Bounces, o.Show = 4, "indirect" })}
		reference := base
		reference.samples = 64
		want := onFastest(t).use(s, nil).runs(reference, 64, 1000)
		for _, c := range reuseCases() {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				st := onFastest(t).use(s, nil)
				got := &metric.Side{}
				shot := base
				shot.settings.Integrator = "restir-gi"
				c.change(&shot.settings)
				for seed := range 2048 {
					shot.settings.Seed = seed + 1
					if err := got.Add(st.live(shot, c.frames, nil)); err != nil {
						t.Fatal(err)
					}
				}
				g := metric.Agreement{A: *got, B: *want}
				r, err := g.Result()
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("%+v", r)
				if err := r.Check(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
