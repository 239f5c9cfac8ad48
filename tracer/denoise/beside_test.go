package denoise_test

import (
	"os"
	"testing"

	"glint/cuda"
	"glint/tracer/denoise"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// liveErrors holds the errors of a filtered live picture, and those of its samples (raw).
type liveErrors struct{ rawFLIP, flip, rawRel, rel float64 }

// measureLive moves in an orbit of 1° a frame, or rests if there is one frame, and compares the last picture with a reference.
func measureLive(t *testing.T, lit litScene, reference *imageio.Image, denoiser string, frames, samples int) liveErrors {
	t.Helper()
	camera := lit.DefaultCamera(float32(reference.Width) / float32(reference.Height))
	d := tracertest.NewDevice()
	fx := d.Open(t).UseWith(lit.Scene, gpuscene.Options{Environment: lit.sky})
	own := filtering(func(s *settings.Settings) { s.Denoise = denoiser })
	v := schedule.Request{View: view.View{Width: reference.Width, Height: reference.Height}, Live: true, Moving: frames > 1}
	for i := range frames {
		v.Frame++
		v.Camera = tracertest.Orbited(camera, float64(i+1-frames))
		for k := range samples {
			v.Unseen = k < samples-1
			fx.Frame(v, own, view.Target{})
		}
	}
	filtered, err := fx.Renderer.Image().Denoised(v, own)
	if err != nil {
		t.Fatal(err)
	}
	raw := &imageio.Image{Width: reference.Width, Height: reference.Height}
	for _, sum := range tracertest.ReadBuffer[[4]float32](t, d, d.FrameOf(cuda.Guides).Film.Accumulation) {
		raw.Pix = append(raw.Pix, sum[0]/sum[3], sum[1]/sum[3], sum[2]/sum[3])
	}
	var b liveErrors
	b.rawRel, b.rawFLIP = errorsOf(t, raw, reference)
	b.rel, b.flip = errorsOf(t, filtered, reference)
	return b
}

// referenceOf is a picture of many samples.
func referenceOf(t *testing.T, lit litScene, width, height, samples int) *imageio.Image {
	return tracertest.OnFastest(t).UseWith(lit.Scene, gpuscene.Options{Environment: lit.sky}).Render(tracertest.Shot{
		Camera: lit.DefaultCamera(float32(width) / float32(height)), Width: width, Height: height, Samples: samples,
		Settings: tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Seed = "path", 7 })})
}

// grooves is metal with thin grooves, of a model that does not come with the project.
func grooves(t *testing.T) litScene {
	t.Helper()
	file := sharedScenes + "quality/grooves.glb"
	if _, err := os.Stat(file); err != nil {
		t.Skip("needs ../shared/scenes: ", err)
	}
	return sharedScene(t, file)
}

// TestRestingFilterKeepsGlints: glints of thin grooves are smaller than what the filter averages. At rest it shows the samples instead, which
// err less.
func TestRestingFilterKeepsGlints(t *testing.T) {
	lit := grooves(t)
	checkLive(t, lit, referenceOf(t, lit, 128, 72, 1024), 1, 100, 1.25)
}

// TestMovingFilterKeepsGrooves: a reflection moves across the metal, and grooves move with the metal. So where a groove's reflection was in
// the last frame, there was smooth metal, and its light must not fill the groove.
func TestMovingFilterKeepsGrooves(t *testing.T) {
	lit := grooves(t)
	near := *lit.Scene
	camera := lit.DefaultCamera(16.0 / 9)
	camera.VFov /= 4
	near.Cameras = []scene.Camera{camera}
	lit.Scene = &near
	checkLive(t, lit, referenceOf(t, lit, 160, 90, 256), 8, 4, 0.7)
}

// checkLive wants less relMSE of each built-in filter than of the samples, and at most a share of their FLIP.
func checkLive(t *testing.T, lit litScene, reference *imageio.Image, frames, samples int, most float64) {
	t.Helper()
	for _, denoiser := range []string{denoise.Atrous, denoise.Learned} {
		b := measureLive(t, lit, reference, denoiser, frames, samples)
		t.Logf("%s: FLIP %.4f → %.4f (%.2f) | relMSE %.4f → %.4f", denoiser, b.rawFLIP, b.flip, b.flip/b.rawFLIP, b.rawRel, b.rel)
		if !(b.flip < most*b.rawFLIP && b.rel < b.rawRel) {
			t.Errorf("%s: FLIP %.4f of the samples, %.4f filtered; relMSE %.4f and %.4f", denoiser, b.rawFLIP, b.flip, b.rawRel, b.rel)
		}
	}
}

// TestFilterBesideSamples prints errors of live pictures by the built-in filters, and of the samples that
// they are made of, in an orbit of 1° a frame and at rest.
func TestFilterBesideSamples(t *testing.T) {
	if !tracertest.Long() {
		t.Skip("GLINT_LONG=1 renders references for minutes")
	}
	for name, lit := range floorScenes(t) {
		reference := referenceOf(t, lit, 320, 180, 1024)
		for _, row := range []struct {
			what            string
			frames, samples int
		}{{"orbit", 12, 4}, {"orbit", 12, 15}, {"rest", 1, 16}, {"rest", 1, 100}} {
			for _, denoiser := range []string{denoise.Atrous, denoise.Learned} {
				b := measureLive(t, lit, reference, denoiser, row.frames, row.samples)
				t.Logf("%s | %s | %d samples | %s | FLIP %.4f → %.4f (%.2f) | relMSE %.4f → %.4f", name, row.what, row.samples, denoiser, b.rawFLIP, b.flip, b.flip/b.rawFLIP, b.rawRel, b.rel)
			}
		}
	}
}
