package viewer

import (
	"math"
	"testing"

	"glint/tracer/schedule"
	"glint/tracer/view"
)

// TestNarrowWindowFramesTheScene although panels leave nothing of it free.
func TestNarrowWindowFramesTheScene(t *testing.T) {
	const width, height = 4, 108 // as a window manager that tiles may have it
	p := openProbe(t, nil)
	p.do(func(a *app) { a.display.window.SetSize(width, height) })
	p.until("the new size", func(a *app) bool {
		return pictureOf(a.session.Sides.Active).width == width && pictureOf(a.session.Sides.Active).height == height
	})
	p.do(func(a *app) {
		a.session.FrameScene()
		if c := a.session.Stage.Camera.Camera; notFinite(append(c.Eye[:], c.Target[:]...)) > 0 {
			t.Errorf("the camera is %+v", c)
		}
	})
}

// TestFocusFollowsTheFrame: a distance that was clicked is of another view; what is framed is sharp.
func TestFocusFollowsTheFrame(t *testing.T) {
	p := openProbe(t, nil)
	p.xdo("mousemove", "600", "300", "click", "1")
	p.until("focus where the mouse was", func(a *app) bool { return a.session.Sides.Active.Settings.Focus == fakeDepth })
	p.do(func(a *app) { a.session.Sides.Active.Settings.Aperture = 0.1 })
	p.xdo("key", "Home")
	p.until("the whole scene", func(a *app) bool { return a.session.Stage.Shown.Camera == -1 })
	p.do(func(a *app) {
		v := schedule.Request{View: view.View{Camera: a.session.Stage.Camera.Camera, Width: 800, Height: 600}}
		if at, want := v.Lens(&a.session.Sides.Active.Settings).FocusDistance, a.session.Stage.Camera.Distance(); math.Abs(float64(at)-want) > 1e-3*want {
			t.Errorf("the lens focuses at %v m, what is framed is %v m away", at, want)
		}
	})
}
