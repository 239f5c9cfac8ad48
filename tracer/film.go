package tracer

import (
	"fmt"

	"glint/cuda"
)

// film owns the buffers of one image.
type film struct {
	width, height int
	accumulation  buffer // float4 per pixel
	preview       buffer // float4 per preview pixel, as many as were needed so far
	target        buffer // RGBA8 per pixel, where no GL buffer is attached
	counters      buffer
	spare         buffer // counters that nobody reads
	rays, hits    buffer
	restir        restirBuffers
	pool          pool
	firstHits     firstHits
	aovs          aovPlanes
	bloom         buffer // float4 per pixel of the pyramid, while there is bloom
}

// maxPickRays is how many rays trace takes at once.
const maxPickRays = 1

// lasting are the buffers that do not depend on the image's size.
func (f *film) lasting() []claim {
	const counters = 8 * int(cuda.CounterCount)
	return []claim{{&f.counters, counters}, {&f.spare, counters}, {&f.rays, 32 * maxPickRays}, {&f.hits, 16 * maxPickRays}}
}

// images are those that do.
func (f *film) images(pixels int) []claim {
	return []claim{{&f.accumulation, 16 * pixels}, {&f.target, 4 * pixels}}
}

func (f *film) open(d device) error {
	if err := take(d, f.lasting()); err != nil {
		return err
	}
	return d.zero(f.counters)
}

// resize makes the image buffers fit; true when they were made anew.
func (f *film) resize(d device, width, height int) (bool, error) {
	if width == f.width && height == f.height {
		return false, nil
	}
	f.freeImages(d)
	if err := take(d, f.images(width*height)); err != nil {
		return false, fmt.Errorf("image of %d×%d: %w", width, height, err)
	}
	f.width, f.height = width, height
	return true, nil
}

// clearPreview makes room for an image of so many pixels, without samples.
func (f *film) clearPreview(d device, pixels int) error {
	if size := 16 * pixels; f.preview.size < size {
		preview := []claim{{&f.preview, size}}
		giveBack(d, preview)
		if err := take(d, preview); err != nil {
			return fmt.Errorf("preview of %d pixels: %w", pixels, err)
		}
	}
	return d.zero(f.preview)
}

func (f *film) freeImages(d device) {
	giveBack(d, append(f.images(0), claim{b: &f.preview}, claim{b: &f.bloom}))
	f.width, f.height = 0, 0
	f.restir.free(d)
	f.pool.free(d)
	f.firstHits.free(d)
	f.aovs.free(d)
}

func (f *film) close(d device) {
	f.freeImages(d)
	giveBack(d, f.lasting())
}
