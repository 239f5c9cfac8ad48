package denoise_test

import (
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// trusting renders a scene and gives, of each pixel that has light, the trust map, the error of the denoised image relative to many
// samples, and how bright it is.
func trusting(t *testing.T, name, denoiser string, samples int, want *imageio.Image) (trust []float32, errors, light []float64) {
	s := tracertest.Builtin(t, name, builtin.Options{})
	fx := tracertest.OnCPU(t).Use(s, tracertest.Dark())
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: want.Width, Height: want.Height}, Layers: true}
	set := filtering(func(s *settings.Settings) { s.Denoise = denoiser })
	for range samples {
		fx.Frame(v, set, view.Target{})
	}
	layer, err := fx.Renderer.Image().ErrorMap(v, set)
	if err != nil {
		t.Fatal(err)
	}
	denoised, err := fx.Renderer.Image().Denoised(v, set)
	if err != nil {
		t.Fatal(err)
	}
	for i := range layer.Pix {
		var e, sum float64
		for c := range 3 {
			a, b := float64(denoised.Pix[3*i+c]), float64(want.Pix[3*i+c])
			e, sum = e+math.Abs(a-b), sum+a+b+0.02
		}
		if sum > 0.03 {
			trust, errors, light = append(trust, layer.Pix[i]), append(errors, e/sum), append(light, sum)
		}
	}
	return trust, errors, light
}

// manySamples is what trusting compares with.
func manySamples(t *testing.T, name string, width, height, samples int) *imageio.Image {
	s := tracertest.Builtin(t, name, builtin.Options{})
	return tracertest.OnCPU(t).Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: s.Cameras[0], Width: width, Height: height, Samples: samples,
		Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Seed = "path", 99 })})
}

// ranks are the places of values in their order.
func ranks[T float32 | float64](values []T) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	out := make([]float64, len(values))
	for place, i := range order {
		out[i] = float64(place)
	}
	return out
}

// correlation of ranks (Spearman 1904), for values that are all different.
func correlation(a, b []float64) float64 {
	sum, n := 0.0, float64(len(a))
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return 1 - 6*sum/(n*(n*n-1))
}

// TestTrustFollowsTheError: where the halves disagree the denoised image is wrong, and that says more than where it is bright or
// dark. Not so in door-ajar: light that neither half has found is missing from both, so what is said of it is only logged.
func TestTrustFollowsTheError(t *testing.T) {
	references := map[string]*imageio.Image{"cornell-glossy": manySamples(t, "cornell-glossy", 120, 90, 256)}
	if tracertest.Long() {
		references["mixed-reflection"], references["door-ajar"] = manySamples(t, "mixed-reflection", 160, 120, 256), manySamples(t, "door-ajar", 160, 120, 2048)
	}
	denoisers(t, func(t *testing.T, denoiser string) {
		for name, reference := range references {
			trust, errors, light := trusting(t, name, denoiser, 16, reference)
			got := correlation(ranks(trust), ranks(errors))
			idle := math.Abs(correlation(ranks(light), ranks(errors)))
			t.Logf("%s: correlation of ranks %.2f; of brightness %.2f", name, got, idle)
			if name != "door-ajar" && got < max(0.3, idle+0.1) {
				t.Errorf("%s: the trust map and the error correlate by %.2f, want 0.3 and more than brightness with its %.2f", name, got, idle)
			}
		}
	})
}

// TestTrustOfFilteredHalves: the filter knows how noisy halves are, and filters them as it does images of so many samples. The map is then
// about as large as the error. Of halves that were hardly filtered it would be 2.8 times that.
func TestTrustOfFilteredHalves(t *testing.T) {
	trust, errors, _ := trusting(t, "cornell", "atrous", 16, manySamples(t, "cornell", 80, 60, 256))
	var told, sum float64
	for i := range errors {
		told, sum = told+float64(trust[i]), sum+errors[i]
	}
	t.Logf("the trust map is %.2f times the error", told/sum)
	if ratio := told / sum; ratio < 0.5 || ratio > 2 {
		t.Errorf("the trust map is %.2f times the error, want 0.5 to 2", ratio)
	}
}

// TestTrustOfEqualHalves: where samples do not differ there is nothing to distrust, and a planted difference shows where it is.
func TestTrustOfEqualHalves(t *testing.T) { denoisers(t, checkEqualHalves) }

func checkEqualHalves(t *testing.T, denoiser string) {
	t.Helper()
	d := tracertest.NewDevice()
	fx := d.Open(t)
	v := tracertest.EmptySky(fx, 64, 64)
	v.Layers = true
	set := filtering(func(s *settings.Settings) { s.Denoise = denoiser })
	for range 4 {
		fx.Frame(v, set, view.Target{})
	}
	even, err := fx.Renderer.Image().ErrorMap(v, set)
	if err != nil {
		t.Fatal(err)
	}
	if worst := slices.Max(even.Pix); worst > 1e-6 {
		t.Errorf("equal halves are %v apart", worst)
	}
	plantHalf(t, d, 64, 16, 16, 24, 24, 3)
	for range 4 { // the map is made of what there is: let it be made anew
		fx.Frame(v, set, view.Target{})
	}
	apart, err := fx.Renderer.Image().ErrorMap(v, set)
	if err != nil {
		t.Fatal(err)
	}
	inside, outside := apart.Pix[28*64+28], apart.Pix[56*64+56]
	if inside < 0.1 || outside > 0.01 {
		t.Errorf("where halves differ the map is %v, elsewhere %v", inside, outside)
	}
}

// halvesOf is where the half images of the error map are.
func halvesOf(d *tracertest.Device) uint64 {
	return d.FrameOf(cuda.AccumulateHalves).ErrorMap.Halves
}

// plantHalf multiplies what the first half of the samples has in a rectangle of an image so many pixels wide.
func plantHalf(t testing.TB, d *tracertest.Device, across, x0, y0, width, height int, by float32) {
	t.Helper()
	planes := tracertest.ReadBuffer[[4]float32](t, d, halvesOf(d))
	for y := y0; y < y0+height; y++ {
		for x := x0; x < x0+width; x++ {
			for c := range 3 {
				planes[y*across+x][c] *= by
			}
		}
	}
	tracertest.WriteBuffer(t, d, halvesOf(d), planes)
}

// TestTrustViewInTheBackground: a live view on a CPU gets its map without being kept waiting, and another view begins anew.
func TestTrustViewInTheBackground(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(s, tracertest.Dark())
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 64, Height: 48}, Live: true, Budget: 5 * time.Millisecond}
	set := tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.AOVView = "path", "trust" })
	stats := until(t, fx, v, set, func(s view.Stats) bool { return s.ErrorMapSamples >= 4 })
	if stats.DenoiseError != nil {
		t.Errorf("no map: %v", stats.DenoiseError)
	}
	filtered := set
	filtered.Denoise = "atrous"
	until(t, fx, v, filtered, func(s view.Stats) bool { return s.ErrorMapBy == "atrous" })
	late := set // a view that begins late waits until there are two halves
	late.AOVView = "off"
	fx.Frame(v, late, view.Target{})
	if stats = fx.Frame(v, set, view.Target{}); stats.ErrorMapSamples > 2 {
		t.Errorf("a map of %d samples in the first call that asks for one", stats.ErrorMapSamples)
	}
	v.Camera.Eye[0] += 0.1
	if stats = fx.Frame(v, set, view.Target{}); stats.ErrorMapSamples != 0 {
		t.Errorf("a view that has begun anew has a map of %d samples", stats.ErrorMapSamples)
	}
	set.AOVView = "off"
	fx.Frame(v, set, view.Target{})
	v.Budget = 0
	fx.Frame(v, set, view.Target{})
	never := fx.Twin(profile.Policy{})
	never.Frame(v, set, view.Target{})
	if held, want := fx.Statistics().Memory.Denoiser, never.Statistics().Memory.Denoiser; held != want {
		t.Errorf("%d bytes are kept for a map that nobody asks for", held-want)
	}
}

// TestTrustBeginsAfterSettling: frames that replace each other are in no half, and there is no map of them.
func TestTrustBeginsAfterSettling(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(s, tracertest.Dark())
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 32, Height: 24}, Live: true}
	set := tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.AOVView, s.RestirSettle = "restir-gi", "trust", 4 })
	for frame := 1; frame <= 8; frame++ {
		trusted := fx.Frame(v, set, view.Target{}).ErrorMapSamples
		if frame <= 5 && trusted != 0 || frame == 8 && trusted < 2 {
			t.Errorf("frame %d has a map of %d samples", frame, trusted)
		}
	}
}

// TestTrustBegunUnderWay: where a map is first asked for in the middle of a sample, which a budget of time has cut, both halves
// have as many samples, in every pixel.
func TestTrustBegunUnderWay(t *testing.T) {
	d := tracertest.NewDevice()
	fx := d.Open(t)
	v := tracertest.EmptySky(fx, 128, 96)
	set := tracertest.Settings(func(s *settings.Settings) { s.Integrator = "path" })
	for range 5 {
		fx.Frame(v, set, view.Target{})
	}
	v.Live, v.Budget = true, 1
	for range 3 { // cuts the sixth sample
		fx.Frame(v, set, view.Target{})
	}
	set.AOVView = "trust"
	for v.Budget = 0; fx.Frame(v, set, view.Target{}).ErrorMapSamples == 0; {
	}
	var counts []float32 // of one half, then of the other
	for _, sum := range tracertest.ReadBuffer[[4]float32](t, d, halvesOf(d))[:2*128*96] {
		counts = append(counts, sum[3])
	}
	if slices.Min(counts) != 1 || slices.Max(counts) != 1 {
		t.Errorf("the halves have %v to %v samples, want 1", slices.Min(counts), slices.Max(counts))
	}
}

// TestHalvesOfALateMap: halves that begin with an odd sample are told their own number of samples, and noise by the samples since moments
// have been kept.
func TestHalvesOfALateMap(t *testing.T) {
	d := tracertest.NewDevice()
	fx := d.Open(t)
	v := tracertest.EmptySky(fx, 16, 16)
	set := filtering(func(s *settings.Settings) { s.Denoise = "off" })
	fx.Frame(v, set, view.Target{})
	fx.Frame(v, set, view.Target{})
	set.Denoise, v.Layers = "atrous", true
	for range 16 { // of which the first is in no half
		fx.Frame(v, set, view.Target{})
	}
	if _, err := fx.Renderer.Image().ErrorMap(v, set); err != nil {
		t.Fatal(err)
	}
	f := d.FrameOf(cuda.AtrousDemodulate) // of the half that comes last
	sum := tracertest.ReadBuffer[[4]float32](t, d, halvesOf(d))[cuda.HalfOdd*16*16]
	if f.Denoise.ImageSamples != 8 || sum[3] != 8 {
		t.Errorf("the odd half is told to be of %v samples, and has %v, want 8", f.Denoise.ImageSamples, sum[3])
	}
	if f.Film.MomentsSince != 2 || f.Denoise.MomentImages != 16 {
		t.Errorf("moments are told to be of %v samples, since %v, want 16 since 2", f.Denoise.MomentImages, f.Film.MomentsSince)
	}
}

// TestNobodyWaitsForHalves: while a job denoises them, a window is resized and the view left at once. What the job works on stays till it
// ends, and nothing after.
func TestNobodyWaitsForHalves(t *testing.T) {
	d, fx, v, held := accounted(t)
	off := filtering(func(s *settings.Settings) { s.Denoise = "off" })
	on := tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Denoise, s.AOVView = "path", "atrous", "trust" })
	fx.Frame(v, off, view.Target{})
	plain := held()
	d.Gate.Lock()
	end := sync.OnceFunc(d.Gate.Unlock)
	until(t, fx, v, on, func(view.Stats) bool { return d.Waiting() })
	v.Unseen = true // no other job
	watchdog := time.AfterFunc(time.Minute, func() {
		t.Error("somebody waits for the job")
		end()
	})
	defer watchdog.Stop()
	large := v
	for range 3 {
		v.Width--
		fx.Frame(v, on, view.Target{})
	}
	fx.Frame(large, off, view.Target{})
	if held() <= plain {
		t.Error("what a job works on has been given back")
	}
	end()
	for deadline := time.Now().Add(time.Minute); held() != plain && time.Now().Before(deadline); {
		fx.Frame(large, off, view.Target{})
	}
	if held() != plain {
		t.Errorf("%d bytes are held once the job has ended", held()-plain)
	}
}

// TestMomentsOfAReplacedImage: denoising begins while a view settles. Then a sample replaces what shortcuts have made, and moments are of
// the image again.
func TestMomentsOfAReplacedImage(t *testing.T) {
	d := tracertest.NewDevice()
	fx := d.Open(t)
	v := tracertest.EmptySky(fx, 16, 16)
	v.Live = true
	set := filtering(func(s *settings.Settings) { s.Integrator, s.RestirMode, s.Denoise = "restir", "interactive", "off" })
	for range 12 {
		fx.Frame(v, set, view.Target{})
		set.Denoise = "atrous"
	}
	if f := d.FrameOf(cuda.AtrousDemodulate); f.Film.MomentsSince != 0 || f.Denoise.MomentImages != f.Denoise.ImageSamples {
		t.Errorf("moments are told to be of %v samples of %v, since %v", f.Denoise.MomentImages, f.Denoise.ImageSamples, f.Film.MomentsSince)
	}
}
