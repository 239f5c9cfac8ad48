package tracer_test

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// window is a view as a window on a GPU has it, on a processor. Its own image is rendered in the shortest pieces, so that most of
// the time goes to what is judged.
type window struct {
	*tracertest.Fixture
	view     view.View
	settings settings.Settings
	home     scene.Camera
	frames   int // of the motion
}

func openWindow(t *testing.T, name string) *window {
	t.Helper()
	s := tracertest.Builtin(t, name, builtin.Options{})
	fx := tracertest.NewDevice().Open(t).Use(s, nil)
	w := &window{Fixture: fx, home: s.Cameras[0], settings: tracertest.Settings(func(s *settings.Settings) { s.Denoise = "off" })}
	w.view = view.View{Camera: w.home, Width: 192, Height: 108, Live: true, Window: true, Fits: 1.6, Budget: time.Microsecond}
	w.Renderer.JudgeAnywhere(map[string]float64{"path": 2, "restir": 4.5})
	return w
}

// orbit is the camera in a frame of the motion: it turns to and fro by a degree a frame.
func (w *window) orbit(frame int) scene.Camera {
	const there = 12
	degrees := frame % (2 * there)
	if degrees > there {
		degrees = 2*there - degrees
	}
	return tracertest.Orbited(w.home, float64(degrees))
}

// frame renders the next frame, in which a view that moves has moved.
func (w *window) frame() view.Stats {
	w.T.Helper()
	if w.view.Moving {
		w.frames++
		w.view.Camera = w.orbit(w.frames)
	}
	return w.Frame(w.view, w.settings, view.Target{})
}

// judgement renders until there is one of the view as it is.
func (w *window) judgement() view.Judgement {
	w.T.Helper()
	for begun := time.Now(); time.Since(begun) < 2*time.Minute; {
		switch j := w.frame().Judgement; {
		case j.Err != nil:
			w.T.Fatal(j.Err)
		case j.At.After(begun):
			return j
		}
	}
	w.T.Fatal("nothing was found")
	return view.Judgement{}
}

// trials is the memory that is held for them, bytes.
func (w *window) trials() int { return w.Statistics().Memory.Trials }

// against is the error of an integrator over that of path, in a motion or at rest in equal time, against a long reference: as the
// judge has it, but by other means.
func (w *window) against(samples [2]int, frames int) float64 {
	w.T.Helper()
	own := w.Twin(profile.Policy{})
	v := view.View{Width: w.view.Width / 2, Height: w.view.Height / 2, Live: true, Moving: frames > 1}
	picture := func(integrator string, samples int) *imageio.Image {
		s := w.settings
		s.Integrator = integrator
		if !v.Moving {
			s.RestirSettle = 0
		}
		for frame := 1; frame <= frames; frame++ {
			v.Frame, v.Camera = 1000+frame, w.home
			if v.Moving {
				v.Camera = w.orbit(frame)
			}
			for range samples {
				own.Frame(v, s, view.Target{})
			}
		}
		img, err := own.Renderer.Image().Radiance()
		if err == nil && s.Denoise != "off" {
			img, err = own.Renderer.Image().Denoised(v, s)
		}
		if err != nil {
			w.T.Fatal(err)
		}
		return img
	}
	images := [2]*imageio.Image{picture("path", samples[0]), picture("restir", samples[1])}
	s := w.settings
	s.Seed, s.Denoise, s.Integrator = 99, "off", "path"
	reference := own.Render(tracertest.Shot{Camera: v.Camera, Width: v.Width, Height: v.Height, Samples: 256, Settings: s})
	var errs [2]float64
	for i, img := range images {
		flip, err := metric.HDRFLIP(img, reference, metric.DefaultPixelsPerDegree)
		if err != nil {
			w.T.Fatal(err)
		}
		errs[i] = flip.Mean()
	}
	return errs[1] / errs[0]
}

// TestAutoTakesWhatErrsLess: in scenes in which one clearly does, and in agreement with a measurement of another kind.
func TestAutoTakesWhatErrsLess(t *testing.T) {
	for _, c := range []struct {
		scene, denoise string
		moving         bool
		fits           float64 // samples of the first answer
		want           string
	}{
		{"door-ajar", "off", true, 1.6, "restir"},
		{"many-spots", "off", true, 1.6, "restir"},
		{"chess", "off", true, 1.6, "path"},
		{"cornell", "off", false, 1.6, "path"},
		{"chess", "atrous", true, 4, "path"},
	} {
		t.Run(c.scene+" "+c.denoise, func(t *testing.T) {
			tracertest.Parallel(t)
			w := openWindow(t, c.scene)
			w.view.Moving, w.view.Fits, w.settings.Denoise = c.moving, c.fits, c.denoise
			j := w.judgement()
			path, restir := j.Trials[0], j.Trials[1]
			if path.Integrator != "path" || restir.Integrator != "restir" || j.Moving != c.moving || j.Denoised != (c.denoise != "off") {
				t.Fatalf("%+v", j)
			}
			frames := 1
			if c.moving {
				frames = 8
			}
			ratio, other := restir.Error/path.Error, w.against([2]int{path.Samples, restir.Samples}, frames)
			t.Logf("errors %.4f of %d samples, %.4f of %d: %.2f; by other means %.2f", path.Error, path.Samples, restir.Error, restir.Samples, ratio, other)
			if (ratio < 1) != (c.want == "restir") || (other < 1) != (ratio < 1) {
				t.Errorf("restir errs %.2f times as much as path, by other means %.2f times", ratio, other)
			}
			if stats := w.frame(); stats.Integrator != c.want {
				t.Errorf("auto stands for %s, want %s", stats.Integrator, c.want)
			}
		})
	}
}

// TestAutoAgreesWithGrid: small images show which integrator errs less at full size, moving raw and denoised, as docs/measurements.md
// has it of an H200, whose costs are taken. It takes minutes on a processor, so it is of the full versions.
func TestAutoAgreesWithGrid(t *testing.T) {
	if !tracertest.Long() {
		t.Skip("GLINT_LONG=1 runs it")
	}
	for _, c := range []struct {
		scene, environment string
		path, restir       float64    // ms of a sample
		ratio              [2]float64 // of the errors at full size, raw and denoised
	}{
		{"chess", "", 2.48, 4.82, [2]float64{1.18, 1.07}},
		{"interior", "", 2.51, 4.99, [2]float64{0.76, 1.04}},
		{"mixed-reflection", "", 1.87, 3.99, [2]float64{0.96, 0.96}},
		{"city", "sky:20", 1.97, 3.95, [2]float64{1.10, 1.03}},
		{"open-environment", "sky:20", 1.71, 3.78, [2]float64{0.73, 0.92}},
		{"thousand-lamps", "", 2.57, 5.74, [2]float64{0.68, 0.93}},
		{"many-spots", "", 1.39, 3.60, [2]float64{0.33, 0.97}},
		{"sun-and-sky", "", 1.94, 3.92, [2]float64{0.57, 0.91}},
		{"door-ajar", "", 1.55, 3.49, [2]float64{0.31, 1.08}},
		{"glass-chain", "", 2.19, 5.26, [2]float64{0.69, 1.00}},
	} {
		t.Run(c.scene, func(t *testing.T) {
			s := tracertest.Builtin(t, c.scene, builtin.Options{})
			var env *gpuscene.Environment
			if name := cmp.Or(c.environment, s.Environment); name != "" {
				var err error
				if env, err = gpuscene.LoadEnvironment(name, nil); err != nil {
					t.Fatal(err)
				}
			}
			w := &window{Fixture: tracertest.OnBestBackend(t).Use(s, env), home: s.Cameras[0], settings: settings.Defaults()}
			costs := map[string]float64{"path": c.path, "restir": c.restir}
			w.Renderer.JudgeAnywhere(costs)
			for i, denoise := range []string{"off", "atrous"} {
				const budget = 8 // ms
				first := []string{"restir", "path"}[i]
				w.frames, w.settings.Denoise = 0, denoise
				w.view = view.View{Camera: w.home, Width: 960, Height: 540, Live: true, Window: true, Moving: true,
					Budget: time.Microsecond, Fits: budget / costs[first]}
				j := w.judgement()
				path, restir := j.Trials[0], j.Trials[1]
				ratio, want := restir.Error/path.Error, c.ratio[i]
				t.Logf("denoise %s: path %.4f (%d samples), restir %.4f (%d): %.2f, at full size %.2f", denoise, path.Error, path.Samples,
					restir.Error, restir.Samples, ratio, want)
				if math.Abs(math.Log(want)) > math.Log(1.1) && (ratio < 1) != (want < 1) {
					t.Errorf("denoise %s: restir errs %.2f times as much, at full size %.2f times", denoise, ratio, want)
				}
			}
		})
	}
}

// TestNothingIsJudgedInVain: where the integrator is named, where nobody watches, where what is shown is no light, and on a
// processor.
func TestNothingIsJudgedInVain(t *testing.T) {
	for name, change := range map[string]func(*window){
		"named":     func(w *window) { w.settings.Integrator = "restir" },
		"no window": func(w *window) { w.view.Window = false },
		"not live":  func(w *window) { w.view.Live, w.view.Budget = false, 0 },
		"an AOV":    func(w *window) { w.settings.AOVView = "albedo" },
		"reuse":     func(w *window) { w.settings.ReuseView = "age" },
		"compared":  func(w *window) { w.view.Fits = 0 },
		"a processor": func(w *window) {
			w.Fixture = tracertest.OnCPU(w.T).Use(tracertest.Builtin(w.T, "cornell", builtin.Options{}), nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			tracertest.Parallel(t)
			w := openWindow(t, "cornell")
			change(w)
			for _, moving := range []bool{false, true} {
				w.view.Moving = moving
				for range 20 {
					if stats := w.frame(); stats.Judgement != (view.Judgement{}) || stats.Beside != 0 {
						t.Fatalf("%+v, and %v of a call beside", stats.Judgement, stats.Beside)
					}
				}
			}
			if bytes := w.trials(); bytes != 0 {
				t.Errorf("%d bytes are held", bytes)
			}
		})
	}
}

// TestRestingViewIsJudgedOnce, and again when it shows something else or is denoised; then the memory is given back.
func TestRestingViewIsJudgedOnce(t *testing.T) {
	tracertest.Parallel(t)
	w := openWindow(t, "cornell")
	first := w.judgement()
	for _, change := range []func(){
		func() { w.view.Camera = w.orbit(5) },
		func() { w.settings.Bounces = 3 },
		func() { w.settings.Denoise = "atrous" },
	} {
		change()
		if next := w.judgement(); !next.At.After(first.At) {
			t.Errorf("judged at %v, before at %v", next.At, first.At)
		}
	}
	w.settings.Denoise = "off" // which was judged with fewer bounces
	last := w.judgement()
	held := w.trials()
	if held == 0 {
		t.Error("the test has no power: nothing is held")
	}
	for begun := time.Now(); w.trials() > 0; {
		if stats := w.frame(); stats.Judgement != last {
			t.Fatalf("judged again: %+v, before %+v", stats.Judgement, last)
		}
		if time.Since(begun) > 20*time.Second {
			t.Fatalf("%d bytes are still held", w.trials())
		}
	}
}

// TestFrameRateIsKept: where one is asked for, nothing is judged while the view moves, but when it rests.
func TestFrameRateIsKept(t *testing.T) {
	tracertest.Parallel(t)
	w := openWindow(t, "cornell")
	w.view.Goal, w.view.Moving = time.Second, true
	for range 20 {
		if w.frame(); w.trials() != 0 {
			t.Fatal("there is a trial")
		}
	}
	w.view.Moving = false
	if stats := w.frame(); w.trials() == 0 || stats.Beside != 0.25 { // at half the size
		t.Errorf("%d bytes are held for a resting view, %v of a call beside", w.trials(), stats.Beside)
	}
}

// TestMovingViewIsJudgedAgain while it goes on to move.
func TestMovingViewIsJudgedAgain(t *testing.T) {
	tracertest.Parallel(t)
	w := openWindow(t, "cornell")
	w.view.Moving = true
	first := w.judgement()
	if next := w.judgement(); next.At.Sub(first.At) < 100*time.Millisecond {
		t.Errorf("judged at %v and at %v", first.At, next.At)
	}
}

// TestFrameHasOneIntegrator: auto turns to another one between two frames, not between the calls of one.
func TestFrameHasOneIntegrator(t *testing.T) {
	tracertest.Parallel(t)
	w := openWindow(t, "cornell")
	w.view.Moving = true
	var by []string // frames, each integrator once
	for begun := time.Now(); time.Since(begun) < 20*time.Second && len(by) < 2; {
		w.frames++
		w.view.Camera = w.orbit(w.frames)
		for call := range 6 {
			w.view.Unseen = call < 5
			integrator := w.Frame(w.view, w.settings, view.Target{}).Integrator
			if call == 0 {
				by = slices.Compact(append(by, integrator))
			}
			if last := by[len(by)-1]; integrator != last {
				t.Fatalf("call %d of a frame is by %s, those before by %s", call+1, integrator, last)
			}
		}
	}
	if !slices.Equal(by, []string{"restir", "path"}) {
		t.Errorf("the frames are by %v, want restir, then path", by)
	}
}

// TestComparedSideStaysWhatItIs: while two sides are compared, nothing turns auto to another integrator, which resting and moving
// views else do.
func TestComparedSideStaysWhatItIs(t *testing.T) {
	tracertest.Parallel(t)
	w := openWindow(t, "cornell")
	w.judgement()
	before := w.frame().Integrator
	if before != "path" {
		t.Fatalf("the test has no power: cornell is by %s at rest", before)
	}
	w.view.Moving, w.view.Fits = true, 0
	if now := w.frame().Integrator; now != before {
		t.Errorf("by %s, before by %s", now, before)
	}
	w.view.Fits = 1
	if now := w.frame().Integrator; now == before {
		t.Errorf("the test has no power: a moving view is by %s, too", now)
	}
}

// TestLightThatChangesIsJudged, as a view that moves: it looks back to nothing.
func TestLightThatChangesIsJudged(t *testing.T) {
	tracertest.Parallel(t)
	w := openWindow(t, "cornell")
	w.view.Moving = true
	for begun := time.Now(); ; {
		w.settings.LightScale *= 1.001
		j := w.Frame(w.view, w.settings, view.Target{}).Judgement
		if !j.At.IsZero() && j.Moving {
			break
		}
		if time.Since(begun) > time.Minute {
			t.Fatalf("nothing was found: %+v", j)
		}
	}
}

// TestTrialsGiveTheirMemoryBack when auto is left, also in the middle of one.
func TestTrialsGiveTheirMemoryBack(t *testing.T) {
	tracertest.Parallel(t)
	w := openWindow(t, "cornell")
	w.view.Budget, w.settings.Integrator, w.settings.Denoise = 0, "restir", "atrous"
	w.frame()
	before := w.Device.Held
	for _, run := range []func(){
		func() { w.frame() },
		func() {
			for range 30 {
				w.frame()
			}
		},
		func() { w.judgement() },
	} {
		w.settings.Integrator = "auto"
		run()
		if w.Device.Held == before || w.trials() == 0 {
			t.Error("the test has no power: no trial holds memory")
		}
		w.settings.Integrator = "restir"
		w.frame()
		if w.Device.Held != before || w.trials() != 0 {
			t.Errorf("%d bytes are held, %d before", w.Device.Held, before)
		}
	}
}

// TestTrialsLeaveTheImageAlone: it has the bits that it has without them.
func TestTrialsLeaveTheImageAlone(t *testing.T) {
	tracertest.Parallel(t)
	var images [2]*imageio.Image
	for i, integrator := range []string{"auto", "restir"} {
		w := openWindow(t, "cornell")
		w.Renderer.JudgeAnywhere(map[string]float64{"path": 1000, "restir": 1}) // so that restir stays
		w.view.Width, w.view.Height = 64, 36
		w.view.Budget, w.settings.Integrator, w.settings.Denoise = 0, integrator, "off"
		for range 150 {
			if stats := w.frame(); stats.Integrator != "restir" {
				t.Fatalf("by %s", stats.Integrator)
			}
		}
		var err error
		if images[i], err = w.Renderer.Image().Radiance(); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(images[0].Pix, images[1].Pix) {
		t.Error("the images differ")
	}
}

// TestAnotherSceneIsJudgedAnew: in the middle of a trial, and what was found of the one before is forgotten.
func TestAnotherSceneIsJudgedAnew(t *testing.T) {
	tracertest.Parallel(t)
	w := openWindow(t, "cornell")
	w.judgement()
	w.view.Camera = w.orbit(5)
	for range 20 {
		w.frame()
	}
	s := tracertest.Builtin(t, "furnace", builtin.Options{})
	w.Use(s, nil)
	w.view.Camera = s.Cameras[0]
	if stats := w.frame(); !stats.Judgement.At.IsZero() {
		t.Errorf("known at once: %+v", stats.Judgement)
	}
	w.judgement()
}

// TestAutoOnGPU logs what auto finds in a window of 1280×720, how soon, and what that costs; needs a GPU. The time is that of frames
// until an answer, less that of as many without.
func TestAutoOnGPU(t *testing.T) {
	for _, name := range []string{"door-ajar", "many-spots", "interior", "chess", "thousand-lamps"} {
		t.Run(name, func(t *testing.T) {
			_, gpu := tracertest.OnBothBackends(t)
			s := tracertest.Builtin(t, name, builtin.Options{})
			w := &window{Fixture: gpu.Use(s, nil), home: s.Cameras[0], settings: settings.Defaults()}
			for _, denoise := range []string{"off", "atrous"} {
				for _, moving := range []bool{true, false} {
					w.settings.Denoise = denoise
					w.view = view.View{Camera: w.home, Width: 1280, Height: 720, Live: true, Window: true, Moving: moving, Fits: 3}
					w.measureCost()
				}
			}
		})
	}
}

// measureCost logs the next judgement, and what it costs.
func (w *window) measureCost() {
	w.T.Helper()
	frame := func() (stats view.Stats) {
		for left := int(w.view.Fits) - 1; left >= 0; left-- {
			if left == int(w.view.Fits)-1 && w.view.Moving {
				w.frames++
				w.view.Camera = w.orbit(w.frames)
			}
			w.view.Unseen = left > 0
			stats = w.Frame(w.view, w.settings, view.Target{})
		}
		return stats
	}
	run := func(until func(frames int, stats view.Stats) bool) (frames int, took time.Duration, stats view.Stats) {
		begun := time.Now()
		for done := false; !done; frames++ {
			stats = frame()
			done = until(frames+1, stats)
		}
		if err := w.Renderer.Finish(); err != nil {
			w.T.Fatal(err)
		}
		return frames, time.Since(begun), stats
	}
	begun := time.Now()
	frames, took, stats := run(func(_ int, s view.Stats) bool {
		return s.Judgement.At.After(begun) || s.Judgement.Err != nil || time.Since(begun) > time.Minute
	})
	j := stats.Judgement
	if j.Err != nil || j.At.Before(begun) {
		w.T.Fatalf("nothing was found: %v", j.Err)
	}
	used := frame().Integrator
	w.settings.Integrator = stats.Integrator
	same := func(n int, _ view.Stats) bool { return n == frames }
	run(same) // takes memory
	_, alone, _ := run(same)
	w.settings.Integrator = "auto"
	path, restir := j.Trials[0], j.Trials[1]
	w.T.Logf("moving %v, denoise %s: path %.4f (%d samples of %.2f ms), restir %.4f (%d of %.2f ms): %s; known after %d frames, %v, which took %v more",
		j.Moving, w.settings.Denoise, path.Error, path.Samples, path.Ms, restir.Error, restir.Samples, restir.Ms, used, frames, took, took-alone)
}
