package diagnose

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"glint/tracer/imageio"
)

// Bias finds out where two pictures of one view differ by more than chance, while they converge. It takes their samples in blocks. A block's
// difference is that of the two means, so a side may have more samples than the other: both means are unbiased whatever their number.
//
// Chance is known from how much blocks differ among each other. When there are many, neighbours in time are merged, so blocks grow with the
// number of samples, and samples that share history with those before depend on another block less and less. Rare light that a side has met
// nowhere around yet is not known to be missing: there it looks darker until it is met.
//
// Large pictures are kept in cells of some pixels: at most mostCells · mostBlocks numbers. Only luminance counts.
type Bias struct {
	grid   grid
	least  int          // samples of a block
	sums   [2][]float64 // of the luminance of all samples until the last block, by cell
	taken  [2]int       // samples
	began  [2]int       // samples before the first block: those that two sides had already have no spread
	blocks []block
	scale  float64 // of the colours of maps so far
}

// grid is how a picture is cut into cells.
type grid struct{ width, height, side, columns, rows int }

// block is what one block of samples says.
type block struct {
	difference []float64 // B − A, by cell
	weight     float64   // inverse to its variance
}

const (
	leastKnown = 8  // blocks: with fewer, how much they differ is not known well enough
	mostBlocks = 32 // then pairs are merged
	mostCells  = 1 << 16
	// falseShare is the share of what is coloured that may be chance: the false discovery rate of Benjamini and Hochberg (1995).
	falseShare = 0.01
	// leastDeviation is how much of a cell's light rounding may be: float32 sums of many samples are not exact.
	leastDeviation = 1e-4
	// far is how many cells around one tell how unsure it is, beyond windows that have cells in common with its own.
	far = 6
	// dark is the share of the picture's mean below which light is not what a difference is measured by.
	dark = 0.01
)

// NewBias begins with two pictures of so many pixels. Blocks have so many samples at least: as many as depend on each other.
func NewBias(width, height, least int) *Bias {
	g := grid{width: width, height: height, side: 1}
	for {
		g.columns, g.rows = (width+g.side-1)/g.side, (height+g.side-1)/g.side
		if g.columns*g.rows <= mostCells {
			return &Bias{grid: g, least: least}
		}
		g.side *= 2
	}
}

// Due tells whether two pictures with so many samples make another block. All blocks are about as long.
func (b *Bias) Due(samplesA, samplesB int) bool {
	made, have := min(samplesA-b.taken[0], samplesB-b.taken[1]), min(b.taken[0]-b.began[0], b.taken[1]-b.began[1])
	if b.sums[0] == nil {
		return made >= 2*b.least // the first ones may be of another kind
	}
	return made >= max(b.least, have/max(len(b.blocks), 1))
}

// Take takes what two pictures have now. The first time it only notes where they begin.
func (b *Bias) Take(pictures [2]*imageio.Image, samples [2]int) error {
	var now [2][]float64
	for i, p := range pictures {
		if p.Width != b.grid.width || p.Height != b.grid.height {
			return fmt.Errorf("find bias: a picture of %d×%d, want %d×%d", p.Width, p.Height, b.grid.width, b.grid.height)
		}
		now[i] = b.grid.luminance(p)
		for j := range now[i] {
			now[i][j] *= float64(samples[i])
		}
	}
	before, had := b.sums, b.taken
	b.sums, b.taken = now, samples
	if before[0] == nil {
		b.began = samples
		return nil
	}
	m, n := float64(samples[0]-had[0]), float64(samples[1]-had[1])
	made := block{difference: make([]float64, len(now[0])), weight: m * n / (m + n)} // variances are as 1/m and 1/n
	for i := range made.difference {
		made.difference[i] = (now[1][i]-before[1][i])/n - (now[0][i]-before[0][i])/m
	}
	if b.blocks = append(b.blocks, made); len(b.blocks) == mostBlocks {
		b.merge()
	}
	return nil
}

// merge makes one block of two that follow one another.
func (b *Bias) merge() {
	for k := range len(b.blocks) / 2 {
		p, q := b.blocks[2*k], b.blocks[2*k+1]
		share := q.weight / (p.weight + q.weight)
		for i := range p.difference {
			p.difference[i] += share * (q.difference[i] - p.difference[i])
		}
		b.blocks[k] = block{p.difference, p.weight + q.weight}
	}
	b.blocks = slices.Delete(b.blocks, len(b.blocks)/2, len(b.blocks))
}

// luminance is the mean of each cell.
func (g grid) luminance(p *imageio.Image) []float64 {
	out, pixels := make([]float64, g.columns*g.rows), make([]float64, g.columns*g.rows)
	for i := range p.Width * p.Height {
		at := i/p.Width/g.side*g.columns + i%p.Width/g.side
		out[at] += float64(imageio.Luminance(p.Pix[3*i], p.Pix[3*i+1], p.Pix[3*i+2]))
		pixels[at]++
	}
	for i := range out {
		out[i] /= pixels[i]
	}
	return out
}

// windows are the reaches of means that are tested, in cells: one cell sees fine detail, and wide windows faint bias, since they have more samples.
// The widest are less than half of the picture.
func (g grid) windows() []int {
	return slices.DeleteFunc([]int{0, 1, 3, 6, 12, 24}, func(reach int) bool { return reach > min(g.columns, g.rows)/5 })
}

// reach sums up values over windows of cells, which end at the picture's edge.
func (g grid) reach(values []float64, radius int) []float64 {
	if radius == 0 {
		return slices.Clone(values)
	}
	along := func(from []float64, lines, length, line, step int) []float64 {
		to := make([]float64, len(from))
		for l := range lines {
			sum := 0.
			for i := range min(radius, length) {
				sum += from[l*line+i*step]
			}
			for i := range length {
				if i+radius < length {
					sum += from[l*line+(i+radius)*step]
				}
				to[l*line+i*step] = sum
				if i >= radius {
					sum -= from[l*line+(i-radius)*step]
				}
			}
		}
		return to
	}
	return along(along(values, g.rows, g.columns, g.columns, 1), g.columns, g.rows, 1, g.columns)
}

// BiasMap is where two pictures differ by more than chance.
type BiasMap struct {
	Relative         []float64 // (B − A) / A, by cell; 0 where that may be chance
	Scale            float64   // of its colours
	Brighter, Darker Difference
	Whole            Difference // of the whole picture
	Samples          int        // of the side that has fewer
	grid             grid
	blocks           int
}

// Difference is by how much B is brighter than A over a share of the picture, relative to A; spread is two standard deviations.
type Difference struct{ Share, Mean, Spread float64 }

// Map is what all blocks say.
func (b *Bias) Map() *BiasMap {
	cells := b.grid.columns * b.grid.rows
	m := &BiasMap{Relative: make([]float64, cells), grid: b.grid, blocks: len(b.blocks), Samples: min(b.taken[0], b.taken[1])}
	if m.Known() {
		light := b.light()
		b.findAll(m.Relative, light)
		m.Whole = b.over(light, func(int) bool { return true })
		m.Brighter = b.over(light, func(i int) bool { return m.Relative[i] > 0 })
		m.Darker = b.over(light, func(i int) bool { return m.Relative[i] < 0 })
	}
	b.scale = max(b.scale, scaleOf(m.Relative)) // so that maps that follow one another can be compared
	m.Scale = b.scale
	return m
}

// light is what differences are relative to: what A has had so far, and a little, so that black does not count.
func (b *Bias) light() []float64 {
	light := make([]float64, len(b.sums[0]))
	for i, s := range b.sums[0] {
		light[i] = s / float64(b.taken[0])
	}
	little := max(dark*sum(light)/float64(len(light)), math.SmallestNonzeroFloat32)
	for i := range light {
		light[i] += little
	}
	return light
}

// findAll tests windows from narrow to wide. Wide ones smear what they find over cells around. So what a narrow one has found does not count in
// wider ones, and a cell for which a wide one speaks must differ at least half as much in the window before.
func (b *Bias) findAll(relative, light []float64) {
	left := make([]float64, len(light)) // 1 where nothing is found yet
	for i := range left {
		left[i] = 1
	}
	var before []float64
	reaches := b.grid.windows()
	for _, radius := range reaches {
		differ, deviation := b.windowed(left, light, radius)
		p := make([]float64, 0, len(light))
		at := make([]int, 0, len(light))
		for i := range light {
			if left[i] > 0 {
				p, at = append(p, chance(differ[i]/deviation[i], len(b.blocks)-1)), append(at, i)
			}
		}
		for _, j := range discoveries(p, falseShare/float64(len(reaches))) {
			if i := at[j]; before == nil || before[i]/differ[i] > 0.5 {
				relative[i], left[i] = differ[i], 0
			}
		}
		before = differ
	}
}

// windowed is by how much means over windows differ, relative to the light there, and the standard deviation of that. Rare bright samples make
// a cell that has not met one look surer than it is. Cells around have met them, so the deviation is at least as large as theirs.
func (b *Bias) windowed(left, light []float64, radius int) (mean, deviation []float64) {
	mean, deviation = make([]float64, len(light)), make([]float64, len(light))
	masked := func(values []float64) []float64 {
		out := slices.Clone(values)
		for i := range out {
			out[i] *= left[i]
		}
		return b.grid.reach(out, radius)
	}
	around, weight := masked(light), 0.
	for _, k := range b.blocks {
		weight += k.weight
		differs := masked(k.difference)
		for i, d := range differs { // West 1979
			if left[i] == 0 {
				continue
			}
			step := d/around[i] - mean[i]
			mean[i] += step * k.weight / weight
			deviation[i] += k.weight * step * (d/around[i] - mean[i])
		}
	}
	for i := range deviation {
		deviation[i] /= float64(len(b.blocks)-1) * weight // the variance
	}
	neighbors, count := b.grid.reach(deviation, 2*radius+far), b.grid.reach(left, 2*radius+far)
	for i := range deviation {
		deviation[i] = math.Sqrt(max(deviation[i], neighbors[i]/max(count[i], 1), leastDeviation*leastDeviation))
	}
	return mean, deviation
}

// chance is how likely t of Student's distribution is as far from 0, in both directions (Wallace 1959, to a few percent in the tails).
func chance(t float64, freedom int) float64 {
	n := float64(freedom)
	z := math.Sqrt(n*math.Log1p(t*t/n)) * (8*n + 1) / (8*n + 3)
	return math.Erfc(z / math.Sqrt2)
}

// discoveries are the smallest of some chances, so that about a share of them at most is chance (Benjamini and Hochberg 1995).
func discoveries(p []float64, share float64) (found []int) {
	for i := range p {
		if p[i] <= share {
			found = append(found, i)
		}
	}
	slices.SortFunc(found, func(i, j int) int { return int(math.Copysign(1, p[i]-p[j])) })
	for n := len(found); n > 0; n-- {
		if p[found[n-1]] <= share*float64(n)/float64(len(p)) {
			return found[:n]
		}
	}
	return nil
}

// over is the difference of the cells that count.
func (b *Bias) over(light []float64, counts func(int) bool) (d Difference) {
	total, cells := 0., 0
	for i := range light {
		if counts(i) {
			total += light[i]
			cells++
		}
	}
	if cells == 0 {
		return d
	}
	weight, squares := 0., 0.
	for _, k := range b.blocks {
		differs := 0.
		for i, x := range k.difference {
			if counts(i) {
				differs += x
			}
		}
		weight += k.weight
		step := differs/total - d.Mean
		d.Mean += step * k.weight / weight
		squares += k.weight * step * (differs/total - d.Mean)
	}
	d.Share = float64(cells) / float64(len(light))
	d.Spread = deviations * math.Sqrt(squares/(float64(len(b.blocks)-1)*weight))
	return d
}

// scaleOf is a round number that few differences exceed, the least where there are none.
func scaleOf(relative []float64) float64 {
	found := []float64{0}
	for _, r := range relative {
		if r != 0 {
			found = append(found, math.Abs(r))
		}
	}
	slices.Sort(found)
	large := found[len(found)*19/20]
	for _, scale := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5} {
		if large <= scale {
			return scale
		}
	}
	return 1
}

// Known tells whether there are blocks enough.
func (m *BiasMap) Known() bool { return m.blocks >= leastKnown }

// Seen is the share of the picture that differs.
func (m *BiasMap) Seen() float64 { return m.Brighter.Share + m.Darker.Share }

// String says what is seen.
func (m *BiasMap) String() string {
	switch {
	case !m.Known():
		return fmt.Sprintf("Not known yet: %d of %d blocks of samples.", m.blocks, leastKnown)
	case m.Seen() > 0:
		var parts []string
		for _, d := range []Difference{m.Brighter, m.Darker} {
			if d.Share > 0 {
				parts = append(parts, fmt.Sprintf("%s over %s of the picture", d, percent(d.Share)))
			}
		}
		return fmt.Sprintf("B is %s. On the whole it is %s.", strings.Join(parts, ", and "), m.Whole)
	case math.Abs(m.Whole.Mean) > 2*m.Whole.Spread: // four standard deviations
		return fmt.Sprintf("On the whole B is %s, but which parts are is not known yet.", m.Whole)
	}
	return fmt.Sprintf("No bias is seen: no part of the picture differs by more than chance, and its mean by %s.", m.Whole.amount())
}

// String says what B is.
func (d Difference) String() string {
	if d.Mean < 0 {
		return "darker by " + d.amount()
	}
	return "brighter by " + d.amount()
}

func (d Difference) amount() string { return percent(math.Abs(d.Mean)) + " ± " + percent(d.Spread) }

func percent(x float64) string { return fmt.Sprintf("%.2g %%", 100*x) }

// Color is that of a difference, on a ground: blue where B is brighter, orange where A is.
func (m *BiasMap) Color(relative float64, ground uint8) [3]uint8 {
	if relative == 0 {
		return [3]uint8{ground, ground, ground}
	}
	full := [3]float64{64, 153, 255}
	if relative < 0 {
		full = [3]float64{255, 158, 51}
	}
	const least = 0.35 // so that small differences are seen at all
	strength := least + (1-least)*min(math.Abs(relative)/m.Scale, 1)
	var out [3]uint8
	for c := range out {
		out[c] = uint8(float64(ground) + strength*(full[c]-float64(ground)) + 0.5)
	}
	return out
}

// Picture shows the map over a dim grey picture of what is seen.
func (m *BiasMap) Picture(seen *imageio.Image) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, seen.Width, seen.Height))
	const brightest, gamma = 90, 2.2
	total, lit := 0., 0.
	for i := range seen.Width * seen.Height {
		if l := luminanceAt(seen, i); l > 0 {
			total += math.Log(l)
			lit++
		}
	}
	middle := 2 * math.Exp(total/max(lit, 1))
	for i := range seen.Width * seen.Height {
		l := luminanceAt(seen, i)
		cell := i/seen.Width/m.grid.side*m.grid.columns + i%seen.Width/m.grid.side
		c := m.Color(m.Relative[cell], uint8(brightest*math.Pow(l/(l+middle), 1/gamma)))
		copy(out.Pix[4*i:], []uint8{c[0], c[1], c[2], 255})
	}
	return out
}

func luminanceAt(p *imageio.Image, i int) float64 {
	return float64(imageio.Luminance(p.Pix[3*i], p.Pix[3*i+1], p.Pix[3*i+2]))
}
