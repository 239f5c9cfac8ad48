package viewer

import (
	"math"
	"strings"
	"testing"

	"glint/tracer/device"
	"glint/tracer/scene"
	"glint/tracer/tracertest"
	"glint/viewer/session"
)

// openMoving opens a window with the moving scene, at rest as on a CPU, or playing as on a GPU.
func openMoving(t *testing.T, change func(*Options, *fake)) *probe {
	t.Helper()
	return openProbe(t, func(o *Options, f *fake) {
		o.Scene = tracertest.Moving(t)
		if change != nil {
			change(o, f)
		}
	})
}

func (p *probe) seconds() (at float64) {
	p.do(func(a *app) { at = a.session.Stage.Player.Seconds })
	return at
}

// Enter plays and pauses; steps, speeds, the end of the animation and the next one have keys as well.
func TestPlaying(t *testing.T) {
	p := openMoving(t, nil)
	p.do(func(a *app) {
		if a.session.Stage.Player.Clip >= 0 || len(p.fake.posed) > 0 {
			t.Error("on a CPU the animation plays without being asked")
		}
	})
	p.xdo("key", "Return")
	p.until("poses one after another", func(a *app) bool { return a.session.Stage.Player.Playing && len(p.fake.posed) > 5 })
	p.xdo("key", "Return")
	p.until("the pause", func(a *app) bool { return !a.session.Stage.Player.Playing })
	at := p.seconds()
	var posed int
	p.do(func(*app) { posed = len(p.fake.posed) })
	p.until("frames of the paused scene", func(a *app) bool { return a.session.Sides.Active.Stats.Samples > 4 })
	p.do(func(a *app) {
		if a.session.Stage.Player.Seconds != at || len(p.fake.posed) != posed {
			t.Error("the animation goes on while it is paused, and the picture gathers nothing")
		}
	})

	p.do(func(a *app) { a.session.Stage.Scrub(1) })
	p.xdo("key", "Next")
	p.until("a step ahead", func(a *app) bool { return math.Abs(a.session.Stage.Player.Seconds-1-session.StepTime) < 1e-6 })
	p.xdo("key", "Prior", "key", "Prior")
	p.until("two steps back", func(a *app) bool { return math.Abs(a.session.Stage.Player.Seconds-1+session.StepTime) < 1e-6 })
	p.xdo("key", "ctrl+Next", "key", "ctrl+Next", "key", "ctrl+Prior")
	p.until("twice the speed", func(a *app) bool { return a.session.Stage.Player.Speed == 2 })

	p.xdo("key", "shift+Return")
	p.do(func(a *app) { a.session.Stage.Scrub(tracertest.MovingSeconds - 0.05) })
	p.xdo("key", "Return")
	p.until("the end", func(a *app) bool {
		return !a.session.Stage.Player.Playing && a.session.Stage.Player.Seconds == tracertest.MovingSeconds
	})
	p.xdo("key", "Return")
	p.until("the beginning, after the end", func(a *app) bool { return a.session.Stage.Player.Playing && a.session.Stage.Player.Seconds < 1 })
	p.do(func(a *app) { a.session.Stage.TakeClip(-1) })
	p.until("the scene at rest", func(a *app) bool { return a.session.Stage.Player.Clip < 0 && !a.session.Stage.Player.Playing })
	p.xdo("key", "End")
	p.until("the first animation", func(a *app) bool { return a.session.Stage.Player.Clip == 0 })
}

// Where every frame is a picture, the animation plays at once; --at opens a moment, which can be copied as flags again.
func TestOpeningAMovingScene(t *testing.T) {
	p := openMoving(t, func(_ *Options, f *fake) { f.kind = device.KindCUDA })
	p.until("the animation", func(a *app) bool { return a.session.Stage.Player.Playing && len(p.fake.posed) > 2 })

	if err := p.quit(); err != nil {
		t.Fatal(err)
	}
	at := 0.5
	p = openMoving(t, func(o *Options, f *fake) { f.kind, o.At, o.Clip = device.KindCUDA, &at, "everything" })
	p.until("the moment", func(*app) bool { return len(p.fake.posed) > 0 })
	p.do(func(a *app) {
		if a.session.Stage.Player.Playing || a.session.Stage.Player.Seconds != at {
			t.Errorf("playing %v at %v s", a.session.Stage.Player.Playing, a.session.Stage.Player.Seconds)
		}
		if flags := a.session.Documents.Text(); !strings.Contains(flags, "--at 0.5 --clip everything") {
			t.Errorf("flags %q", flags)
		}
	})
}

// A camera of the file takes the view along until the user moves.
func TestViewFollowsAMovingCamera(t *testing.T) {
	p := openMoving(t, nil)
	p.do(func(a *app) {
		a.session.Stage.Camera.Look(a.session.Stage.Shown.Scene.Cameras[0])
		a.session.Stage.Shown.Camera = 0
		a.session.Stage.Scrub(1)
	})
	p.until("the view of 1 s", func(a *app) bool { return math.Abs(a.session.Stage.Camera.Camera.Eye[0]-0.5) < 1e-5 })
	p.do(func(a *app) {
		elsewhere := a.session.Stage.Camera.Camera
		elsewhere.Eye[1]++
		a.session.Stage.Camera.Look(elsewhere)
		a.session.Stage.Scrub(2)
	})
	p.until("the pose of 2 s", func(a *app) bool { return a.session.Stage.Player.Posed.Seconds == 2 })
	p.do(func(a *app) {
		if math.Abs(a.session.Stage.Camera.Camera.Eye[0]-0.5) > 1e-5 {
			t.Error("the view of a user who moved is taken along")
		}
	})
}

// The camera of the flags comes before those of the file, and stays where it is.
func TestViewOfTheFlagsStays(t *testing.T) {
	var flags scene.Camera
	p := openMoving(t, func(o *Options, _ *fake) {
		flags = o.Scene.Cameras[0]
		flags.Eye[1] += 0.5
		o.Scene.Cameras = append([]scene.Camera{flags}, o.Scene.Cameras...)
	})
	p.do(func(a *app) {
		a.session.Stage.Camera.Look(a.session.Stage.Shown.Scene.Cameras[0])
		a.session.Stage.Shown.Camera = 0
		a.session.Stage.Scrub(1)
	})
	p.until("the pose of 1 s", func(a *app) bool { return a.session.Stage.Player.Posed.Seconds == 1 })
	p.do(func(a *app) {
		if a.session.Stage.Camera.Camera != flags {
			t.Errorf("the view is %v, not that of the flags: %v", a.session.Stage.Camera.Camera.Eye, flags.Eye)
		}
		a.session.Stage.Camera.Look(a.session.Stage.Shown.Scene.Cameras[1])
		a.session.Stage.Shown.Camera = 1
		a.session.Stage.Scrub(2)
	})
	p.until("the view of the file's camera at 2 s", func(a *app) bool {
		return a.session.Stage.Camera.Camera == a.session.Stage.Shown.Scene.Motion.Pose(0, 2).Cameras[0]
	})
}
