package integrator_test

import (
	"math"
	"math/bits"
	"testing"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/schedule"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// convergence measures how the error of a mean of frames falls with their number.
type convergence struct {
	most int // frames
	runs int
	side int // of the picture, pixels
}

func convergenceSize() convergence {
	if tracertest.Long() {
		return convergence{most: 4096, runs: 4, side: 128}
	}
	return convergence{most: 256, runs: 8, side: 32}
}

// seedStep keeps the seeds of runs apart, whatever their frames take.
const seedStep = 1 << 16

// B8: what accumulates are independent frames. With a seed of its own for each, the squared error falls as 1/N. Frames of
// one sequence are spread evenly besides, which can only help: their error may fall faster, but not slower.
func TestAccumulatedReuseConverges(t *testing.T) {
	for _, row := range []struct {
		name           string
		seed           func(run, frame int) int
		steepest, flat float64 // slopes
	}{
		{"a seed for each frame", func(run, frame int) int { return run*seedStep + frame }, -1.05, -0.95},
		{"one sequence", func(run, _ int) int { return run * seedStep }, math.Inf(-1), -0.95},
	} {
		t.Run(row.name, func(t *testing.T) {
			slope := convergenceSize().slope(t, func(fx *tracertest.Fixture, v tracertest.Shot, run, frame int) *imageio.Image {
				v.Settings.Seed = run // begins an image; its frames have seeds that nobody is told of
				seed := row.seed(run, frame)
				fx.Device.ChangeFrame = func(f *cuda.Frame) { f.Sampling.Seed = uint32(seed) }
				fx.Frame(schedule.Request{View: view.View{Camera: v.Camera, Width: v.Width, Height: v.Height}}, v.Settings, view.Target{})
				return radianceAt(fx, frame+1)
			})
			if !(slope >= row.steepest && slope <= row.flat) {
				t.Errorf("the squared error falls with slope %.3f in the number of frames, want %.2f to %.2f", slope, row.steepest, row.flat)
			}
		})
	}
}

// Frames that share history err alike, and the slope must show it: this is what B8 is there to find.
func TestSharedHistoryFlattensConvergence(t *testing.T) {
	sum := &imageio.Image{}
	slope := convergence{most: 128, runs: 4, side: 32}.slope(t, func(fx *tracertest.Fixture, seen tracertest.Shot, run, frame int) *imageio.Image {
		seen.Settings.Seed = run * seedStep
		img := fx.RenderLive(seen, 1, nil)
		if frame == 0 {
			sum = &imageio.Image{Width: img.Width, Height: img.Height, Pix: make([]float32, len(img.Pix))}
		}
		mean := &imageio.Image{Width: img.Width, Height: img.Height, Pix: make([]float32, len(img.Pix))}
		for i, v := range img.Pix {
			sum.Pix[i] += v
			mean.Pix[i] = sum.Pix[i] / float32(frame+1)
		}
		return mean
	})
	if slope < -0.9 {
		t.Errorf("frames with history average with slope %.3f: the measurement is blind to what they share", slope)
	}
}

// radianceAt is the picture after a number of frames that is a power of two, else nil.
func radianceAt(fx *tracertest.Fixture, frames int) *imageio.Image {
	if bits.OnesCount(uint(frames)) != 1 {
		return nil
	}
	img, err := fx.Renderer.Image().Radiance()
	if err != nil {
		fx.T.Fatal(err)
	}
	return img
}

// slope renders some runs, frame after frame, and is that of log variance over log frames. frame is asked for the mean so
// far; it may answer nil unless the number of frames is a power of two. Runs have no reference, whose noise would flatten it.
func (c convergence) slope(t *testing.T, frame func(fx *tracertest.Fixture, v tracertest.Shot, run, frame int) *imageio.Image) float64 {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	v := reusing(s, c.side)
	fx := tracertest.NewDevice().Open(t).Use(s, nil)
	means := map[int][]*imageio.Image{}
	for run := range c.runs {
		for i := range c.most {
			img := frame(fx, v, run+1, i)
			if bits.OnesCount(uint(i+1)) == 1 {
				means[i+1] = append(means[i+1], img)
			}
		}
	}
	variances := map[int]float64{}
	for n, images := range means {
		variances[n] = runVariance(images)
	}
	slope := logSlope(variances)
	t.Logf("slope %.3f: %v", slope, variances)
	return slope
}

// runVariance is the mean over pixels of the variance over runs: for two runs, ½·mean((A−B)²).
func runVariance(runs []*imageio.Image) float64 {
	var sum float64
	for i := range runs[0].Pix {
		var mean, square float64
		for _, r := range runs {
			mean += float64(r.Pix[i]) / float64(len(runs))
		}
		for _, r := range runs {
			square += (float64(r.Pix[i]) - mean) * (float64(r.Pix[i]) - mean)
		}
		sum += square / float64(len(runs)-1)
	}
	return sum / float64(len(runs[0].Pix))
}

// logSlope is the slope of a least-squares line through the logarithms of (n, value).
func logSlope(values map[int]float64) float64 {
	var n, x, y, xx, xy float64
	for k, v := range values {
		lx, ly := math.Log(float64(k)), math.Log(v)
		n, x, y, xx, xy = n+1, x+lx, y+ly, xx+lx*lx, xy+lx*ly
	}
	return (n*xy - x*y) / (n*xx - x*x)
}
