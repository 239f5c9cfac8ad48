package viewer

import (
	"os"
	"testing"
	"time"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/viewer/session"
)

// TestMotionInAWindow orbits a built-in scene (GLINT_TEST_SCENE names it) on the processors, or with GLINT_TEST_KEEP_DISPLAY on a GPU, tells
// the pictures a second, and leaves screenshots in GLINT_TEST_SHOTS.
func TestMotionInAWindow(t *testing.T) {
	shots := os.Getenv("GLINT_TEST_SHOTS")
	if shots == "" {
		t.Skip("set GLINT_TEST_SHOTS to see what a window shows in motion")
	}
	backend, width, height := "cpu", 960, 540
	if os.Getenv(keepDisplay) != "" {
		backend, width, height = "cuda", 1280, 720
	}
	name := os.Getenv("GLINT_TEST_SCENE")
	s, err := builtin.Make(name, builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Open, o.Tracer.Backend, o.Width, o.Height, o.Scene = session.OpenTracer, backend, width, height, s
	})
	shoot := func(when string) {
		p.do(func(a *app) {
			ms := a.session.Frames.History.Recent()
			t.Logf("%s: %.1f ms a frame, %d samples, %s, budget %v rest %v", when, ms, a.session.Sides.Active.Stats.Samples,
				session.ImageText(a.session.Frames.Rendered.View, a.session.Sides.Active.Stats), a.session.Frames.Schedule.Split.Given, a.session.Frames.Schedule.Split.Other)
			if err := imageio.WritePNG(shots+"/"+name+"-"+when+".png", windowImage(a), nil); err != nil {
				t.Error(err)
			}
		})
	}
	p.until("a sample", func(a *app) bool { return a.session.Sides.Active.Stats.Samples >= 1 })
	frames := 0
	begun := time.Now()
	for end := begun.Add(5 * time.Second); time.Now().Before(end); frames++ {
		turn := 0.02 // to and fro, so that the room is not seen from outside
		if frames/16%2 == 1 {
			turn = -turn
		}
		p.do(func(a *app) { a.session.Stage.Camera.Orbit(turn, 0) })
	}
	t.Logf("%.1f pictures a second", float64(frames)/time.Since(begun).Seconds())
	shoot("moving")
	for _, after := range []time.Duration{200 * time.Millisecond, 500 * time.Millisecond, time.Second, 3 * time.Second} {
		time.Sleep(after)
		shoot("rest" + after.String())
	}
}
