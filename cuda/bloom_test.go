package cuda_test

import (
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

// bloomed builds the pyramid of an image and gives the light of each pixel where all of it strays.
func bloomed(t *testing.T, width, height, levels int, image [][4]float32) []float32 {
	t.Helper()
	var sizes []int
	pixels := 0
	for w, h := width, height; len(sizes) < levels; {
		w, h = (w+1)/2, (h+1)/2
		sizes = append(sizes, w*h)
		pixels += w * h
	}
	frame := cuda.Frame{
		Film:    cuda.FilmParams{Accumulation: upload(t, image), Width: uint32(width), Height: uint32(height)},
		Display: cuda.DisplayParams{Bloomed: upload(t, make([][4]float32, pixels)), BloomLevels: uint32(levels), Bloom: 1},
	}
	for level, size := range sizes {
		cuda.Run(cuda.BestVariant(), cuda.BloomDown, &frame, 0, size, uint32(level))
	}
	for level := levels - 2; level >= 0; level-- {
		cuda.Run(cuda.BestVariant(), cuda.BloomUp, &frame, 0, sizes[level], uint32(level))
	}
	places := make([]float32, 0, 2*width*height)
	for y := range height {
		for x := range width {
			places = append(places, float32(x), float32(y))
		}
	}
	return probe.StrayLight.Map(&frame, places)
}

// spot is a black image with a bright square.
func spot(width, height, x, y, side int) [][4]float32 {
	image := make([][4]float32, width*height)
	for i := range image {
		image[i][3] = 1
		if u, v := i%width-x, i/width-y; u >= 0 && v >= 0 && u < side && v < side {
			image[i] = [4]float32{100, 50, 25, 1}
		}
	}
	return image
}

func TestBloomKeepsEnergy(t *testing.T) {
	for _, c := range []struct{ width, height, x, y, side, levels int }{
		{256, 256, 120, 125, 16, 5}, {256, 256, 127, 130, 1, 4}, {301, 203, 150, 99, 3, 4}, {256, 256, 120, 125, 16, 1},
	} {
		stray := bloomed(t, c.width, c.height, c.levels, spot(c.width, c.height, c.x, c.y, c.side))
		for channel, value := range []float64{100, 50, 25} {
			sum := 0.0
			for i := channel; i < len(stray); i += 3 {
				sum += float64(stray[i])
			}
			if want := value * float64(c.side*c.side); math.Abs(sum/want-1) > 0.01 {
				t.Errorf("%+v, channel %d: the sum of light is %.3f of what it was", c, channel, sum/want)
			}
		}
	}
}

func TestBloomLeavesAnEvenImage(t *testing.T) {
	image := make([][4]float32, 77*45)
	for i := range image {
		image[i] = [4]float32{6, 4, 2, 2}
	}
	for i, x := range bloomed(t, 77, 45, 4, image) {
		if want := float64(3 - i%3); math.Abs(float64(x)-want) > 1e-5 {
			t.Fatalf("value %d is %v, want %v", i, x, want)
		}
	}
}

// The glare of a point falls with about the square of the distance, alike on all sides.
func TestGlareOfAPoint(t *testing.T) {
	const side, x, y = 512, 256, 256
	stray := bloomed(t, side, side, 6, spot(side, side, x, y, 1))
	ring := func(radius float64) (mean float64) { // red, mean over angles: pixels of the pyramid show in a single one
		const angles = 64
		for i := range angles {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / angles)
			mean += float64(stray[3*(int(y+radius*sin)*side+int(x+radius*cos))]) / angles
		}
		return mean
	}
	last := math.Inf(1)
	for r := 2.0; r <= 128; r *= 1.25 {
		if got := ring(r); got >= last {
			t.Errorf("glare rises from %g to %g at %g pixels", last, got, r)
		} else {
			last = got
		}
	}
	slope := math.Log(ring(48)/ring(6)) / math.Log(8)
	t.Logf("glare falls with the distance to the power %.2f", slope)
	if math.Abs(slope+2) > 0.35 {
		t.Errorf("glare falls with the distance to the power %.2f, want about −2", slope)
	}
}

func TestBloomStopsWhatIsNoNumber(t *testing.T) {
	image := spot(64, 64, 30, 30, 4)
	image[20*64+20] = [4]float32{float32(math.NaN()), 1, float32(math.Inf(1)), 1}
	for i, x := range bloomed(t, 64, 64, 3, image) {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) || x < 0 {
			t.Fatalf("value %d is %v", i, x)
		}
	}
}
