package tracer_test

import (
	"slices"
	"strings"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/profile"
	"glint/tracer/settings"
)

// TestReuseSwitches: each switch changes the picture where its help says so, and nowhere else.
func TestReuseSwitches(t *testing.T) {
	s := made(t, "door-ajar", builtin.Options{})
	base := indirectShot(s)
	base.width, base.height = 32, 32
	base.settings.Integrator = "restir-gi"
	st := onCPU(t).use(s, nil)
	frame := func(mode, mis string, change func(*settings.Settings)) []float32 {
		v := base
		v.settings.RestirMode, v.settings.RestirMIS = mode, mis
		change(&v.settings)
		st.r.Restart()
		return st.live(v, 5, nil).Pix
	}
	same := func(*settings.Settings) {}
	still := func(o *settings.Settings) { o.RestirPermutation = false }
	fused := func(o *settings.Settings) { o.RestirFuse = !o.RestirFuse }
	unseen := func(o *settings.Settings) { o.RestirVisibility = false }
	for _, row := range []struct {
		name, mode, mis string
		change          func(*settings.Settings)
		differs         bool
	}{
		{"permutation, interactive", "interactive", "basic", still, true},
		{"permutation, reference", "reference", "basic", still, false},
		{"final visibility, basic", "reference", "basic", unseen, true},
		{"final visibility, full", "reference", "full", unseen, false},
		{"fused passes, basic", "interactive", "basic", fused, false},
		{"fused passes, naive", "reference", "naive", fused, false},
		{"fused passes, full", "reference", "full", fused, false},
	} {
		with, without := frame(row.mode, row.mis, same), frame(row.mode, row.mis, row.change)
		if differs := !slices.Equal(with, without); differs != row.differs {
			t.Errorf("%s: the picture changed: %v, want %v", row.name, differs, row.differs)
		}
	}
}

// TestPassesAreFused: where no rays come between finding partners and sharing with them, one kernel does both.
func TestPassesAreFused(t *testing.T) {
	s := made(t, "cornell", builtin.Options{})
	for _, row := range []struct {
		mis  string
		fuse bool
		want []string // kernels that find partners or share with them
	}{
		{"basic", false, []string{"spatial_find", "spatial_reuse", "temporal_find", "temporal_reuse"}},
		{"basic", true, []string{"spatial_fused", "temporal_fused"}},
		{"full", true, []string{"spatial_find", "spatial_reuse", "temporal_find", "temporal_reuse"}},
	} {
		st := onCPU(t).use(s, nil)
		st.r.SetProfilePolicy(profile.Policy{TimeEvery: 1})
		st.live(shot{camera: s.Cameras[0], width: 16, height: 16, settings: changed(func(o *settings.Settings) {
			o.Integrator, o.RestirMIS, o.RestirFuse = "restir-gi", row.mis, row.fuse
		})}, 3, nil)
		var got []string
		for kernel := range st.timings() {
			reuse := strings.HasPrefix(kernel, "temporal_") || strings.HasPrefix(kernel, "spatial_")
			if reuse && !strings.Contains(kernel, "_vis_") {
				got = append(got, kernel)
			}
		}
		if slices.Sort(got); !slices.Equal(got, row.want) {
			t.Errorf("weights %s, fused %v: %v run, want %v", row.mis, row.fuse, got, row.want)
		}
	}
}
