package integrator_test

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/tracertest"
)

// reusing is a small live shot with reuse: indirect light alone, since direct light would hide what goes wrong.
func reusing(s *scene.Scene, side int) tracertest.Shot {
	view := indirectShot(s)
	view.Width, view.Height = side, side
	view.Settings.Integrator = "restir-gi"
	return view
}

// luminance of a picture's mean.
func luminance(img *imageio.Image) float64 {
	m := tracertest.Mean(img)
	return 0.2126*m[0] + 0.7152*m[1] + 0.0722*m[2]
}

// soakRow is a view that rests for long.
type soakRow struct {
	scene string
	all   bool // light, direct light included: the integrator restir
	side  int  // of the picture in the full version: big enough to tell a drift of 0.5 % from noise
}

// maxDrift is how much the second half of the frames may differ from the first, as a share.
const maxDrift = 0.005

// A view that rests for long keeps its brightness and never shows what is not a number. Frames that share history err
// alike: over 300 of them, 48 pixels wide, by 2 %. So only the full version can ask for 0.5 %; the fast one allows chance.
func TestReuseSoak(t *testing.T) {
	frames, every := 300, 1
	if tracertest.Long() {
		frames, every = 10_000, 10
	}
	for _, row := range []soakRow{{"cornell", false, 256}, {"cornell-glossy", false, 512}, {"cornell-glossy", true, 512}} {
		s := tracertest.Builtin(t, row.scene, builtin.Options{})
		fx := tracertest.OnBestBackend(t).Use(s, nil)
		view := reusing(s, 48)
		if tracertest.Long() {
			view = reusing(s, row.side)
		}
		if row.all {
			view.Settings.Integrator, view.Settings.Show = "restir", "all"
		}
		var halves [2]tally
		const blocks = 10 // of frames in a half: long enough that their means are nearly independent
		for half := range halves {
			for range blocks {
				mean, looks := 0.0, frames/2/blocks/every
				for range looks {
					img := fx.RenderLive(view, every, nil)
					checkFinite(t, fx, img)
					mean += luminance(img) / float64(looks)
				}
				halves[half].add(mean)
			}
		}
		drift := halves[1].mean/halves[0].mean - 1
		e := math.Hypot(halves[0].standardError(), halves[1].standardError()) / halves[0].mean
		t.Logf("%s, %s: %d frames drifted by %+.3f %% ± %.3f %%", row.scene, view.Settings.Integrator, frames, 100*drift, 100*e)
		switch {
		case tracertest.Long() && !(math.Abs(drift) <= maxDrift && e <= maxDrift/2):
			t.Errorf("%s: the picture drifts by %+.3f %% ± %.3f %%", row.scene, 100*drift, 100*e)
		case !(math.Abs(drift) <= max(maxDrift, 4*e)):
			t.Errorf("%s: the picture drifts by %+.3f %%, more than chance", row.scene, 100*drift)
		}
	}
}

// checkFinite wants numbers in the picture, and none dropped on the way to it.
func checkFinite(t *testing.T, fx *tracertest.Fixture, img *imageio.Image) {
	t.Helper()
	if i := slices.IndexFunc(img.Pix, func(v float32) bool { return !(v >= 0 && v < math.MaxFloat32) }); i >= 0 {
		t.Fatalf("value %d is %v", i, img.Pix[i])
	}
	counters, err := fx.Renderer.Counters()
	if err != nil {
		t.Fatal(err)
	}
	if counters.NonFinite != 0 {
		t.Fatalf("%d samples were not finite", counters.NonFinite)
	}
}

// unlit is a copy of the scene whose materials do not emit.
func unlit(s *scene.Scene) *scene.Scene {
	c := *s
	c.Materials = slices.Clone(s.Materials)
	for i := range c.Materials {
		c.Materials[i].Emission = mgl32.Vec3{}
	}
	return &c
}

// A light that goes out must leave the picture with it, however it is switched.
func TestLightOffLeavesNoGhost(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	for name, off := range map[string]func(*tracertest.Fixture, *tracertest.Shot){
		"light-scale": func(_ *tracertest.Fixture, view *tracertest.Shot) { view.Settings.LightScale = 0 },
		"material":    func(fx *tracertest.Fixture, _ *tracertest.Shot) { fx.Use(unlit(s), tracertest.Dark()) },
	} {
		fx := tracertest.OnBestBackend(t).Use(s, tracertest.Dark())
		view := reusing(s, 32)
		lit := luminance(fx.RenderLive(view, 12, nil))
		off(fx, &view)
		after8, after30 := luminance(fx.RenderLive(view, 8, nil)), luminance(fx.RenderLive(view, 22, nil))
		if !(lit > 0) || after8 > 0.05*lit || after30 > 0.01*lit {
			t.Errorf("%s: of %g, %g is left after 8 frames and %g after 30", name, lit, after8, after30)
		}
	}
}

// TestReuseGivesTheSameBits: neighbours are read while others are written only if passes race.
func TestReuseGivesTheSameBits(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	var first *imageio.Image
	for _, threads := range []int{2, 2, 1, 7} {
		before := runtime.GOMAXPROCS(threads)
		img := tracertest.OnCPU(t).Use(s, nil).RenderLive(reusing(s, 40), 10, nil)
		runtime.GOMAXPROCS(before)
		if first == nil {
			first = img
		}
		if !slices.Equal(img.Pix, first.Pix) {
			t.Errorf("%d threads: the same seed gave other bits", threads)
		}
	}
}
