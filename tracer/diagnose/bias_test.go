package diagnose_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"glint/tracer/diagnose"
	"glint/tracer/imageio"
	"glint/tracer/tracertest"
)

const across, down = 48, 36

// biased are two pictures that converge: noise is drawn for each pixel and sample, and B is brighter by some share where it is biased.
type biased struct {
	noise   [2][]float64 // samples of each side, of mean 1
	samples [2]int       // of a block
	blocks  int
	by      float64
	keep    float64 // of a sample, that the next one repeats
}

// region is where B is biased.
func region(i int) bool { x, y := i%across, i/across; return x >= 10 && x < 26 && y >= 8 && y < 20 }

// beyond is where no window reaches that region.
func beyond(i int) bool { x, y := i%across, i/across; return x < 4 || x >= 32 || y < 2 || y >= 26 }

// run finds bias after so many blocks.
func (b biased) run(t *testing.T, seed uint64) *diagnose.BiasMap {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 9))
	found := diagnose.NewBias(across, down, 16)
	var sums, last [2][across * down]float64
	have := [2]int{}
	for taken := -1; taken < b.blocks; {
		var pictures [2]*imageio.Image
		for side := range sums {
			noise := b.noise[side]
			have[side] += b.samples[side]
			pictures[side] = &imageio.Image{Width: across, Height: down, Pix: make([]float32, 3*across*down)}
			for i := range sums[side] {
				value := last[side][i]
				for range b.samples[side] {
					value += (1 - b.keep) * (noise[random.Uint32()%uint32(len(noise))] - value)
					sums[side][i] += value
				}
				last[side][i] = value
				mean := (0.2 + float64(i%across)/across) * sums[side][i] / float64(have[side])
				if side == 1 && region(i) {
					mean *= 1 + b.by
				}
				for c := range 3 {
					pictures[side].Pix[3*i+c] = float32(mean)
				}
			}
		}
		if found.Due(have[0], have[1]) {
			if err := found.Take(pictures, have); err != nil {
				t.Fatal(err)
			}
			taken++
		}
	}
	return found.Map()
}

// noises are of a light tail, of one sample in 200 that has half of the light, of side A alone one in 1,000, and log-normal, whose variance few
// samples tell.
func noises() map[string][2][]float64 {
	random := rand.New(rand.NewPCG(7, 8))
	draw := func(sample func() float64) (all []float64) {
		for range 1 << 16 {
			all = append(all, sample())
		}
		return all
	}
	firefly := func(rate int) func() float64 {
		return func() float64 {
			if random.IntN(rate) == 0 {
				return 0.5 + 0.5*float64(rate)
			}
			return 0.5
		}
	}
	gaussian, fireflies := draw(func() float64 { return 1 + 0.5*random.NormFloat64() }), draw(firefly(200))
	heavy := draw(func() float64 { return math.Exp(1.5*random.NormFloat64() - 1.125) })
	return map[string][2][]float64{
		"gaussian": {gaussian, gaussian}, "fireflies": {fireflies, fireflies}, "rare on one side": {draw(firefly(1000)), gaussian}, "heavy": {heavy, heavy},
	}
}

// seeds is of how many pairs of pictures there are statistics.
func seeds() int {
	if tracertest.Long() {
		return 50
	}
	return 12
}

// TestBiasMap: bias is found where it is, and outside not more often than the rate of false discoveries allows, but for the edge that
// windows smear.
func TestBiasMap(t *testing.T) {
	seeds := seeds()
	for name, by := range map[string]float64{"gaussian": 0.3, "faint": 0.06, "fireflies": 1, "heavy": 1} {
		b := biased{noise: noises()[strings.Replace(name, "faint", "gaussian", 1)], samples: [2]int{32, 32}, blocks: 24, by: by}
		inside, right, smeared, wrong, mean := 0, 0, 0, 0, 0.
		for seed := range uint64(seeds) {
			m := b.run(t, seed)
			for i, r := range m.Relative {
				switch {
				case region(i):
					inside++
					if r > 0 {
						right++
					}
				case r != 0 && beyond(i):
					wrong++
				case r != 0:
					smeared++
				}
			}
			mean += m.Brighter.Mean / float64(seeds)
		}
		t.Logf("%s: %d of %d cells found, brighter by %.3f; %d smeared, %d wrong", name, right, inside, mean, smeared, wrong)
		if float64(right) < 0.7*float64(inside) || math.Abs(mean/b.by-1) > 0.1 {
			t.Errorf("%s: %d of %d cells are found, brighter by %.3f, want %.3f", name, right, inside, mean, b.by)
		}
		if float64(wrong) > 0.01*float64(right) || float64(smeared) > 0.1*float64(right) {
			t.Errorf("%s: of %d cells %d are wrong, and %d smeared", name, right, wrong, smeared)
		}
	}
}

// TestBiasMapOfEqualPictures: without bias next to nothing is coloured, whatever the noise, the number of samples of each side, and how much
// samples repeat those before.
func TestBiasMapOfEqualPictures(t *testing.T) {
	seeds := seeds()
	for name, noise := range noises() {
		for _, b := range []biased{
			{samples: [2]int{16, 16}, blocks: 8}, {samples: [2]int{16, 16}, blocks: 36}, {samples: [2]int{48, 16}, blocks: 12},
			{samples: [2]int{16, 16}, blocks: 8, keep: 0.8},
		} {
			b.noise = noise
			colored, off := 0, 0
			for seed := range uint64(seeds) {
				m := b.run(t, 1000+seed)
				if m.Seen() > 0 {
					colored++
				}
				if math.Abs(m.Whole.Mean) > m.Whole.Spread {
					off++
				}
			}
			if colored > 1 { // one picture in a hundred may be
				t.Errorf("%s, %v samples, %d blocks, %v repeated: %d of %d pictures are coloured", name, b.samples, b.blocks, b.keep, colored, seeds)
			}
			if off > 2+seeds/5 { // one in 20, and a little more with few blocks
				t.Errorf("%s, %v samples, %d blocks, %v repeated: %d of %d means are off", name, b.samples, b.blocks, b.keep, off, seeds)
			}
		}
	}
}

// TestBiasMapSays how sure it is.
func TestBiasMapSays(t *testing.T) {
	noise := noises()["gaussian"]
	for want, b := range map[string]biased{
		"Not known yet: 3 of 8": {samples: [2]int{16, 16}, blocks: 3, by: 1}, "No bias is seen": {samples: [2]int{16, 16}, blocks: 16},
		"B is brighter by": {samples: [2]int{16, 16}, blocks: 16, by: 0.5}, "B is darker by": {samples: [2]int{16, 16}, blocks: 16, by: -0.5},
	} {
		b.noise = noise
		m := b.run(t, 3)
		if got := m.String(); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		seen := &imageio.Image{Width: across, Height: down, Pix: make([]float32, 3*across*down)}
		c := m.Picture(seen).NRGBAAt(18, 14) // in the region
		if blue := c.B > c.R; blue != (b.by > 0 && b.blocks > 3) || (c.R > c.B) != (b.by < 0) {
			t.Errorf("%s: %v is in the picture", want, c)
		}
	}
}

func BenchmarkBiasMap(b *testing.B) {
	const width, height = 640, 360
	found, p := diagnose.NewBias(width, height, 16), &imageio.Image{Width: width, Height: height, Pix: make([]float32, 3*width*height)}
	for k := range 32 {
		for i := range p.Pix {
			p.Pix[i] = rand.Float32()
		}
		if err := found.Take([2]*imageio.Image{p, p}, [2]int{16 * (k + 1), 16 * (k + 1)}); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		found.Map()
	}
}

// TestBiasKeepsItsScale: the scale of the colours grows by steps of 1, 2 and 5, and does not shrink when differences turn out to be smaller.
func TestBiasKeepsItsScale(t *testing.T) {
	b := diagnose.NewBias(across, down, 4)
	random := rand.New(rand.NewPCG(3, 4))
	sums, last, steps := [2]float64{}, 0.0, []float64{}
	for n := 1; n <= 60; n++ {
		by := 0.08
		if n > 12 {
			by = 0.01
		}
		sums[0], sums[1] = sums[0]+4, sums[1]+4*(1+by)
		var pictures [2]*imageio.Image
		for side := range pictures {
			pictures[side] = &imageio.Image{Width: across, Height: down, Pix: make([]float32, 3*across*down)}
			for i := range pictures[side].Pix {
				pictures[side].Pix[i] = float32((sums[side] + 1e-3*random.NormFloat64()) / float64(4*n))
			}
		}
		if err := b.Take(pictures, [2]int{4 * n, 4 * n}); err != nil {
			t.Fatal(err)
		}
		if n < 2 {
			continue
		}
		m := b.Map()
		if m.Scale < last {
			t.Fatalf("after %d blocks the scale is %v, it was %v: B is %s", n, m.Scale, last, m.Brighter)
		}
		if m.Scale > last {
			steps = append(steps, m.Scale)
		}
		last = m.Scale
		if n == 60 && !(m.Brighter.Share == 1 && m.Brighter.Mean < 0.05) {
			t.Errorf("the differences do not become smaller: %s", m)
		}
	}
	if len(steps) != 2 || steps[0] != 0.01 || steps[1] != 0.1 {
		t.Errorf("the scale takes the steps %v", steps)
	}
}
