package denoise_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/builtin"
	"glint/tracer/denoise"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// edgeError is the root mean square error of the pixels through which an edge runs, of those that are unlike all of `flat`.
func edgeError(img, truth *imageio.Image, flat ...float64) float64 {
	sum, n := 0.0, 0.0
	for i, want := range truth.Pix {
		edge := true
		for _, f := range flat {
			edge = edge && math.Abs(float64(want)-f) > 0.04
		}
		if edge {
			sum += (float64(img.Pix[i]) - float64(want)) * (float64(img.Pix[i]) - float64(want))
			n++
		}
	}
	return math.Sqrt(sum / n)
}

// inMirror turns a camera that looks down from above height y into one below that sees the same in a mirror there.
func inMirror(s *scene.Scene, camera scene.Camera, y float64) scene.Camera {
	m := tracertest.Matte(1)
	m.Metallic, m.Roughness = 1, 0
	tracertest.AddQuad(s, mgl32.Vec3{-1, float32(y), -1}, mgl32.Vec3{2, 0, 0}, mgl32.Vec3{0, 0, 2}, m)
	camera.Eye[1], camera.Target[1], camera.Up[1] = 2*y-camera.Eye[1], 2*y-camera.Target[1], -camera.Up[1]
	return camera
}

// TestEdgesAreSmooth: pixels of a live view are means of three camera rays, whatever they show on both sides of an edge: textures,
// lamps, and the sky, also in a mirror. So their error is at most 1/√3 = 0.58 of that of one sample, and a little for the light.
func TestEdgesAreSmooth(t *testing.T) {
	for _, mirrored := range []bool{false, true} {
		t.Run(fmt.Sprintf("mirrored=%t", mirrored), func(t *testing.T) {
			s, camera := checkered()
			tracertest.AddQuad(s, mgl32.Vec3{-0.5, 0.001, 0.5}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0.1, 0, -1}, tracertest.Emitter(1.5))
			if mirrored {
				camera = inMirror(s, camera, 4.5)
			}
			for _, denoiser := range []string{denoise.Atrous, denoise.Learned} {
				edgesAreSmooth(t, s, camera, denoiser)
			}
		})
	}
}

func edgesAreSmooth(t *testing.T, s *scene.Scene, camera scene.Camera, denoiser string) {
	lit := func(denoise string) settings.Settings {
		own := flatlyLit(denoise)
		own.Bounces++ // the mirror's
		return own
	}
	own := lit("off")
	const width, height = 120, 90
	use := func() *tracertest.Fixture { return tracertest.OnCPU(t).Use(s, tracertest.Constant(1)) }
	truth := use().Render(tracertest.Shot{Camera: camera, Width: width, Height: height, Samples: 128, Settings: own})
	flat := []float64{0.1, 0.8, 1, 1.5}
	one := edgeError(use().Render(tracertest.Shot{Camera: camera, Width: width, Height: height, Samples: 1, Settings: own}), truth, flat...)
	for _, samples := range []int{1, 2} {
		v := schedule.Request{View: view.View{Camera: camera, Width: width, Height: height, Frame: 1}, Live: true}
		fx := use()
		own := lit(denoiser)
		for range samples {
			fx.Frame(v, own, view.Target{})
		}
		img, err := fx.Renderer.Image().Denoised(v, own)
		if err != nil {
			t.Fatal(err)
		}
		got := edgeError(img, truth, flat...)
		t.Logf("%s, %d samples: error at edges %.3f, of one sample alone %.3f", denoiser, samples, got, one)
		if !(got < 0.62*one) {
			t.Errorf("%s, %d samples: error at edges %.3f, of one sample alone %.3f: they are jagged", denoiser, samples, got, one)
		}
	}
}

// TestMoreSamplesAreSmoother: where few samples find the light, images of several samples are no rougher than those of one. How much
// samples differ is known of each image, not only from image to image.
func TestMoreSamplesAreSmoother(t *testing.T) {
	s, camera := tracertest.Ground(0.5, 40)
	tracertest.AddQuad(s, mgl32.Vec3{-3, 1.5, 1}, mgl32.Vec3{0, 0, -2}, mgl32.Vec3{0, 0.3, 0}, tracertest.Emitter(20))
	one := 0.0
	for _, samples := range []int{1, 2, 3, 4} {
		rough := movingRoughness(t, tracertest.OnFastest(t).Use(s, tracertest.Dark()), schedule.Request{View: view.View{Camera: camera, Width: 96, Height: 72}}, samples)
		t.Logf("%d samples: pixels differ by %.4f from the mean of those around", samples, rough)
		if samples == 1 {
			one = rough
		} else if !(rough < 1.1*one) {
			t.Errorf("%d samples: pixels differ by %.4f from the mean of those around, with one sample by %.4f", samples, rough, one)
		}
	}
}

// TestNoisyLightIsSmoothed: what the filter leaves of rare bright samples is spread over the pixels beside them. Without that, pixels
// differ by 0.61.
func TestNoisyLightIsSmoothed(t *testing.T) {
	s := tracertest.Builtin(t, "many-spots", builtin.Options{})
	v := schedule.Request{View: view.View{Camera: s.DefaultCamera(16. / 9), Width: 160, Height: 90}}
	rough := movingRoughness(t, tracertest.OnFastest(t).Use(s, nil), v, 2)
	t.Logf("pixels differ by %.4f from the mean of those around", rough)
	if rough > 0.53 {
		t.Errorf("pixels differ by %.4f from the mean of those around, at most 0.53 is right", rough)
	}
}

// movingRoughness is the roughness of the eighth frame of a view that moves, of so many samples each.
func movingRoughness(t *testing.T, fx *tracertest.Fixture, v schedule.Request, samples int) float64 {
	own, camera := flatlyLit("atrous"), v.Camera
	v.Live = true
	var img *imageio.Image
	for i := range 8 {
		v.Camera, v.Frame = slid(camera)(i), i+1
		for range samples {
			fx.Frame(v, own, view.Target{})
		}
		var err error
		if img, err = fx.Renderer.Image().Denoised(v, own); err != nil {
			t.Fatal(err)
		}
	}
	return roughness(img)
}

// roughness is by how much pixels differ from the mean of the eight around them: root mean square, over the mean of the image.
func roughness(img *imageio.Image) float64 {
	sum, squares, n := 0.0, 0.0, 0.0
	for y := 1; y < img.Height-1; y++ {
		for x := 1; x < img.Width-1; x++ {
			around := 0.0
			for i := range 9 {
				around += float64(img.Pix[3*((y+i/3-1)*img.Width+x+i%3-1)])
			}
			own := float64(img.Pix[3*(y*img.Width+x)])
			sum += own
			squares += (own - (around-own)/8) * (own - (around-own)/8)
			n++
		}
	}
	return math.Sqrt(squares/n) / (sum / n)
}
