package integrator_test

import (
	"slices"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// agreementRuns is how many independent runs a side of an agreement has; naiveSeed keeps those of the naive side apart.
const (
	agreementRuns   = 64
	agreementSize   = 48 // pixels a side: 9 tiles
	agreementBounce = 6
	naiveSeed       = 1 << 20
)

// agreementRow is a scene on which every way of sampling must give the same picture. Samples are those of each run that
// give the test its power; 0 leaves a mode to the long version.
type agreementRow struct {
	scene     string
	fast      map[string]int // on the CPU
	long      map[string]int // with longZoom² paths in each
	reference int            // naive, with longZoom² paths in each
}

// longZoom makes an estimate's pictures big enough to fill a GPU; longSize and its zoom do so for the long version, whose 64
// tiles let the share of tiles beyond 3 standard errors mean something.
const (
	longZoom     = 16
	longSize     = 128
	longSizeZoom = 6
)

func agreementRows() []agreementRow {
	return []agreementRow{
		{scene: "cornell", fast: map[string]int{"mis": 18, "light": 18},
			long: map[string]int{"mis": 4, "light": 4, "bsdf": 16}, reference: 32},
		{scene: "cornell-glossy", fast: map[string]int{"mis": 28},
			long: map[string]int{"mis": 4, "light": 4, "bsdf": 16}, reference: 32},
		{scene: "spheres", fast: map[string]int{"mis": 16},
			long: map[string]int{"mis": 4, "light": 4, "bsdf": 8}, reference: 32},
		{scene: "chess", fast: map[string]int{"mis": 15},
			long: map[string]int{"mis": 24, "light": 16, "bsdf": 16}, reference: 32},
	}
}

// agreementShot is what all sides of an agreement render.
func (row agreementRow) shot(t *testing.T, fx *tracertest.Fixture, change func(*settings.Settings)) tracertest.Shot {
	s := tracertest.Builtin(t, row.scene, builtin.Options{})
	fx.Use(s, tracertest.Dark())
	own := tracertest.Settings(func(s *settings.Settings) { s.Bounces = agreementBounce })
	change(&own)
	return tracertest.Shot{Camera: s.Cameras[0], Width: agreementSize, Height: agreementSize, Settings: own}
}

// TestSamplingAgreesWithNaive compares light transport by next-event estimation with the committed estimates of paths that
// find lights by chance.
func TestSamplingAgreesWithNaive(t *testing.T) {
	for _, row := range agreementRows() {
		reference := readEstimate(t, "naive", row.scene)
		for sampling, samples := range row.fast {
			t.Run(row.scene+"/"+sampling, func(t *testing.T) {
				tracertest.Parallel(t)
				fx := tracertest.OnCPU(t)
				s := row.shot(t, fx, func(s *settings.Settings) { s.Sampling = sampling })
				s.Samples = samples
				known := &tracertest.Side{}
				if err := known.Know(reference); err != nil {
					t.Fatal(err)
				}
				agree(t, fx.RenderSeeds(s, agreementRuns, 1), known)
			})
		}
	}
}

// TestSamplingAgreesAtLength renders both sides anew, in all modes: a minute on a GPU, hours on a CPU.
func TestSamplingAgreesAtLength(t *testing.T) {
	if !tracertest.Long() {
		t.Skip("the full version runs with GLINT_LONG=1 (and -timeout 12h without a GPU)")
	}
	for _, row := range agreementRows() {
		naive := row.naive(t, tracertest.OnFastest(t), longSize, longSizeZoom)
		for sampling, samples := range row.long {
			t.Run(row.scene+"/"+sampling, func(t *testing.T) {
				fx := tracertest.OnFastest(t)
				s := row.shot(t, fx, func(s *settings.Settings) { s.Sampling = sampling })
				s.Samples, s.Width, s.Height, s.Zoom = samples, longSize, longSize, longSizeZoom
				agree(t, fx.RenderSeeds(s, agreementRuns, 1), naive)
			})
		}
	}
}

// naive is the side that finds lights by chance and plays no roulette.
func (row agreementRow) naive(t *testing.T, fx *tracertest.Fixture, size, zoom int) *tracertest.Side {
	s := row.shot(t, fx, func(s *settings.Settings) { s.Integrator, s.Roulette = "naive", false })
	s.Samples, s.Width, s.Height, s.Zoom = row.reference, size, size, zoom
	return fx.RenderSide(s, agreementRuns, naiveSeed)
}

// TestBSDFSamplingIsNaive: where no light is a point, sampling bsdf makes the very paths that naive makes.
func TestBSDFSamplingIsNaive(t *testing.T) {
	for _, row := range agreementRows() {
		fx := tracertest.OnCPU(t)
		var images []*imageio.Image
		for _, change := range []func(*settings.Settings){
			func(s *settings.Settings) { s.Integrator = "naive" },
			func(s *settings.Settings) { s.Sampling = "bsdf" },
		} {
			s := row.shot(t, fx, change)
			s.Samples = 4
			images = append(images, fx.Render(s))
		}
		if !slices.Equal(images[0].Pix, images[1].Pix) {
			t.Errorf("%s: sampling bsdf differs from naive", row.scene)
		}
	}
}

// TestRouletteAgrees: roulette may change noise, never the mean.
func TestRouletteAgrees(t *testing.T) {
	fx := tracertest.OnBestBackend(t)
	s := agreementRow{scene: "cornell-sphere-light"}.shot(t, fx, func(s *settings.Settings) {
		s.Bounces, s.RouletteMinDepth = 12, 1
	})
	s.Width, s.Height, s.Samples = 32, 32, 38
	if tracertest.Long() {
		s.Samples *= 8
	}
	on := fx.RenderSeeds(s, agreementRuns, 1)
	s.Settings.Roulette = false
	agree(t, on, fx.RenderSide(s, agreementRuns, naiveSeed))
}

// agree fails the test unless the pictures estimate what side b does, and unless pictures 1 % too bright are told apart.
func agree(t *testing.T, images []*imageio.Image, b *tracertest.Side) {
	t.Helper()
	result := compare(t, images, b, 1)
	t.Logf("max z %.2f, global difference %.3f %%, standard error %.3f %% of the image, %.3f %% of a tile",
		result.MaxZ, 100*result.GlobalRelativeDifference, 100*result.ImageStandardError, 100*result.TileStandardError)
	if err := result.Check(); err != nil {
		t.Error(err)
	}
	if compare(t, images, b, 1.01).Check() == nil {
		t.Error("a light that is 1 % too strong on one side went unnoticed")
	}
}

// integratorsAgree tests that integrators estimate what paths do that find lights by chance, which have twice the samples. Open gives
// the scene to a device of its own.
func integratorsAgree(t *testing.T, shot tracertest.Shot, open func(t *testing.T) *tracertest.Fixture, integrators ...string) {
	t.Helper()
	chance := shot
	chance.Settings.Integrator, chance.Settings.Roulette, chance.Samples = "naive", false, 2*shot.Samples
	want := open(t).RenderSide(chance, agreementRuns, naiveSeed)
	shot.Settings.RestirRadius = tracertest.ReuseRadius(3, shot.Height)
	for _, integrator := range integrators {
		t.Run(integrator, func(t *testing.T) {
			tracertest.Parallel(t)
			shot := shot
			shot.Settings.Integrator = integrator
			agree(t, open(t).RenderSeeds(shot, agreementRuns, 1), want)
		})
	}
}

// enginesAgree tests that all engines give the same picture.
func enginesAgree(t *testing.T, shot tracertest.Shot, open func(t *testing.T) *tracertest.Fixture, integrators ...string) {
	t.Helper()
	fx := open(t)
	for _, integrator := range integrators {
		shot.Settings.Integrator = integrator
		for _, engine := range othersThanMegakernel(fx, shot) {
			t.Errorf("%s: %s gives another picture than the megakernel", integrator, engine)
		}
	}
}

func compare(t *testing.T, images []*imageio.Image, b *tracertest.Side, scale float32) tracertest.Result {
	t.Helper()
	agreement := tracertest.Agreement{B: *b}
	for _, img := range images {
		scaled := *img
		scaled.Pix = slices.Clone(img.Pix)
		for i := range scaled.Pix {
			scaled.Pix[i] *= scale
		}
		if err := agreement.A.Add(&scaled); err != nil {
			t.Fatal(err)
		}
	}
	result, err := agreement.Result()
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestBackendsAgreeAtDepth: rounding grows along a path, so deep paths agree as estimates do.
func TestBackendsAgreeAtDepth(t *testing.T) {
	for _, row := range agreementRows() {
		t.Run(row.scene, func(t *testing.T) {
			cpu, gpu := tracertest.OnBothBackends(t)
			deep := func(s *settings.Settings) { s.Bounces = 16 }
			s := row.shot(t, cpu, deep)
			row.shot(t, gpu, deep)
			s.Samples = 2 * row.fast["mis"]
			images := cpu.RenderSeeds(s, agreementRuns, 1)
			s.Samples, s.Zoom = row.long["mis"], longZoom
			agree(t, images, gpu.RenderSide(s, agreementRuns, naiveSeed))
		})
	}
}
