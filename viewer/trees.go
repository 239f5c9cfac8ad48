package viewer

import (
	"fmt"
	"slices"

	"glint/tracer"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// quickFirst is the triangles from which one would wait for the tree, so that a quick one is shown first.
const quickFirst = 50_000

// grove is what the viewer knows of the trees of the scene on the screen.
type grove struct {
	planted []string // methods that the device has, the one that came first foremost
	growing bool     // another is being built
	refused []string // methods that failed
}

// firstTree is how the first tree of a scene is built: on a GPU in no time, and setting bvh's own follows.
func firstTree(s *scene.Scene, wanted string, onGPU bool) (method string) {
	if onGPU && wanted == "auto" && len(s.Faces) >= quickFirst {
		return "fast"
	}
	return wanted
}

// tend has the trees built that the sides ask for, one at a time, and drops those that nobody does.
func (a *app) tend() {
	g := &a.shown.grove
	for _, s := range a.sides {
		method := s.settings.BVH
		if g.growing || slices.Contains(g.planted, method) || slices.Contains(g.refused, method) {
			continue
		}
		g.growing = true
		shown := a.shown
		if method == "fast" && a.onGPU() {
			a.plant(shown, method, shown.prepared.Promise(), nil)
			continue
		}
		go func() {
			t, err := shown.prepared.Grow(method)
			a.tasks.post(func() { a.plant(shown, method, t, err) })
		}()
	}
}

// plant takes a tree that is ready. When there is none, the view goes on with what it has.
func (a *app) plant(shown *shown, method string, t *tracer.Tree, err error) {
	if a.shown != shown {
		return // another scene has come
	}
	g := &shown.grove
	g.growing = false
	if err == nil {
		err = a.device.Plant(t)
	}
	if err != nil {
		g.refused = append(g.refused, method)
		a.log.Error("the old tree stays", "err", err)
		a.warn(fmt.Sprintf("Tree %s: %v", method, err))
		return
	}
	g.planted = append(g.planted, method)
	a.log.Debug("tree", "method", method, "seconds", t.Stats.Seconds)
	g.planted = slices.DeleteFunc(g.planted, func(old string) bool {
		wanted := slices.ContainsFunc(a.sides, func(s *side) bool { return s.settings.BVH == old })
		if !wanted && old != method {
			a.device.Uproot(old)
			return true
		}
		return false
	})
}

// through is a side's settings with a tree that is there.
func (g *grove) through(s settings.Settings) settings.Settings {
	if !slices.Contains(g.planted, s.BVH) {
		s.BVH = g.planted[0]
	}
	return s
}

func (a *app) onGPU() bool { return a.device.Backend().Kind == "cuda" }
