package viewer

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
	"glint/tracer/view"
)

func frontController() cameraController {
	return newCameraController(scene.Camera{Eye: mgl64.Vec3{0, 0, 10}, Up: mgl32.Vec3{0, 1, 0}, VFov: 90}, 10)
}

func TestCameraMoves(t *testing.T) {
	for _, c := range []struct {
		name        string
		move        func(*cameraController)
		eye, target mgl64.Vec3
	}{
		{"a quarter round to the right", func(r *cameraController) { r.orbit(math.Pi/2, 0) }, mgl64.Vec3{-10, 0, 0}, mgl64.Vec3{}},
		{"there and back", func(r *cameraController) { r.orbit(0.3, 0.2); r.orbit(-0.3, -0.2) }, mgl64.Vec3{0, 0, 10}, mgl64.Vec3{}},
		{"turn the head to the right", func(r *cameraController) { r.turn(math.Pi/2, 0) }, mgl64.Vec3{0, 0, 10}, mgl64.Vec3{10, 0, 10}},
		{"twice as far", func(r *cameraController) { r.zoom(2) }, mgl64.Vec3{0, 0, 20}, mgl64.Vec3{}},
		{"pan right and up", func(r *cameraController) { r.pan(1, 2) }, mgl64.Vec3{1, 2, 10}, mgl64.Vec3{1, 2, 0}},
		{"slide right and ahead", func(r *cameraController) { r.slide(1, 2) }, mgl64.Vec3{1, 0, 8}, mgl64.Vec3{1, 0, -2}},
		{"slide looking down stays on the ground", func(r *cameraController) { r.orbit(0, -1); r.slide(0, 2); r.orbit(0, 1) }, mgl64.Vec3{0, 0, 8}, mgl64.Vec3{0, 0, -2}},
		{"back to the first look-at point", func(r *cameraController) { r.pan(3, 4); r.slide(1, 1); r.zoom(0.5); r.recentre() }, mgl64.Vec3{0, 0, 5}, mgl64.Vec3{}},
		{"half round another pivot", func(r *cameraController) { r.pivot = mgl64.Vec3{1, 0, 0}; r.orbit(math.Pi, 0) }, mgl64.Vec3{2, 0, -10}, mgl64.Vec3{2, 0, 0}},
		{"half as far from another pivot", func(r *cameraController) { r.pivot = mgl64.Vec3{4, 0, 0}; r.zoom(0.5) }, mgl64.Vec3{2, 0, 5}, mgl64.Vec3{2, 0, 0}},
		{"fly ahead, right, up", func(r *cameraController) { r.fly(1, 2, 3) }, mgl64.Vec3{2, 3, 9}, mgl64.Vec3{2, 3, -1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := frontController()
			c.move(&r)
			if r.camera.Eye.Sub(c.eye).Len() > 1e-4 || r.camera.Target.Sub(c.target).Len() > 1e-4 {
				t.Errorf("eye %v target %v, want %v %v", r.camera.Eye, r.camera.Target, c.eye, c.target)
			}
		})
	}
}

// inWindow is where the window shows a point: right of its middle and above it, in heights of the window.
func inWindow(cc *cameraController, p mgl64.Vec3) (right, up float64) {
	to := axes(cc.angles())
	d := p.Sub(cc.camera.Eye)
	height := d.Dot(to[2]) / cc.distance() * float64(cc.viewHeight())
	return d.Dot(to[0]) / height, d.Dot(to[1]) / height
}

// TestNarrowWindowFramesTheScene although panels leave nothing of it free.
func TestNarrowWindowFramesTheScene(t *testing.T) {
	const width, height = 4, 108 // as a window manager that tiles may have it
	p := openProbe(t, nil)
	p.do(func(a *app) { a.window.SetSize(width, height) })
	p.until("the new size", func(a *app) bool { return pictureOf(a.active).width == width && pictureOf(a.active).height == height })
	p.do(func(a *app) {
		a.frameScene()
		if c := a.controller.camera; notFinite(append(c.Eye[:], c.Target[:]...)) > 0 {
			t.Errorf("the camera is %+v", c)
		}
	})
}

// TestPivotStaysInTheWindow: a framed view turns about what was framed, beside the panel, and a view turns about a pivot
// anywhere.
func TestPivotStaysInTheWindow(t *testing.T) {
	for name, begin := range map[string]func(*cameraController){
		"framed":      func(cc *cameraController) { cc.frame(cc.camera, 0.2) },
		"pivot aside": func(cc *cameraController) { cc.pivot = mgl64.Vec3{2, 1, -3} },
	} {
		cc := frontController()
		begin(&cc)
		right, up := inWindow(&cc, cc.pivot)
		if name == "framed" && (math.Abs(right-0.2) > 1e-4 || cc.pivot != mgl64.Vec3{}) {
			t.Errorf("%s: the pivot is at %v, %v", name, right, up)
		}
		for range 20 {
			cc.orbit(0.1, 0.03)
		}
		cc.zoom(0.5)
		if r, u := inWindow(&cc, cc.pivot); math.Abs(r-right) > 1e-4 || math.Abs(u-up) > 1e-4 {
			t.Errorf("%s: the pivot moved from %v, %v to %v, %v", name, right, up, r, u)
		}
		cc.pan(3, 1)
		cc.recentre()
		if r, _ := inWindow(&cc, cc.home); cc.pivot != cc.home || math.Abs(r-float64(cc.homeAt)) > 1e-4 {
			t.Errorf("%s: recentred, the first pivot is %v right of the middle", name, r)
		}
	}
}

func TestPolesAreClamped(t *testing.T) {
	for _, up := range []float64{10, -10} {
		for name, move := range map[string]func(*cameraController){
			"orbit": func(r *cameraController) { r.orbit(0, up) }, "turn": func(r *cameraController) { r.turn(0, up) },
		} {
			r := frontController()
			move(&r)
			if _, pitch := r.angles(); math.Abs(math.Abs(pitch)-maxPitch) > 1e-3 || (pitch > 0) != (up > 0) {
				t.Errorf("%s by %v: pitch %v", name, up, pitch)
			}
			if d := r.distance(); math.Abs(d-10) > 1e-3 {
				t.Errorf("%s by %v: distance %v", name, up, d)
			}
		}
	}
}

func TestLimits(t *testing.T) {
	r := frontController()
	for range 1000 {
		r.zoom(0.5)
		r.faster(-1)
	}
	if r.distance() < float64(r.unit)/zoomRange*0.99 || r.speed < flySpeed*r.unit/speedRange*0.99 {
		t.Errorf("distance %v, speed %v", r.distance(), r.speed)
	}
	for range 1000 {
		r.zoom(2)
		r.faster(1)
	}
	if r.distance() > float64(r.unit)*zoomRange*1.01 || r.speed > flySpeed*r.unit*speedRange*1.01 {
		t.Errorf("distance %v, speed %v", r.distance(), r.speed)
	}
}

func TestOddCameras(t *testing.T) {
	nan := float32(math.NaN())
	for name, r := range map[string]cameraController{
		"eye in the target": newCameraController(scene.Camera{VFov: 40}, 1),
		"no size":           newCameraController(scene.Camera{Target: mgl64.Vec3{0, 0, -1}}, nan),
		"straight down":     newCameraController(scene.Camera{Eye: mgl64.Vec3{0, 5, 0}, Up: mgl32.Vec3{0, 0, -1}}, 1),
		"orthographic":      newCameraController(scene.Camera{Eye: mgl64.Vec3{0, 5, 5}, Orthographic: 2}, 1),
	} {
		height := r.viewHeight()
		r.orbit(0.1, 0.1)
		r.zoom(0.9)
		r.pan(0.1, 0.1)
		r.fly(0.1, 0.1, 0.1)
		for _, v := range []float64{r.camera.Eye.Len(), r.camera.Target.Len(), r.distance(), float64(height)} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: %+v", name, r)
			}
		}
		if r.camera.Orthographic > 0 && (height != 4 || r.camera.Orthographic != 1.8) {
			t.Errorf("%s: height %v, zoomed to %v", name, height, r.camera.Orthographic)
		}
	}
}

// TestEndOfTheWorld: no move, however often, leads to a camera that cannot be used, and one leads back from there.
func TestEndOfTheWorld(t *testing.T) {
	for name, move := range map[string]func(*cameraController){
		"fly":             func(r *cameraController) { r.fly(1e14, 0, 1e14) },
		"fly beyond all":  func(r *cameraController) { r.fly(math.MaxFloat32, 0, 0) },
		"pan":             func(r *cameraController) { r.pan(1e30, 0) },
		"slide":           func(r *cameraController) { r.slide(0, float32(math.Inf(1))) },
		"zoom":            func(r *cameraController) { r.zoom(1e4) },
		"zoom by nothing": func(r *cameraController) { r.zoom(float32(math.NaN())) },
		"turn":            func(r *cameraController) { r.turn(math.NaN(), 0) },
		"orbit":           func(r *cameraController) { r.orbit(math.Inf(1), 0) },
		"orbit aside":     func(r *cameraController) { r.pivot = mgl64.Vec3{1e20, 0, 0}; r.orbit(1, 0) },
		"look":            func(r *cameraController) { r.look(scene.Camera{Eye: mgl64.Vec3{2e19, 0, 0}, VFov: 40}) },
	} {
		t.Run(name, func(t *testing.T) {
			r := frontController()
			r.unit = 1e14
			for range 100 {
				move(&r)
				if err := r.camera.Check(); err != nil {
					t.Fatal(err)
				}
			}
			at := r.camera
			r.pivot = at.Target
			r.turn(0.5, 0)
			if r.camera == at {
				t.Error("the camera is stuck")
			}
		})
	}
}

// TestFocusFollowsTheFrame: a distance that was clicked is of another view; what is framed is sharp.
func TestFocusFollowsTheFrame(t *testing.T) {
	p := openProbe(t, nil)
	p.xdo("mousemove", "600", "300", "click", "1")
	p.until("focus where the mouse was", func(a *app) bool { return a.active.settings.Focus == fakeDepth })
	p.do(func(a *app) { a.active.settings.Aperture = 0.1 })
	p.xdo("key", "Home")
	p.until("the whole scene", func(a *app) bool { return a.shown.camera == -1 })
	p.do(func(a *app) {
		v := view.View{Camera: a.controller.camera, Width: 800, Height: 600}
		if at, want := v.Lens(&a.active.settings).FocusDistance, a.controller.distance(); math.Abs(float64(at)-want) > 1e-3*want {
			t.Errorf("the lens focuses at %v m, what is framed is %v m away", at, want)
		}
	})
}
