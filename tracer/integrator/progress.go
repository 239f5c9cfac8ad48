package integrator

import (
	"glint/cuda"
	"glint/tracer/view"
)

// Progress is how far accumulation has come, and what it was begun for.
type Progress struct {
	key          view.Key
	samples      int  // whole samples in every pixel
	image        int  // counts images, also those that replaced the one before
	sinceReplace int  // samples since the image began or was replaced
	weight       int  // paths of each pixel in the film: a frame may take several
	independent  int  // of them; those that share history err alike and count as one
	passIndex    int  // of the sample under way
	launchIndex  int  // within that pass
	needsClear   bool // buffers still hold the image before
	sharesHits   bool // guides of the sample under way keep the hits that its paths begin with
	gathered     int  // samples that wait for the end of their frame before they are added to the film
	gathers      bool // the current sample waits, too
	frames       int  // in the film
	extras       int  // passes at its end that are not the integrator's, the first of which is firstExtra
	firstExtra   cuda.Kernel
}

// Samples is how many whole ones every pixel has.
func (p *Progress) Samples() int { return p.samples }

// SetSamples says that the film holds so many samples now, which others have rendered. None may be under way.
func (p *Progress) SetSamples(n int) {
	p.samples, p.sinceReplace, p.weight, p.independent, p.frames = n, n, n, n, n
}

// AtSampleEnd tells whether no sample is under way, and none waits for the end of its frame.
func (p *Progress) AtSampleEnd() bool { return !p.UnderWay() && p.gathered == 0 }

// Image counts images, also those that replaced the one before.
func (p *Progress) Image() int { return p.image }

// SinceReplace is how many samples the image has of its own: those since it began or was replaced.
func (p *Progress) SinceReplace() int { return p.sinceReplace }

// Weight is how many paths of each pixel are in the film: a frame may take several.
func (p *Progress) Weight() int { return p.weight }

// Independent is how many of them are independent: those that share history err alike and count as one.
func (p *Progress) Independent() int { return p.independent }

// UnderWay tells whether a sample has been begun.
func (p *Progress) UnderWay() bool { return p.passIndex > 0 || p.launchIndex > 0 }

// HitsUnderWay tells whether the sample under way keeps hits that name triangles of a BVH: it is past its first pass, or guides
// are keeping them for the next.
func (p *Progress) HitsUnderWay() bool {
	return p.passIndex > 0 || p.gathered > 0 || p.sharesHits && p.launchIndex > 0
}

// Key is what the image was begun for.
func (p *Progress) Key() view.Key { return p.key }

// TakeNeedsClear tells once, after an image began anew, that buffers still hold the one before.
func (p *Progress) TakeNeedsClear() bool {
	needs := p.needsClear
	p.needsClear = false
	return needs
}
