package integrator

import (
	"math/bits"

	"glint/cuda"
)

// Guides are means that settle long before light does. Of each block of the sampler's sequence the first samples are a net by
// themselves, and those alone add to guides: one of guideShare, but never less than guideLeast.
const (
	guideShare = 8
	guideLeast = 4
)

// keepsGuides tells whether guides that have settled do without a frame's sample. All samples count where guides are looked at,
// are of one sample, or say how much of the background a pixel shows: the light of the same samples is divided by that.
func keepsGuides(f *cuda.Frame) bool {
	if f.Sampling.Flags&(cuda.FrameReplace|cuda.FrameHideBackground) != 0 || f.Film.AovPlanes >= cuda.AovPlanes {
		return false
	}
	n := f.Sampling.SampleIndex + 1
	block := uint32(1) << (bits.Len32(n) - 1)
	return n-block >= max(block/guideShare, guideLeast)
}
