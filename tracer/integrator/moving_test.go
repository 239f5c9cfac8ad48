package integrator_test

import (
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// posed gives a device the moving scene, in the poses of these times one after another.
func posed(t *testing.T, fx *tracertest.Fixture, s *scene.Scene, env *gpuscene.Environment, times ...float64) *tracertest.Fixture {
	t.Helper()
	fx.Use(s, env)
	for _, at := range times {
		if err := fx.Renderer.Engine().Pose(s.Motion.Pose(0, at)); err != nil {
			t.Fatal(err)
		}
	}
	return fx
}

func movingShot(camera scene.Camera) tracertest.Shot {
	return tracertest.Shot{Camera: camera, Width: 48, Height: 48, Samples: 2,
		Settings: tracertest.Settings(func(o *settings.Settings) { o.Roulette, o.Bounces = false, 4 })}
}

// Everything that moves is lit, and lights, where it is: a pose gives the light of a scene at rest that stands so.
func TestPosesAreLitAsStillScenes(t *testing.T) {
	moving, env := tracertest.Moving(t), leaning(mgl32.Vec3{0.1, 0.1, 0.12})
	const at = 1.3 // the plate is gone
	still := tracertest.MovingAt(t, at)
	shot := movingShot(still.Cameras[0])
	if tracertest.Long() {
		shot.Samples *= 128
	}
	want := tracertest.OnBestBackend(t).Use(still, env).RenderSide(shot, agreementRuns, naiveSeed)
	shot.Settings.RestirRadius = tracertest.ReuseRadius(3, shot.Height)
	for _, integrator := range []string{"path", "restir"} {
		t.Run(integrator, func(t *testing.T) {
			tracertest.Parallel(t)
			shot := shot
			shot.Settings.Integrator = integrator
			agree(t, posed(t, tracertest.OnBestBackend(t), moving, env, 0.2, at).RenderSeeds(shot, agreementRuns, 1), want)
		})
	}
}

// What an animation mirrors keeps its fronts outside: it is not seen from within, and lamps shine to the same side.
func TestScalesThatChangeSign(t *testing.T) {
	const at = 0.75
	shot := movingShot(tracertest.Turning(t, 1, false).Cameras[0])
	shot.Samples = 64
	for _, row := range []struct {
		name string
		env  *gpuscene.Environment
		rest float64
	}{{"lit by the lamp", tracertest.Dark(), 1}, {"lit from around", tracertest.Constant(1), 1}, {"mirrored at rest", tracertest.Constant(1), -1}} {
		moving, still := tracertest.Turning(t, row.rest, true), tracertest.Turning(t, 1-2*at, false)
		want := tracertest.OnBestBackend(t).Use(still, row.env).Render(shot)
		got := posed(t, tracertest.OnBestBackend(t), moving, row.env, 0, at).Render(shot)
		if e := tracertest.RelMSE(t, got, want); !(e < 0.01) || tracertest.Mean(want)[0] == 0 {
			t.Errorf("%s: relMSE %.3g from the still scene", row.name, e)
		}
	}
}

// The engines give the same bits in a pose.
func TestEnginesAgreeInMotion(t *testing.T) {
	s := tracertest.Moving(t)
	shot := movingShot(s.Cameras[0])
	shot.Samples = 2
	enginesAgree(t, shot, func(t *testing.T) *tracertest.Fixture {
		return posed(t, tracertest.OnFastest(t), s, tracertest.Constant(0.2), 0.7)
	}, "path", "restir")
}

// What is shown of a moment does not depend on the moments before: who scrubs back sees the same bits.
func TestPosesForgetThoseBefore(t *testing.T) {
	s, env := tracertest.Moving(t), tracertest.Constant(0.2)
	shot := movingShot(s.Cameras[0])
	shot.Samples = 2
	for _, integrator := range []string{"path", "restir"} {
		shot.Settings.Integrator = integrator
		for _, at := range []float64{0, 0.4, 1.7} {
			straight := posed(t, tracertest.OnFastest(t), s, env, at).Render(shot)
			fx := posed(t, tracertest.OnFastest(t), s, env, 1.9, 0.1)
			fx.Render(shot)
			if err := fx.Renderer.Engine().Pose(s.Motion.Pose(0, at)); err != nil {
				t.Fatal(err)
			}
			if again := fx.Render(shot); !slices.Equal(again.Pix, straight.Pix) {
				t.Errorf("%s at %v s: another picture after other poses", integrator, at)
			}
		}
	}
}

// B6 with things that move: while a clip plays, samples of the frames before, which are where things were then, do not shift the mean of what is
// shown.
func TestReuseIsUnbiasedWhileThingsMove(t *testing.T) {
	moving, env := tracertest.Moving(t), leaning(mgl32.Vec3{0.1, 0.1, 0.12})
	const end, step, frames = 1.3, 0.05, 5
	still := tracertest.MovingAt(t, end)
	shot := movingShot(still.Cameras[0])
	shot.Samples = 4
	want := tracertest.OnBestBackend(t).Use(still, env).RenderSide(shot, agreementRuns, naiveSeed)
	shot.Settings.RestirRadius, shot.Settings.Integrator, shot.Samples = tracertest.ReuseRadius(3, shot.Height), "restir", 1
	fx := tracertest.OnBestBackend(t).Use(moving, env)
	got := biasRun{least: 64, most: 64, b: want}
	got.render(t, func(seed int) *imageio.Image {
		shot.Settings.Seed = seed
		return fx.RenderLive(shot, frames, func(frame int) scene.Camera {
			pose := moving.Motion.Pose(0, end-step*float64(frames-1-frame))
			if err := fx.Renderer.Engine().Pose(pose); err != nil {
				t.Fatal(err)
			}
			return pose.Cameras[0]
		})
	})
	got.check(t, 0.004)
}
