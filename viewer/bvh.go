package viewer

import (
	"fmt"
	"log/slog"
	"slices"

	"glint/tracer"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// quickFirst is the number of triangles from which a user would wait for the BVH, so that a quick one comes first.
const quickFirst = 50_000

// firstBVH is the method by which the first BVH of a scene is built: the quick one on a GPU, where that takes no time. The
// one that settings ask for follows.
func firstBVH(s *scene.Scene, wanted string, onGPU bool) (method string) {
	if onGPU && wanted == "auto" && len(s.Faces) >= quickFirst {
		return "fast"
	}
	return wanted
}

// bvhHolder keeps BVHs of a scene on the device.
type bvhHolder interface {
	Plant(t *tracer.Tree) error
	Uproot(method string)
}

// bvhBuilder is a renderer that never waits for a BVH. What settings ask for is built in the background; until it is there,
// rays go through one that is. It belongs to the main thread.
type bvhBuilder struct {
	renderer
	bvhs   *sceneBVHs
	wanted string // the method in the last call of Render; empty before the first
}

// sceneBVHs are the BVHs of the scene on the screen. All renderers of a device share them.
type sceneBVHs struct {
	post func(work func())              // brings work to the main thread
	fail func(method string, err error) // tells the user that a BVH cannot be built
	log  *slog.Logger

	users    []*bvhBuilder
	prepared *tracer.Prepared
	built    []string // methods that the device has, the oldest first
	refused  []string // methods that failed
	building bool     // one at a time
}

// buildBVHs has the window's renderer build its BVHs in the background.
func (a *app) buildBVHs(r renderer) renderer {
	fail := func(method string, err error) {
		a.log.Error("the BVH in use stays", "err", err)
		a.warn(fmt.Sprintf("BVH %s: %v", method, err))
	}
	return newBVHBuilder(r, &sceneBVHs{post: a.tasks.post, fail: fail, log: a.log})
}

func newBVHBuilder(r renderer, bvhs *sceneBVHs) *bvhBuilder {
	b := &bvhBuilder{renderer: r, bvhs: bvhs}
	bvhs.users = append(bvhs.users, b)
	return b
}

// Use begins with the BVH that the scene comes with.
func (b *bvhBuilder) Use(p *tracer.Prepared) error {
	if err := b.renderer.Use(p); err != nil {
		return err
	}
	s := b.bvhs
	s.prepared, s.built, s.refused, s.building = p, []string{p.Method()}, nil, false
	return nil
}

// Render goes through the BVH that settings ask for, or through another while that is being built.
func (b *bvhBuilder) Render(v view.View, s settings.Settings, t view.Target) (view.Stats, error) {
	b.wanted = s.BVH
	b.bvhs.build(b)
	b.bvhs.drop(b)
	s.BVH = b.bvhs.atHand(s.BVH)
	return b.renderer.Render(v, s, t)
}

// Twin shares the BVHs.
func (b *bvhBuilder) Twin() (renderer, error) {
	twin, err := b.renderer.Twin()
	if err != nil {
		return nil, err
	}
	return newBVHBuilder(twin, b.bvhs), nil
}

// Close leaves the BVHs to the others.
func (b *bvhBuilder) Close() error {
	b.bvhs.users = slices.DeleteFunc(b.bvhs.users, func(u *bvhBuilder) bool { return u == b })
	return b.renderer.Close()
}

// atHand is the wanted method, or another one whose BVH is there.
func (s *sceneBVHs) atHand(wanted string) string {
	if slices.Contains(s.built, wanted) {
		return wanted
	}
	return s.built[0]
}

// build begins to build what a renderer wants.
func (s *sceneBVHs) build(b *bvhBuilder) {
	method, prepared := b.wanted, s.prepared
	if s.building || slices.Contains(s.built, method) || slices.Contains(s.refused, method) {
		return
	}
	s.building = true
	onGPU := b.Backend().Kind == "cuda"
	go func() {
		var t *tracer.Tree
		var err error
		if method == "fast" && onGPU {
			t = prepared.Promise() // the device builds it in Plant
		} else {
			t, err = prepared.Grow(method)
		}
		s.post(func() {
			if s.prepared == prepared { // else another scene has come
				s.add(method, t, err)
			}
		})
	}()
}

// add brings a BVH that is ready to the device. When there is none, rays go on through what there is.
func (s *sceneBVHs) add(method string, t *tracer.Tree, err error) {
	s.building = false
	if err == nil {
		err = s.users[0].Plant(t)
	}
	if err != nil {
		s.refused = append(s.refused, method)
		s.fail(method, err)
		return
	}
	s.built = append(s.built, method)
	s.log.Debug("bvh", "method", method, "seconds", t.Stats.Seconds)
}

// drop gives back BVHs that nobody wants, once everybody has the one that is wanted.
func (s *sceneBVHs) drop(b *bvhBuilder) {
	for _, u := range s.users {
		if u.wanted != "" && !slices.Contains(s.built, u.wanted) {
			return
		}
	}
	s.built = slices.DeleteFunc(s.built, func(method string) bool {
		wanted := slices.ContainsFunc(s.users, func(u *bvhBuilder) bool { return u.wanted == method })
		if !wanted {
			b.Uproot(method)
		}
		return !wanted
	})
}
