package tracer_test

import (
	"slices"
	"testing"

	"glint/tracer"
	"glint/tracer/builtin"
)

// TestReuseSwitches: each switch changes the picture where its help says so, and nowhere else.
func TestReuseSwitches(t *testing.T) {
	s := made(t, "door-ajar", builtin.Options{})
	base := indirectShot(s)
	base.width, base.height = 32, 32
	base.settings.Integrator = "restir-gi"
	st := onCPU(t).use(s, nil)
	frame := func(mode, mis string, change func(*tracer.Settings)) []float32 {
		view := base
		view.settings.RestirMode, view.settings.RestirMIS = mode, mis
		change(&view.settings)
		st.r.Restart()
		return st.live(view, 5, nil).Pix
	}
	same := func(*tracer.Settings) {}
	still := func(o *tracer.Settings) { o.RestirPermutation = false }
	unseen := func(o *tracer.Settings) { o.RestirVisibility = false }
	for _, row := range []struct {
		name, mode, mis string
		change          func(*tracer.Settings)
		differs         bool
	}{
		{"permutation, interactive", "interactive", "basic", still, true},
		{"permutation, reference", "reference", "basic", still, false},
		{"final visibility, basic", "reference", "basic", unseen, true},
		{"final visibility, full", "reference", "full", unseen, false},
	} {
		with, without := frame(row.mode, row.mis, same), frame(row.mode, row.mis, row.change)
		if differs := !slices.Equal(with, without); differs != row.differs {
			t.Errorf("%s: the picture changed: %v, want %v", row.name, differs, row.differs)
		}
	}
}
