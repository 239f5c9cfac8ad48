package oidn_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unsafe"

	"glint/tracer/oidn"
	"glint/tracer/tracertest"
)

// onCPU opens the processor for a test.
func onCPU(t testing.TB) *oidn.Denoiser {
	t.Helper()
	d, err := tracertest.NeedsOIDN(t).CPU()
	if err != nil {
		t.Fatal(err)
	}
	n := d.Denoiser()
	t.Cleanup(func() {
		n.Release()
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

// card is a bright square on a ramp, clean and noisy, four floats a pixel, with the guides of both surfaces.
type card struct {
	width, height                        int
	clean, noisy, albedo, normal, result []float32
}

const cardStride = 16

// newCard adds noise of a standard deviation of half the value.
func newCard(width, height int) *card {
	c := &card{width: width, height: height}
	random := rand.New(rand.NewPCG(1, 2))
	for _, plane := range []*[]float32{&c.clean, &c.noisy, &c.albedo, &c.normal, &c.result} {
		*plane = make([]float32, 4*width*height)
	}
	for i := range width * height {
		x, y := i%width, i/width
		inside := x > width/3 && x < width/3*2 && y > height/3 && y < height/3*2
		for k := range 3 {
			value, albedo := 1+4*float32(x)/float32(width), float32(0.25)
			if inside {
				value, albedo = 12, 0.75
			}
			c.clean[4*i+k], c.albedo[4*i+k] = value, albedo
			c.noisy[4*i+k] = value * float32(math.Exp(random.NormFloat64()*0.5-0.125))
		}
		c.normal[4*i+2] = 1
	}
	return c
}

func image(plane []float32) oidn.Image {
	return oidn.Image{Address: uint64(uintptr(unsafe.Pointer(unsafe.SliceData(plane)))), Stride: cardStride}
}

func (c *card) task(q oidn.Quality) oidn.Task {
	return oidn.Task{Width: c.width, Height: c.height, Color: image(c.noisy), Albedo: image(c.albedo), Normal: image(c.normal),
		Output: image(c.result), Quality: q, HDR: true}
}

// distance is the root of the mean square relative difference of two planes.
func distance(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		if i%4 != 3 {
			sum += math.Pow(float64(a[i]-b[i])/(0.1+float64(b[i])), 2)
		}
	}
	return math.Sqrt(sum / float64(len(a)/4*3))
}

func TestDenoiseBringsTheErrorDown(t *testing.T) {
	c, d := newCard(160, 120), onCPU(t)
	before := distance(c.noisy, c.clean)
	for _, row := range []struct {
		name   string
		change func(*oidn.Task)
		least  float64 // factor by which the error falls
	}{
		{"fast", func(t *oidn.Task) { t.Quality = oidn.Fast }, 5},
		{"balanced", func(t *oidn.Task) { t.Quality = oidn.Balanced }, 5},
		{"high", func(*oidn.Task) {}, 5},
		{"prefiltered", func(t *oidn.Task) { t.Prefilter = true }, 5},
		{"albedo alone", func(t *oidn.Task) { t.Normal = oidn.Image{} }, 5},
		{"no guides", func(t *oidn.Task) { t.Albedo, t.Normal = oidn.Image{}, oidn.Image{} }, 4},
	} {
		t.Run(row.name, func(t *testing.T) {
			task := c.task(oidn.High)
			row.change(&task)
			clear(c.result)
			if err := d.Denoise(task); err != nil {
				t.Fatal(err)
			}
			after := distance(c.result, c.clean)
			t.Logf("relative error %.3f before, %.3f after", before, after)
			if !(after*row.least < before) {
				t.Errorf("relative error %.3f, was %.3f: want %g times less", after, before, row.least)
			}
		})
	}
}

// TestPaddingIsKept: what lies between pixels belongs to the caller.
func TestPaddingIsKept(t *testing.T) {
	c, d := newCard(64, 48), onCPU(t)
	for i := 3; i < len(c.result); i += 4 {
		c.result[i] = 42
	}
	if err := d.Denoise(c.task(oidn.Fast)); err != nil {
		t.Fatal(err)
	}
	for i := 3; i < len(c.result); i += 4 {
		if c.result[i] != 42 {
			t.Fatalf("pixel %d: %v between pixels", i/4, c.result[i])
		}
	}
}

func TestTasksThatMakeNoSense(t *testing.T) {
	c, d := newCard(16, 16), onCPU(t)
	for _, row := range []struct {
		change func(*oidn.Task)
		want   string
	}{
		{func(t *oidn.Task) { t.Width = 0 }, "0×16"},
		{func(t *oidn.Task) { t.Output = oidn.Image{} }, "Output"},
		{func(t *oidn.Task) { t.Albedo = oidn.Image{} }, "albedo"},
		{func(t *oidn.Task) { t.Color.Stride = 4 }, "OIDN says"},
	} {
		task := c.task(oidn.Fast)
		row.change(&task)
		if err := d.Denoise(task); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%+v: error %v, want one that says %q", task, err, row.want)
		}
	}
	if err := d.Denoise(c.task(oidn.Fast)); err != nil {
		t.Errorf("a good task after bad ones: %v", err)
	}
}

// TestResizingReleasesFilters counts filters, not memory: those that stayed would share most of theirs, and the pools of OIDN
// grow by up to 70 MB while threads of a busy machine start late.
func TestResizingReleasesFilters(t *testing.T) {
	d := onCPU(t)
	open := d.CountFilters()
	cards := []*card{newCard(96, 64), newCard(64, 96), newCard(128, 80)}
	for i := range 9 {
		task := cards[i%len(cards)].task(oidn.Fast)
		task.Prefilter = i%4 == 0
		if err := d.Denoise(task); err != nil {
			t.Fatal(err)
		}
		most := 1
		if task.Prefilter {
			most = 3
		}
		if *open != most {
			t.Errorf("%d filters stand after change of size %d, want %d", *open, i, most)
		}
	}
	d.Release()
	if *open != 0 {
		t.Errorf("%d filters stand after release", *open)
	}
}
