package replay_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"glint/cuda"
	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

const (
	width, height = 48, 36
	pixels        = 100 // of each picture
)

// scenes have what a path may meet: glass, panes, fog, alpha, instances, lamps, mirrors, an environment.
var scenes = []string{"cornell", "chess", "glass-chain", "interior", "door-ajar", "open-environment", "carpaint", "media", "thousand-lamps", "sun-and-sky"}

// lightOf is the environment of a scene that has no lamps; others have none.
func lightOf(t *testing.T, scene string) *gpuscene.Environment {
	if scene != "open-environment" && scene != "sun-and-sky" {
		return tracertest.Dark()
	}
	sky, err := gpuscene.LoadEnvironment("sky", nil)
	if err != nil {
		t.Fatal(err)
	}
	return sky
}

// variant is a way to render.
type variant struct {
	name   string
	live   bool
	change func(*settings.Settings)
}

// inScenes calls check for each scene and each way to render it.
func inScenes(t *testing.T, variants []variant, check func(t *testing.T, fx *tracertest.Fixture, v schedule.Request, s settings.Settings)) {
	for _, name := range scenes {
		t.Run(name, func(t *testing.T) {
			fx := tracertest.OnBestBackend(t)
			model := tracertest.Builtin(t, name, builtin.Options{})
			fx.Use(model, lightOf(t, name))
			v := schedule.Request{View: view.View{Camera: model.Cameras[0], Width: width, Height: height}}
			for _, own := range variants {
				s := settings.Defaults()
				own.change(&s)
				v.Live = own.live
				fx.Renderer.Restart()
				t.Log(own.name) // no subtest: a GPU's context belongs to this thread
				check(t, fx, v, s)
			}
		})
	}
}

// TestReplayedPathsAreTheSamples: all samples of a pixel, traced again, add up to what the film holds, and the notes of each to the sample,
// bit for bit.
func TestReplayedPathsAreTheSamples(t *testing.T) {
	const samples = 5
	inScenes(t, []variant{
		{"path", false, func(s *settings.Settings) { s.Integrator, s.Exec = "path", "megakernel" }},
		{"path in waves", false, func(s *settings.Settings) { s.Integrator, s.Exec = "path", "wavefront" }},
		{"naive", false, func(s *settings.Settings) { s.Integrator = "naive" }},
		{"direct", false, func(s *settings.Settings) { s.Integrator = "direct" }},
		{"light sampling, no roulette, lens", false, func(s *settings.Settings) {
			s.Integrator, s.Sampling, s.Roulette, s.DepthOfField, s.Aperture = "path", "light", false, true, 0.05
		}},
		{"kept first hits", false, func(s *settings.Settings) { s.Integrator, s.FirstHitCache = "path", true }},
	}, func(t *testing.T, fx *tracertest.Fixture, v schedule.Request, s settings.Settings) {
		for range samples {
			fx.Frame(v, s, view.Target{})
		}
		random := rand.New(rand.NewPCG(1, 2))
		var asked []tracer.PixelSample
		for range pixels {
			x, y := random.IntN(width), random.IntN(height)
			for n := range samples {
				asked = append(asked, tracer.PixelSample{X: x, Y: y, N: n})
			}
		}
		paths, err := fx.Renderer.Image().Replay(v, s, asked, tracer.MostVertices(&s))
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		for i := 0; i < len(paths); i += samples {
			var sum [3]float32
			for _, p := range paths[i:][:samples] {
				if p.Sum() != p.Answer.Lo || len(p.Vertices) != int(p.Answer.Vertices) {
					wrong++
				}
				for k := range sum {
					sum[k] += p.Answer.Lo[k]
				}
			}
			if a := paths[i].Answer; sum != a.Sum || a.Samples != samples {
				wrong++
			}
		}
		if wrong > 0 {
			t.Errorf("%d of %d pixels or samples are not what was rendered", wrong, pixels)
		}
	})
}

// TestReplayKnowsKeptFirstHits: samples that begin with the camera rays of others are told as well.
func TestReplayKnowsKeptFirstHits(t *testing.T) {
	const samples = 40
	s := settings.Defaults()
	s.Integrator, s.FirstHitCache = "path", true
	fx := tracertest.OnBestBackend(t)
	model := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(model, tracertest.Dark())
	v := schedule.Request{View: view.View{Camera: model.Cameras[0], Width: width, Height: height}}
	for range samples {
		fx.Frame(v, s, view.Target{})
	}
	for _, at := range [][2]int{{3, 4}, {24, 20}, {40, 30}} {
		var asked []tracer.PixelSample
		for n := range samples {
			asked = append(asked, tracer.PixelSample{X: at[0], Y: at[1], N: n})
		}
		paths, err := fx.Renderer.Image().Replay(v, s, asked, 0)
		if err != nil {
			t.Fatal(err)
		}
		var sum [3]float32
		for _, p := range paths {
			for k := range sum {
				sum[k] += p.Answer.Lo[k]
			}
		}
		if sum != paths[0].Answer.Sum {
			t.Errorf("pixel %v: %v, the film has %v", at, sum, paths[0].Answer.Sum)
		}
	}
}

// TestReusedSamplesAreTheSamples: what ReSTIR's last frame shaded at a pixel is what the frame added to it, bit for bit.
func TestReusedSamplesAreTheSamples(t *testing.T) {
	var variants []variant
	for _, integrator := range []string{"restir", "restir-gi"} {
		for _, own := range []variant{
			{"still", false, func(*settings.Settings) {}},
			{"in waves", false, func(s *settings.Settings) { s.Exec = "wavefront" }},
			{"without visibility", false, func(s *settings.Settings) { s.RestirMIS = "basic" }},
			{"alone", false, func(s *settings.Settings) { s.RestirSpatial = false }},
			{"live", true, func(s *settings.Settings) { s.RestirSettle = 0 }},
		} {
			variants = append(variants, variant{integrator + " " + own.name, own.live, func(s *settings.Settings) {
				s.Integrator = integrator
				own.change(s)
			}})
		}
	}
	inScenes(t, variants, func(t *testing.T, fx *tracertest.Fixture, v schedule.Request, s settings.Settings) {
		image, random := fx.Renderer.Image(), rand.New(rand.NewPCG(3, 4))
		var before [pixels]cuda.ReplayAnswer
		var at [pixels][2]int
		for i := range at {
			at[i] = [2]int{random.IntN(width), random.IntN(height)}
		}
		shared := 0
		for frame := range 3 {
			fx.Frame(v, s, view.Target{})
			for i, p := range at {
				r, err := image.Reused(v, s, p[0], p[1])
				if err != nil {
					t.Fatal(err)
				}
				want := before[i].Sum
				for k := range want {
					want[k] += r.Answer.Lo[k]
				}
				if want != r.Answer.Sum {
					t.Fatalf("frame %d, pixel %v: %v, the film has %v", frame, p, want, r.Answer.Sum)
				}
				before[i] = r.Answer
				shared += len(r.Samples)
			}
		}
		if shared == 0 {
			t.Error("no sample was shared at all")
		}
	})
}

// TestReplayNeedsItsImage: another view, and pixels outside of the image, are errors.
func TestReplayNeedsItsImage(t *testing.T) {
	fx := tracertest.OnCPU(t)
	model := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(model, tracertest.Dark())
	s := settings.Defaults()
	v := schedule.Request{View: view.View{Camera: model.Cameras[0], Width: width, Height: height}}
	ask := func(v schedule.Request, x int) error {
		_, err := fx.Renderer.Image().Replay(v, s, []tracer.PixelSample{{X: x}}, 1)
		return err
	}
	if ask(v, 0) == nil {
		t.Error("there is no image yet")
	}
	fx.Frame(v, s, view.Target{})
	other := v
	other.Camera.VFov++
	for what, err := range map[string]error{"another view": ask(other, 0), "outside": ask(v, width)} {
		if err == nil {
			t.Error(what + ": no error")
		}
	}
	if err := ask(v, 1); err != nil {
		t.Error(fmt.Errorf("inside: %w", err))
	}
}

// BenchmarkInspector is what the inspector asks while it is open: a path with its notes, the spread of 32 samples and 81 magnified pixels.
func BenchmarkInspector(b *testing.B) {
	for _, name := range []string{"cornell", "chess"} {
		b.Run(name, func(b *testing.B) {
			fx := tracertest.OnFastest(b)
			model, err := builtin.Make(name, builtin.Options{})
			if err != nil {
				b.Fatal(err)
			}
			fx.Use(model, tracertest.Dark())
			s := settings.Defaults()
			s.Integrator = "path"
			v := schedule.Request{View: view.View{Camera: model.Cameras[0], Width: 1280, Height: 720}}
			for range 4 {
				fx.Frame(v, s, view.Target{})
			}
			var asked []tracer.PixelSample
			for n := range 33 {
				asked = append(asked, tracer.PixelSample{X: 640, Y: 500, N: n % 4})
			}
			for n := range 81 {
				asked = append(asked, tracer.PixelSample{X: 636 + n%9, Y: 496 + n/9})
			}
			for b.Loop() {
				if _, err := fx.Renderer.Image().Replay(v, s, asked, tracer.MostVertices(&s)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
