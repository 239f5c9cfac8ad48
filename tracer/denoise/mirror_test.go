package denoise_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// striped is an environment of soft vertical stripes: what mirrors them shows every step of its motion.
func striped() *gpuscene.Environment {
	const w, h, stripes = 256, 128, 4
	e := &gpuscene.Environment{Width: w, Height: h}
	for range h {
		for x := range w {
			v := float32(0.5 + 0.45*math.Sin(2*math.Pi*stripes*(float64(x)+0.5)/w))
			e.Pixels = append(e.Pixels, v, v, v)
		}
	}
	return e
}

// middleOf is a square in the middle of a picture, side × side pixels.
func middleOf(img *imageio.Image, side int) *imageio.Image {
	out := &imageio.Image{Width: side, Height: side, Pix: make([]float32, 3*side*side)}
	left, top := (img.Width-side)/2, (img.Height-side)/2
	for y := range side {
		copy(out.Pix[3*side*y:3*side*(y+1)], img.Pix[3*((top+y)*img.Width+left):])
	}
	return out
}

// middleSeen is the camera that sees the middle of a view, so many pixels high.
func middleSeen(v schedule.Request, side int) scene.Camera {
	c, share := v.Camera, float64(side)/float64(v.Height)
	c.VFov = float32(2 / math.Pi * 180 * math.Atan(share*math.Tan(float64(c.VFov)/2*math.Pi/180)))
	c.Orthographic *= float32(share)
	return c
}

// TestReflectionsInABallFollow: what a ball mirrors seems to lie close behind its surface, and moves as if it lay there, also where the
// ball is rough. So pictures of the past smooth it while the camera turns around it. Were it followed as far away as it is, or as if it
// were painted on the ball, they would blur it.
func TestReflectionsInABallFollow(t *testing.T) {
	metal := func(roughness float32) func(*scene.Material) {
		return func(m *scene.Material) { m.Metallic, m.Roughness = 1, roughness }
	}
	coat := func(m *scene.Material) { // over a base that reflects as much, but with a blur
		m.BaseColor, m.Metallic, m.Roughness = mgl32.Vec4{0, 0, 0, 1}, 0, 1
		m.Clearcoat = scene.Clearcoat{Factor: 1, Roughness: 0.2, NormalScale: 1}
	}
	for _, c := range []struct {
		name     string
		material func(*scene.Material)
		parallel bool    // camera rays
		most     float64 // error with the pictures before, over that without
	}{
		{"mirror", metal(0), false, 0.9}, {"rough", metal(0.2), false, 0.7}, {"rough, by parallel rays", metal(0.2), true, 0.7},
		{"coat over a rough base", coat, false, 0.7},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := tracertest.Builtin(t, "white-furnace", builtin.Options{Material: c.material})
			use := func() *tracertest.Fixture { return tracertest.OnBestBackend(t).Use(s, striped()) }
			v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 120, Height: 90}}
			if c.parallel {
				v.Camera.Orthographic = 0.7
			}
			const frames, inside = 8, 32 // the ball is 64 pixels wide
			play := func(own settings.Settings) *imageio.Image {
				return shoot(use(), v, own, frames, func(i int) scene.Camera { return tracertest.Orbited(v.Camera, 2*float64(i-frames+1)) }, nil)
			}
			own := filtering(func(*settings.Settings) {})
			alone, off := own, own
			alone.DenoiseHistory, off.Denoise = false, "off"
			truth := use().Render(tracertest.Shot{Camera: middleSeen(v, inside), Width: inside, Height: inside, Samples: 256, Settings: off})
			with, without := tracertest.RelMSE(t, middleOf(play(own), inside), truth), tracertest.RelMSE(t, middleOf(play(alone), inside), truth)
			t.Logf("error %.5f with the pictures before, %.5f without", with, without)
			if !(with < c.most*without) {
				t.Errorf("error %.5f with the pictures before, %.5f without: reflections are not followed", with, without)
			}
		})
	}
}

// TestCurvedImagesAreFiltered: what a ball of glass shows of a wall close behind it seems strongly bent, so that it lies on no plane, and is
// smoothed nevertheless.
func TestCurvedImagesAreFiltered(t *testing.T) {
	s := tracertest.Builtin(t, "white-furnace", builtin.Options{Material: func(m *scene.Material) {
		m.Transmission, m.Roughness, m.IOR, m.Thickness = 1, 0, 1.76, 1
	}})
	tracertest.AddQuad(s, mgl32.Vec3{-9, -9, -0.55}, mgl32.Vec3{18, 0, 0}, mgl32.Vec3{0, 18, 0}, tracertest.Matte(0.5))
	use := func() *tracertest.Fixture { return tracertest.OnFastest(t).Use(s, tracertest.Constant(1)) }
	shot := tracertest.Shot{Camera: s.Cameras[0], Width: 60, Height: 45, Samples: 512, Settings: filtering(func(s *settings.Settings) { s.Bounces, s.Seed = 8, 7 })}
	const inside = 24 // the ball is 32 pixels wide
	truth := middleOf(use().Render(asReference(shot)), inside)
	shot.Samples, shot.Settings.Seed = 4, 0
	noisy, clean := filteredStill(use(), shot)
	before, after := tracertest.RelMSE(t, middleOf(noisy, inside), truth), tracertest.RelMSE(t, middleOf(clean, inside), truth)
	t.Logf("relMSE %.5f noisy, %.5f filtered (%.3f)", before, after, after/before)
	if !(after < 0.07*before) {
		t.Errorf("relMSE %.5f noisy, %.5f filtered", before, after)
	}
}

// TestMirrorsAreFilteredAlike: a slope in a flat mirror is smoothed as well as the slope itself, since guides hold its normal as the mirror
// shows it.
func TestMirrorsAreFilteredAlike(t *testing.T) {
	gain := func(mirrored bool) float64 {
		s, camera := tracertest.Ground(0.5, 40)
		camera.Eye[1] = 4
		tracertest.AddQuad(s, mgl32.Vec3{-1.5, 0.1, 3}, mgl32.Vec3{3, 2, 0}, mgl32.Vec3{0, 0, -6}, tracertest.Matte(0.5))
		tracertest.AddQuad(s, mgl32.Vec3{-3, 1.5, 1}, mgl32.Vec3{0, 0, -2}, mgl32.Vec3{0, 0.5, 0}, tracertest.Emitter(20))
		own := filtering(func(s *settings.Settings) { s.Sampling, s.Bounces, s.Seed = "bsdf", 1, 7 })
		if mirrored {
			camera = inMirror(s, camera, 3)
			own.Bounces++
		}
		fx := tracertest.OnFastest(t).Use(s, tracertest.Dark())
		shot := tracertest.Shot{Camera: camera, Width: 60, Height: 45, Samples: 256, Settings: own}
		truth := fx.Render(asReference(shot))
		shot.Samples, shot.Settings.Seed = 8, 0
		noisy, clean := filteredStill(fx, shot)
		before, after := tracertest.RelMSE(t, noisy, truth), tracertest.RelMSE(t, clean, truth)
		t.Logf("mirrored=%t: relMSE %.4f noisy, %.4f filtered (%.4f)", mirrored, before, after, after/before)
		return after / before
	}
	if direct, mirrored := gain(false), gain(true); !(mirrored < 1.3*direct) {
		t.Errorf("%.4f of the noisy image's error is left, in a mirror %.4f", direct, mirrored)
	}
}
