package viewer

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"glint/tracer/scene"
	"glint/viewer/session"
)

// slowly is a loader of scenes of which those called slow.glb take until they are cancelled.
type slowly struct {
	mu    sync.Mutex
	begun int
	ended int
}

func (s *slowly) load(ctx context.Context, path string, _ scene.Options) (*scene.Scene, error) {
	if filepath.Base(path) != "slow.glb" {
		return aScene(filepath.Base(path)), nil
	}
	s.count(&s.begun)
	<-ctx.Done()
	s.count(&s.ended)
	return nil, ctx.Err()
}

func (s *slowly) count(n *int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*n++
}

func (s *slowly) state() (begun, ended int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun, s.ended
}

// TestEscapeCancelsLoading: the old scene stays, the window says so, and Esc asks for nothing else.
func TestEscapeCancelsLoading(t *testing.T) {
	var slow slowly
	p := openProbe(t, func(o *Options, _ *fake) { o.Load = slow.load })
	var before string
	p.do(func(a *app) {
		before = a.session.Stage.Shown.Scene.Name
		a.session.Loader.Drop([]string{"slow.glb", "next.glb"}, false)
		if m := a.model().Loading; m == nil || !m.CanStop {
			t.Errorf("the window shows %v", m)
		}
	})
	p.xdo("key", "Escape")
	p.until("the end of loading", func(a *app) bool { return a.session.Loader.Loading == nil })
	p.do(func(a *app) {
		if _, ended := slow.state(); ended != 1 || a.session.Stage.Shown.Scene.Name != before || latest(a) != "cancelled: slow.glb" || !a.quitAsked.IsZero() {
			t.Errorf("%d ended, %s is shown, %q is said", ended, a.session.Stage.Shown.Scene.Name, latest(a))
		}
		if len(a.session.Loader.SceneFiles) != 0 || len(a.session.Loader.Pending) != 0 {
			t.Errorf("on the list are %v, %v waits", a.session.Loader.SceneFiles, a.session.Loader.Pending)
		}
	})
}

// TestNewSceneCancelsLoading: what is dropped or opened replaces what is being loaded and what waits, and no error is told of
// that.
func TestNewSceneCancelsLoading(t *testing.T) {
	var slow slowly
	p := openProbe(t, func(o *Options, _ *fake) { o.Load = slow.load })
	for i, ask := range []func(a *app, path string){
		func(a *app, path string) { a.session.Loader.Drop([]string{path}, false) },
		func(a *app, path string) { a.session.Loader.Open(path) },
	} {
		p.do(func(a *app) { a.session.Loader.Drop([]string{"slow.glb", "never.glb"}, false) })
		p.until("the slow scene", func(*app) bool { begun, _ := slow.state(); return begun == i+1 })
		name := []string{"dropped.glb", "opened.glb"}[i]
		p.do(func(a *app) { ask(a, name) })
		p.until(name, func(a *app) bool { return a.session.Loader.Loading == nil && a.session.Stage.Shown.Scene.Name == name })
		p.do(func(a *app) {
			if _, ended := slow.state(); ended != i+1 || strings.Contains(told(a), "slow") || strings.Contains(strings.Join(a.session.Loader.SceneFiles, " "), "never") {
				t.Errorf("%d ended, the window says %q, it opened %v", ended, told(a), a.session.Loader.SceneFiles)
			}
		})
	}
}

// TestClosingCancelsLoading: nothing goes on behind a window that is closed.
func TestClosingCancelsLoading(t *testing.T) {
	var slow slowly
	p := openProbe(t, func(o *Options, _ *fake) { o.Load = slow.load })
	p.do(func(a *app) { a.session.Loader.Open("slow.glb") })
	p.until("the slow scene", func(*app) bool { begun, _ := slow.state(); return begun == 1 })
	var job *session.Loading
	p.do(func(a *app) { job = a.session.Loader.Loading })
	if err := p.quit(); err != nil {
		t.Fatal(err)
	}
	<-job.Ctx.Done()
}
