package tracer_test

import (
	"slices"
	"testing"
	"time"

	"glint/cuda"
	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/profile"
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
				if !st.r.Engine().Scene().HasBVH(own.BVH) {
					t.Errorf("--bvh %s was not planted", own.BVH)
				}
			}
			img, err := st.r.Image().Radiance()
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

// BVHs that were asked for stay, and rays go through one of them.
func TestBVHsStayBesideEachOther(t *testing.T) {
	s := made(t, "cornell", builtin.Options{})
	st := onFastest(t).use(s, nil)
	methods := treeMethods(t)
	for _, method := range methods {
		if err := st.r.Engine().EnsureBVH(changed(func(o *settings.Settings) { o.BVH = method })); err != nil {
			t.Fatal(err)
		}
	}
	bvhs := st.r.Engine().Scene()
	for _, method := range methods {
		if !bvhs.HasBVH(method) {
			t.Errorf("--bvh %s is not there", method)
		}
	}
	if _, hit, err := st.r.Engine().Pick(view.View{Camera: s.Cameras[0], Width: 8, Height: 8}, 4, 4); err != nil || !hit {
		t.Errorf("nothing to be seen through the last tree: %v", err)
	}
}

// TestQuickTreeInPlace: a tree that the device builds for itself gives the picture of the host's tree, on each build of the
// kernels, and on the GPU where there is one.
func TestQuickTreeInPlace(t *testing.T) {
	s := made(t, "spheres", builtin.Options{Triangles: 20_000})
	v := shot{camera: s.Cameras[0], width: 48, height: 32, samples: 1, settings: changed(func(o *settings.Settings) {
		o.Integrator, o.RestirMIS = "restir-gi", "full" // whose rays go through the wide tree
	})}
	studios := map[string]*studio{"fastest": onFastest(t)}
	for name, variant := range map[string]cuda.Variant{"baseline": cuda.Baseline, "best": cuda.BestVariant()} {
		r, err := openVariant(variant)
		if err != nil {
			t.Fatal(err)
		}
		studios[name] = newStudio(t, r)
	}
	for name, st := range studios {
		want := st.use(s, nil).take(v)
		p, err := gpuscene.Prepare(s, gpuscene.Options{BVH: "fast", OnDevice: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := st.r.Engine().Use(p); err != nil {
			t.Fatal(err)
		}
		fast := v
		fast.settings.BVH = "fast"
		if got := st.take(fast); !slices.Equal(got.Pix, want.Pix) {
			t.Errorf("%s: another picture than through the host's tree", name)
		}
	}
}

// TestWindowsDoNotWaitForBVHs: what a window asks for is built while it goes on through what there is, the image does not
// begin anew, and what nobody asks for any more is dropped.
func TestWindowsDoNotWaitForBVHs(t *testing.T) {
	s := made(t, "cornell-glossy", builtin.Options{})
	st := onCPU(t).use(s, nil)
	twin, err := st.r.Engine().NewRenderer(profile.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	other := &studio{t: t, r: twin}
	v := view.View{Camera: s.Cameras[0], Width: 16, Height: 16, Live: true, Window: true}
	bvhs := st.r.Engine().Scene()
	wait := func(method string) {
		t.Helper()
		own := changed(func(o *settings.Settings) { o.Integrator, o.BVH = "path", method })
		for deadline := time.Now().Add(time.Minute); !bvhs.HasBVH(method); {
			if stats := st.rendered(v, own, view.Target{}); stats.BVHError != nil || time.Now().After(deadline) {
				t.Fatalf("--bvh %s: not there (%v)", method, stats.BVHError)
			}
		}
		if stats := st.rendered(v, own, view.Target{}); stats.Restarted {
			t.Errorf("--bvh %s begins the image anew", method)
		}
	}
	other.rendered(v, settings.Defaults(), view.Target{}) // wants auto
	wait("high")
	if !bvhs.HasBVH("auto") {
		t.Error("what the twin goes through has been dropped")
	}
	if err := twin.Close(); err != nil {
		t.Fatal(err)
	}
	wait("fast")
	if bvhs.HasBVH("auto") || bvhs.HasBVH("high") {
		t.Error("BVHs that nobody asks for are kept")
	}
	odd := changed(func(o *settings.Settings) { o.BVH = "odd" })
	if stats := st.rendered(v, odd, view.Target{}); stats.BVHError != nil {
		t.Errorf("at once: %v", stats.BVHError)
	}
	told := 0
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); {
		if st.rendered(v, odd, view.Target{}).BVHError != nil {
			told++
		}
	}
	if told != 1 {
		t.Errorf("a BVH that cannot be built is told %d times, want once", told)
	}
}
