package scene

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"glint/tracer/guard"
)

// WriteEdited writes a file with edits as a .glb that stands alone: buffers and images that it names are in it, byte by byte as they were,
// and so is all that glint does not know. Notes say what stays outside. Memory bounds what it takes; nil allows guard.DefaultMemory.
func WriteEdited(ctx context.Context, w io.Writer, path string, edits Edits, memory *guard.Memory) (notes []string, err error) {
	err = guard.Safely(func() (err error) {
		notes, err = writeEdited(ctx, w, path, edits, memory)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("save %s with edits: %w", guard.Name(path), err)
	}
	return notes, nil
}

func writeEdited(ctx context.Context, w io.Writer, path string, edits Edits, memory *guard.Memory) ([]string, error) {
	if memory == nil {
		memory = guard.NewMemory(guard.DefaultMemory)
	}
	scratch := memory.Lease()
	defer scratch.Release()
	data, _, err := readFile(ctx, path, scratch)
	if err != nil {
		return nil, err
	}
	dir, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }() // only read from
	j := &job{ctx: ctx, memory: memory, scratch: scratch, warn: newWarnings()}
	return pack(j, w, data, newFolder(ctx, dir, scratch).read, edits)
}

// pack writes one file's bytes with edits; read finds its neighbours.
func pack(j *job, w io.Writer, data []byte, read readFunc, edits Edits) ([]string, error) {
	c, err := openContainer(data, j.warn)
	if err != nil {
		return nil, err
	}
	if err := j.scratch.Take("the JSON", 2*parseCost(c.json)); err != nil {
		return nil, err
	}
	root, _, err := readTree(c.json, j.scratch, j.warn)
	if err != nil {
		return nil, jsonError("the JSON cannot be read", err)
	}
	if err := edits.writeTo(root); err != nil {
		return nil, err
	}
	p := &packing{root: root, files: newResources(j, read, int64(len(data))), moved: map[int]placeInChunk{}, views: map[*byte]int{}}
	if err := p.pack(c.bin); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(root); err != nil {
		return nil, fmt.Errorf("the JSON cannot be written: %w", err)
	}
	return p.notes, writeGLB(w, bytes.TrimRight(text.Bytes(), "\n"), p.parts, p.size, c.others)
}

// writeGLB writes the chunks of a binary glTF: JSON, one of parts of so many bytes unless there are none, and others that are whole.
func writeGLB(w io.Writer, text []byte, parts [][]byte, size int64, others []byte) error {
	padded := alignedTo(int64(len(text)), 4)
	whole := 12 + 8 + padded + int64(len(others))
	if size > 0 {
		whole += 8 + alignedTo(size, 4)
	}
	if whole > mostGLB {
		return errors.New("it is larger than the 4 GiB that a .glb can hold")
	}
	out := bufio.NewWriterSize(w, 1<<20)
	words := func(v ...uint32) {
		for _, x := range v {
			_ = binary.Write(out, binary.LittleEndian, x) // Flush tells
		}
	}
	write := func(data []byte, fill string, padding int64) {
		_, _ = out.Write(data)
		_, _ = out.Write(bytes.Repeat([]byte(fill), int(padding)))
	}
	words(glbMagic, 2, uint32(whole), uint32(padded), chunkJSON)
	write(text, " ", padded-int64(len(text)))
	if size > 0 {
		words(uint32(alignedTo(size, 4)), chunkBIN)
		for _, part := range parts {
			write(part, "", 0)
		}
		write(nil, "\x00", alignedTo(size, 4)-size)
	}
	write(others, "", 0)
	return out.Flush()
}
