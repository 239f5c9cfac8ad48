package viewer

import (
	"glint/tracer/view"
	"testing"
	"time"
)

func TestImageText(t *testing.T) {
	v := view.View{Width: 1280, Height: 720}
	for want, stats := range map[string]view.Stats{
		"1280 × 720":                {Width: 1280, Height: 720, Scale: 1},
		"1280 × 720 at 1/4":         {Width: 1280, Height: 720, Scale: 4},
		"1280 × 720 from 640 × 360": {Width: 640, Height: 360, Scale: 1},
	} {
		if got := imageText(v, stats); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestGoals: what the rest of a frame leaves of its time is for rendering.
func TestGoals(t *testing.T) {
	if goalOf(0) != 0 || goalOf(50) != 20*time.Millisecond {
		t.Errorf("goals %v and %v", goalOf(0), goalOf(50))
	}
	var p pace
	for range 200 {
		p.given = 12 * time.Millisecond
		p.took(15 * time.Millisecond)
	}
	if left := p.left(goalOf(50)); left < 16*time.Millisecond || left > 18*time.Millisecond {
		t.Errorf("%v of 20 ms are left where the rest takes 3", left)
	}
	if left := p.left(time.Millisecond); left != leastTime {
		t.Errorf("%v are left of a goal out of reach", left)
	}
}

// TestTargetFrameRate: on a GPU a call of Render is told what it may take while a frame rate is asked for, and on a processor
// the frame is cut to fit.
func TestTargetFrameRate(t *testing.T) {
	for _, kind := range []string{"cuda", "cpu"} {
		t.Run(kind, func(t *testing.T) {
			p := openProbe(t, func(_ *Options, f *fake) { f.kind = kind })
			p.xdo("key", "F10")
			p.until("a goal", func(a *app) bool {
				a.rig.orbit(0.01, 0)
				v := p.fake.view
				goal, budget := v.Goal > 0 && v.Goal < goalOf(usualFPS), v.Budget > 0 && v.Budget < goalOf(usualFPS)
				return a.settings.TargetFPS == usualFPS && v.Moving && goal == (kind == "cuda") && budget == (kind == "cpu")
			})
			p.xdo("key", "F10")
			p.until("no goal", func(a *app) bool {
				a.rig.orbit(0.01, 0)
				return a.settings.TargetFPS == 0 && p.fake.view.Goal == 0
			})
			p.xdo("key", "F9")
			p.until("a smaller image", func(a *app) bool { return p.fake.settings.RenderScale < 1 && p.fake.settings.RenderScale > 0.9 })
			p.xdo("key", "shift+F9")
			p.until("full size", func(*app) bool { return p.fake.settings.RenderScale == 1 })
		})
	}
}
