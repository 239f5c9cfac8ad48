package integrator_test

import (
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// biasRow is a scene on which no way of sharing samples may move the mean.
type biasRow struct {
	scene string
	env   func() *gpuscene.Environment
	all   bool // direct light is looked at, too, and shared: the integrator restir
	// exact is the radiance of every pixel where it is known; else path tracing says what is right.
	exact float64
	// runs of each case in the fast version. Where they are too few for the power that tracertest.Agreement wants, coarse is
	// the standard error of the image that they must reach instead, as a share of the mean.
	runs   map[string]int
	coarse float64
	zoom   int // in the full version
}

func biasRows() []biasRow {
	// History of restir-gi is held to its mean on two scenes in the fast version, that of restir on four.
	few := map[string]int{"B2 spatial": 192}
	cornell, sphere := map[string]int{"B2 spatial": 160, "B4 both": 128}, map[string]int{"B2 spatial": 64, "B4 both": 64}
	if tracertest.Long() {
		const some = 1 // any but 0: the full version has its own number
		few["B3 temporal"], few["B4 both"] = some, some
		cornell["B1 initial"], cornell["B3 temporal"], sphere["B3 temporal"] = some, some, some
	}
	rows := []biasRow{
		{scene: "cornell", env: tracertest.Dark, zoom: 1, runs: cornell, coarse: 0.002},
		{scene: "emissive-sphere", env: tracertest.Dark, exact: 0.4375, zoom: 1, runs: sphere},
		{scene: "door-ajar", env: tracertest.Dark, zoom: 2, runs: few, coarse: 0.008},
		{scene: "cornell-glossy", env: tracertest.Dark, zoom: 2, runs: few, coarse: 0.008},
		{scene: "spheres", env: tracertest.Dark, zoom: 2, runs: few, coarse: 0.006},
		{scene: "chess", env: sunnySky, zoom: 2, runs: few, coarse: 0.005},
	}
	rows = append(rows,
		biasRow{scene: "cornell", all: true, env: tracertest.Dark, zoom: 1,
			runs: map[string]int{"B1 initial": 64, "B4 both": 64, "three paths, both": 48}, coarse: 0.003},
		biasRow{scene: "cornell-glossy", all: true, env: tracertest.Dark, zoom: 2, runs: map[string]int{"B4 both": 104}, coarse: 0.003},
		biasRow{scene: "chess", all: true, env: sunnySky, zoom: 2, runs: map[string]int{"B4 both": 48, "three paths": 48}, coarse: 0.004},
		biasRow{scene: "glass-chain", all: true, env: tracertest.Dark, zoom: 2, runs: map[string]int{"three paths": 48}, coarse: 0.01},
	)
	if tracertest.Long() {
		rows = append(rows, biasRow{scene: "mixed-reflection", all: true, env: tracertest.Dark, zoom: 2, runs: few},
			biasRow{scene: "many-spots", all: true, env: tracertest.Dark, zoom: 2, runs: few},
			biasRow{scene: "thousand-lamps", all: true, env: tracertest.Dark, zoom: 2, runs: few})
		rows = append(rows, biasRow{scene: "mixed-reflection", env: tracertest.Dark, zoom: 2, runs: few})
	}
	return rows
}

// reuseCase is one way of resampling that must not change the mean (B1 to B4 of docs/restir.md). On scenes with coats
// and metals B4 is B5, too: what the coat over x2 lets through is an approximation whose bias it bounds.
type reuseCase struct {
	name     string
	temporal bool
	change   func(*settings.Settings)
	paths    int // of a frame, which are shared at once; 0 is 1
}

func reuseCases() []reuseCase {
	return []reuseCase{
		{"B1 initial", false, func(s *settings.Settings) { s.RestirSpatial = false }, 0},
		{"B2 spatial", false, func(*settings.Settings) {}, 0},
		{"B3 temporal", true, func(s *settings.Settings) { s.RestirSpatial = false }, 0},
		{"B4 both", true, func(*settings.Settings) {}, 0},
		{"three paths", false, func(s *settings.Settings) { s.RestirSpatial = false }, 3},
		{"three paths, both", true, func(*settings.Settings) {}, 3},
	}
}

// liveFrames of a run with history: some to warm up, and the one to look at.
func liveFrames() int {
	if tracertest.Long() {
		return 9
	}
	return 5
}

// biasSide is the width and height of the pictures that bias is looked for in, pixels, before zoom.
func biasSide() int {
	if tracertest.Long() {
		return 256
	}
	return 64
}

// indirectShot is a small picture of light that was scattered twice or more.
func indirectShot(s *scene.Scene) tracertest.Shot {
	return tracertest.Shot{Camera: s.DefaultCamera(1), Width: 64, Height: 64, Samples: 64,
		Settings: tracertest.Settings(func(o *settings.Settings) { o.Bounces, o.Show = 4, "indirect" })}
}

func (row biasRow) name() string {
	if row.all {
		return row.scene + ", all light"
	}
	return row.scene
}

// shot of the row; neighbours are looked for 6 pixels around, however small the picture.
func (row biasRow) shot(s *scene.Scene) tracertest.Shot {
	v := indirectShot(s)
	v.Settings.Integrator = "restir-gi"
	if row.all {
		v.Settings.Integrator, v.Settings.Show = "restir", "all"
	}
	v.Width, v.Height = biasSide(), biasSide()
	if tracertest.Long() {
		v.Zoom = row.zoom
	}
	v.Settings.RestirRadius = tracertest.ReuseRadius(6, biasSide())
	return v
}

// reference is what is right: 64 runs of path tracing.
func (row biasRow) reference(t *testing.T, fx *tracertest.Fixture, v tracertest.Shot) *tracertest.Side {
	side := &tracertest.Side{}
	known := func(e tracertest.Estimate) {
		if err := side.Know(e); err != nil {
			t.Fatal(err)
		}
	}
	switch {
	case row.exact > 0 && !tracertest.Long(): // in full the test sees the 0.04 % that facets under smooth normals take from every integrator
		known(tracertest.ConstantEstimate(v.Width, v.Height, [3]float64{row.exact, row.exact, row.exact}))
	case tracertest.Long():
		v.Settings.Integrator = "path"
		return fx.RenderSide(forReference(v), agreementRuns, naiveSeed)
	case row.all:
		v.Samples, v.Settings.Integrator = 8, "path"
		return fx.RenderSide(v, agreementRuns, naiveSeed)
	default:
		known(readEstimate(t, "path", row.scene))
	}
	return side
}

// forReference is the shot as the full version path-traces it: 64 runs of it have 16,384 samples a pixel.
func forReference(s tracertest.Shot) tracertest.Shot {
	s.Samples, s.Zoom = 16, 4
	return s
}

// Resampling must leave the mean of independent runs where plain path tracing has it.
func TestReuseIsUnbiased(t *testing.T) {
	for _, row := range biasRows() {
		t.Run(row.name(), func(t *testing.T) {
			tracertest.Parallel(t)
			s := tracertest.Builtin(t, row.scene, builtin.Options{})
			v := row.shot(s)
			fx := tracertest.OnFastest(t).Use(s, row.env())
			want := row.reference(t, fx, v)
			for _, c := range reuseCases() {
				if row.runs[c.name] == 0 {
					continue
				}
				t.Run(c.name, func(t *testing.T) { row.check(t, c, s, v, want) })
			}
		})
	}
}

func (row biasRow) check(t *testing.T, c reuseCase, s *scene.Scene, v tracertest.Shot, want *tracertest.Side) {
	c.change(&v.Settings)
	fx := tracertest.OnFastest(t).Use(s, row.env())
	got := biasRun{least: row.runs[c.name], most: row.runs[c.name], b: want}
	v.Samples, v.Paths, v.Settings.RestirPaths = max(c.paths, 1), c.paths, max(c.paths, 1)
	if tracertest.Long() {
		got = longRuns(want)
	}
	got.render(t, func(seed int) *imageio.Image {
		v.Settings.Seed = seed
		if !c.temporal {
			return fx.Render(v)
		}
		return fx.RenderLive(v, liveFrames(), nil)
	})
	got.check(t, row.coarse)
}

// Scenes that the algorithm was not tuned on, each with something of its own: a sun, lamps without number, spots, chains of glass, metal
// of all widths, a polished floor. With all that is shared, the mean of the image is known to a thousandth. Minutes on a GPU.
func TestReuseIsUnbiasedAtLarge(t *testing.T) {
	if !tracertest.Long() {
		t.Skip("the full version runs with GLINT_LONG=1")
	}
	for _, row := range []biasRow{
		{scene: "sun-and-sky", env: sunnySky}, {scene: "thousand-lamps", env: tracertest.Dark}, {scene: "many-spots", env: tracertest.Dark},
		{scene: "glass-chain", env: tracertest.Dark}, {scene: "glossy-room", env: tracertest.Dark}, {scene: "smooth-coat-floor", env: tracertest.Dark},
	} {
		t.Run(row.scene, func(t *testing.T) {
			row.all, row.zoom = true, 2
			s := tracertest.Builtin(t, row.scene, builtin.Options{})
			v := row.shot(s)
			v.Samples = 1
			want := row.reference(t, tracertest.OnFastest(t).Use(s, row.env()), v)
			for _, c := range reuseCases() {
				if c.paths > 0 {
					continue
				}
				t.Run(c.name, func(t *testing.T) {
					v, fx := v, tracertest.OnFastest(t).Use(s, row.env())
					c.change(&v.Settings)
					atLarge(t, want, func(seed int) *imageio.Image {
						v.Settings.Seed = seed
						if !c.temporal {
							return fx.Render(v)
						}
						return fx.RenderLive(v, liveFrames(), nil)
					})
				})
			}
		})
	}
}

// atLarge makes runs until the mean of the image is known to a thousandth, and looks for what is wrong with it.
func atLarge(t *testing.T, want *tracertest.Side, run func(seed int) *imageio.Image) {
	const least, most, enough = 256, 1024, 0.001
	got := biasRun{b: want}
	for seed := 1; seed <= most; seed++ {
		if err := got.a.Add(run(seed)); err != nil {
			t.Fatal(err)
		}
		if seed >= least && seed%64 == 0 && got.result(t).ImageStandardError <= enough {
			break
		}
	}
	r := got.result(t)
	t.Logf("%d runs: max z %.2f, %.1f %% of tiles beyond 3, difference %.3f %%; standard error %.3f %% of the image, %.3f %% of a tile", r.RunsA,
		r.MaxZ, 100*r.ShareBeyond3, 100*r.GlobalRelativeDifference, 100*r.ImageStandardError, 100*r.TileStandardError)
	if r.ImageStandardError > enough {
		t.Errorf("the image's standard error is %.4f after %d runs, want %.4f", r.ImageStandardError, r.RunsA, enough)
	}
	if r.MaxZ > 5.4 || r.GlobalRelativeDifference > 4*r.ImageStandardError {
		t.Error("reuse shifts the mean")
	}
}

// The demonstration mode 1/M is biased, and the test must see it.
func TestNaiveWeightsAreCaught(t *testing.T) {
	row := biasRows()[0]
	s := tracertest.Builtin(t, row.scene, builtin.Options{})
	v := row.shot(s)
	fx := tracertest.OnFastest(t).Use(s, row.env())
	got := biasRun{least: 64, most: 64, b: row.reference(t, fx, v)}
	v.Settings.RestirMIS = "naive"
	got.render(t, func(seed int) *imageio.Image {
		v.Settings.Seed = seed
		return fx.RenderLive(v, liveFrames(), nil)
	})
	r := got.result(t)
	t.Logf("max z %.1f, difference %.2f %%", r.MaxZ, 100*r.GlobalRelativeDifference)
	if r.MaxZ < 10 {
		t.Errorf("weights of 1/M pass with max z of %.1f: the test is blind", r.MaxZ)
	}
}
