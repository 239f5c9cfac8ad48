package denoise_test

import (
	"context"
	"path/filepath"
	"testing"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestBiasFloor prints how much of the built-in filter's error is its own. It filters a picture of many
// samples as if it were of a few: with the errors that these tell. What that differs from the picture is no noise.
func TestBiasFloor(t *testing.T) {
	if !tracertest.Long() {
		t.Skip("GLINT_LONG=1 renders references for minutes")
	}
	const width, height, truth = 320, 180, 1024
	for name, lit := range floorScenes(t) {
		s, options := lit.Scene, gpuscene.Options{Environment: lit.sky}
		camera := s.DefaultCamera(float32(width) / height)
		own := filtering(func(*settings.Settings) {})
		reference := tracertest.OnFastest(t).UseWith(s, options).Render(tracertest.Shot{Camera: camera, Width: width, Height: height, Samples: truth,
			Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Seed = "path", 7 })})
		for _, samples := range []int{4, 16, 64} {
			shot := tracertest.Shot{Camera: camera, Width: width, Height: height, Samples: samples, Settings: own}
			// Every picture is denoised once: another fixture for the other picture.
			filter := func(instead *imageio.Image) (noisy, filtered *imageio.Image) {
				d := tracertest.NewDevice()
				fx := d.Open(t).UseWith(s, options)
				noisy = fx.Render(shot)
				if instead != nil {
					sums := tracertest.ReadBuffer[[4]float32](t, d, d.FrameOf(cuda.Guides).Film.Accumulation)
					for i := range width * height {
						for c := range 3 {
							sums[i][c] = instead.Pix[3*i+c] * sums[i][3]
						}
					}
					tracertest.WriteBuffer(t, d, d.FrameOf(cuda.Guides).Film.Accumulation, sums)
				}
				filtered, err := fx.Renderer.Image().Denoised(schedule.Request{View: view.View{Camera: camera, Width: width, Height: height}}, own)
				if err != nil {
					t.Fatal(err)
				}
				return noisy, filtered
			}
			noisy, filtered := filter(nil)
			_, floor := filter(reference)
			for _, row := range []struct {
				what string
				*imageio.Image
			}{{"raw", noisy}, {"filtered", filtered}, {"floor", floor}} {
				rel, flip := errorsOf(t, row.Image, reference)
				t.Logf("%s | %d samples | %s | relMSE %.5f | FLIP %.4f", name, samples, row.what, rel, flip)
			}
		}
	}
}

// litScene is a scene and the environment that lights it, nil where it has lamps.
type litScene struct {
	*scene.Scene
	sky *gpuscene.Environment
}

// floorScenes are a few built-in ones, and those of ../shared that show what filters blur.
func floorScenes(t *testing.T) map[string]litScene {
	t.Helper()
	all := map[string]litScene{}
	for _, name := range []string{"chess", "door-ajar", "mixed-reflection"} {
		all[name] = litScene{Scene: tracertest.Builtin(t, name, builtin.Options{})}
	}
	files, err := filepath.Glob(sharedScenes + "quality/*.glb")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		all[filepath.Base(file)] = sharedScene(t, file)
	}
	return all
}

const sharedScenes = "../../../shared/scenes/"

// sharedScene is a scene of ../shared in a garden's light.
func sharedScene(t *testing.T, file string) litScene {
	t.Helper()
	s, err := scene.Load(context.Background(), file, scene.Options{Scene: -1})
	if err != nil {
		t.Fatal(err)
	}
	sky, err := gpuscene.LoadEnvironment(sharedScenes+"environments/chinese_garden_1k.hdr", nil)
	if err != nil {
		t.Fatal(err)
	}
	return litScene{s, sky}
}
