package tracer_test

import (
	"slices"
	"testing"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// treeMethods are the choices of setting bvh.
func treeMethods(t *testing.T) []string {
	t.Helper()
	for _, row := range tracer.SettingsTable() {
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
			v := shot{camera: s.Cameras[0], width: 32, height: 24, samples: 2,
				settings: changed(func(o *settings.Settings) { o.Exec, o.Integrator = exec, "restir-gi" })}
			want := onFastest(t).use(s, nil).take(v)
			for _, method := range treeMethods(t) {
				v.settings.BVH = method
				if got := onFastest(t).use(s, nil).take(v); !slices.Equal(got.Pix, want.Pix) {
					t.Errorf("%s by %s: --bvh %s gives another picture", name, exec, method)
				}
			}
		}
	}
}

// A tree may be changed while the image accumulates: nothing begins anew, and the image is that of one tree.
func TestTreeIsChangedLive(t *testing.T) {
	s := made(t, "cornell-glossy", builtin.Options{})
	methods := treeMethods(t)
	for _, integrator := range []string{"path", "restir-gi"} {
		v := view.View{Camera: s.Cameras[0], Width: 32, Height: 24, Live: true}
		own := changed(func(o *settings.Settings) { o.Integrator = integrator })
		var images []*imageio.Image
		for _, change := range []bool{true, false} {
			st := onFastest(t).use(s, nil)
			for i, method := range methods {
				if change {
					own.BVH = method
				}
				if got := st.rendered(v, own, view.Target{}); got.Restarted != (i == 0) {
					t.Errorf("%s, --bvh %s: restarted %v", integrator, method, got.Restarted)
				}
				if !st.r.Planted(own.BVH) {
					t.Errorf("--bvh %s was not planted", own.BVH)
				}
			}
			img, err := st.r.Radiance()
			if err != nil {
				t.Fatal(err)
			}
			images = append(images, img)
		}
		if !slices.Equal(images[0].Pix, images[1].Pix) {
			t.Errorf("%s: another picture than through one tree", integrator)
		}
	}
}

// The memory of trees comes back but for the last one, through which rays then go.
func TestTreesAreUprooted(t *testing.T) {
	s := made(t, "cornell", builtin.Options{})
	st := onFastest(t).use(s, nil)
	methods := treeMethods(t)
	for _, method := range methods {
		if err := st.r.Ready(changed(func(o *settings.Settings) { o.BVH = method })); err != nil {
			t.Fatal(err)
		}
	}
	for _, method := range methods {
		st.r.Uproot(method)
	}
	last := len(methods) - 1
	for i, method := range methods {
		if st.r.Planted(method) != (i == last) {
			t.Errorf("--bvh %s is planted: %v", method, st.r.Planted(method))
		}
	}
	if _, hit, err := st.r.Pick(view.View{Camera: s.Cameras[0], Width: 8, Height: 8}, 4, 4); err != nil || !hit {
		t.Errorf("nothing to be seen through the last tree: %v", err)
	}
}
