package tracer_test

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/scene"
)

// reusing is a small live shot with reuse: indirect light alone, since direct light would hide what goes wrong.
func reusing(s *scene.Scene, side int) shot {
	view := indirectShot(s)
	view.width, view.height = side, side
	view.settings.Integrator = "restir-gi"
	return view
}

// luminance of a picture's mean.
func luminance(img *imageio.Image) float64 {
	m := meanImage(img)
	return 0.2126*m[0] + 0.7152*m[1] + 0.0722*m[2]
}

// soakRow is a view that rests for long.
type soakRow struct {
	scene string
	side  int // of the picture in the full version: big enough to tell a drift of 0.5 % from noise
}

// maxDrift is how much the second half of the frames may differ from the first, as a share.
const maxDrift = 0.005

// A view that rests for long keeps its brightness and never shows what is not a number. Frames that share history err
// alike: over 300 of them, 48 pixels wide, by 2 %. So only the full version can ask for 0.5 %; the fast one allows chance.
func TestReuseSoak(t *testing.T) {
	frames, every := 300, 1
	if long() {
		frames, every = 10_000, 10
	}
	for _, row := range []soakRow{{"cornell", 256}, {"cornell-glossy", 512}} {
		s := made(t, row.scene, builtin.Options{})
		st := onBest(t).use(s, nil)
		view := reusing(s, 48)
		if long() {
			view = reusing(s, row.side)
		}
		var halves [2]tally
		const blocks = 10 // of frames in a half: long enough that their means are nearly independent
		for half := range halves {
			for range blocks {
				mean, looks := 0.0, frames/2/blocks/every
				for range looks {
					img := st.live(view, every, nil)
					checkFinite(t, st, img)
					mean += luminance(img) / float64(looks)
				}
				halves[half].add(mean)
			}
		}
		drift := halves[1].mean/halves[0].mean - 1
		e := math.Hypot(halves[0].standardError(), halves[1].standardError()) / halves[0].mean
		t.Logf("%s: %d frames drifted by %+.3f %% ± %.3f %%", row.scene, frames, 100*drift, 100*e)
		switch {
		case long() && !(math.Abs(drift) <= maxDrift && e <= maxDrift/2):
			t.Errorf("%s: the picture drifts by %+.3f %% ± %.3f %%", row.scene, 100*drift, 100*e)
		case !(math.Abs(drift) <= max(maxDrift, 4*e)):
			t.Errorf("%s: the picture drifts by %+.3f %%, more than chance", row.scene, 100*drift)
		}
	}
}

// checkFinite wants numbers in the picture, and none dropped on the way to it.
func checkFinite(t *testing.T, st *studio, img *imageio.Image) {
	t.Helper()
	if i := slices.IndexFunc(img.Pix, func(v float32) bool { return !(v >= 0 && v < math.MaxFloat32) }); i >= 0 {
		t.Fatalf("value %d is %v", i, img.Pix[i])
	}
	counters, err := st.r.Counters()
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
	s := made(t, "cornell", builtin.Options{})
	for name, off := range map[string]func(*studio, *shot){
		"light-scale": func(_ *studio, view *shot) { view.settings.LightScale = 0 },
		"material":    func(st *studio, _ *shot) { st.use(unlit(s), dark()) },
	} {
		st := onBest(t).use(s, dark())
		view := reusing(s, 32)
		lit := luminance(st.live(view, 12, nil))
		off(st, &view)
		after8, after30 := luminance(st.live(view, 8, nil)), luminance(st.live(view, 22, nil))
		if !(lit > 0) || after8 > 0.05*lit || after30 > 0.01*lit {
			t.Errorf("%s: of %g, %g is left after 8 frames and %g after 30", name, lit, after8, after30)
		}
	}
}

// TestReuseGivesTheSameBits: neighbours are read while others are written only if passes race.
func TestReuseGivesTheSameBits(t *testing.T) {
	s := made(t, "cornell", builtin.Options{})
	var first *imageio.Image
	for _, threads := range []int{2, 2, 1, 7} {
		before := runtime.GOMAXPROCS(threads)
		img := onCPU(t).use(s, nil).live(reusing(s, 40), 10, nil)
		runtime.GOMAXPROCS(before)
		if first == nil {
			first = img
		}
		if !slices.Equal(img.Pix, first.Pix) {
			t.Errorf("%d threads: the same seed gave other bits", threads)
		}
	}
}
