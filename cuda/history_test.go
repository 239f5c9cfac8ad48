package cuda_test

import (
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

// trucked is a frame whose camera looks along −z and has moved to the right since the image before, m.
func trucked(by float32) *cuda.Frame {
	f := &cuda.Frame{Film: cuda.FilmParams{Width: 160, Height: 120}}
	f.Camera = cuda.Camera{Right: [3]float32{1, 0, 0}, Up: [3]float32{0, 1, 0}, Forward: [3]float32{0, 0, -1}, TanHalfFovY: 0.5, Aspect: 4.0 / 3}
	f.Previous = f.Camera
	f.Camera.Eye[0] = by
	return f
}

// TestPlaceBeforeAnalytic: a wall d away moves by H·t / (2 d tan) pixels when the camera trucks by t, wherever in the pixel
// the sample fell.
func TestPlaceBeforeAnalytic(t *testing.T) {
	const by, distance, worst = 0.1, 4, 0.05
	f := trucked(by)
	want := 120 * by / (2 * distance * 0.5)
	for _, jitter := range []float32{0.01, 0.5, 0.99} {
		for _, pixel := range [][2]float32{{3, 5}, {80, 60}, {140, 100}} {
			x := by + (2*(pixel[0]+jitter)/160-1)*0.5*4/3*distance
			y := (1 - 2*(pixel[1]+jitter)/120) * 0.5 * distance
			got := probe.Reproject.Map(f, []float32{pixel[0], pixel[1], x, y, -distance})
			dx, dy := float64(got[0]-pixel[0]-0.5)-want, float64(got[1]-pixel[1]-0.5)
			if got[2] != 1 || math.Hypot(dx, dy) > worst {
				t.Errorf("pixel %v, sample at %v: history at %v, want %.3f pixels to the right", pixel, jitter, got, want)
			}
		}
	}
}

// TestPlaceBeforeOfSky: what is infinitely far away follows the camera's turning alone.
func TestPlaceBeforeOfSky(t *testing.T) {
	got := probe.Reproject.Map(trucked(3), []float32{40, 30, 3, 0, -1e10})
	if got[2] != 1 || math.Hypot(float64(got[0]-40.5), float64(got[1]-30.5)) > 0.01 {
		t.Errorf("the sky moved to %v when the camera trucked", got)
	}
}

// TestPackedIrradiance: colours to 1/32768 of the brightest channel, their error to a percent, normals to 1/250.
func TestPackedIrradiance(t *testing.T) {
	r := newRandom(31)
	for range 1000 {
		scale := float32(math.Pow(10, 16*r.Float64()-8))
		in := []float32{scale, scale * float32(r.Float64()), -scale * float32(r.Float64()), scale * float32(r.Float64()), 0, 0.6, -0.8}
		out := probe.PackedIrradiance.Map(&cuda.Frame{}, in)
		for i, got := range out {
			tolerance := []float32{scale / 16384, scale / 16384, scale / 16384, in[3] / 100, 0.005, 0.005, 0.005}[i]
			if d := float32(math.Abs(float64(got - in[i]))); !(d <= tolerance) {
				t.Fatalf("%v became %v", in, out)
			}
		}
	}
	if out := probe.PackedIrradiance.Map(&cuda.Frame{}, []float32{0, 0, 0, -1, 0, 0, 1}); out[0] != 0 || out[3] >= 0 {
		t.Errorf("black of unknown error became %v", out)
	}
}
