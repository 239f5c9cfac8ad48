package movie

import (
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
)

func TestOrbit(t *testing.T) {
	c := scene.Camera{Eye: mgl64.Vec3{1, 3, 5}, Target: mgl64.Vec3{1, 1, 1}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}
	m, err := Orbit(c, mgl32.Vec3{0, 2, 0}, 8)
	if err != nil || m.Frames != 8 {
		t.Fatalf("%d frames, %v", m.Frames, err)
	}
	for frame, want := range map[int]mgl64.Vec3{0: {1, 3, 5}, 2: {5, 3, 1}, 4: {1, 3, -3}, 6: {-3, 3, 1}, 8: {1, 3, 5}} {
		if eye := m.At(frame).Camera.Eye; eye.Sub(want).Len() > 1e-5 {
			t.Errorf("frame %d: eye at %v, want %v", frame, eye, want)
		}
	}
}

func TestCatmullRom(t *testing.T) {
	times := []float64{0, 1, 1.5, 4}
	straight, curved := make([]channels, 4), make([]channels, 4)
	for i, at := range times {
		straight[i][0] = 3*at - 1
		curved[i][0] = math.Sin(at)
	}
	for i, at := range times {
		if v := catmullRom(times, curved, at)[0]; math.Abs(v-curved[i][0]) > 1e-12 {
			t.Errorf("at key %d: %v, want %v", i, v, curved[i][0])
		}
	}
	for at := 0.; at <= 4; at += 0.125 {
		if v := catmullRom(times, straight, at)[0]; math.Abs(v-(3*at-1)) > 1e-12 {
			t.Errorf("even motion is at %v after %v s, want %v", v, at, 3*at-1)
		}
	}
	const step = 1e-6
	for _, at := range times[1:3] {
		before := (catmullRom(times, curved, at)[0] - catmullRom(times, curved, at-step)[0]) / step
		after := (catmullRom(times, curved, at+step)[0] - catmullRom(times, curved, at)[0]) / step
		if math.Abs(before-after) > 1e-4 {
			t.Errorf("speed jumps from %v to %v at %v s", before, after, at)
		}
	}
}

func TestKeyed(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	keys := []Key{
		{Time: number(2), Eye: []float64{0, 0, 4}, Target: []float64{0, 0, 0}},
		{Time: number(2.5), Eye: []float64{2, 0, 4}, Target: []float64{0, 0, 0}, VFov: number(20), Focus: number(3)},
		{Time: number(3), Eye: []float64{4, 0, 4}, Target: []float64{0, 0, 0}},
	}
	m, err := Keyed(keys, scene.Camera{VFov: 40, Up: mgl32.Vec3{0, 1, 0}}, 10)
	if err != nil || m.Frames != 11 {
		t.Fatalf("%d frames, %v", m.Frames, err)
	}
	for frame, want := range map[int]struct {
		x     float64
		vfov  float32
		focus float64
	}{0: {0, 40, 4}, 5: {2, 20, 3}, 10: {4, 20, 3}} {
		p := m.At(frame)
		if p.Camera.Eye[0] != want.x || p.Camera.VFov != want.vfov || p.focus != want.focus || p.Camera.Up[1] != 1 {
			t.Errorf("frame %d: %+v, want %+v", frame, p, want)
		}
	}
	if _, err := Keyed(keys, scene.Camera{Orthographic: 1}, 10); err == nil {
		t.Error("a parallel camera became a perspective one without a field of view to begin with")
	}
}

// TestFilmsOfUnusableCameras are refused before their first frame.
func TestFilmsOfUnusableCameras(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	still := scene.Camera{Eye: mgl64.Vec3{0, 0, 4}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40}
	path := func() []Key {
		return []Key{
			{Time: number(0), Eye: []float64{0, 0, 4}, Target: []float64{0, 0, 0}},
			{Time: number(1), Eye: []float64{2, 0, 4}, Target: []float64{0, 0, 0}},
			{Time: number(2), Eye: []float64{4, 0, 4}, Target: []float64{0, 0, 0}},
		}
	}
	if _, err := Keyed(path(), still, 10); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(keys []Key){
		"an eye far away":       func(keys []Key) { keys[1].Eye[0] = 2e19 },
		"an eye beyond float32": func(keys []Key) { keys[2].Eye[1] = -1e300 },
		"an eye of no number":   func(keys []Key) { keys[0].Eye[2] = math.NaN() },
		"an endless target":     func(keys []Key) { keys[1].Target[0] = math.Inf(1) },
		"a focus far away":      func(keys []Key) { keys[1].Focus = number(1e300) },
		"no time between":       func(keys []Key) { keys[1].Time = number(5e-324) },
	} {
		keys := path()
		spoil(keys)
		if _, err := Keyed(keys, still, 10); err == nil || !strings.Contains(err.Error(), "frame ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	far := still
	far.Eye, far.Target = mgl64.Vec3{9e14, 0, 0}, mgl64.Vec3{-9e14, 0, 0}
	if _, err := Orbit(far, mgl32.Vec3{0, 1, 0}, 8); err == nil {
		t.Error("an orbit leads to 2.7e15 m")
	}
}

// TestFarKeys: key frames are in the coordinates of the file, and stay as they are.
func TestFarKeys(t *testing.T) {
	s := &scene.Scene{Origin: mgl64.Vec3{500_000, 4_000_000, 0}}
	keys := []Key{{Eye: []float64{500_001, 4_000_000.5, 2}, Target: []float64{500_000, 4_000_000, 0}}}
	got := InScene(keys, s)
	if mgl64.Vec3(got[0].Eye) != (mgl64.Vec3{1, 0.5, 2}) || mgl64.Vec3(got[0].Target) != (mgl64.Vec3{}) {
		t.Errorf("eye %v, target %v", got[0].Eye, got[0].Target)
	}
	if keys[0].Eye[0] != 500_001 {
		t.Errorf("the key of the file has become %v", keys[0].Eye)
	}
}
