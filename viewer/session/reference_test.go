package session

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"glint/tracer"
	"glint/tracer/diagnose"
	"glint/tracer/imageio"
	"glint/tracer/settings"
)

func TestReferenceSettings(t *testing.T) {
	a, b := settings.Defaults(), settings.Defaults()
	a.Exposure, a.LightScale, a.Bounces, a.Show, a.Seed, a.Fresnel = 2, 3, 2, "indirect", 7, "schlick"
	b.Bounces, b.Integrator, b.Roulette = 12, "restir-gi", false
	r := referenceSettings(tracer.SettingsTable(), a, b)
	if r.Integrator != "path" || r.Bounces != 12 || r.LightScale != 3 || r.Show != "indirect" || r.Fresnel != "schlick" || r.Seed == a.Seed || r.Seed == b.Seed {
		t.Errorf("%+v", r)
	}
	b.RestirRadius++
	if referenceSettings(tracer.SettingsTable(), a, b) != r {
		t.Error("a setting of reuse changes the reference")
	}
}

// TestVerdictOfTwoSides: against a reference the window says in words which side has less error: path tracing that samples lights, not one that
// meets them by chance.
func TestVerdictOfTwoSides(t *testing.T) {
	s := opened(t, "cornell", headless(32, 24), func(s *settings.Settings) { s.Integrator = "path" })
	s.OpenSplit()
	s.Sides.Sides[1].Settings.Integrator = "naive"
	s.Sides.OpenReference()
	verdict := func() string { return s.Model(false).Compare.Verdict }
	until(t, s, "a verdict", func() bool { return verdict() != "" })
	t.Log(verdict())
	if !strings.Contains(verdict(), "A has ") || strings.Contains(verdict(), "B has ") {
		t.Errorf("it says %q", verdict())
	}
	for i, side := range s.Sides.Sides {
		if e := side.RefError; !(e.Own > 0 && e.Own <= diagnose.UsableNoise*e.RelMSE) {
			t.Errorf("side %d: the reference's own error is %.3g of %.3g", i, e.Own, e.RelMSE)
		}
	}
}

// TestQualityOfAReference: its variance follows from what it was before, and by that how long a side must wait.
func TestQualityOfAReference(t *testing.T) {
	const pixels, variance = 3 * 64 * 64, 0.01
	random := rand.New(rand.NewPCG(5, 6))
	sum, made := make([]float64, pixels), 0
	at := func(samples int) *imageio.Image {
		for ; made < samples; made++ {
			for i := range sum {
				sum[i] += 1 + random.NormFloat64()*math.Sqrt(variance)
			}
		}
		img := &imageio.Image{Width: 64, Height: 64, Pix: make([]float32, pixels)}
		for i := range sum {
			img.Pix[i] = float32(sum[i] / float64(made))
		}
		return img
	}
	begun := time.Now()
	q := quality{}.after(at(4), 4, begun).after(at(16), 16, begun.Add(3*time.Second))
	if want := variance / 1.01; math.Abs(q.perSample/want-1) > 0.05 || math.Abs(q.rate-4) > 1e-6 {
		t.Errorf("%.4f a sample, want %.4f; %v samples a second", q.perSample, want, q.rate)
	}
	reference, white := at(16), &imageio.Image{Width: 64, Height: 64, Pix: make([]float32, pixels)}
	for i := range white.Pix {
		white.Pix[i] = 1.05 // an error of 0.0025
	}
	e := errorJob{image: white, samples: 1, at: begun.Add(time.Second), before: RefError{Samples: 1, at: begun}}.measure(reference, 16, q)
	if left := e.Wait.Seconds(); e.Known || math.Abs(left-6) > 0.6 { // 0.0099 in 40 samples is a tenth of that
		t.Errorf("known: %v; %v to wait, want 6 s", e.Known, e.Wait)
	}
	if e := (errorJob{image: white, samples: 1}).measure(at(48), 48, q); !e.Known || math.Abs(e.RelMSE-0.0025) > 4e-4 {
		t.Errorf("of 48 samples known: %v, %v", e.Known, e.RelMSE)
	}
	// A side that goes on is not caught up with.
	fast := errorJob{image: white, samples: 90, at: begun.Add(time.Second), before: RefError{Samples: 10, at: begun}}.measure(at(48), 48, q)
	if fast.Known || fast.Wait >= 0 {
		t.Errorf("of a side that is faster: known %v, %v to wait", fast.Known, fast.Wait)
	}
}
