package tracer_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/scene"
)

// In the furnace of docs/restir-gi.md light that was scattered k times has radiance 0.5^k in every pixel: emission that is
// counted twice, or a confidence that is lost, shows as a wrong sum.
func TestReuseFurnace(t *testing.T) {
	s := made(t, "emissive-sphere", builtin.Options{Triangles: 2500})
	for _, row := range []struct {
		show    string
		bounces int
		want    float64
	}{
		{"indirect", 2, 0.25},
		{"indirect", 4, 0.4375},
		{"direct", 4, 1.5}, // with the emission that the camera sees
		{"all", 4, 1.9375},
	} {
		view := shot{camera: s.Cameras[0], width: 64, height: 64, samples: 48, settings: changed(func(o *tracer.Settings) {
			o.Integrator, o.Bounces, o.Roulette, o.Show = "restir-gi", row.bounces, false, row.show
		})}
		checkMean(t, "accumulated, "+row.show, onBest(t).use(s, dark()).take(view), row.want)
	}
}

func checkMean(t *testing.T, what string, img *imageio.Image, want float64) {
	t.Helper()
	mean := meanImage(img)[0]
	t.Logf("%s: mean %.5f, want %.5f (%+.2f %%)", what, mean, want, 100*(mean/want-1))
	if !(math.Abs(mean/want-1) <= 0.002) {
		t.Errorf("%s: mean %.5f, want %.5f within 0.2 %%", what, mean, want)
	}
}

// sunnySky is a blue sky with a sun of 2° over the left shoulder, in 128 × 64 texels.
func sunnySky() *tracer.Environment {
	const w, h = 128, 64
	sun := mgl32.Vec3{-0.5, 0.7, 0.5}.Normalize()
	e := &tracer.Environment{Width: w, Height: h}
	for y := range h {
		sin, cos := math.Sincos(math.Pi * (float64(y) + 0.5) / h)
		for x := range w {
			sinU, cosU := math.Sincos(2 * math.Pi * ((float64(x)+0.5)/w - 0.5))
			d := mgl32.Vec3{float32(sin * cosU), float32(cos), float32(sin * sinU)}
			c := mgl32.Vec3{0.3, 0.45, 0.8}.Mul(0.4 + 0.6*max(d[1], 0))
			c = c.Add(mgl32.Vec3{1, 0.9, 0.75}.Mul(400 * float32(math.Exp(800*float64(d.Dot(sun)-1)))))
			e.Pixels = append(e.Pixels, c[0], c[1], c[2])
		}
	}
	return e
}

// qualityRow is how many times nearer to the truth than plain path tracing a frame of reused light must be.
type qualityRow struct {
	scene             string
	env               *tracer.Environment
	first, rest, move float64 // first frame, frame 30 of a resting view, frame 30 of an orbit of 1° a frame
}

func TestReuseQualityByScene(t *testing.T) {
	for _, row := range []qualityRow{
		{"door-ajar", dark(), 2, 9.3, 4},
		{"open-environment", sunnySky(), 2, 3, 4},
	} {
		t.Run(row.scene, func(t *testing.T) { row.check(t) })
	}
}

const qualityFrames = 30

func (row qualityRow) check(t *testing.T) {
	s := made(t, row.scene, builtin.Options{})
	view := shot{camera: s.Cameras[0], width: 96, height: 96, samples: 1,
		settings: changed(func(o *tracer.Settings) { o.Show = "indirect" })}
	orbit := func(frame int) scene.Camera { return orbited(view.camera, float64(frame-qualityFrames+1)) }
	reference := view
	reference.samples, reference.settings.Seed = 2048, 7
	want := onFastest(t).use(s, row.env).take(reference)
	path := onFastest(t).use(s, row.env).take(view)
	reused := view
	reused.settings.Integrator = "restir-gi"
	for _, c := range []struct {
		what   string
		frames int
		camera func(int) scene.Camera
		least  float64
	}{
		{"first frame", 1, nil, row.first},
		{"resting", qualityFrames, nil, row.rest},
		{"moving", qualityFrames, orbit, row.move},
	} {
		img := onFastest(t).use(s, row.env).live(reused, c.frames, c.camera)
		got := relMSE(t, path, want) / relMSE(t, img, want)
		t.Logf("%s, %s: relMSE %.4f of path, %.4f reused: %.1f×", row.scene, c.what, relMSE(t, path, want), relMSE(t, img, want), got)
		if got < c.least {
			t.Errorf("%s, %s: %.1f× nearer to the truth than path, want %.1f×", row.scene, c.what, got, c.least)
		}
	}
}

// orbited turns a camera about its target, degrees counter-clockwise seen from above.
func orbited(c scene.Camera, degrees float64) scene.Camera {
	turn := mgl32.HomogRotate3DY(mgl32.DegToRad(float32(degrees)))
	c.Eye = c.Target.Add(turn.Mul4x1(c.Eye.Sub(c.Target).Vec4(0)).Vec3())
	return c
}
