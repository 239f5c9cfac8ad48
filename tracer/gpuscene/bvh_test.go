package gpuscene_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"glint/cuda"
	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
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
		s := tracertest.Builtin(t, name, o)
		for _, exec := range []string{"megakernel", "wavefront"} {
			v := tracertest.Shot{Camera: s.Cameras[0], Width: 32, Height: 24, Samples: 2,
				Settings: tracertest.Settings(func(o *settings.Settings) { o.Exec, o.Integrator = exec, "restir-gi" })}
			want := tracertest.OnFastest(t).Use(s, nil).Render(v)
			for _, method := range treeMethods(t) {
				v.Settings.BVH = method
				if got := tracertest.OnFastest(t).Use(s, nil).Render(v); !slices.Equal(got.Pix, want.Pix) {
					t.Errorf("%s by %s: --bvh %s gives another picture", name, exec, method)
				}
			}
		}
	}
}

// A tree may be changed while the image accumulates: nothing begins anew, and the image is that of one tree.
func TestTreeIsChangedLive(t *testing.T) {
	s := tracertest.Builtin(t, "cornell-glossy", builtin.Options{})
	methods := treeMethods(t)
	for name, change := range map[string]func(*settings.Settings){
		"path":                  func(*settings.Settings) {},
		"restir-gi":             func(*settings.Settings) {},
		"path, first hits kept": func(o *settings.Settings) { o.FirstHitCache, o.Antialias = true, false },
	} {
		integrator, _, _ := strings.Cut(name, ",")
		v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 32, Height: 24}, Live: true}
		own := tracertest.Settings(func(o *settings.Settings) { o.Integrator = integrator; change(o) })
		var images []*imageio.Image
		for _, change := range []bool{true, false} {
			fx := tracertest.OnFastest(t).Use(s, nil)
			for i, method := range methods {
				if change {
					own.BVH = method
				}
				if got := fx.Frame(v, own, view.Target{}); got.Restarted != (i == 0) {
					t.Errorf("%s, --bvh %s: restarted %v", integrator, method, got.Restarted)
				}
				if !fx.Renderer.Engine().Scene().HasBVH(own.BVH) {
					t.Errorf("--bvh %s was not planted", own.BVH)
				}
			}
			img, err := fx.Renderer.Image().Radiance()
			if err != nil {
				t.Fatal(err)
			}
			images = append(images, img)
		}
		if !slices.Equal(images[0].Pix, images[1].Pix) {
			t.Errorf("%s: another picture than through one tree", name)
		}
	}
}

// BVHs that were asked for stay, and rays go through one of them.
func TestBVHsStayBesideEachOther(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnFastest(t).Use(s, nil)
	methods := treeMethods(t)
	for _, method := range methods {
		if err := fx.Renderer.Engine().EnsureBVH(tracertest.Settings(func(o *settings.Settings) { o.BVH = method })); err != nil {
			t.Fatal(err)
		}
	}
	bvhs := fx.Renderer.Engine().Scene()
	for _, method := range methods {
		if !bvhs.HasBVH(method) {
			t.Errorf("--bvh %s is not there", method)
		}
	}
	own := settings.Defaults()
	if _, hit, err := fx.Renderer.Engine().Pick(schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 8, Height: 8}}, &own, 4, 4); err != nil || !hit {
		t.Errorf("nothing to be seen through the last tree: %v", err)
	}
}

// TestQuickTreeInPlace: a tree that the device builds for itself gives the picture of the host's tree, on each build of the
// kernels, and on the GPU where there is one.
func TestQuickTreeInPlace(t *testing.T) {
	s := tracertest.Builtin(t, "spheres", builtin.Options{Triangles: 20_000})
	v := tracertest.Shot{Camera: s.Cameras[0], Width: 48, Height: 32, Samples: 1, Settings: tracertest.Settings(func(o *settings.Settings) {
		o.Integrator, o.RestirMIS = "restir-gi", "full" // whose rays go through the wide tree
	})}
	fixtures := map[string]*tracertest.Fixture{"fastest": tracertest.OnFastest(t)}
	for name, variant := range map[string]cuda.Variant{"baseline": cuda.Baseline, "best": cuda.BestVariant()} {
		fixtures[name] = tracertest.OnVariant(t, variant)
	}
	for name, fx := range fixtures {
		want := fx.Use(s, nil).Render(v)
		p, err := gpuscene.Prepare(context.Background(), s, gpuscene.Options{BVH: "fast", OnDevice: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := fx.Renderer.Engine().Use(p); err != nil {
			t.Fatal(err)
		}
		fast := v
		fast.Settings.BVH = "fast"
		if got := fx.Render(fast); !slices.Equal(got.Pix, want.Pix) {
			t.Errorf("%s: another picture than through the host's tree", name)
		}
	}
}

// TestWindowsDoNotWaitForBVHs: what a window asks for is built while it goes on through what there is, the image does not
// begin anew, and what nobody asks for any more is dropped.
func TestWindowsDoNotWaitForBVHs(t *testing.T) {
	s := tracertest.Builtin(t, "cornell-glossy", builtin.Options{})
	fx := tracertest.OnCPU(t).Use(s, nil)
	twin, err := fx.Renderer.Engine().NewRenderer(profile.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	other := &tracertest.Fixture{T: t, Renderer: twin}
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 16, Height: 16}, Live: true, Window: true}
	bvhs := fx.Renderer.Engine().Scene()
	wait := func(method string) {
		t.Helper()
		own := tracertest.Settings(func(o *settings.Settings) { o.Integrator, o.BVH = "path", method })
		for deadline := time.Now().Add(time.Minute); !bvhs.HasBVH(method); {
			if stats := fx.Frame(v, own, view.Target{}); stats.BVHError != nil || time.Now().After(deadline) {
				t.Fatalf("--bvh %s: not there (%v)", method, stats.BVHError)
			}
		}
		if stats := fx.Frame(v, own, view.Target{}); stats.Restarted {
			t.Errorf("--bvh %s begins the image anew", method)
		}
	}
	other.Frame(v, settings.Defaults(), view.Target{}) // wants auto
	wait("off")
	if !bvhs.HasBVH("auto") {
		t.Error("what the twin goes through has been dropped")
	}
	if err := twin.Close(); err != nil {
		t.Fatal(err)
	}
	wait("fast")
	if bvhs.HasBVH("auto") || bvhs.HasBVH("off") {
		t.Error("BVHs that nobody asks for are kept")
	}
	if err := fx.Renderer.Engine().EnsureBVH(tracertest.Settings(func(o *settings.Settings) { o.BVH = "auto" })); err != nil {
		t.Fatal(err)
	}
	wait("auto") // is there already, in place of fast
	if bvhs.HasBVH("fast") {
		t.Error("a BVH that nobody asks for stays where no other arrives")
	}
	odd := tracertest.Settings(func(o *settings.Settings) { o.BVH = "odd" })
	if stats := fx.Frame(v, odd, view.Target{}); stats.BVHError != nil {
		t.Errorf("at once: %v", stats.BVHError)
	}
	told := 0
	for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); {
		if fx.Frame(v, odd, view.Target{}).BVHError != nil {
			told++
		}
	}
	if told != 1 {
		t.Errorf("a BVH that cannot be built is told %d times, want once", told)
	}
}

// TestTreeIsChangedUnderWay: on a processor a sample takes many calls. Another tree between any two of them must not meet hits that
// name triangles of the one before, in particular those that guides keep for paths.
func TestTreeIsChangedUnderWay(t *testing.T) {
	s := tracertest.Builtin(t, "cornell-glossy", builtin.Options{})
	methods := treeMethods(t)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 96, Height: 64}, Live: true, Budget: 1}
	own := tracertest.Settings(func(o *settings.Settings) { o.Integrator, o.Denoise = "path", "atrous" })
	var images []*imageio.Image
	for _, change := range []bool{true, false} {
		fx := tracertest.OnCPU(t).Use(s, nil)
		for calls, samples := 0, 0; samples < 3; calls++ {
			if change {
				own.BVH = methods[calls%len(methods)]
			}
			samples = fx.Frame(v, own, view.Target{}).Samples
		}
		img, err := fx.Renderer.Image().Radiance()
		if err != nil {
			t.Fatal(err)
		}
		images = append(images, img)
	}
	if !slices.Equal(images[0].Pix, images[1].Pix) {
		t.Errorf("%.2f %% of the pixels are others than through one tree", 100*tracertest.ShareBeyond(images[0], images[1], 0))
	}
}
