package tracer_test

import (
	"slices"
	"testing"

	"glint/tracer"
	"glint/tracer/builtin"
)

// treeMethods are the choices of setting bvh.
func treeMethods(t *testing.T) []string {
	t.Helper()
	for _, row := range tracer.Table() {
		if row.Name == "bvh" {
			return row.Choices
		}
	}
	t.Fatal("there is no setting bvh")
	return nil
}

// Which tree rays go through must not show, in whatever way paths are traced.
func TestTreesGiveTheSameBits(t *testing.T) {
	for name, o := range map[string]builtin.Options{"cornell": {}, "cornell-glossy": {}, "mixed-reflection": {Triangles: 2000}} {
		s := made(t, name, o)
		for _, exec := range []string{"megakernel", "wavefront"} {
			view := shot{camera: s.Cameras[0], width: 32, height: 24, samples: 2,
				settings: changed(func(o *tracer.Settings) { o.Exec, o.Integrator = exec, "restir-gi" })}
			want := onFastest(t).use(s, nil).take(view)
			for _, method := range treeMethods(t) {
				view.settings.BVH = method
				if got := onFastest(t).use(s, nil).take(view); !slices.Equal(got.Pix, want.Pix) {
					t.Errorf("%s by %s: --bvh %s gives another picture", name, exec, method)
				}
			}
		}
	}
}

// A tree may be changed while the image accumulates: nothing begins anew, and the image is that of one tree.
func TestTreeIsChangedLive(t *testing.T) {
	s := made(t, "cornell-glossy", builtin.Options{})
	v := tracer.View{Camera: s.Cameras[0], Width: 32, Height: 24}
	settings := changed(func(o *tracer.Settings) { o.Integrator = "path" })
	st := onFastest(t).use(s, nil)
	for i, method := range treeMethods(t) {
		settings.BVH = method
		if got := st.rendered(v, settings, tracer.Target{}); got.Samples != i+1 || got.Restarted != (i == 0) {
			t.Errorf("--bvh %s: %d samples, restarted %v", method, got.Samples, got.Restarted)
		}
		if !st.r.Planted(method) {
			t.Errorf("--bvh %s was not planted", method)
		}
	}
	got, err := st.r.Radiance()
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range treeMethods(t) {
		st.r.Uproot(method)
	}
	if n := len(treeMethods(t)); !st.r.Planted(treeMethods(t)[n-1]) || st.r.Planted(treeMethods(t)[0]) {
		t.Error("the last tree was to stay, the others to go")
	}
	settings.BVH = "auto"
	want := onFastest(t).use(s, nil).take(shot{camera: s.Cameras[0], width: 32, height: 24, samples: len(treeMethods(t)), settings: settings})
	if !slices.Equal(got.Pix, want.Pix) {
		t.Error("another picture than through one tree")
	}
}
