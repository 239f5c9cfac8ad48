package integrator_test

import (
	"slices"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// boilingRuns renders some live frames, with the filter's strength and the mode as given, and tells whether it ran.
func boilingRuns(t *testing.T, mode string, strength float64) (img *imageio.Image, ran bool) {
	t.Helper()
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnCPU(t).Use(s, nil)
	v := reusing(s, 40) // not whole blocks
	v.Settings.RestirMode, v.Settings.RestirBoiling = mode, strength
	v.Settings.RestirBoost = 8 // so much sharing that no sample is 41 times as bright as its block
	img = fx.RenderLive(v, 4, nil)
	_, ran = fx.Timings()["boiling_filter"]
	return img, ran
}

// The filter is for interactive mode alone, and strength 0 is none.
func TestBoilingFilterRunsWhenAsked(t *testing.T) {
	for _, c := range []struct {
		mode     string
		strength float64
		want     bool
	}{
		{"reference", 1, false}, {"reference", 0.2, false}, {"interactive", 0, false}, {"interactive", 0.2, true}, {"interactive", 1, true},
	} {
		plain, _ := boilingRuns(t, c.mode, 0)
		img, ran := boilingRuns(t, c.mode, c.strength)
		if ran != c.want {
			t.Errorf("%s, strength %g: the filter ran: %v", c.mode, c.strength, ran)
		}
		if changed := !slices.Equal(img.Pix, plain.Pix); changed != (c.strength == 1 && c.want) {
			t.Errorf("%s, strength %g: the picture changed: %v", c.mode, c.strength, changed)
		}
	}
}

// What accumulates is never filtered, whatever the mode.
func TestNothingIsFilteredWhileItAccumulates(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnCPU(t).Use(s, nil)
	v := reusing(s, 24)
	v.Samples, v.Settings.RestirMode, v.Settings.RestirBoiling = 3, "interactive", 1
	fx.Render(v)
	if ms, ran := fx.Timings()["boiling_filter"]; ran {
		t.Errorf("a still picture was filtered for %g ms", ms)
	}
}

// Work as a block gives the same pixels on both backends.
func TestBoilingFilterOnBothBackends(t *testing.T) {
	cpu, gpu := tracertest.OnBothBackends(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	v := tracertest.Shot{Camera: s.DefaultCamera(1), Width: 250, Height: 250, Settings: tracertest.Settings(func(o *settings.Settings) {
		o.Integrator, o.Bounces, o.RestirMode, o.RestirBoiling = "restir-gi", 2, "interactive", 0.9
	})}
	a, b := cpu.Use(s, nil).RenderLive(v, 1, nil), gpu.Use(s, nil).RenderLive(v, 1, nil)
	far := tracertest.ShareBeyond(a, b, 1e-3)
	t.Logf("%.4f %% of the pixels differ by more than 1e-3", 100*far)
	if far > 1e-3 {
		t.Errorf("%.3f %% of the pixels differ by more than 1e-3, at most 0.1 %% may", 100*far)
	}
}

// What the filter gives and takes: a moving picture of indirect light may lose little brightness by the default strength,
// and must not become worse. Figures in docs/restir.md.
func TestBoilingFilterPays(t *testing.T) {
	if !tracertest.Long() {
		t.Skip("GLINT_LONG=1 compares strengths on four scenes")
	}
	for _, name := range []string{"cornell", "chess", "pillars", "door-ajar"} {
		s := tracertest.Builtin(t, name, builtin.Options{})
		v := tracertest.Shot{Camera: s.Cameras[0], Width: 96, Height: 64, Samples: 1024,
			Settings: tracertest.Settings(func(o *settings.Settings) { o.Show = "indirect" })}
		want := tracertest.OnCPU(t).Use(s, nil).Render(v)
		var plain float64
		for _, strength := range []float64{0, settings.Defaults().RestirBoiling, 0.2, 0.4} {
			v.Settings.Integrator, v.Settings.RestirMode, v.Settings.RestirBoiling = "restir-gi", "interactive", strength
			e, mean := boilingError(t, tracertest.OnCPU(t).Use(s, nil), v, want)
			t.Logf("%s, strength %g: relMSE %.3f, brightness %.3f of the truth", name, strength, e, mean)
			if strength == 0 {
				plain = e
			}
			if strength == settings.Defaults().RestirBoiling && e > 1.05*plain {
				t.Errorf("%s: relMSE %g, without the filter %g", name, e, plain)
			}
		}
	}
}

// boilingError is the mean untrimmed relMSE of live frames 20 to 60, and their brightness as a share of the truth.
func boilingError(t *testing.T, fx *tracertest.Fixture, v tracertest.Shot, want *imageio.Image) (e, mean float64) {
	t.Helper()
	const n = 40
	fx.RenderLive(v, 20, nil)
	for range n {
		img := fx.RenderLive(v, 1, nil)
		one, err := metric.RelMSE(img, want)
		if err != nil {
			t.Fatal(err)
		}
		e += one / n
		mean += luminance(img) / luminance(want) / n
	}
	return e, mean
}
