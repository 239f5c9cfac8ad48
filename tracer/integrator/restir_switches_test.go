package integrator_test

import (
	"slices"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

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
			fx.Frame(schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 16, Height: 16, Frame: 1}, Live: true, Moving: row.moving}, set, view.Target{})
			_, shares := fx.Timings()["temporal_reuse"]
			got = append(got, shares)
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("moving %v: samples that share history %v, want %v", row.moving, got, row.want)
		}
	}
}
