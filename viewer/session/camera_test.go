package session

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
)

func frontController() Camera {
	return NewCamera(scene.Camera{Eye: mgl64.Vec3{0, 0, 10}, Up: mgl32.Vec3{0, 1, 0}, VFov: 90}, 10)
}

func TestCameraMoves(t *testing.T) {
	for _, c := range []struct {
		name        string
		move        func(*Camera)
		eye, target mgl64.Vec3
	}{
		{"a quarter round to the right", func(r *Camera) { r.Orbit(math.Pi/2, 0) }, mgl64.Vec3{-10, 0, 0}, mgl64.Vec3{}},
		{"there and back", func(r *Camera) { r.Orbit(0.3, 0.2); r.Orbit(-0.3, -0.2) }, mgl64.Vec3{0, 0, 10}, mgl64.Vec3{}},
		{"turn the head to the right", func(r *Camera) { r.Turn(math.Pi/2, 0) }, mgl64.Vec3{0, 0, 10}, mgl64.Vec3{10, 0, 10}},
		{"twice as far", func(r *Camera) { r.Zoom(2) }, mgl64.Vec3{0, 0, 20}, mgl64.Vec3{}},
		{"pan right and up", func(r *Camera) { r.Pan(1, 2) }, mgl64.Vec3{1, 2, 10}, mgl64.Vec3{1, 2, 0}},
		{"slide right and ahead", func(r *Camera) { r.Slide(1, 2) }, mgl64.Vec3{1, 0, 8}, mgl64.Vec3{1, 0, -2}},
		{"slide looking down stays on the ground", func(r *Camera) { r.Orbit(0, -1); r.Slide(0, 2); r.Orbit(0, 1) }, mgl64.Vec3{0, 0, 8}, mgl64.Vec3{0, 0, -2}},
		{"back to the first look-at point", func(r *Camera) { r.Pan(3, 4); r.Slide(1, 1); r.Zoom(0.5); r.Recenter() }, mgl64.Vec3{0, 0, 5}, mgl64.Vec3{}},
		{"half round another pivot", func(r *Camera) { r.Pivot = mgl64.Vec3{1, 0, 0}; r.Orbit(math.Pi, 0) }, mgl64.Vec3{2, 0, -10}, mgl64.Vec3{2, 0, 0}},
		{"half as far from another pivot", func(r *Camera) { r.Pivot = mgl64.Vec3{4, 0, 0}; r.Zoom(0.5) }, mgl64.Vec3{2, 0, 5}, mgl64.Vec3{2, 0, 0}},
		{"fly ahead, right, up", func(r *Camera) { r.Fly(1, 2, 3) }, mgl64.Vec3{2, 3, 9}, mgl64.Vec3{2, 3, -1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := frontController()
			c.move(&r)
			if r.Camera.Eye.Sub(c.eye).Len() > 1e-4 || r.Camera.Target.Sub(c.target).Len() > 1e-4 {
				t.Errorf("eye %v target %v, want %v %v", r.Camera.Eye, r.Camera.Target, c.eye, c.target)
			}
		})
	}
}

// inWindow is where the window shows a point: right of its middle and above it, in heights of the window.
func inWindow(cc *Camera, p mgl64.Vec3) (right, up float64) {
	to := Axes(cc.Angles())
	d := p.Sub(cc.Camera.Eye)
	height := d.Dot(to[2]) / cc.Distance() * float64(cc.ViewHeight())
	return d.Dot(to[0]) / height, d.Dot(to[1]) / height
}

// TestPivotStaysInTheWindow: a framed view turns about what was framed, beside the panel, and a view turns about a pivot
// anywhere.
func TestPivotStaysInTheWindow(t *testing.T) {
	for name, begin := range map[string]func(*Camera){
		"framed":      func(cc *Camera) { cc.Frame(cc.Camera, 0.2) },
		"pivot aside": func(cc *Camera) { cc.Pivot = mgl64.Vec3{2, 1, -3} },
	} {
		cc := frontController()
		begin(&cc)
		right, up := inWindow(&cc, cc.Pivot)
		if name == "framed" && (math.Abs(right-0.2) > 1e-4 || cc.Pivot != mgl64.Vec3{}) {
			t.Errorf("%s: the pivot is at %v, %v", name, right, up)
		}
		for range 20 {
			cc.Orbit(0.1, 0.03)
		}
		cc.Zoom(0.5)
		if r, u := inWindow(&cc, cc.Pivot); math.Abs(r-right) > 1e-4 || math.Abs(u-up) > 1e-4 {
			t.Errorf("%s: the pivot moved from %v, %v to %v, %v", name, right, up, r, u)
		}
		cc.Pan(3, 1)
		cc.Recenter()
		if r, _ := inWindow(&cc, cc.home); cc.Pivot != cc.home || math.Abs(r-float64(cc.homeAt)) > 1e-4 {
			t.Errorf("%s: recentred, the first pivot is %v right of the middle", name, r)
		}
	}
}

func TestPolesAreClamped(t *testing.T) {
	for _, up := range []float64{10, -10} {
		for name, move := range map[string]func(*Camera){
			"orbit": func(r *Camera) { r.Orbit(0, up) }, "turn": func(r *Camera) { r.Turn(0, up) },
		} {
			r := frontController()
			move(&r)
			if _, pitch := r.Angles(); math.Abs(math.Abs(pitch)-maxPitch) > 1e-3 || (pitch > 0) != (up > 0) {
				t.Errorf("%s by %v: pitch %v", name, up, pitch)
			}
			if d := r.Distance(); math.Abs(d-10) > 1e-3 {
				t.Errorf("%s by %v: distance %v", name, up, d)
			}
		}
	}
}

func TestLimits(t *testing.T) {
	r := frontController()
	for range 1000 {
		r.Zoom(0.5)
		r.Faster(-1)
	}
	if r.Distance() < float64(r.Unit)/zoomRange*0.99 || r.Speed < flySpeed*r.Unit/speedRange*0.99 {
		t.Errorf("distance %v, speed %v", r.Distance(), r.Speed)
	}
	for range 1000 {
		r.Zoom(2)
		r.Faster(1)
	}
	if r.Distance() > float64(r.Unit)*zoomRange*1.01 || r.Speed > flySpeed*r.Unit*speedRange*1.01 {
		t.Errorf("distance %v, speed %v", r.Distance(), r.Speed)
	}
}

func TestOddCameras(t *testing.T) {
	nan := float32(math.NaN())
	for name, r := range map[string]Camera{
		"eye in the target": NewCamera(scene.Camera{VFov: 40}, 1),
		"no size":           NewCamera(scene.Camera{Target: mgl64.Vec3{0, 0, -1}}, nan),
		"straight down":     NewCamera(scene.Camera{Eye: mgl64.Vec3{0, 5, 0}, Up: mgl32.Vec3{0, 0, -1}}, 1),
		"orthographic":      NewCamera(scene.Camera{Eye: mgl64.Vec3{0, 5, 5}, Orthographic: 2}, 1),
	} {
		height := r.ViewHeight()
		r.Orbit(0.1, 0.1)
		r.Zoom(0.9)
		r.Pan(0.1, 0.1)
		r.Fly(0.1, 0.1, 0.1)
		for _, v := range []float64{r.Camera.Eye.Len(), r.Camera.Target.Len(), r.Distance(), float64(height)} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: %+v", name, r)
			}
		}
		if r.Camera.Orthographic > 0 && (height != 4 || r.Camera.Orthographic != 1.8) {
			t.Errorf("%s: height %v, zoomed to %v", name, height, r.Camera.Orthographic)
		}
	}
}

// TestEndOfTheWorld: no move, however often, leads to a camera that cannot be used, and one leads back from there.
func TestEndOfTheWorld(t *testing.T) {
	for name, move := range map[string]func(*Camera){
		"fly":             func(r *Camera) { r.Fly(1e14, 0, 1e14) },
		"fly beyond all":  func(r *Camera) { r.Fly(math.MaxFloat32, 0, 0) },
		"pan":             func(r *Camera) { r.Pan(1e30, 0) },
		"slide":           func(r *Camera) { r.Slide(0, float32(math.Inf(1))) },
		"zoom":            func(r *Camera) { r.Zoom(1e4) },
		"zoom by nothing": func(r *Camera) { r.Zoom(float32(math.NaN())) },
		"turn":            func(r *Camera) { r.Turn(math.NaN(), 0) },
		"orbit":           func(r *Camera) { r.Orbit(math.Inf(1), 0) },
		"orbit aside":     func(r *Camera) { r.Pivot = mgl64.Vec3{1e20, 0, 0}; r.Orbit(1, 0) },
		"look":            func(r *Camera) { r.Look(scene.Camera{Eye: mgl64.Vec3{2e19, 0, 0}, VFov: 40}) },
	} {
		t.Run(name, func(t *testing.T) {
			r := frontController()
			r.Unit = 1e14
			for range 100 {
				move(&r)
				if err := r.Camera.Check(); err != nil {
					t.Fatal(err)
				}
			}
			at := r.Camera
			r.Pivot = at.Target
			r.Turn(0.5, 0)
			if r.Camera == at {
				t.Error("the camera is stuck")
			}
		})
	}
}
