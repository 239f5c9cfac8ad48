package ktx2

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// Magic starts each file.
const Magic = "\xabKTX 20\xbb\r\n\x1a\n"

// supercompression is how a level is packed.
type supercompression uint32

const (
	notPacked supercompression = iota
	basisLZ
	packedZstd
	packedZlib
)

// model is how blocks of texels, or texels, are stored.
type model int

const (
	plainRGB model = iota
	plainRGBA
	etc1s
	uastc
)

// channels are what the colours of the file stand for.
type channels int

const (
	asTheyAre channels = iota // RGB, RGBA or grey
	redGreen                  // red, and green where alpha is
)

// Sizes of the parts of a file, bytes.
const (
	headerSize = 80
	levelSize  = 24
	mostSide   = 1 << 16
	mostLevels = 17
)

// Numbers of VkFormat and of the data format descriptor.
const (
	vkUndefined     = 0
	vkRGB, vkSRGB   = 23, 29
	vkRGBA, vkSRGBA = 37, 43

	modelETC1S = 163
	modelUASTC = 166

	etc1sRed, etc1sGreen, etc1sAlpha = 3, 4, 15
	uastcRedGreen, uastcRG           = 5, 6
)

// file is a file that was judged by its header: its first level, and what that needs.
type file struct {
	width, height int
	model         model
	channels      channels
	alpha         bool // an ETC1S image has a second slice
	packed        supercompression
	level         []byte // as packed
	unpacked      int    // size of the level, bytes
	global        []byte // BasisLZ's codebooks and tables
	levels        int
}

var errCut = errors.New("the file is cut off")

func parse(data []byte) (*file, error) {
	if !bytes.HasPrefix(data, []byte(Magic)) {
		return nil, errors.New("this is no KTX 2.0 file")
	}
	if len(data) < headerSize+levelSize {
		return nil, errCut
	}
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	long := func(at int) uint64 { return binary.LittleEndian.Uint64(data[at:]) }
	format, width, height := word(12), word(20), word(24)
	depth, layers, faces, levels := word(28), word(32), word(36), word(40)
	if width < 1 || height < 1 || width > mostSide || height > mostSide {
		return nil, fmt.Errorf("%d × %d pixels cannot be read", width, height)
	}
	if depth > 1 || layers > 1 || faces != 1 {
		return nil, errors.New("a texture of glTF is one flat image, and this is an array, a cube or a volume")
	}
	if levels > mostLevels {
		return nil, fmt.Errorf("%d levels are more than there can be", levels)
	}
	f := &file{width: int(width), height: int(height), packed: supercompression(word(44)), levels: max(int(levels), 1)}
	descriptor, err := part(data, uint64(word(48)), uint64(word(52)))
	if err == nil {
		err = f.readFormat(format, descriptor)
	}
	if err != nil {
		return nil, err
	}
	if f.level, err = part(data, long(headerSize), long(headerSize+8)); err != nil {
		return nil, err
	}
	if f.model == etc1s {
		f.global, err = part(data, long(64), long(72))
		return f, err
	}
	if size := long(headerSize + 16); f.packed != notPacked && size != uint64(f.unpacked) {
		return nil, fmt.Errorf("its first level has %d bytes, and needs %d", size, f.unpacked)
	}
	if f.packed == notPacked && len(f.level) != f.unpacked {
		return nil, fmt.Errorf("its first level has %d bytes, and needs %d", len(f.level), f.unpacked)
	}
	return f, nil
}

// part is length bytes from offset on.
func part(data []byte, offset, length uint64) ([]byte, error) {
	if offset > uint64(len(data)) || length > uint64(len(data))-offset {
		return nil, errCut
	}
	return data[offset : offset+length], nil
}

// readFormat finds out how texels are stored.
func (f *file) readFormat(format uint32, descriptor []byte) error {
	blocks := (f.width + 3) / 4 * ((f.height + 3) / 4)
	switch format {
	case vkRGB, vkSRGB:
		f.model, f.unpacked = plainRGB, 3*f.width*f.height
	case vkRGBA, vkSRGBA:
		f.model, f.unpacked = plainRGBA, 4*f.width*f.height
	case vkUndefined:
		const first, sample = 4 + 24, 16 // where the samples of the first block are, and their size
		if len(descriptor) < first+sample {
			return errCut
		}
		samples := (len(descriptor) - first) / sample
		channel := func(i int) byte { return descriptor[first+i*sample+3] & 15 }
		switch descriptor[12] {
		case modelETC1S:
			f.model = etc1s
			f.alpha = samples > 1
			if f.alpha && channel(0) == etc1sRed && channel(1) == etc1sGreen {
				f.channels = redGreen
			} else if f.alpha && channel(1) != etc1sAlpha {
				return fmt.Errorf("its second channel is of kind %d", channel(1))
			}
		case modelUASTC:
			f.model, f.unpacked = uastc, 16*blocks
			if c := channel(0); c == uastcRedGreen || c == uastcRG {
				f.channels = redGreen
			}
		default:
			return fmt.Errorf("its colour model %d is neither ETC1S nor UASTC", descriptor[12])
		}
	default:
		return fmt.Errorf("its format (VkFormat %d) cannot be read", format)
	}
	if (f.model == etc1s) != (f.packed == basisLZ) || f.packed > packedZlib {
		return fmt.Errorf("its supercompression %d does not go with its format", f.packed)
	}
	return nil
}

// unpack gives the first level as it is before supercompression.
func (f *file) unpack() ([]byte, error) {
	switch f.packed {
	case packedZstd:
		// One of the size promised, or an error.
		r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecodeAllCapLimit(true), zstd.WithDecoderMaxMemory(uint64(f.unpacked)))
		if err != nil {
			return nil, err
		}
		defer r.Close()
		out, err := r.DecodeAll(f.level, make([]byte, 0, f.unpacked))
		if err == nil && len(out) != f.unpacked {
			err = errCut
		}
		return out, err
	case packedZlib:
		r, err := zlib.NewReader(bytes.NewReader(f.level))
		if err != nil {
			return nil, err
		}
		out := make([]byte, f.unpacked)
		_, err = io.ReadFull(r, out)
		return out, err
	}
	return f.level, nil
}

// global is BasisLZ's global data, by its header.
type global struct {
	endpoints, selectors     int
	endpointData             []byte
	selectorData, tablesData []byte
	color, alpha             []byte // slices of the first image
	predicted                bool   // by an earlier image
}

func (f *file) readGlobal() (g global, err error) {
	const header, description = 20, 20
	if len(f.global) < header+description {
		return g, errCut
	}
	word := func(at int) uint64 { return uint64(binary.LittleEndian.Uint32(f.global[at:])) }
	g.endpoints, g.selectors = int(binary.LittleEndian.Uint16(f.global)), int(binary.LittleEndian.Uint16(f.global[2:]))
	g.predicted = word(header)&2 != 0
	if g.color, err = part(f.level, word(header+4), word(header+8)); err != nil {
		return g, err
	}
	if f.alpha {
		if g.alpha, err = part(f.level, word(header+12), word(header+16)); err != nil {
			return g, err
		}
	}
	at := uint64(header + description*f.levels)
	for _, to := range []struct {
		data   *[]byte
		length uint64
	}{{&g.endpointData, word(4)}, {&g.selectorData, word(8)}, {&g.tablesData, word(12)}} {
		if *to.data, err = part(f.global, at, to.length); err != nil {
			return g, err
		}
		at += to.length
	}
	return g, nil
}

// arrange puts a second channel where it belongs.
func (f *file) arrange(pix []byte) {
	if f.channels != redGreen {
		return
	}
	for i := 0; i+4 <= len(pix); i += 4 {
		pix[i+1], pix[i+2], pix[i+3] = pix[i+3], 0, 255
	}
}
