package imageio

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"

	"glint/tracer/guard"
)

// Layered is what WriteLayers has written.
type Layered struct {
	Image  *Image
	Layers []Layer // in the order of their names; the channels of each in theirs
	Meta   Meta
}

// ReadLayers reads a file of WriteLayers: scanlines of 32-bit floats, stored as they are or ZIP-compressed. The library that reads
// pictures takes files of up to 64 MiB; layers fill gigabytes, so they have a reader of their own. What it takes is counted in
// memory. Before it takes anything, accept sees what the file says of itself, without values; nil accepts all.
func ReadLayers(ctx context.Context, path string, memory *guard.Memory, accept func(*Layered) error) (*Layered, error) {
	var out *Layered
	err := readingLayers(path, func(f *layersFile) (err error) {
		out, err = f.read(ctx, memory, accept)
		return err
	})
	return out, err
}

// ReadMeta reads what WriteLayers has stored beside the pixels.
func ReadMeta(path string) (Meta, error) {
	var meta Meta
	err := readingLayers(path, func(f *layersFile) (err error) {
		meta, err = f.readHeader()
		return err
	})
	return meta, err
}

// readingLayers opens a file for a reader.
func readingLayers(path string, read func(f *layersFile) error) error {
	file, err := guard.OpenRegular(path)
	if err != nil {
		return named("read", path, reason(err))
	}
	defer func() { _ = file.Close() }() // only read from
	err = guard.Safely(func() error {
		info, err := file.Stat()
		if err != nil {
			return err
		}
		return read(&layersFile{file: file, size: info.Size()})
	})
	return named("read", path, err)
}

// layersFile is a file of layers that is being read.
type layersFile struct {
	file          io.ReaderAt
	size          int64
	channels      []string // in their order in the file, which is that of their names
	width, height int
	zipped        bool
	lines         int     // of a chunk
	offsets       []int64 // of chunks
}

// exrMost bounds what a header may take, bytes.
const exrMost = 1 << 20

func (f *layersFile) read(ctx context.Context, memory *guard.Memory, accept func(*Layered) error) (*Layered, error) {
	meta, err := f.readHeader()
	if err != nil {
		return nil, err
	}
	out := &Layered{Image: &Image{Width: f.width, Height: f.height}, Meta: meta}
	places := f.sort(out)
	if accept != nil {
		if err := accept(out); err != nil {
			return nil, err
		}
	}
	if err := f.checkChannels(); err != nil {
		return nil, err
	}
	pixels := int64(f.width) * int64(f.height)
	if err := memory.Take("its layers", 4*pixels*int64(3+len(f.channels))); err != nil {
		return nil, err
	}
	chunk, atOnce := 4*int64(f.width)*int64(min(f.lines, f.height))*int64(len(f.channels)), int64(min(runtime.GOMAXPROCS(0), len(f.offsets)))
	whileReading := memory.Lease()
	defer whileReading.Release()
	if err := whileReading.Take("its chunks", chunk*atOnce); err != nil {
		return nil, err
	}
	out.Image.Pix = make([]float32, 3*pixels)
	for i := range out.Layers {
		out.Layers[i].Pix = make([]float32, int(pixels)*len(out.Layers[i].Channels))
	}
	planes := make([]layerPlane, len(places))
	for i, p := range places {
		if p.layer < 0 {
			planes[i] = layerPlane{out.Image.Pix[p.channel:], 3}
		} else {
			l := &out.Layers[p.layer]
			planes[i] = layerPlane{l.Pix[p.channel:], len(l.Channels)}
		}
	}
	return out, guard.Each(ctx, len(f.offsets), func(i int) error { return f.readChunk(ctx, i, planes) })
}

// readHeader reads the attributes and where the chunks are.
func (f *layersFile) readHeader() (Meta, error) {
	head := make([]byte, min(f.size, exrMost))
	if _, err := f.file.ReadAt(head, 0); err != nil {
		return nil, err
	}
	const magic, version = 20000630, 2
	const longNames = 0x400
	if len(head) < 8 || binary.LittleEndian.Uint32(head) != magic || binary.LittleEndian.Uint32(head[4:])&^longNames != version {
		return nil, errors.New("not an OpenEXR file of one flat part of scanlines")
	}
	r := &exrReader{data: head, at: 8}
	meta := Meta{}
	for {
		name := r.text()
		if r.failed || name == "" {
			break
		}
		kind, value := r.text(), r.bytes(int(r.int32()))
		if r.failed {
			break
		}
		if err := f.attribute(name, kind, value, meta); err != nil {
			return nil, err
		}
	}
	if r.failed {
		return nil, errTruncated
	}
	if f.width == 0 || len(f.channels) == 0 || f.lines == 0 {
		return nil, errors.New("its header is not complete")
	}
	return meta, f.readOffsets(int64(r.at))
}

// attribute takes what matters.
func (f *layersFile) attribute(name, kind string, value []byte, meta Meta) error {
	r := &exrReader{data: value}
	switch {
	case name == "channels":
		for {
			channel := r.text()
			if channel == "" || r.failed {
				break
			}
			const float, samplings = 2, 8
			if pixel := r.int32(); pixel != float {
				return fmt.Errorf("channel %s does not hold 32-bit floats", guard.Name(channel))
			}
			r.bytes(4 + samplings)
			f.channels = append(f.channels, channel)
		}
		slices.Sort(f.channels) // as their values are, whatever the list
	case name == "compression":
		switch r.bytes(1)[0] {
		case 0:
			f.lines = 1
		case 2:
			f.zipped, f.lines = true, 1
		case 3:
			f.zipped, f.lines = true, 16
		default:
			return errors.New("it is compressed by another method than ZIP")
		}
	case name == "dataWindow":
		left, top, right, bottom := int64(r.int32()), int64(r.int32()), int64(r.int32()), int64(r.int32())
		if left != 0 || top != 0 {
			return errors.New("its picture does not begin at 0, 0")
		}
		if right >= math.MaxInt32 || bottom >= math.MaxInt32 {
			return errors.New("it is too large")
		}
		f.width, f.height = int(right+1), int(bottom+1)
		if err := CheckSize(f.width, f.height); err != nil {
			return err
		}
	case kind == "string" && strings.HasPrefix(name, exrPrefix):
		meta[strings.TrimPrefix(name, exrPrefix)] = string(value)
	}
	if r.failed {
		return errTruncated
	}
	return nil
}

func (f *layersFile) readOffsets(at int64) error {
	chunks := (f.height + f.lines - 1) / f.lines
	// zlib makes 1032 bytes of one at most.
	if raw := 4 * int64(f.width) * int64(f.height) * int64(len(f.channels)); raw/1032 > f.size || int64(chunks)*8 > f.size {
		return errTruncated
	}
	table := make([]byte, 8*chunks)
	if _, err := f.file.ReadAt(table, at); err != nil {
		return errTruncated
	}
	for i := range chunks {
		f.offsets = append(f.offsets, int64(binary.LittleEndian.Uint64(table[8*i:])))
	}
	return nil
}

// layerPlane is where the values of a channel go.
type layerPlane struct {
	pix    []float32 // the first
	stride int
}

// channelPlace is which channel of which layer one of the file is; layer −1 is the picture.
type channelPlace struct{ layer, channel int }

// pictureChannels are those of the picture itself, in their order.
const pictureChannels = "RGB"

// sort finds the layers by the names of the channels.
func (f *layersFile) sort(out *Layered) []channelPlace {
	of := map[string]int{}
	var places []channelPlace
	for _, channel := range f.channels {
		layer, own := cutLayer(channel)
		if layer == "" {
			places = append(places, channelPlace{-1, strings.Index(pictureChannels, own)})
			continue
		}
		i, there := of[layer]
		if !there {
			i = len(out.Layers)
			of[layer] = i
			out.Layers = append(out.Layers, Layer{Name: layer})
		}
		places = append(places, channelPlace{i, len(out.Layers[i].Channels)})
		out.Layers[i].Channels = append(out.Layers[i].Channels, own)
	}
	return places
}

// checkChannels refuses a picture that is not in colour, and channels that chunks have no room for.
func (f *layersFile) checkChannels() error {
	for i, channel := range f.channels {
		if layer, own := cutLayer(channel); layer == "" && (len(own) != 1 || !strings.Contains(pictureChannels, own)) {
			return fmt.Errorf("the picture's channel %s is none of R, G and B", guard.Name(channel))
		}
		if i > 0 && channel == f.channels[i-1] {
			return fmt.Errorf("it has two channels %s", guard.Name(channel))
		}
	}
	if chunk := 4 * int64(f.width) * int64(min(f.lines, f.height)) * int64(len(f.channels)); chunk > math.MaxInt32 {
		return fmt.Errorf("a chunk of %s is more than OpenEXR allows", guard.Size(chunk))
	}
	return nil
}

// cutLayer parts the name of a channel.
func cutLayer(channel string) (layer, own string) {
	if i := strings.LastIndexByte(channel, '.'); i >= 0 {
		return channel[:i], channel[i+1:]
	}
	return "", channel
}

func (f *layersFile) readChunk(ctx context.Context, i int, planes []layerPlane) error {
	y := i * f.lines
	lines := min(f.lines, f.height-y)
	raw := 4 * f.width * lines * len(f.channels)
	var head [8]byte
	if _, err := f.file.ReadAt(head[:], f.offsets[i]); err != nil {
		return errTruncated
	}
	stored := int64(int32(binary.LittleEndian.Uint32(head[4:])))
	if at := int64(int32(binary.LittleEndian.Uint32(head[:]))); at != int64(y) || stored < 0 || stored > f.size-f.offsets[i]-8 || stored > int64(raw) {
		return errTruncated
	}
	data, zipped := io.Reader(io.NewSectionReader(f.file, f.offsets[i]+8, stored)), int(stored) < raw
	if zipped && !f.zipped {
		return errTruncated
	}
	if zipped {
		unpacked, err := zlib.NewReader(bufio.NewReaderSize(data, 1<<16))
		if err != nil {
			return err
		}
		data = unpacked
	}
	values := make([]byte, raw)
	const piece = 1 << 24 // between two looks at whether anybody still wants it
	for rest := values; len(rest) > 0; rest = rest[min(piece, len(rest)):] {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := io.ReadFull(data, rest[:min(piece, len(rest))]); err != nil {
			return errTruncated
		}
	}
	value := func(k int) uint32 { return binary.LittleEndian.Uint32(values[4*k:]) }
	if zipped {
		value = unshuffled(values)
	}
	for line := range lines {
		for c, p := range planes {
			from := f.width * (line*len(planes) + c)
			for x := range f.width {
				p.pix[((y+line)*f.width+x)*p.stride] = math.Float32frombits(value(from + x))
			}
		}
	}
	return nil
}

// unshuffled reads numbers of OpenEXR's ZIP compression, once they are inflated: differences of bytes, the even ones first.
func unshuffled(data []byte) func(k int) uint32 {
	for i := 1; i < len(data); i++ {
		data[i] += data[i-1] - 128
	}
	even, odd := data[:len(data)/2], data[len(data)/2:]
	return func(k int) uint32 {
		return uint32(even[2*k]) | uint32(odd[2*k])<<8 | uint32(even[2*k+1])<<16 | uint32(odd[2*k+1])<<24
	}
}

// exrReader reads a header; it remembers that it has come to the end too early.
type exrReader struct {
	data   []byte
	at     int
	failed bool
}

func (r *exrReader) bytes(n int) []byte {
	if n < 0 || n > len(r.data)-r.at {
		r.failed = true
		return make([]byte, max(min(n, 16), 0))
	}
	r.at += n
	return r.data[r.at-n : r.at]
}

func (r *exrReader) int32() int32 {
	b := r.bytes(4)
	return int32(binary.LittleEndian.Uint32(b))
}

// text reads what ends with a zero.
func (r *exrReader) text() string {
	n := bytes.IndexByte(r.data[r.at:], 0)
	if n < 0 {
		r.failed = true
		return ""
	}
	s := string(r.bytes(n))
	r.at++
	return s
}
