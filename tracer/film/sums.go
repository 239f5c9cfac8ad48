package film

import (
	"errors"
	"fmt"
	"slices"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/guard"
	"glint/tracer/imageio"
)

// BlockSamples is how many samples of an image are added up before they are added to others. A part of a still begins at a multiple
// of it.
const BlockSamples = int(cuda.BlockSamples)

// Sums are what some samples of an image add up to, so that the bits do not depend on who has rendered which of them, nor when.
// Sums of floats depend on their order: here a block of samples is added up in the order of the samples, and then two blocks that are
// neighbours, the first of which has an even number, then two pairs, and so on: a binary tree over all blocks. What is known of it are
// the largest subtrees that are whole, [Subtree].
type Sums struct {
	Size   Size
	Planes int // of AOVs, beside light
	First  int // sample; a multiple of BlockSamples
	End    int // behind the last sample before the first gap
	Trees  []Subtree

	short int // behind the last sample, where the last block has fewer than others; or 0
}

// Subtree is the sum of the blocks Number·2^Level to (Number+1)·2^Level − 1.
type Subtree struct {
	Level, Number int
	Values        []float32 // for each plane, light first, and each pixel four: of light the sum [nit] and the number of samples; then blocks
}

// Add adds a block that begins at a sample; the last one of all may have fewer than BlockSamples. Blocks may come in any order; each
// comes once. Values are s's from then on.
func (s *Sums) Add(first, samples int, values []float32) error {
	switch {
	case len(values) != s.Values():
		return fmt.Errorf("add samples: %d values, want %d", len(values), s.Values())
	case first%BlockSamples != 0 || samples > BlockSamples || first < s.End || s.short > 0 && first+samples > s.short:
		return fmt.Errorf("add samples: %d:%d are no block that follows %d:%d", first, first+samples, s.First, s.End)
	case samples < BlockSamples:
		s.short = first + samples
	}
	s.insert(Subtree{0, first / BlockSamples, values})
	s.extend()
	return nil
}

// Values is how many there are in a subtree.
func (s *Sums) Values() int { return (4 + floatsOf(s.Planes)) * s.Size.Pixels() }

// insert adds a subtree in its place, and puts those together that are halves of a larger one.
func (s *Sums) insert(t Subtree) {
	at, _ := slices.BinarySearchFunc(s.Trees, t, func(a, b Subtree) int { return a.block() - b.block() })
	s.Trees = slices.Insert(s.Trees, at, t)
	for {
		at -= s.Trees[at].Number % 2 // the first half
		if at < 0 || at+1 >= len(s.Trees) {
			return
		}
		a, b := s.Trees[at], s.Trees[at+1]
		if a.Level != b.Level || a.Number%2 != 0 || b.Number != a.Number+1 {
			return
		}
		s.Trees[at] = Subtree{a.Level + 1, a.Number / 2, s.plus(a.Values, b.Values)}
		s.Trees = slices.Delete(s.Trees, at+1, at+2)
	}
}

// block is the first that a subtree sums up.
func (t Subtree) block() int { return t.Number << t.Level }

// extend moves End behind all blocks that follow each other.
func (s *Sums) extend() {
	block := s.First / BlockSamples
	for _, t := range s.Trees {
		if t.block() != block {
			break
		}
		block = (t.Number + 1) << t.Level
	}
	s.End = max(block*BlockSamples, s.First)
	if s.short > 0 {
		s.End = min(s.End, s.short)
	}
}

// Cut drops what lies behind a gap: blocks that came before those in front of them.
func (s *Sums) Cut() {
	s.Trees = slices.DeleteFunc(s.Trees, func(t Subtree) bool { return t.block()*BlockSamples >= s.End })
	if s.short > s.End {
		s.short = 0
	}
}

// ofFirstSample tells whether a plane of AOVs holds what the first sample has seen, not a sum over all.
func ofFirstSample(plane int) bool {
	return slices.Contains([]uint32{cuda.AovVirtualHit, cuda.AovPosition, cuda.AovIds}, uint32(plane))
}

// summed are the ranges of values that hold sums over all samples.
func (s *Sums) summed(yield func(begin, end int) bool) {
	plane := 4 * s.Size.Pixels()
	for p := range 1 + s.Planes {
		if (p == 0 || !ofFirstSample(p-1)) && !yield(p*plane, (p+1)*plane) {
			return
		}
	}
	yield((1+s.Planes)*plane, s.Values())
}

// plus adds b to a, where planes hold sums; those that hold what the first sample has seen stay a's.
func (s *Sums) plus(a, b []float32) []float32 {
	for begin, end := range s.summed {
		AddValues(a[begin:end], b[begin:end])
	}
	return a
}

// AddValues adds the values of a subtree to those of another of the same planes, or takes them where there are none.
func AddValues(to, values []float32) []float32 {
	if to == nil {
		return values
	}
	guard.InChunks(min(len(to), len(values)), func(_, begin, end int) {
		for i := begin; i < end; i++ {
			to[i] += values[i]
		}
	})
	return to
}

// Append adds samples that follow those of s at once. Values of both are s's from then on.
func (s *Sums) Append(next *Sums) error {
	switch {
	case next.Size != s.Size || next.Planes != s.Planes:
		return fmt.Errorf("add samples: %d×%d pixels with %d planes to %d×%d with %d", next.Size.Width, next.Size.Height, next.Planes,
			s.Size.Width, s.Size.Height, s.Planes)
	case next.First != s.End:
		return fmt.Errorf("add samples: %d:%d do not follow %d:%d", next.First, next.End, s.First, s.End)
	}
	for _, t := range next.Trees {
		s.insert(t)
	}
	s.End, s.short = next.End, next.short
	return nil
}

// Check tells whether the subtrees are those of the samples, whatever their values are: of a file anything may have become.
func (s *Sums) Check() error {
	if s.First < 0 || s.First%BlockSamples != 0 || s.End <= s.First {
		return fmt.Errorf("samples %d:%d are no range that begins at a multiple of %d", s.First, s.End, BlockSamples)
	}
	if s.End%BlockSamples != 0 {
		s.short = s.End
	}
	block, last := s.First/BlockSamples, (s.End+BlockSamples-1)/BlockSamples
	for _, t := range s.Trees {
		if t.Level < 0 || t.Level > 40 || t.block() != block {
			return fmt.Errorf("the sum of blocks at %d is not where it should be", t.Number)
		}
		block = (t.Number + 1) << t.Level
	}
	if block != last {
		return fmt.Errorf("it holds %d blocks of samples, not %d", block-s.First/BlockSamples, last-s.First/BlockSamples)
	}
	return nil
}

// MakeFinite replaces sums beyond all numbers by the largest one.
func (s *Sums) MakeFinite() {
	for _, t := range s.Trees {
		for begin, end := range s.summed {
			imageio.MakeFinite(t.Values[begin:end])
		}
	}
}

// CheckValues tells whether the values can be sums of the samples of their subtrees. Check has gone well.
func (s *Sums) CheckValues() error {
	for _, t := range s.Trees {
		most := float32(min((t.Number+1)<<t.Level*BlockSamples, s.End) - t.block()*BlockSamples)
		if len(t.Values) != s.Values() {
			return fmt.Errorf("the sum of blocks at %d has %d values, not %d", t.Number, len(t.Values), s.Values())
		}
		seen := false
		for i := 0; i < 4*s.Size.Pixels(); i += 4 {
			light, samples := t.Values[i:i+3], t.Values[i+3]
			if !(samples >= 0 && samples <= most) || samples == 0 && (light[0] != 0 || light[1] != 0 || light[2] != 0) {
				return fmt.Errorf("the sum of blocks at %d counts %g of %g samples in a pixel", t.Number, samples, most)
			}
			if !(light[0] >= 0 && light[1] >= 0 && light[2] >= 0) {
				return fmt.Errorf("the sum of blocks at %d has light of %g, %g, %g", t.Number, light[0], light[1], light[2])
			}
			seen = seen || samples > 0
		}
		if !seen {
			return fmt.Errorf("the sum of blocks at %d holds no sample", t.Number)
		}
		for begin, end := range s.summed {
			for _, v := range t.Values[begin:end] {
				if v-v != 0 {
					return fmt.Errorf("the sum of blocks at %d holds %g", t.Number, v)
				}
			}
		}
	}
	return nil
}

// Total is the sum of all subtrees, in their order. It is a copy.
func (s *Sums) Total() []float32 {
	if len(s.Trees) == 0 {
		return make([]float32, s.Values())
	}
	total := slices.Clone(s.Trees[0].Values)
	for _, t := range s.Trees[1:] {
		total = s.plus(total, t.Values)
	}
	return total
}

// Mean is the picture: the mean of the samples, linear, nits.
func (s *Sums) Mean() *imageio.Image {
	total := s.Total()
	img := &imageio.Image{Width: s.Size.Width, Height: s.Size.Height, Pix: make([]float32, 3*s.Size.Pixels())}
	for i := range s.Size.Pixels() {
		for c := range 3 {
			img.Pix[3*i+c] = total[4*i+c] / max(total[4*i+3], 1)
		}
	}
	imageio.MakeFinite(img.Pix)
	return img
}

// Of is the total of fewer planes.
func (s *Sums) Of(planes int) []float32 {
	total, plane := s.Total(), 4*s.Size.Pixels()
	blocks := total[(1+s.Planes)*plane:]
	if !keepsBlocks(planes) {
		blocks = nil
	}
	return append(total[:(1+planes)*plane], blocks...)
}

// ReadSums reads back what samples have added up to so far, as a subtree has it.
func (f *Film) ReadSums() ([]float32, error) {
	pixels := f.Size().Pixels()
	values := make([]float32, pixels*(4+floatsOf(f.AOVs())))
	err := f.device.Download(f.accumulation, device.BytesOf(values[:4*pixels]))
	if err == nil && f.AOVs() > 0 {
		err = f.device.Download(f.aovs.buffer, device.BytesOf(values[4*pixels:]))
	}
	if err != nil {
		return nil, fmt.Errorf("read the sums back: %w", err)
	}
	return values, nil
}

// Alpha is what surfaces cover of each pixel of a film, as the alpha channel of its picture.
func Alpha(f *Film) (imageio.Layer, error) {
	values, err := f.ReadSums()
	if err != nil {
		return imageio.Layer{}, err
	}
	return alphaOf(values, f.Size().Pixels(), f.AOVs())
}

// alphaOf finds it in what ReadSums gives.
func alphaOf(values []float32, pixels, planes int) (imageio.Layer, error) {
	if planes <= int(cuda.AovEmissive) {
		return imageio.Layer{}, errors.New("read the alpha channel: the samples were rendered with a background that is seen")
	}
	alpha := imageio.Layer{Channels: []string{"A"}, Pix: make([]float32, pixels)}
	last := func(plane uint32, pixel int) float32 { return values[4*(pixels*int(1+plane)+pixel)+3] }
	for i := range alpha.Pix {
		if guides := last(cuda.AovAlbedo, i); guides != 0 {
			alpha.Pix[i] = min(max(1-last(cuda.AovEmissive, i)/max(guides, -guides), 0), 1)
		}
	}
	return alpha, nil
}

// ReadLight reads back what the light of a film's samples has added up to so far, four floats a pixel, without AOVs. It takes the room of
// `into` if that is large enough.
func ReadLight(f *Film, into []float32) ([]float32, error) {
	if n := 4 * f.Size().Pixels(); cap(into) < n {
		into = make([]float32, n)
	} else {
		into = into[:n]
	}
	if err := f.device.Download(f.accumulation, device.BytesOf(into)); err != nil {
		return nil, fmt.Errorf("read the light back: %w", err)
	}
	return into, nil
}

// WriteLight has a film hold what ReadLight has read. AOVs begin anew with the next sample.
func WriteLight(f *Film, values []float32) error {
	if want := 4 * f.Size().Pixels(); len(values) != want {
		return fmt.Errorf("write light: %d values, want %d", len(values), want)
	}
	err := f.device.Sync()
	if err == nil {
		err = f.device.Upload(f.accumulation, device.BytesOf(values))
	}
	if err != nil {
		return fmt.Errorf("write light: %w", err)
	}
	f.aovs.set.Free(f.device)
	return nil
}

// AddSums adds what others have rendered of the same image, as ReadSums has it, to what the film holds.
func (f *Film) AddSums(values []float32) error {
	s := Sums{Size: f.Size(), Planes: f.AOVs()}
	if len(values) < s.Values() {
		return fmt.Errorf("add sums: %d values, want %d", len(values), s.Values())
	}
	own, err := f.ReadSums()
	if err != nil {
		return err
	}
	return f.WriteSums(s.plus(own, values[:s.Values()]))
}

// WriteSums has the film hold what ReadSums has read, or a sum of such.
func (f *Film) WriteSums(values []float32) error {
	pixels := f.Size().Pixels()
	if want := pixels * (4 + floatsOf(f.AOVs())); len(values) != want {
		return fmt.Errorf("write sums: %d values, want %d", len(values), want)
	}
	err := f.device.Sync()
	if err == nil {
		err = f.device.Upload(f.accumulation, device.BytesOf(values[:4*pixels]))
	}
	if err == nil && f.AOVs() > 0 {
		err = f.device.Upload(f.aovs.buffer, device.BytesOf(values[4*pixels:]))
	}
	if err != nil {
		return fmt.Errorf("write sums: %w", err)
	}
	return nil
}
