package tracer

import (
	"testing"
	"time"

	"glint/tracer/view"
)

// JudgeAnywhere has integrator auto measured on any device, with these costs of a sample (ms) in place of measured ones.
func (r *Renderer) JudgeAnywhere(costs map[string]float64) {
	r.judge.costs = func(integrator string) float64 { return costs[integrator] }
}

// TestChoose: what is in use stays unless the other errs noticeably less, and at rest only for more than is lost.
func TestChoose(t *testing.T) {
	errs := func(path, restir float64) view.Judgement {
		return view.Judgement{At: time.Now(), Trials: [2]view.Trial{{Integrator: "path", Error: path}, {Integrator: "restir", Error: restir}}}
	}
	raw, denoised, rest, restDenoised := mode{moving: true}, mode{moving: true, denoised: true}, mode{}, mode{denoised: true}
	const soon, late = fresh / 2, 2 * fresh
	for _, c := range []struct {
		why   string
		found view.Judgement
		mode  mode
		inUse string
		age   time.Duration
		want  string
	}{
		{"the first answer, raw", view.Judgement{}, raw, "", 0, "restir"},
		{"the first answer, denoised", view.Judgement{}, denoised, "", 0, "path"},
		{"the first answer, at rest", view.Judgement{}, rest, "", 0, "restir"},
		{"the first answer, denoised, at rest", view.Judgement{}, restDenoised, "", 0, "path"},
		{"nothing is known of moving views", view.Judgement{}, raw, "path", late, "restir"},
		{"nothing is known of resting views", view.Judgement{}, rest, "path", soon, "path"},
		{"less error", errs(0.1, 0.2), raw, "restir", 0, "path"},
		{"less error, the other way", errs(0.2, 0.1), denoised, "path", 0, "restir"},
		{"it is in use", errs(0.2, 0.1), raw, "restir", 0, "restir"},
		{"known from before auto was chosen", errs(0.1, 0.2), raw, "", 0, "path"},
		{"hardly less", errs(0.100, 0.104), raw, "restir", 0, "restir"},
		{"hardly less, the other way", errs(0.104, 0.100), raw, "path", 0, "path"},
		{"a moving view, however long since it changed", errs(0.10, 0.11), raw, "restir", late, "path"},
		{"a resting view that has just begun", errs(0.10, 0.11), rest, "restir", soon, "path"},
		{"a resting view that has accumulated", errs(0.10, 0.11), rest, "restir", late, "restir"},
		{"one that gains more than it loses", errs(0.10, 0.13), rest, "restir", late, "path"},
		{"an error that nobody sees", errs(0.0001, 0.0015), raw, "restir", 0, "restir"},
		{"a black view", errs(0, 0), raw, "restir", 0, "restir"},
	} {
		if got := choose(c.found, c.mode, c.inUse, c.age); got != c.want {
			t.Errorf("%s: %s in use, errors %+v: %s, want %s", c.why, c.inUse, c.found.Trials, got, c.want)
		}
	}
}

// TestShare: both have equal time, in whole samples.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		why          string
		moving       bool
		inUse        string
		fits         float64
		path, restir float64 // ms of a sample
		want         [2]int
	}{
		{"a frame has room for three of path", true, "path", 3.4, 2, 5, [2]int{3, 1}},
		{"a frame has room for three of restir", true, "restir", 3, 2, 5, [2]int{7, 3}},
		{"there is at least one", true, "restir", 0.4, 2, 5, [2]int{1, 1}},
		{"very fast ones", true, "path", 1000, 1, 2, [2]int{32, 16}},
		{"a resting view", false, "path", 1, 2, 5, [2]int{20, 8}},
		{"a resting view, restir faster", false, "path", 1, 2, 1, [2]int{8, 16}},
		{"a resting view, restir very slow", false, "path", 1, 1, 8, [2]int{32, 4}},
	} {
		own := &trial{mode: mode{moving: c.moving}, inUse: c.inUse, plan: &Plan{View: view.View{Fits: c.fits}}, ms: [2]float64{c.path, c.restir}}
		if own.share(); own.samples != c.want {
			t.Errorf("%s: %v samples, want %v", c.why, own.samples, c.want)
		}
	}
}
