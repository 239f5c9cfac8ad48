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
	rays, hits    buffer
	restir        restirBuffers
	pool          pool
}

// maxPickRays is how many rays trace takes at once.
const maxPickRays = 1

func (f *film) open(d device) error {
	for _, row := range []struct {
		b    *buffer
		size int
	}{{&f.counters, 8 * int(cuda.CounterCount)}, {&f.rays, 32 * maxPickRays}, {&f.hits, 16 * maxPickRays}} {
		var err error
		if *row.b, err = d.alloc(row.size); err != nil {
			return err
		}
	}
	return d.zero(f.counters)
}

// resize makes the image buffers fit; true when they were made anew.
func (f *film) resize(d device, width, height int) (bool, error) {
	if width == f.width && height == f.height {
		return false, nil
	}
	f.freeImages(d)
	for _, row := range []struct {
		b    *buffer
		size int
	}{{&f.accumulation, 16 * width * height}, {&f.target, 4 * width * height}} {
		var err error
		if *row.b, err = d.alloc(row.size); err != nil {
			f.freeImages(d)
			return false, fmt.Errorf("image of %d×%d: %w", width, height, err)
		}
	}
	f.width, f.height = width, height
	return true, nil
}

// clearPreview makes room for an image of so many pixels, without samples.
func (f *film) clearPreview(d device, pixels int) error {
	if size := 16 * pixels; f.preview.size < size {
		d.free(f.preview)
		f.preview = buffer{}
		var err error
		if f.preview, err = d.alloc(size); err != nil {
			return fmt.Errorf("preview of %d pixels: %w", pixels, err)
		}
	}
	return d.zero(f.preview)
}

func (f *film) freeImages(d device) {
	for _, b := range []*buffer{&f.accumulation, &f.preview, &f.target} {
		d.free(*b)
		*b = buffer{}
	}
	f.width, f.height = 0, 0
	f.restir.free(d)
	f.pool.free(d)
}

func (f *film) close(d device) {
	f.freeImages(d)
	for _, b := range []*buffer{&f.counters, &f.rays, &f.hits} {
		d.free(*b)
		*b = buffer{}
	}
}
