package scene

import (
	"errors"
	"fmt"

	"glint/tracer/guard"
	"glint/tracer/scene/meshopt"
)

// decompressViews decodes the compressed buffer views, several at a time.
func (d *document) decompressViews() {
	d.decompressed = map[int]*buffer{}
	var tasks []func()
	for i, v := range d.BufferViews { // in order: the same file always has the same views when memory is short
		if v.Buffer < 0 || !isCompressed(v.Extensions) {
			continue
		}
		to := &buffer{}
		d.decompressed[i] = to
		decode, err := d.planView(i)
		if err != nil {
			to.err = err
			continue
		}
		tasks = append(tasks, func() { to.data, to.err = decode() })
	}
	if len(tasks) == 0 {
		return
	}
	d.progress("decompressing", 0.05)
	_ = guard.Each(d.ctx, len(tasks), func(n int) error {
		tasks[n]()
		return nil
	})
}

// planView takes the memory of a compressed buffer view, and gives what decodes it.
func (d *document) planView(i int) (func() ([]byte, error), error) {
	var c compressedView
	v := d.BufferViews[i]
	if err := decodeMeshopt(v.Extensions, &c); err != nil {
		return nil, err
	}
	layout, err := c.layout()
	if err != nil {
		return nil, err
	}
	if layout.Bytes() != v.ByteLength {
		return nil, fmt.Errorf("has %d bytes, but its compressed elements are %d × %d", v.ByteLength, c.Count, c.ByteStride)
	}
	if c.Buffer == nil {
		return nil, errors.New("its compressed elements have no buffer")
	}
	if *c.Buffer < 0 || *c.Buffer >= len(d.buffers) {
		return nil, fmt.Errorf("buffer %d does not exist: the file has %d", *c.Buffer, len(d.buffers))
	}
	data, err := d.bytes(*c.Buffer, c.ByteOffset, c.ByteLength)
	if err != nil {
		return nil, err
	}
	if err := d.scratch.Take(fmt.Sprintf("buffer view %d", i), int64(layout.Bytes())); err != nil {
		return nil, err
	}
	return func() ([]byte, error) {
		out := make([]byte, layout.Bytes())
		if err := meshopt.Decode(d.ctx, out, data, layout); err != nil {
			return nil, fmt.Errorf("cannot be decompressed: %w", err)
		}
		return out, nil
	}, nil
}
