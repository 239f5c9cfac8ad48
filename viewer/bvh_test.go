package viewer

import (
	"slices"
	"testing"

	"glint/tracer/scene"
	"glint/tracer/settings"
)

func TestFirstBVH(t *testing.T) {
	for _, c := range []struct {
		faces  int
		wanted string
		onGPU  bool
		want   string
	}{
		{quickFirst, "auto", true, "fast"}, {quickFirst - 1, "auto", true, "auto"}, {quickFirst, "auto", false, "auto"},
		{quickFirst, "high", true, "high"}, {quickFirst, "off", true, "off"}, {1, "fast", false, "fast"},
	} {
		if got := firstBVH(&scene.Scene{Faces: make([]scene.Face, c.faces)}, c.wanted, c.onGPU); got != c.want {
			t.Errorf("%d faces, --bvh %s, GPU %v: %s first, want %s", c.faces, c.wanted, c.onGPU, got, c.want)
		}
	}
}

// bvhsOf are the BVHs of the scene in a window.
func bvhsOf(a *app) *sceneBVHs { return a.active.device.(*bvhBuilder).bvhs }

// A BVH that is asked for is built in the background while the view goes on with the one it has; then that one is dropped.
func TestBVHIsSwappedIn(t *testing.T) {
	p := openProbe(t, nil)
	for _, step := range []struct{ from, to string }{{"auto", "high"}, {"high", "fast"}, {"fast", "off"}} {
		p.do(func(a *app) {
			a.active.settings.BVH = step.to
			if got := bvhsOf(a).atHand(step.to); got != step.from {
				t.Errorf("before there is a BVH %s, rays go through %s, want %s", step.to, got, step.from)
			}
		})
		p.until("a view through BVH "+step.to, func(a *app) bool { return p.fake.through == step.to })
		p.do(func(*app) {
			if got := p.fake.uprooted[len(p.fake.uprooted)-1]; got != step.from {
				t.Errorf("%s is gone, want %s", got, step.from)
			}
		})
	}
	if !slices.Equal(p.fake.planted, []string{"high", "fast", "off"}) {
		t.Errorf("planted %v", p.fake.planted)
	}
}

// Two sides may go through different BVHs; both stay while both are asked for.
func TestSidesHaveTheirBVHs(t *testing.T) {
	p := openProbe(t, nil)
	p.do(func(a *app) { a.toggleSplit() })
	p.until("two sides", func(a *app) bool { return a.comparing() })
	p.do(func(a *app) { a.sides[1].settings.BVH = "high" })
	p.until("both BVHs", func(a *app) bool { return slices.Equal(bvhsOf(a).built, []string{"auto", "high"}) })
	if len(p.fake.uprooted) != 0 {
		t.Errorf("%v is gone", p.fake.uprooted)
	}
}

// A BVH that cannot be built is asked for once.
func TestRefusedBVHIsLeft(t *testing.T) {
	p := openProbe(t, nil)
	p.do(func(a *app) { a.active.settings.BVH = "no such BVH" })
	p.until("a refusal", func(a *app) bool { return len(bvhsOf(a).refused) == 1 && !bvhsOf(a).building })
	p.until("the old BVH", func(*app) bool { return p.fake.through == settings.Defaults().BVH })
}
