package scene

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"glint/tracer/guard"
)

// packAttributes stores elements as meshopt's attributes of version 0, each difference as a whole byte.
func packAttributes(raw []byte, stride int) []byte {
	out := []byte{0xa0}
	count := len(raw) / stride
	most := min(8192/stride&^15, 256)
	last := make([]byte, stride)
	for first := 0; first < count; first += most {
		block := min(most, count-first)
		groups := (block + 15) / 16
		for k := range stride {
			out = append(out, slices.Repeat([]byte{0xff}, (groups+3)/4)...)
			for i := range groups * 16 {
				d := byte(0)
				if i < block {
					v := raw[(first+i)*stride+k]
					d = v - last[k]
					last[k] = v
				}
				out = append(out, d<<1^byte(int8(d)>>7))
			}
		}
	}
	return append(out, make([]byte, max(32, stride))...)
}

// packIndices stores indices as meshopt does.
func packIndices(indices []uint32) []byte {
	out := []byte{0xd1}
	last := uint32(0)
	for _, v := range indices {
		d := v - last
		out = binary.AppendUvarint(out, uint64(d<<1^uint32(int32(d)>>31))<<1)
		last = v
	}
	return append(out, 0, 0, 0, 0)
}

// compressed replaces the bytes of a view by compressed ones, and has the view stand for them in buffer 1.
func (b *builder) compressed(name string, view int, data []byte, extension jsonObject) {
	at := b.view(data)
	source := b.doc["bufferViews"].([]any)[at].(jsonObject)
	v := b.doc["bufferViews"].([]any)[view].(jsonObject)
	extension["buffer"], extension["byteOffset"], extension["byteLength"] = 0, source["byteOffset"], source["byteLength"]
	v["buffer"], v["byteOffset"], v["extensions"] = 1, 0, jsonObject{name: extension}
}

// compressedScene is a triangle whose attributes and indices are compressed, without what they stand for.
func compressedScene(name string) *builder {
	b := newBuilder()
	b.extension(name)
	b.add("extensionsRequired", name)
	positions := []float32{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 5}
	p := b.points(positions)
	p["indices"] = b.accessor(u32, "SCALAR", 3, []uint32{2, 0, 1})
	b.mesh(p)
	b.buffers = []any{jsonObject{"byteLength": 60, "extensions": jsonObject{name: jsonObject{"fallback": true}}}}
	raw, _ := binary.Append(nil, binary.LittleEndian, positions)
	b.compressed(name, 0, packAttributes(raw, 12), jsonObject{"mode": "ATTRIBUTES", "count": 4, "byteStride": 12})
	b.compressed(name, 1, packIndices([]uint32{2, 0, 1}), jsonObject{"mode": "INDICES", "filter": "NONE", "count": 3, "byteStride": 4})
	return b
}

// loadCompressed loads it with the buffer that its compressed views stand in for.
func loadCompressed(b *builder, buffer jsonObject, memory int64) (*Scene, error) {
	b.buffers = []any{buffer}
	return load(context.Background(), b.glb(), func(name string) ([]byte, error) {
		return nil, errors.New(name + " is read")
	}, Options{Scene: -1, Memory: guard.NewMemory(memory)})
}

func TestCompressedViews(t *testing.T) {
	for _, name := range meshoptNames {
		for _, buffer := range []jsonObject{
			{"byteLength": 60},
			{"byteLength": 60, "extensions": jsonObject{name: jsonObject{"fallback": true}}},
			{"byteLength": 60, "uri": "fallback.bin"}, // which is not read
		} {
			s, err := loadCompressed(compressedScene(name), buffer, guard.DefaultMemory)
			if err != nil {
				t.Fatal(err)
			}
			checkSound(t, s)
			if len(s.Report.Notes) != 1 || !warned(s, "no light") && len(s.Faces) != 1 {
				t.Errorf("%d triangles, %q", len(s.Faces), s.Report.Notes)
			}
		}
	}
}

// TestBrokenCompressedViews: each fault is an error that names the view.
func TestBrokenCompressedViews(t *testing.T) {
	name := meshoptNames[0]
	extension := func(b *builder) jsonObject {
		return b.doc["bufferViews"].([]any)[0].(jsonObject)["extensions"].(jsonObject)[name].(jsonObject)
	}
	for what, c := range map[string]struct {
		change func(b *builder)
		says   string
	}{
		"mode":      {func(b *builder) { extension(b)["mode"] = "\x1b[31m" }, `mode "\x1b[31m" is unknown`},
		"no mode":   {func(b *builder) { delete(extension(b), "mode") }, "mode"},
		"filter":    {func(b *builder) { extension(b)["filter"] = "SHARP" }, "filter"},
		"type":      {func(b *builder) { extension(b)["count"] = "four" }, `count: "four" is no whole number`},
		"count":     {func(b *builder) { extension(b)["count"] = 5 }, "48 bytes"},
		"huge":      {func(b *builder) { extension(b)["count"] = 1 << 50 }, "count"},
		"stride":    {func(b *builder) { extension(b)["byteStride"] = 0 }, "byteStride"},
		"buffer":    {func(b *builder) { extension(b)["buffer"] = 2 }, "buffer 2 does not exist"},
		"no buffer": {func(b *builder) { extension(b)["buffer"] = -1 }, "buffer -1 does not exist"},
		"stand-in":  {func(b *builder) { extension(b)["buffer"] = 1 }, "has no data"},
		"beyond":    {func(b *builder) { extension(b)["byteOffset"] = 1 << 30 }, "ends at byte"},
		"before":    {func(b *builder) { extension(b)["byteOffset"] = -4 }, "ends at byte"},
		"cut":       {func(b *builder) { extension(b)["byteLength"] = 40 }, "cannot be decompressed"},
	} {
		b := compressedScene(name)
		c.change(b)
		_, err := loadCompressed(b, jsonObject{"byteLength": 60}, guard.DefaultMemory)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(strings.ReplaceAll(err.Error(), "bufferViews[0]", "buffer view 0"), "buffer view 0") {
			t.Errorf("%s: %v", what, err)
		}
	}
	b := compressedScene(name)
	delete(b.doc["bufferViews"].([]any)[0].(jsonObject), "extensions")
	buffer := jsonObject{"byteLength": 60, "extensions": jsonObject{name: jsonObject{"fallback": true}}}
	if _, err := loadCompressed(b, buffer, guard.DefaultMemory); err == nil || !strings.Contains(err.Error(), "buffer 1: has no data") {
		t.Errorf("a view into a buffer without data: %v", err)
	}
}

// TestCompressedViewsAreCounted: what a view decodes to is counted before it is decoded.
func TestCompressedViewsAreCounted(t *testing.T) {
	name := meshoptNames[1]
	b := compressedScene(name)
	const count = 1 << 24
	v := b.doc["bufferViews"].([]any)[0].(jsonObject)
	v["byteLength"] = 12 * count
	v["extensions"].(jsonObject)[name].(jsonObject)["count"] = count
	_, err := loadCompressed(b, jsonObject{"byteLength": 12 * count}, 100<<20)
	var refused *guard.MemoryError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "buffer view 0") {
		t.Error(err)
	}
}
