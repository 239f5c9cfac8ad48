package integrator_test

import (
	"slices"
	"strings"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/profile"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestReuseSwitches: each switch changes the picture where its help says so, and nowhere else.
func TestReuseSwitches(t *testing.T) {
	s := tracertest.Builtin(t, "door-ajar", builtin.Options{})
	base := indirectShot(s)
	base.Width, base.Height = 32, 32
	base.Settings.Integrator = "restir-gi"
	fx := tracertest.OnCPU(t).Use(s, nil)
	frame := func(mode, mis string, change func(*settings.Settings)) []float32 {
		v := base
		v.Settings.RestirMode, v.Settings.RestirMIS = mode, mis
		change(&v.Settings)
		fx.Restart()
		return fx.RenderLive(v, 5, nil).Pix
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
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	for _, row := range []struct {
		mis  string
		fuse bool
		want []string // kernels that find partners or share with them
	}{
		{"basic", false, []string{"spatial_find", "spatial_reuse", "temporal_find", "temporal_reuse"}},
		{"basic", true, []string{"spatial_fused", "temporal_fused"}},
		{"full", true, []string{"spatial_find", "spatial_shade", "temporal_find", "temporal_reuse"}},
	} {
		fx := tracertest.OnCPU(t).Use(s, nil)
		fx.Renderer.SetProfilePolicy(profile.Policy{TimeEvery: 1})
		fx.RenderLive(tracertest.Shot{Camera: s.Cameras[0], Width: 16, Height: 16, Settings: tracertest.Settings(func(o *settings.Settings) {
			o.Integrator, o.RestirMIS, o.RestirFuse = "restir-gi", row.mis, row.fuse
		})}, 3, nil)
		var got []string
		for kernel := range fx.Timings() {
			reuse := strings.HasPrefix(kernel, "temporal_") || strings.HasPrefix(kernel, "spatial_")
			if reuse && !strings.Contains(kernel, "_vis") {
				got = append(got, kernel)
			}
		}
		if slices.Sort(got); !slices.Equal(got, row.want) {
			t.Errorf("weights %s, fused %v: %v run, want %v", row.mis, row.fuse, got, row.want)
		}
	}
}

// TestSamplesThatShareHistory: in a view that moves all do, in one that rests only the first.
func TestSamplesThatShareHistory(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	for _, row := range []struct {
		moving bool
		want   []bool
	}{
		{false, []bool{true, true, false, false}},
		{true, []bool{true, true, true, true}},
	} {
		fx := tracertest.OnCPU(t).Use(s, nil)
		set := tracertest.Settings(func(o *settings.Settings) { o.Integrator, o.RestirSettle = "restir", 2 })
		fx.RenderLive(tracertest.Shot{Camera: s.Cameras[0], Width: 16, Height: 16, Settings: set}, 1, nil)
		fx.Renderer.SetProfilePolicy(profile.Policy{TimeEvery: 1})
		var got []bool
		for range row.want {
			fx.Timings() // starts counting anew
			fx.Frame(view.View{Camera: s.Cameras[0], Width: 16, Height: 16, Live: true, Moving: row.moving, Frame: 1}, set, view.Target{})
			_, shares := fx.Timings()["temporal_reuse"]
			got = append(got, shares)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("moving %v: samples that share history %v, want %v", row.moving, got, row.want)
		}
	}
}
