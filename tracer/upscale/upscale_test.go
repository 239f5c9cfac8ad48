package upscale_test

import (
	"math"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// scaled are the default settings at a render scale.
func scaled(scale float64, change func(*settings.Settings)) settings.Settings {
	return tracertest.Settings(func(s *settings.Settings) {
		s.RenderScale, s.Integrator = scale, "path"
		change(s)
	})
}

func asItIs(*settings.Settings) {}

// upscaled is what film shows after frames of a view that is upscaled; camera may be nil.
func upscaled(fx *tracertest.Fixture, v schedule.Request, s settings.Settings, frames int, camera func(frame int) scene.Camera) *imageio.Image {
	fx.T.Helper()
	v.Live = true
	for i := range frames {
		if camera != nil {
			v.Camera = camera(i)
		}
		fx.Frame(v, s, view.Target{})
	}
	img, err := fx.Renderer.Image().Upscaled()
	if err != nil {
		fx.T.Fatal(err)
	}
	for i, x := range img.Pix {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) || x < 0 {
			fx.T.Fatalf("value %d is %v", i, x)
		}
	}
	return img
}

// lowResImage is the image that was upscaled last, before it was.
func lowResImage(fx *tracertest.Fixture) *imageio.Image {
	fx.T.Helper()
	f := fx.Device.FrameOf(cuda.UpscaleGather).Film
	img := &imageio.Image{Width: int(f.Width), Height: int(f.Height)}
	for _, sum := range tracertest.ReadBuffer[[4]float32](fx.T, fx.Device, f.Accumulation) {
		for _, x := range sum[:3] {
			img.Pix = append(img.Pix, x/max(sum[3], 1))
		}
	}
	return img
}

// stretched is an image at another size, bilinear: what one would do without guides.
func stretched(img *imageio.Image, width, height int) *imageio.Image {
	out := &imageio.Image{Width: width, Height: height, Pix: make([]float32, 3*width*height)}
	at := func(p, to, from int) (int, int, float32) {
		x := max((float64(p)+0.5)*float64(from)/float64(to)-0.5, 0)
		low := min(int(x), from-1)
		return low, min(low+1, from-1), float32(x - float64(low))
	}
	for y := range height {
		y0, y1, b := at(y, height, img.Height)
		for x := range width {
			x0, x1, a := at(x, width, img.Width)
			for c := range 3 {
				v := func(x, y int) float32 { return img.Pix[3*(y*img.Width+x)+c] }
				out.Pix[3*(y*width+x)+c] = (v(x0, y0)*(1-a)+v(x1, y0)*a)*(1-b) + (v(x0, y1)*(1-a)+v(x1, y1)*a)*b
			}
		}
	}
	return out
}

// board is a ground of black and white squares of 10 cm, with a tilted plate over it, lit by a sun: no noise at all by one
// bounce, but edges of texture, of geometry and of shadow.
func board() (*scene.Scene, scene.Camera) {
	s := &scene.Scene{Name: "board"}
	img := scene.Image{Name: "squares", Width: 16, Height: 16, Pixels: make([]byte, 4*16*16)}
	for i := range 16 * 16 {
		shade := byte(40 + 200*((i%16/2+i/32)%2))
		copy(img.Pixels[4*i:], []byte{shade, shade, shade, 255})
	}
	s.Images = []scene.Image{img}
	tracertest.AddQuad(s, mgl32.Vec3{-1, 0, 1}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 0, -2}, tracertest.Matte(1))
	for i, uv := range [][2]float32{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		s.Vertices[i].UV[0] = mgl32.Vec2(uv)
	}
	s.Textures = []scene.Texture{{Image: 0, Nearest: true}}
	s.Materials[0].Textures[scene.TextureBaseColor].Texture = 0
	tracertest.AddQuad(s, mgl32.Vec3{-0.1, 0.1, 0.15}, mgl32.Vec3{0.25, 0.1, 0.03}, mgl32.Vec3{0.05, 0, -0.2}, tracertest.Matte(0.5))
	s.Lights = []scene.Light{{Kind: scene.LightDirectional, Direction: mgl32.Vec3{0.3, -1, 0.2}.Normalize(), Intensity: mgl32.Vec3{3, 3, 3}}}
	camera := scene.Camera{Eye: mgl64.Vec3{0.1, 0.9, 0.5}, Up: mgl32.Vec3{0, 1, 0}, VFov: 45}
	return s, camera
}

// TestUpscaledEdges: of a picture without noise, what is upscaled is nearer to the truth at once than the same image stretched,
// and far nearer after a few frames, whether the view rests or moves.
func TestUpscaledEdges(t *testing.T) {
	const width, height = 120, 90
	s, camera := board()
	own := scaled(0.5, func(s *settings.Settings) { s.Integrator = "direct" })
	truth := tracertest.OnCPU(t).Use(s, tracertest.Dark()).Render(tracertest.Shot{Camera: camera, Width: width, Height: height, Samples: 256, Settings: own})
	for _, row := range []struct {
		name     string
		scale    float64
		frames   int
		step     float64 // degrees a frame
		fraction float64 // of the error of the stretched image, at most
	}{
		{"at once", 0.5, 1, 0, 0.8},
		{"resting", 0.5, 8, 0, 0.2},
		{"moving", 0.5, 8, 0.25, 0.3},
		{"a third", 0.33, 8, 0.25, 0.3},
		{"three quarters", 0.75, 8, 0.25, 0.4},
	} {
		t.Run(row.name, func(t *testing.T) {
			tracertest.Parallel(t)
			fx := tracertest.OnCPU(t).Use(s, tracertest.Dark())
			own := own
			own.RenderScale = row.scale
			v := schedule.Request{View: view.View{Camera: camera, Width: width, Height: height}, Moving: true}
			img := upscaled(fx, v, own, row.frames, func(frame int) scene.Camera {
				return tracertest.Orbited(camera, row.step*float64(frame-row.frames+1))
			})
			small := lowResImage(fx)
			got, plain := tracertest.RelMSE(t, img, truth), tracertest.RelMSE(t, stretched(small, width, height), truth)
			t.Logf("relMSE %.4f, stretched %.4f: a fraction of %.2f", got, plain, got/plain)
			if !(got < row.fraction*plain) {
				t.Errorf("relMSE %.4f, stretched %.4f: want a fraction of %v at most", got, plain, row.fraction)
			}
		})
	}
}

// TestUpscaledNoise: of noisy pictures, eight upscaled frames of a quarter of the pixels are nearer to the truth than one frame
// of all of them, whether the view rests or moves.
func TestUpscaledNoise(t *testing.T) {
	const width, height = 72, 48
	for _, row := range []struct {
		scene, integrator string
		step              float64
		fraction          float64 // of the error of one frame of full size
	}{
		{"chess", "path", 0, 0.35}, {"chess", "path", 0.3, 0.45},
		{"mixed-reflection", "path", 0, 0.5}, {"mixed-reflection", "path", 0.3, 0.55},
		{"cornell", "restir-gi", 0.3, 0.5},
	} {
		t.Run(row.scene+" "+row.integrator, func(t *testing.T) {
			tracertest.Parallel(t)
			s := tracertest.Builtin(t, row.scene, builtin.Options{})
			own := scaled(0.5, func(s *settings.Settings) { s.Integrator, s.Bounces = row.integrator, 4 })
			still := tracertest.Shot{Camera: s.Cameras[0], Width: width, Height: height, Samples: 128, Settings: own}
			still.Settings.Integrator, still.Settings.Seed = "path", 7
			truth := tracertest.OnCPU(t).Use(s, nil).Render(still)
			still.Samples, still.Settings.Integrator, still.Settings.Seed = 1, row.integrator, 0
			once := tracertest.OnCPU(t).Use(s, nil).Render(still)
			fx := tracertest.OnCPU(t).Use(s, nil)
			v := schedule.Request{View: view.View{Width: width, Height: height}, Moving: true}
			const frames = 8
			img := upscaled(fx, v, own, frames, func(frame int) scene.Camera {
				return tracertest.Orbited(s.Cameras[0], row.step*float64(frame-frames+1))
			})
			small := lowResImage(fx)
			got, native, plain := tracertest.RelMSE(t, img, truth), tracertest.RelMSE(t, once, truth), tracertest.RelMSE(t, stretched(small, width, height), truth)
			t.Logf("relMSE %.4f, of one frame of full size %.4f (%.2f of it), of a stretched one %.4f", got, native, got/native, plain)
			if !(got < row.fraction*native && got < 0.5*plain) {
				t.Errorf("relMSE %.4f, of one frame of full size %.4f, of a stretched one %.4f", got, native, plain)
			}
		})
	}
}

// TestUpscaledConstant: what is the same everywhere stays so, to the last digits, in any size.
func TestUpscaledConstant(t *testing.T) {
	s, camera := tracertest.Ground(0.5, 40)
	for _, row := range []struct {
		width, height int
		scale         float64
	}{{37, 23, 0.4}, {1, 1, 0.5}, {2, 60, 0.33}, {64, 48, 0.75}, {31, 1, 0.25}, {16, 16, 0.99}} {
		fx := tracertest.OnCPU(t).Use(s, tracertest.Constant(1))
		own := scaled(row.scale, func(s *settings.Settings) { s.Integrator, s.Sampling = "direct", "bsdf" })
		for frame := range 4 {
			moved := camera
			moved.Eye[0] += 0.01 * float64(frame)
			img := upscaled(fx, schedule.Request{View: view.View{Camera: moved, Width: row.width, Height: row.height}, Moving: true}, own, 2, nil)
			for i, x := range img.Pix {
				if math.Abs(float64(x)-0.5) > 1e-5 {
					t.Fatalf("%d×%d at %v, frame %d: value %d is %v, want 0.5", row.width, row.height, row.scale, frame, i, x)
				}
			}
		}
	}
}

// TestUpscaledLampsAreSharp: lamps and sky come from guides at full size, not from the small image.
func TestUpscaledLampsAreSharp(t *testing.T) {
	s := &scene.Scene{Name: "lamp"}
	tracertest.AddQuad(s, mgl32.Vec3{-0.3, 0, 0.2}, mgl32.Vec3{0.5, 0, 0.1}, mgl32.Vec3{0.1, 0, -0.5}, tracertest.Emitter(40))
	own := scaled(0.33, asItIs)
	fx := tracertest.OnCPU(t).Use(s, tracertest.Constant(0.2))
	img := upscaled(fx, schedule.Request{View: view.View{Camera: tracertest.FromAbove(60), Width: 40, Height: 40}, Moving: true}, own, 1, nil)
	for i, x := range img.Pix {
		if math.Abs(float64(x)-0.2) > 1e-5 && math.Abs(float64(x)-40) > 1e-3 {
			t.Fatalf("value %d is %v, want the lamp's 40 or the sky's 0.2", i, x)
		}
	}
}

// TestNoNaNIsUpscaled plants one, in light and guides.
func TestNoNaNIsUpscaled(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	d := tracertest.NewDevice()
	fx := d.Open(t).Use(s, nil)
	own := scaled(0.5, asItIs)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 32, Height: 32}, Moving: true}
	upscaled(fx, v, own, 2, nil)
	planted := false
	d.BeforeLaunch = func(k cuda.Kernel) {
		if k == cuda.UpscaleGather {
			tracertest.PlantNaN(t, d, d.LastFrame, 5*16+7)
			planted = true
		}
	}
	upscaled(fx, v, own, 1, nil) // which looks for them
	if !planted {
		t.Error("nothing was upscaled")
	}
}

// TestUpscalingIsForLiveViews: stills, layers and views of AOVs are of full size, and whoever upscales nothing pays nothing.
func TestUpscalingIsForLiveViews(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnCPU(t).Use(s, nil)
	half := scaled(0.5, asItIs)
	live := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 16, Height: 16}, Live: true}
	for _, row := range []struct {
		name     string
		change   func(v *schedule.Request, s *settings.Settings)
		upscales bool
	}{
		{"live", func(*schedule.Request, *settings.Settings) {}, true},
		{"still", func(v *schedule.Request, _ *settings.Settings) { v.Live = false }, false},
		{"full size", func(_ *schedule.Request, s *settings.Settings) { s.RenderScale = 1 }, false},
		{"layers", func(v *schedule.Request, _ *settings.Settings) { v.Layers = true }, false},
		{"AOV", func(_ *schedule.Request, s *settings.Settings) { s.AOVView = "normal" }, false},
		{"slices of time", func(v *schedule.Request, _ *settings.Settings) { v.Budget = time.Second }, false},
	} {
		v, own := live, half
		row.change(&v, &own)
		stats := fx.Frame(v, own, view.Target{})
		told, err := fx.Renderer.Statistics()
		if err != nil {
			t.Fatal(err)
		}
		if got := stats.Width == 8; got != row.upscales {
			t.Errorf("%s: an image of %d pixels across was rendered", row.name, stats.Width)
		}
		if (told.Memory.Upscaler > 0) != row.upscales {
			t.Errorf("%s: %d bytes are held for upscaling", row.name, told.Memory.Upscaler)
		}
	}
}

// TestUpscalingKeepsMemoryFlat: what is held depends on sizes alone, and goes when they do.
func TestUpscalingKeepsMemoryFlat(t *testing.T) {
	d := tracertest.NewDevice()
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := d.Open(t).Use(s, nil)
	render := func(width, height int, scale float64) int {
		own := scaled(scale, func(s *settings.Settings) { s.Bounces = 1 })
		fx.Frame(schedule.Request{View: view.View{Camera: s.Cameras[0], Width: width, Height: height}, Live: true}, own, view.Target{})
		return d.Held
	}
	plain := render(40, 30, 1)
	first := render(40, 30, 0.5)
	for i := range 200 {
		render(16+i%5, 16+i%7, 0.3+0.1*float64(i%4))
	}
	if again := render(40, 30, 0.5); again != first || first <= plain {
		t.Errorf("%d bytes are held, at first it was %d, and %d where nothing is upscaled", again, first, plain)
	}
	if left := render(40, 30, 1); left != plain {
		t.Errorf("%d bytes are held once nothing is upscaled, want %d", left, plain)
	}
}

// TestSamplesKnowTheirPlaces: where in the small image a sample is said to have been taken, there the camera sees what it shows.
func TestSamplesKnowTheirPlaces(t *testing.T) {
	s, camera := tracertest.Ground(0.5, 40)
	camera.Target = mgl64.Vec3{0.1, 0, -0.2}
	for _, integrator := range []string{"direct", "restir-gi"} {
		fx := tracertest.OnCPU(t).Use(s, tracertest.Constant(1))
		own := scaled(0.4, func(s *settings.Settings) { s.Integrator = integrator })
		v := schedule.Request{View: view.View{Camera: camera, Width: 37, Height: 23}, Moving: true}
		const width, height = 15, 9
		for frame := range 3 {
			upscaled(fx, v, own, 1, nil)
			samples := tracertest.ReadBuffer[cuda.LowResPixel](t, fx.Device, fx.Device.FrameOf(cuda.UpscaleGather).Upscale.Samples)
			if len(samples) != width*height {
				t.Fatalf("%d samples", len(samples))
			}
			c := fx.Device.FrameOf(cuda.UpscaleSpatial).Camera
			for i, p := range samples {
				at := mgl32.Vec3(p.Position).Sub(c.Eye)
				half := at.Dot(c.Forward) * c.TanHalfFovY
				x := (at.Dot(c.Right)/(half*c.Aspect) + 1) / 2 * width
				y := (1 - at.Dot(c.Up)/half) / 2 * height
				if math.Abs(float64(x-p.At[0])) > 1e-3 || math.Abs(float64(y-p.At[1])) > 1e-3 {
					t.Fatalf("%s, frame %d: sample %d is said to be at %v, it shows what is at (%v, %v)", integrator, frame, i, p.At, x, y)
				}
			}
		}
	}
}

// TestGoalChoosesTheScale: a goal that full size misses makes the image smaller, one that it keeps does not.
func TestGoalChoosesTheScale(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnCPU(t).Use(s, nil)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 64, Height: 64}, Live: true, Moving: true, Goal: time.Nanosecond}
	var stats view.Stats
	for range 40 {
		stats = fx.Frame(v, scaled(1, asItIs), view.Target{Pixels: make([]byte, 4*64*64)})
	}
	if stats.Width != 21 || stats.Height != 21 {
		t.Errorf("for a goal out of reach %d×%d are rendered, want a third of 64×64", stats.Width, stats.Height)
	}
	v.Goal = time.Minute
	for range 40 {
		stats = fx.Frame(v, scaled(1, asItIs), view.Target{Pixels: make([]byte, 4*64*64)})
	}
	if stats.Width != 64 {
		t.Errorf("for a goal that is easily kept %d×%d are rendered", stats.Width, stats.Height)
	}
}
