package denoise_test

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// displayed is about what a display makes of a radiance, of 255.
func displayed(x float32) float64 { return 255 * math.Pow(float64(min(max(x, 0), 1)), 1/2.2) }

// largestStep is the largest difference between two images on a display, of 255.
func largestStep(a, b *imageio.Image) float64 {
	most := 0.0
	for i := range a.Pix {
		most = max(most, math.Abs(displayed(a.Pix[i])-displayed(b.Pix[i])))
	}
	return most
}

// TestFirefliesAreGoneSoon: of a sample that outshines all others, nothing is seen four frames later.
func TestFirefliesAreGoneSoon(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 64, Height: 48}}
	const planted, frames = 8, 12
	shown := func(light float32) *imageio.Image {
		d := tracertest.NewDevice()
		fx := d.Open(t).Use(s, nil)
		frame := 0
		d.BeforeLaunch = func(k cuda.Kernel) {
			if k != cuda.AtrousDemodulate {
				return
			}
			if frame++; frame != planted {
				return
			}
			sums := tracertest.ReadBuffer[[4]float32](t, d, d.LastFrame.Film.Accumulation)
			for c := range 3 {
				sums[24*64+32][c] += light
			}
			tracertest.WriteBuffer(t, d, d.LastFrame.Film.Accumulation, sums)
		}
		return shoot(fx, v, filtering(func(*settings.Settings) {}), frames, nil, nil)
	}
	trace := largestStep(shown(1e4), shown(0))
	t.Logf("trace of %.2f/255", trace)
	if trace > 1 {
		t.Errorf("a bright sample leaves a trace of %.1f/255 after %d frames", trace, frames-planted)
	}
}

// TestLampsGoOut: four frames after all lamps of an animated scene have gone out, a tenth of their light is left at most.
func TestLampsGoOut(t *testing.T) {
	s := tracertest.Moving(t)
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 96, Height: 72}, Live: true, Moving: true}
	const lit, dark = 8, 4
	play := func(lamps, out bool) float64 {
		fx := tracertest.OnBestBackend(t).Use(s, tracertest.Constant(0.1))
		var img *imageio.Image
		for i := range lit + dark {
			pose := *s.Motion.Pose(0, 1.5)
			if !lamps || out && i >= lit {
				goOut(&pose)
			}
			if err := fx.Renderer.Engine().Pose(&pose); err != nil {
				t.Fatal(err)
			}
			v.Frame = i + 1
			img = shoot(fx, v, filtering(func(*settings.Settings) {}), 1, nil, nil)
		}
		return tracertest.Mean(img)[1]
	}
	never := play(false, false)
	left := (play(true, true) - never) / (play(true, false) - never)
	t.Logf("%.1f %% of the light is left", 100*left)
	if math.Abs(left) > 0.1 {
		t.Errorf("%.1f %% of the light is left after %d frames", 100*left, dark)
	}
}

// goOut puts out the lamps of a pose.
func goOut(p *scene.Pose) {
	p.Lights, p.Materials = slices.Clone(p.Lights), slices.Clone(p.Materials)
	for i := range p.Lights {
		p.Lights[i].Intensity = mgl32.Vec3{}
	}
	for i := range p.Materials {
		p.Materials[i].Emission = mgl32.Vec3{}
	}
}

// TestDotsAreHeldBack: a pixel that outshines those around it is shown as bright as they allow, the brighter the more samples it is of.
func TestDotsAreHeldBack(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	const width, dot = 64, 24*64 + 32
	for _, samples := range []int{1, 4} {
		shown := func(planted bool) *imageio.Image {
			v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: width, Height: 48, Frame: 1}, Live: true}
			d := tracertest.NewDevice()
			fx := d.Open(t).Use(s, nil)
			d.BeforeLaunch = func(k cuda.Kernel) {
				if k != cuda.TemporalStabilize || !planted {
					return
				}
				pixels := tracertest.ReadBuffer[[4]float32](t, d, d.LastFrame.Denoise.Denoised)
				for c := range 3 {
					pixels[dot][c] *= 100
				}
				tracertest.WriteBuffer(t, d, d.LastFrame.Denoise.Denoised, pixels)
			}
			own := filtering(func(*settings.Settings) {})
			for range samples {
				fx.Frame(v, own, view.Target{})
			}
			img, err := fx.Renderer.Image().Denoised(v, own)
			if err != nil {
				t.Fatal(err)
			}
			return img
		}
		light := func(img *imageio.Image, i int) float64 {
			return imageio.Luminance(float64(img.Pix[3*i]), float64(img.Pix[3*i+1]), float64(img.Pix[3*i+2]))
		}
		with, without := shown(true), shown(false)
		var around []float64
		for _, i := range []int{-width - 1, -width, -width + 1, -1, 1, width - 1, width, width + 1} {
			around = append(around, light(without, dot+i))
		}
		slices.Sort(around)
		times, most := light(with, dot)/around[len(around)-2], 1.2*float64(samples) // the dot is the brightest, this one the third
		t.Logf("%d samples: the dot is %.2f times as bright as the third brightest pixel around", samples, times)
		if !(times < 1.01*most) {
			t.Errorf("%d samples: the dot is %.2f times as bright as the third brightest pixel around, want at most %.1f", samples, times, most)
		}
	}
}
