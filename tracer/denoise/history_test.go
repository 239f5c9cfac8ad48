package denoise_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/denoise"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// filtering are settings of plain paths and the built-in filter.
func filtering(change func(*settings.Settings)) settings.Settings {
	return tracertest.Settings(func(s *settings.Settings) {
		s.Integrator, s.Denoise = "path", "atrous"
		change(s)
	})
}

// shoot renders frames of a live view, each an image of one sample with a number of its own, and looks at what each shows.
func shoot(fx *tracertest.Fixture, v schedule.Request, s settings.Settings, frames int, camera func(int) scene.Camera, look func(int, *imageio.Image)) *imageio.Image {
	fx.T.Helper()
	var img *imageio.Image
	v.Live = true
	for i := range frames {
		v.Frame++
		if camera != nil {
			v.Camera = camera(i)
		}
		stats, err := fx.Renderer.Render(v, s, view.Target{})
		if err == nil {
			err = stats.DenoiseError
		}
		if err == nil {
			img, err = fx.Renderer.Image().Denoised(v, s)
		}
		if err != nil {
			fx.T.Fatal(err)
		}
		if look != nil {
			look(i, img)
		}
	}
	return img
}

// denoisers are those that can be used here.
func denoisers(t *testing.T, each func(t *testing.T, name string)) {
	for _, name := range []string{"atrous", "learned", "oidn"} {
		t.Run(name, func(t *testing.T) {
			if name == "oidn" {
				tracertest.NeedsOIDN(t)
			}
			each(t, name)
		})
	}
}

// TestStillViewForgetsThePast: history counts for less with each sample of a view that rests, and in the end for nothing.
func TestStillViewForgetsThePast(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 40, Height: 30}}
	own := filtering(func(s *settings.Settings) { s.Bounces = 3 })
	live, fresh := tracertest.OnCPU(t).Use(s, nil), tracertest.OnCPU(t).Use(s, nil)
	shoot(live, v, own, 4, func(i int) scene.Camera { return tracertest.Orbited(v.Camera, float64(i)) }, nil)
	v.Frame = 5
	rest := func(fx *tracertest.Fixture, v schedule.Request, samples int) *imageio.Image {
		for range samples {
			if _, err := fx.Renderer.Render(v, own, view.Target{}); err != nil {
				t.Fatal(err)
			}
		}
		img, err := fx.Renderer.Image().Denoised(v, own)
		if err != nil {
			t.Fatal(err)
		}
		return img
	}
	moving := v
	moving.Live = true
	first := rest(live, moving, 16)
	alone := rest(fresh, v, 16)
	if d := largestChange(first, alone); d < 1e-3 {
		t.Errorf("with 16 samples the past changes nothing (%g): the test has no power", d)
	}
	if d := largestChange(rest(live, moving, 64), rest(fresh, v, 64)); d > 1e-3 {
		t.Errorf("after 80 samples the past still changes the image by %g", d)
	}
}

// largestChange is the largest difference of two images, of their mean brightness.
func largestChange(a, b *imageio.Image) float64 {
	worst, mean := 0.0, 0.0
	for i := range a.Pix {
		worst = max(worst, math.Abs(float64(a.Pix[i]-b.Pix[i])))
		mean += float64(b.Pix[i]) / float64(len(b.Pix))
	}
	return worst / mean
}

// TestNothingComesFromBehindAPillar: where a camera uncovers what was hidden, there is no history; elsewhere there is.
func TestNothingComesFromBehindAPillar(t *testing.T) {
	s := tracertest.Builtin(t, "pillars", builtin.Options{})
	d := tracertest.NewDevice()
	fx := d.Open(t).Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 256, Height: 192}, Layers: true}
	after := v.Camera
	after.Eye, after.Target = after.Eye.Add(mgl64.Vec3{0.15, 0, 0}), after.Target.Add(mgl64.Vec3{0.15, 0, 0})
	own := filtering(func(s *settings.Settings) { s.Bounces, s.Antialias = 1, false })
	var places [2][]float32
	var motion []float32
	shoot(fx, v, own, 2, func(i int) scene.Camera { return []scene.Camera{v.Camera, after}[i] }, func(i int, _ *imageio.Image) {
		layers, err := fx.Renderer.Image().Layers()
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range layers {
			switch l.Name {
			case "position":
				places[i] = l.Pix
			case "motion":
				motion = l.Pix
			}
		}
	})
	var samples []float32 // that each pixel stands for
	for _, p := range tracertest.ReadBuffer[[4]float32](t, d, d.FrameOf(cuda.AtrousDemodulate).Denoise.Stabilized) {
		samples = append(samples, p[3])
	}
	hidden, wrong, seen, missed := 0, 0, 0, 0
	for y := 2; y < v.Height-2; y++ {
		for x := 2; x < v.Width-2; x++ {
			p := y*v.Width + x
			was := visibleBefore(places, motion, v, x, y)
			switch {
			case was == 1:
				seen++
				if samples[p] < 2 {
					missed++
				}
			case was == 0 && surrounded(places, motion, v, x, y):
				hidden++
				if samples[p] != 1 {
					wrong++
				}
			}
		}
	}
	t.Logf("%d pixels were hidden, %d of them took something; %d were seen, %d of them took nothing", hidden, wrong, seen, missed)
	if hidden < 200 || wrong > 0 || missed*50 > seen {
		t.Error("history does not follow what is seen")
	}
}

// visibleBefore is the share of the pixels around where a place was in the image before that show the same place: 1 when all do.
func visibleBefore(places [2][]float32, motion []float32, v schedule.Request, x, y int) float64 {
	p := y*v.Width + x
	bx, by := float64(x)-float64(motion[2*p]), float64(y)-float64(motion[2*p+1])
	here := mgl32.Vec3{places[1][3*p], places[1][3*p+1], places[1][3*p+2]}
	n, same := 0.0, 0.0
	for j := -1; j <= 2; j++ {
		for i := -1; i <= 2; i++ {
			qx, qy := int(math.Floor(bx))+i, int(math.Floor(by))+j
			if qx < 0 || qy < 0 || qx >= v.Width || qy >= v.Height {
				continue
			}
			q := qy*v.Width + qx
			n++
			if (mgl32.Vec3{places[0][3*q], places[0][3*q+1], places[0][3*q+2]}).Sub(here).Len() < 0.25 {
				same++
			}
		}
	}
	return same / max(n, 1)
}

// surrounded tells whether what is around a pixel was hidden, too.
func surrounded(places [2][]float32, motion []float32, v schedule.Request, x, y int) bool {
	for j := -1; j <= 1; j++ {
		for i := -1; i <= 1; i++ {
			if visibleBefore(places, motion, v, x+i, y+j) > 0 {
				return false
			}
		}
	}
	return true
}

// TestHistoryIsDroppedWithTheLight: eight frames after lamps are dimmed nothing is left of the light before.
func TestHistoryIsDroppedWithTheLight(t *testing.T) {
	denoisers(t, func(t *testing.T, name string) {
		s := tracertest.Builtin(t, "cornell", builtin.Options{})
		v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 48, Height: 36}}
		bright := filtering(func(s *settings.Settings) { s.Denoise = name })
		dim := bright
		dim.LightScale = 0.25
		fx := tracertest.OnCPU(t).Use(s, nil)
		shoot(fx, v, bright, 8, nil, nil)
		v.Frame = 8
		got := tracertest.Mean(shoot(fx, v, dim, 8, nil, nil))[1]
		want := tracertest.Mean(shoot(tracertest.OnCPU(t).Use(s, nil), v, dim, 8, nil, nil))[1]
		residual := (got - want) / (3 * want) // of what there was more of it
		t.Logf("residual %.2f %%", 100*residual)
		if math.Abs(residual) > 0.05 {
			t.Errorf("%.1f %% of the light before is left after eight frames", 100*residual)
		}
	})
}

// TestClampingEndsGhosts: even a history that is kept though lamps are dimmed does not last in the picture of OIDN.
func TestClampingEndsGhosts(t *testing.T) {
	tracertest.NeedsOIDN(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 96, Height: 72}}
	bright := filtering(func(s *settings.Settings) { s.Denoise = "oidn" })
	dim := bright
	dim.LightScale = 0.25
	d := tracertest.NewDevice()
	fx := d.Open(t).Use(s, nil)
	shoot(fx, v, bright, 8, nil, nil)
	d.ChangeFrame = func(f *cuda.Frame) { f.Scene.LightScale = float32(dim.LightScale) } // and nobody is told
	v.Frame = 8
	want := tracertest.Mean(shoot(tracertest.OnCPU(t).Use(s, nil), v, dim, 8, nil, nil))[1]
	residual := (tracertest.Mean(shoot(fx, v, bright, 8, nil, nil))[1] - want) / (3 * want)
	t.Logf("residual %.2f %%", 100*residual)
	if math.Abs(residual) > 0.05 {
		t.Errorf("%.1f %% of the light before is left after eight frames", 100*residual)
	}
}

// TestPastIsFrozen: an image that is denoised again, before it has more samples, looks the same.
func TestPastIsFrozen(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnCPU(t).Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 32, Height: 24}, Live: true}
	own := filtering(func(*settings.Settings) {})
	stage := newStage(fx)
	var once *imageio.Image
	shoot(fx, v, own, 4, nil, func(i int, img *imageio.Image) {
		once = denoised(t, stage, sourceOf(fx, v, own, i))
		if d := largestChange(img, once); d != 0 {
			t.Errorf("image %d is off by %g from the renderer's", i, d)
		}
	})
	if d := largestChange(once, denoised(t, stage, sourceOf(fx, v, own, 3))); d != 0 {
		t.Errorf("denoised again, the image changes by %g", d)
	}
}

// newStage denoises what a fixture renders, beside the renderer's own.
func newStage(fx *tracertest.Fixture) *denoise.Stage {
	library := denoise.NewLibrary(fx.Device)
	stage := denoise.NewStage(fx.Device, library, nil)
	fx.T.Cleanup(func() {
		stage.Close()
		if err := library.Close(); err != nil {
			fx.T.Error(err)
		}
	})
	return stage
}

// sourceOf is the fixture's image as it is, of one sample.
func sourceOf(fx *tracertest.Fixture, v schedule.Request, s settings.Settings, image int) *denoise.Source {
	v.Frame = image
	return &denoise.Source{View: v, Settings: s, Key: v.Key(nil, 0, s), Samples: 1, SinceReplace: 1, Weight: 1, Independent: 1, Image: image, Guided: true,
		Frame: func() cuda.Frame { return fx.Device.FrameOf(cuda.Guides) }}
}

// denoised is an image that is denoised, even if it has been.
func denoised(t testing.TB, stage *denoise.Stage, src *denoise.Source) *imageio.Image {
	t.Helper()
	stage.Forget()
	img, err := stage.Image(src)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// TestUnseenSamplesAreNotDenoised: a film denoises each frame once.
func TestUnseenSamplesAreNotDenoised(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnCPU(t).Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 16, Height: 16}, Live: true}
	own := filtering(func(*settings.Settings) {})
	for sample := range 4 {
		v.Unseen = sample < 3
		stats, err := fx.Renderer.Render(v, own, view.Target{})
		if err != nil || stats.Denoised > 0 != (sample == 3) {
			t.Errorf("sample %d: a picture of %d samples (%v)", sample, stats.Denoised, err)
		}
	}
}

// TestHistoryRepeats: the same frames give the same bits.
func TestHistoryRepeats(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 32, Height: 24}}
	own := filtering(func(*settings.Settings) {})
	path := func(i int) scene.Camera { return tracertest.Orbited(v.Camera, float64(i)) }
	a := shoot(tracertest.OnCPU(t).Use(s, nil), v, own, 4, path, nil)
	b := shoot(tracertest.OnCPU(t).Use(s, nil), v, own, 4, path, nil)
	for i := range a.Pix {
		if a.Pix[i] != b.Pix[i] {
			t.Fatalf("value %d is %v and %v", i, a.Pix[i], b.Pix[i])
		}
	}
}

// slid is a camera that slides to the right by 2 cm a frame.
func slid(camera scene.Camera) func(frame int) scene.Camera {
	return func(frame int) scene.Camera {
		moved := camera
		moved.Eye[0] += 0.02 * float64(frame)
		moved.Target[0] += 0.02 * float64(frame)
		return moved
	}
}

// TestNothingStaysOnTheSky: where a view moves, and the sky comes out from behind glass or a wall, it is as bright as ever from the second
// pixel on. Nothing that was there before lags behind.
func TestNothingStaysOnTheSky(t *testing.T) {
	glass, camera := glassSlabs(1, 0)
	wall, _ := glassSlabs(1, 0)
	wall.Materials = []scene.Material{tracertest.Matte(0)}
	for i := range wall.Faces {
		wall.Faces[i].Material = 0
	}
	for name, s := range map[string]*scene.Scene{"glass": glass, "a wall": wall} {
		t.Run(name, func(t *testing.T) {
			own := filtering(func(s *settings.Settings) { s.Bounces = 8 })
			const width, height, frames, beside = 48, 32, 8, 2
			at := slid(camera)
			img := shoot(tracertest.OnCPU(t).Use(s, tracertest.Constant(1)), schedule.Request{View: view.View{Camera: camera, Width: width, Height: height}}, own, frames, at, nil)
			own.Denoise = "off"
			truth := tracertest.OnCPU(t).Use(s, tracertest.Constant(1)).Render(tracertest.Shot{Camera: at(frames - 1), Width: width, Height: height, Samples: 64, Settings: own})
			sky, worst := 0, 0.0
			for i := range width * height {
				if x := i % width; x < beside || truth.Pix[3*(i-beside)] != 1 || truth.Pix[3*i] != 1 {
					continue // something else, or close to it
				}
				sky++
				worst = max(worst, math.Abs(float64(img.Pix[3*i])-1))
			}
			t.Logf("%d pixels of the sky, at most %.4f off", sky, worst)
			if sky < 100 || worst > 0.01 {
				t.Errorf("%d pixels of the sky are up to %.4f off", sky, worst)
			}
		})
	}
}
