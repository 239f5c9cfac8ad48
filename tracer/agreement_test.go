package tracer_test

import (
	"slices"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/settings"
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
		{scene: "cornell", fast: map[string]int{"mis": 24, "light": 24},
			long: map[string]int{"mis": 4, "light": 4, "bsdf": 16}, reference: 32},
		{scene: "cornell-glossy", fast: map[string]int{"mis": 28},
			long: map[string]int{"mis": 4, "light": 4, "bsdf": 16}, reference: 32},
		{scene: "spheres", fast: map[string]int{"mis": 24},
			long: map[string]int{"mis": 4, "light": 4, "bsdf": 8}, reference: 32},
		{scene: "chess", fast: map[string]int{"mis": 24},
			long: map[string]int{"mis": 24, "light": 16, "bsdf": 16}, reference: 32},
	}
}

// agreementShot is what all sides of an agreement render.
func (row agreementRow) shot(t *testing.T, st *studio, change func(*settings.Settings)) shot {
	s := made(t, row.scene, builtin.Options{})
	st.use(s, dark())
	own := changed(func(s *settings.Settings) { s.Bounces = agreementBounce })
	change(&own)
	return shot{camera: s.Cameras[0], width: agreementSize, height: agreementSize, settings: own}
}

// TestSamplingAgreesWithNaive compares light transport by next-event estimation with the committed estimates of paths that
// find lights by chance.
func TestSamplingAgreesWithNaive(t *testing.T) {
	for _, row := range agreementRows() {
		reference := readEstimate(t, "naive", row.scene)
		for sampling, samples := range row.fast {
			t.Run(row.scene+"/"+sampling, func(t *testing.T) {
				st := onCPU(t)
				s := row.shot(t, st, func(s *settings.Settings) { s.Sampling = sampling })
				s.samples = samples
				known := &metric.Side{}
				if err := known.Know(reference); err != nil {
					t.Fatal(err)
				}
				agree(t, st.images(s, agreementRuns, 1), known)
			})
		}
	}
}

// TestSamplingAgreesAtLength renders both sides anew, in all modes: a minute on a GPU, hours on a CPU.
func TestSamplingAgreesAtLength(t *testing.T) {
	if !long() {
		t.Skip("the full version runs with GLINT_LONG=1 (and -timeout 12h without a GPU)")
	}
	for _, row := range agreementRows() {
		naive := row.naive(t, onFastest(t), longSize, longSizeZoom)
		for sampling, samples := range row.long {
			t.Run(row.scene+"/"+sampling, func(t *testing.T) {
				st := onFastest(t)
				s := row.shot(t, st, func(s *settings.Settings) { s.Sampling = sampling })
				s.samples, s.width, s.height, s.zoom = samples, longSize, longSize, longSizeZoom
				agree(t, st.images(s, agreementRuns, 1), naive)
			})
		}
	}
}

// naive is the side that finds lights by chance and plays no roulette.
func (row agreementRow) naive(t *testing.T, st *studio, size, zoom int) *metric.Side {
	s := row.shot(t, st, func(s *settings.Settings) { s.Integrator, s.Roulette = "naive", false })
	s.samples, s.width, s.height, s.zoom = row.reference, size, size, zoom
	return st.runs(s, agreementRuns, naiveSeed)
}

// TestBSDFSamplingIsNaive: where no light is a point, sampling bsdf makes the very paths that naive makes.
func TestBSDFSamplingIsNaive(t *testing.T) {
	for _, row := range agreementRows() {
		st := onCPU(t)
		var images []*imageio.Image
		for _, change := range []func(*settings.Settings){
			func(s *settings.Settings) { s.Integrator = "naive" },
			func(s *settings.Settings) { s.Sampling = "bsdf" },
		} {
			s := row.shot(t, st, change)
			s.samples = 4
			images = append(images, st.take(s))
		}
		if !slices.Equal(images[0].Pix, images[1].Pix) {
			t.Errorf("%s: sampling bsdf differs from naive", row.scene)
		}
	}
}

// TestRouletteAgrees: roulette may change noise, never the mean.
func TestRouletteAgrees(t *testing.T) {
	st := onBest(t)
	s := agreementRow{scene: "cornell-sphere-light"}.shot(t, st, func(s *settings.Settings) {
		s.Bounces, s.RouletteMinDepth = 12, 1
	})
	s.width, s.height, s.samples = 32, 32, 48
	if long() {
		s.samples *= 8
	}
	on := st.images(s, agreementRuns, 1)
	s.settings.Roulette = false
	agree(t, on, st.runs(s, agreementRuns, naiveSeed))
}

// images are n independent renderings of a shot; their seeds begin at seed.
func (st *studio) images(s shot, n, seed int) []*imageio.Image {
	st.t.Helper()
	var images []*imageio.Image
	for i := range n {
		s.settings.Seed = seed + i
		images = append(images, st.take(s))
	}
	return images
}

// agree fails the test unless the pictures estimate what side b does, and unless pictures 1 % too bright are told apart.
func agree(t *testing.T, images []*imageio.Image, b *metric.Side) {
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

func compare(t *testing.T, images []*imageio.Image, b *metric.Side, scale float32) metric.Result {
	t.Helper()
	agreement := metric.Agreement{B: *b}
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
