package gpuscene_test

import (
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// statues is a grid of so many instances of a stone, 3 m apart.
func statues(n int) *scene.Scene {
	const side = 10
	stone := scene.NewMaterial("stone")
	stone.Metallic = 0
	s := &scene.Scene{Meshes: []scene.Mesh{lump(40, 64, 0.2, 0)}, Materials: []scene.Material{stone}}
	for i := range n {
		s.Instances = append(s.Instances, scene.Instance{World: mgl32.Translate3D(3*float32(i%side), 3*float32(i/side%side), 3*float32(i/side/side))})
	}
	return s
}

// A thousand statues take the memory of one and their places.
func TestInstancesSaveMemory(t *testing.T) {
	const copies = 1000
	one := tracertest.OnCPU(t).Use(baked(statues(10)), tracertest.Constant(1)).Renderer.Engine().Scene().Bytes() / 10
	many := tracertest.OnCPU(t).Use(statues(copies), tracertest.Constant(1)).Renderer.Engine().Scene().Bytes()
	t.Logf("a copy takes %d bytes, %d instances %d", one, copies, many)
	if most := 2*one + 700*copies; many > most {
		t.Errorf("%d instances take %d bytes, more than %d", copies, many, most)
	}
}

// TestInstancesCost times copies and instances, and moving all instances, with GLINT_LONG=1.
func TestInstancesCost(t *testing.T) {
	if !tracertest.Long() {
		t.Skip("set GLINT_LONG=1 to measure what instances cost")
	}
	fx := tracertest.OnFastest(t)
	copies, side, frames := 1000, 1200, 20
	if fx.Renderer.Engine().Backend().Kind == "cpu" {
		copies, side, frames = 100, 300, 4
	}
	s := statues(copies)
	for name, scene := range map[string]*scene.Scene{"copies": baked(s), "instances": s} {
		fx.Use(scene, tracertest.Constant(1))
		for _, exec := range []string{"megakernel", "wavefront"} {
			v := tracertest.Shot{Camera: s.FrameAll(1), Width: side, Height: side, Samples: 3, Settings: tracertest.Settings(func(o *settings.Settings) { o.Exec = exec })}
			fx.Render(v) // takes memory
			v.Samples = frames
			spent := timed(func() { fx.Render(v) })
			t.Logf("%s, %s: %.2f ms a frame, %.1f MB", name, exec, spent/float64(frames), float64(fx.Renderer.Engine().Scene().Bytes())/1e6)
		}
	}
	at := make([]mgl32.Mat4, copies)
	for i, in := range s.Instances {
		at[i] = in.World
	}
	spent := timed(func() {
		if err := fx.PlaceInstances(at); err != nil {
			t.Error(err)
		}
	})
	t.Logf("%d instances are placed in %.2f ms", copies, spent)
}

// timed is how long work takes, ms.
func timed(work func()) float64 {
	start := time.Now()
	work()
	return float64(time.Since(start).Microseconds()) / 1000
}
