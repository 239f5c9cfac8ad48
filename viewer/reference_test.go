package viewer

import (
	"math"
	"strings"
	"testing"
	"time"

	"glint/tracer/schedule"
	"glint/tracer/view"
	"glint/viewer/hud"
	"glint/viewer/session"
)

func TestReferenceMeasuresBothSides(t *testing.T) {
	p := openSides(t, func(_ *Options, f *fake) { f.kind = "cuda" })
	p.xdo("key", "g")
	p.until("a reference", func(a *app) bool { r := a.session.Sides.Compare.Reference; return r != nil && r.Stats.Samples > 0 })
	p.do(func(a *app) {
		if got := hud.ErrorText(a.model().Compare.Sides[0]); got != "relMSE …" && !strings.HasPrefix(got, "reference ") {
			t.Errorf("a new reference says %q", got)
		}
	})
	p.until("its samples", func(a *app) bool { return a.session.Sides.Compare.Reference.Stats.Samples > 40 })
	p.xdo("key", "n")
	p.until("errors of both", func(a *app) bool {
		return a.session.Sides.Sides[0].RefError.Known && a.session.Sides.Sides[1].RefError.Known
	})
	p.do(func(a *app) {
		s := a.session.Sides.Sides[1].RefError
		n, r := 1+1/float64(s.Samples), 1+1/float64(s.RefSamples)
		if want := (n - r) * (n - r) / (r*r + 0.01); math.Abs(s.RelMSE-want) > 1e-3*want || s.Trimmed != s.RelMSE {
			t.Errorf("relMSE %v, trimmed %v, want %v", s.RelMSE, s.Trimmed, want)
		}
		if !(s.Own <= 0.1*s.RelMSE) || s.RefSamples < session.ReferenceFactor*s.Samples {
			t.Errorf("measured %d samples against %d, whose own error is %.3g", s.Samples, s.RefSamples, s.Own/s.RelMSE)
		}
		a.session.Stage.Camera.Orbit(0.1, 0)
	})
	p.until("another view, where no error holds", func(a *app) bool {
		return !a.session.Sides.Sides[0].RefError.Known && a.session.Sides.Compare.Reference.Stats.Samples < 40
	})
}

// TestReferenceTakesItsShareOfAFrame: what it takes counts as rendering, not as all the rest, and nothing is done for a picture
// that nobody sees.
func TestReferenceTakesItsShareOfAFrame(t *testing.T) {
	f := &fake{kind: "cuda", waits: 5 * time.Millisecond}
	a := &session.Frames{Comparison: &session.Comparison{Sides: []*session.Side{{}, {}}, Messages: &session.Messages{}}}
	a.Compare.Reference = &session.Reference{Device: f}
	v := schedule.Request{View: view.View{Width: 8, Height: 8}, Live: true, Goal: time.Second}
	if _, err := a.RenderSides(session.FrameInput{Now: time.Now()}, v, [2]int{}, 1); err != nil {
		t.Fatal(err)
	}
	if got := a.Elapsed(); got < f.waits {
		t.Errorf("rendering took %v, the reference alone takes %v", got, f.waits)
	}
	if f.renders != 1 || f.careless != 0 || f.view.Goal != 0 {
		t.Errorf("%d calls, %d of them denoised, for a goal of %v", f.renders, f.careless, f.view.Goal)
	}
	if _, err := a.RenderSides(session.FrameInput{Now: time.Now()}, v, [2]int{}, 0); err != nil {
		t.Fatal(err)
	}
	if got := a.Elapsed(); got != 0 {
		t.Errorf("rendering took %v in a frame without any", got)
	}
}
