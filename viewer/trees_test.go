package viewer

import (
	"slices"
	"testing"

	"glint/tracer/scene"
	"glint/tracer/settings"
)

func TestFirstTree(t *testing.T) {
	for _, c := range []struct {
		faces  int
		wanted string
		onGPU  bool
		want   string
	}{
		{quickFirst, "auto", true, "fast"}, {quickFirst - 1, "auto", true, "auto"}, {quickFirst, "auto", false, "auto"},
		{quickFirst, "high", true, "high"}, {quickFirst, "off", true, "off"}, {1, "fast", false, "fast"},
	} {
		if got := firstTree(&scene.Scene{Faces: make([]scene.Face, c.faces)}, c.wanted, c.onGPU); got != c.want {
			t.Errorf("%d faces, --bvh %s, GPU %v: %s first, want %s", c.faces, c.wanted, c.onGPU, got, c.want)
		}
	}
}

// A tree that is asked for is built beside the view, which goes on with the one it has; then that one is dropped.
func TestTreeIsSwappedIn(t *testing.T) {
	p := openProbe(t, nil)
	for _, step := range []struct{ from, to string }{{"auto", "high"}, {"high", "fast"}, {"fast", "off"}} {
		p.do(func(a *app) {
			a.settings.BVH = step.to
			if got := a.shown.grove.through(a.settings).BVH; got != step.from {
				t.Errorf("before there is a tree %s, rays go through %s, want %s", step.to, got, step.from)
			}
		})
		p.until("a view through tree "+step.to, func(a *app) bool { return p.fake.through == step.to })
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

// Two sides may go through different trees; both stay while both are asked for.
func TestSidesHaveTheirTrees(t *testing.T) {
	p := openProbe(t, nil)
	p.do(func(a *app) { a.toggleSplit() })
	p.until("two sides", func(a *app) bool { return a.comparing() })
	p.do(func(a *app) { a.sides[1].settings.BVH = "high" })
	p.until("both trees", func(a *app) bool { return slices.Equal(a.shown.grove.planted, []string{"auto", "high"}) })
	if len(p.fake.uprooted) != 0 {
		t.Errorf("%v is gone", p.fake.uprooted)
	}
}

// A tree that cannot be built is asked for once.
func TestRefusedTreeIsLeft(t *testing.T) {
	p := openProbe(t, nil)
	p.do(func(a *app) { a.settings.BVH = "no such tree" })
	p.until("a refusal", func(a *app) bool { return len(a.shown.grove.refused) == 1 && !a.shown.grove.growing })
	p.until("the old tree", func(*app) bool { return p.fake.through == settings.Defaults().BVH })
}
