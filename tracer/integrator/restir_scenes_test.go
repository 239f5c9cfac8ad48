package integrator_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// furnaceRow is what a length of path must bring in the furnace of docs/restir.md, where light that was scattered k times
// has radiance 0.5^k in every pixel: emission that is counted twice, or a confidence that is lost, shows as a wrong sum.
type furnaceRow struct {
	show    string
	bounces int
	want    float64
}

func furnaceRows() []furnaceRow {
	return []furnaceRow{
		{"indirect", 2, 0.25},
		{"indirect", 4, 0.4375},
		{"direct", 4, 1.5}, // with the emission that the camera sees
		{"all", 4, 1.9375},
	}
}

func TestReuseFurnace(t *testing.T) {
	s := tracertest.Builtin(t, "emissive-sphere", builtin.Options{})
	samples, runs := 8, 2
	if tracertest.Long() {
		samples, runs = 1024, 512
	}
	for _, row := range furnaceRows() {
		v := tracertest.Shot{Camera: s.Cameras[0], Width: 64, Height: 64, Samples: samples, Settings: tracertest.Settings(func(o *settings.Settings) {
			o.Integrator, o.Bounces, o.Roulette, o.Show = "restir-gi", row.bounces, false, row.show
		})}
		fx := tracertest.OnBestBackend(t).Use(s, tracertest.Dark())
		checkMean(t, row, "accumulated", tracertest.Mean(fx.Render(v))[0])
		if row.show != "indirect" {
			continue
		}
		live := 0.0
		for seed := range runs {
			v.Settings.Seed = seed + 1
			live += tracertest.Mean(fx.RenderLive(v, 5, nil))[0] / float64(runs)
		}
		checkMean(t, row, "live", live)
	}
}

// The integrator restir counts direct light in its reservoirs, too; each length of path must bring the same.
func TestSharedDirectLightFurnace(t *testing.T) {
	s := tracertest.Builtin(t, "emissive-sphere", builtin.Options{})
	for _, row := range furnaceRows() {
		v := tracertest.Shot{Camera: s.Cameras[0], Width: 64, Height: 64, Samples: 8, Settings: tracertest.Settings(func(o *settings.Settings) {
			o.Integrator, o.Bounces, o.Roulette, o.Show = "restir", row.bounces, false, row.show
		})}
		fx := tracertest.OnBestBackend(t).Use(s, tracertest.Dark())
		checkMean(t, row, "accumulated", tracertest.Mean(fx.Render(v))[0])
		live := 0.0
		const runs = 2
		for seed := range runs {
			v.Settings.Seed = seed + 1
			live += tracertest.Mean(fx.RenderLive(v, 5, nil))[0] / runs
		}
		checkMean(t, row, "live", live)
	}
}

// What arrives of a lamp without area differs from pixel to pixel, so where a sample goes it is found anew. Alone and without bounces
// such a lamp leaves nothing to chance: reuse must bring the picture that light sampling brings.
func TestSharedPointLightIsExact(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	for i := range s.Materials {
		s.Materials[i].Emission = mgl32.Vec3{}
	}
	s.Lights = []scene.Light{{Name: "bulb", Kind: scene.LightPoint, Position: mgl32.Vec3{0, 0.15, 0.6}, Intensity: mgl32.Vec3{1, 1, 1}}}
	v := tracertest.Shot{Camera: s.Cameras[0], Width: 64, Height: 64, Samples: 16, Settings: tracertest.Settings(func(o *settings.Settings) {
		o.Integrator, o.Bounces, o.Antialias = "path", 1, false
	})}
	fx := tracertest.OnBestBackend(t).Use(s, tracertest.Dark())
	want := fx.Render(v)
	v.Settings.Integrator, v.Samples = "restir", 1
	const runs, side = 32, 8
	var sums [side * side]float64
	for seed := range runs {
		v.Settings.Seed = seed + 1
		img := fx.RenderLive(v, 4, nil)
		for i := range sums {
			sums[i] += tracertest.MeanOf(img, i%side*side, i/side*side, side, side)[1] / runs
		}
	}
	worst := 0.0
	for i, got := range sums {
		if right := tracertest.MeanOf(want, i%side*side, i/side*side, side, side)[1]; right > 0 {
			worst = max(worst, math.Abs(got/right-1))
		}
	}
	t.Logf("worst tile off by %.3f %%", 100*worst)
	if worst > 0.01 || tracertest.Mean(want)[1] == 0 {
		t.Errorf("a tile is off by %.2f %%, of a mean of %g", 100*worst, tracertest.Mean(want)[1])
	}
}

// A sample of history names its lamp by a number, which must mean the same lamp in the next frame: of two unlike lamps in unlike places
// no tile of the picture takes light of the other.
func TestHistoryKnowsItsLamps(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	for i := range s.Materials {
		s.Materials[i].Emission = mgl32.Vec3{}
	}
	s.Lights = []scene.Light{
		{Name: "bulb", Kind: scene.LightPoint, Position: mgl32.Vec3{-0.5, 0.3, 0.6}, Intensity: mgl32.Vec3{1, 1, 1}},
		{Name: "lantern", Kind: scene.LightPoint, Position: mgl32.Vec3{0.6, 0.7, 0.3}, Intensity: mgl32.Vec3{0.3, 0.3, 0.3}},
	}
	v := tracertest.Shot{Camera: s.Cameras[0], Width: 48, Height: 48, Samples: 16, Settings: tracertest.Settings(func(o *settings.Settings) {
		o.Integrator, o.Bounces, o.RestirRadius = "path", 1, tracertest.ReuseRadius(3, 48)
	})}
	fx := tracertest.OnBestBackend(t).Use(s, tracertest.Dark())
	want := fx.RenderSide(v, agreementRuns, naiveSeed)
	v.Settings.Integrator, v.Samples = "restir", 1
	got := biasRun{least: 96, most: 96, b: want}
	got.render(t, func(seed int) *imageio.Image {
		v.Settings.Seed = seed
		return fx.RenderLive(v, 5, nil)
	})
	got.check(t, 0.002)
}

func checkMean(t *testing.T, row furnaceRow, what string, mean float64) {
	t.Helper()
	t.Logf("%s, %d bounces, %s: mean %.5f, want %.5f (%+.2f %%)", row.show, row.bounces, what, mean, row.want, 100*(mean/row.want-1))
	if !(math.Abs(mean/row.want-1) <= 0.002) {
		t.Errorf("%s, %d bounces, %s: mean %.5f, want %.5f within 0.2 %%", row.show, row.bounces, what, mean, row.want)
	}
}

// sunnySky is a blue sky with a sun of 2° over the left shoulder, in 128 × 64 texels.
func sunnySky() *gpuscene.Environment {
	const w, h = 128, 64
	sun := mgl32.Vec3{-0.5, 0.7, 0.5}.Normalize()
	e := &gpuscene.Environment{Width: w, Height: h}
	for y := range h {
		sin, cos := math.Sincos(math.Pi * (float64(y) + 0.5) / h)
		for x := range w {
			sinU, cosU := math.Sincos(2 * math.Pi * ((float64(x)+0.5)/w - 0.5))
			d := mgl32.Vec3{float32(sin * cosU), float32(cos), float32(sin * sinU)}
			c := mgl32.Vec3{0.3, 0.45, 0.8}.Mul(0.4 + 0.6*max(d[1], 0))
			c = c.Add(mgl32.Vec3{1, 0.9, 0.75}.Mul(400 * float32(math.Exp(800*float64(d.Dot(sun)-1)))))
			e.Pixels = append(e.Pixels, c[0], c[1], c[2])
		}
	}
	return e
}

// qualityRow is how many times nearer to the truth than plain path tracing a frame of reused light must be.
type qualityRow struct {
	scene             string
	env               *gpuscene.Environment
	first, rest, move float64 // first frame, frame 30 of a resting view, frame 30 of an orbit of 1° a frame
}

func qualityRows() []qualityRow {
	rows := []qualityRow{
		{"door-ajar", tracertest.Dark(), 2, 9.3, 4},
		{"open-environment", sunnySky(), 2, 3, 4},
	}
	if tracertest.Long() {
		rows = append(rows, qualityRow{"cornell", tracertest.Dark(), 2, 5, 4}, qualityRow{"pillars", tracertest.Dark(), 2, 4, 3.5})
	}
	return rows
}

// TestReuseQualityByScene compares single frames of indirect light, at one path a pixel, with plain path tracing.
func TestReuseQualityByScene(t *testing.T) {
	for _, row := range qualityRows() {
		t.Run(row.scene, func(t *testing.T) { row.check(t) })
	}
}

const qualityFrames = 30

func (row qualityRow) check(t *testing.T) {
	tracertest.Parallel(t)
	s := tracertest.Builtin(t, row.scene, builtin.Options{})
	v := tracertest.Shot{Camera: s.Cameras[0], Width: 128, Height: 128, Samples: 256,
		Settings: tracertest.Settings(func(o *settings.Settings) { o.Integrator, o.Show = "path", "indirect" })}
	seeds := 1
	if tracertest.Long() {
		v.Samples, seeds = 1<<14, 16
	}
	orbit := func(frame int) scene.Camera { return tracertest.Orbited(v.Camera, float64(frame-qualityFrames+1)) }
	fx := tracertest.OnFastest(t).Use(s, row.env)
	want := fx.Render(v)
	const single = 16 // runs of one frame: fireflies make them differ much
	path := errorOf(fx, v, want, single, 1, nil)
	v.Settings.Integrator = "restir-gi"
	for _, c := range []struct {
		what   string
		runs   int
		frames int
		camera func(int) scene.Camera
		least  float64
	}{
		{"first frame", single, 1, nil, row.first},
		{"resting", seeds, qualityFrames, nil, row.rest},
		{"moving", seeds, qualityFrames, orbit, row.move},
	} {
		reused := errorOf(fx, v, want, c.runs, c.frames, c.camera)
		factor := path.trimmed / reused.trimmed
		t.Logf("%s, %s: relMSE %.4f of path, %.4f reused: %.1f× (untrimmed %.1f×)",
			row.scene, c.what, path.trimmed, reused.trimmed, factor, path.whole/reused.whole)
		if factor < c.least {
			t.Errorf("%s, %s: %.1f× nearer to the truth than path, want %.1f×", row.scene, c.what, factor, c.least)
		}
	}
}

// frameError is relMSE without the worst 0.1 % of the pixels, and with them.
type frameError struct{ trimmed, whole float64 }

// errorOf is the mean error of the last of some frames over independent runs.
func errorOf(fx *tracertest.Fixture, s tracertest.Shot, want *imageio.Image, runs, frames int, camera func(int) scene.Camera) frameError {
	fx.T.Helper()
	var mean frameError
	for seed := range runs {
		s.Settings.Seed = 100 + seed
		img := fx.RenderLive(s, frames, camera)
		whole, err := metric.RelMSE(img, want)
		if err != nil {
			fx.T.Fatal(err)
		}
		trimmed, err := metric.TrimmedRelMSE(img, want, 0.001)
		if err != nil {
			fx.T.Fatal(err)
		}
		mean.trimmed += trimmed / float64(runs)
		mean.whole += whole / float64(runs)
	}
	return mean
}
