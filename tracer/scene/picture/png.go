package picture

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"
)

// pngScratch is the picture as the decoder has it, where that is not the result, and the passes of an interlaced one.
func pngScratch(data []byte, model color.Model) int64 {
	const interlaceAt = 28 // of the header's chunk
	pixel := int64(4)
	switch model {
	case color.NRGBA64Model, color.RGBA64Model:
		pixel = 8
	}
	if len(data) > interlaceAt && data[interlaceAt] != 0 {
		return 2 * pixel
	}
	return pixel
}

func pngConfig(data []byte) (image.Config, error) {
	config, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		if m := mendPNG(data); m != nil {
			return png.DecodeConfig(m)
		}
	}
	return config, err
}

// decodePNG decodes a PNG image, and what can be seen of a damaged one: the decoder refuses all of it for one wrong checksum.
func decodePNG(ctx context.Context, data []byte) (image.Image, error) {
	decoded, err := png.Decode(wantedReader{ctx, bytes.NewReader(data)})
	if err == nil {
		return decoded, nil
	}
	if m := mendPNG(data); m != nil {
		if decoded, still := png.Decode(wantedReader{ctx, m}); still == nil {
			return decoded, err
		}
	}
	return nil, err
}

const (
	pngSignature = 8  // bytes
	pngHeader    = 13 // bytes of IHDR
)

// mendedPNG reads as a sound PNG file that shows what a damaged one has: its header, its colours and its pixels, as far as they
// can be unpacked, with zeros for the rest. It never holds more than a piece of them.
type mendedPNG struct {
	out    bytes.Buffer // not read yet
	pixels io.Reader    // of the damaged file, unpacked
	pack   *zlib.Writer // into out
	left   int64        // bytes of pixels, not packed yet
	piece  [1 << 15]byte
}

// mendPNG is nil where no pixel can be had.
func mendPNG(data []byte) *mendedPNG {
	rest := pngChunks{data[min(pngSignature, len(data)):]}
	kind, header := rest.next()
	if kind != "IHDR" || len(header) != pngHeader {
		return nil
	}
	if max(binary.BigEndian.Uint32(header), binary.BigEndian.Uint32(header[4:])) > MaxSide {
		return nil // it is refused anyway, and the sizes below could overflow
	}
	m := &mendedPNG{left: pngPixelBytes(header)}
	m.out.Write(data[:pngSignature])
	m.chunk(kind, header)
	for kind, body := rest.next(); kind != "" && kind != "IDAT"; kind, body = rest.next() {
		if kind == "PLTE" || kind == "tRNS" {
			m.chunk(kind, body)
		}
	}
	packed := &pngData{chunks: pngChunks{data[pngSignature:]}}
	if _, err := io.CopyN(io.Discard, packed, 2); err != nil { // the head of zlib, whose checksum may be as wrong as that of all
		return nil
	}
	m.pixels = flate.NewReader(packed)
	m.pack, _ = zlib.NewWriterLevel(pngPieces{m}, zlib.NoCompression) // which is a level
	if got := m.advance(); got == 0 {
		return nil
	}
	return m
}

// advance packs a piece more, of zeros where the file has no pixels any more, and says how many bytes the file had.
func (m *mendedPNG) advance() (got int) {
	piece := m.piece[:min(m.left, int64(len(m.piece)))]
	got, _ = io.ReadFull(m.pixels, piece)
	clear(piece[got:])
	_, _ = m.pack.Write(piece) // into memory, as below
	if m.left -= int64(len(piece)); m.left == 0 {
		_ = m.pack.Close()
		m.chunk("IEND", nil)
	}
	return got
}

// Read gives the mended file.
func (m *mendedPNG) Read(to []byte) (int, error) {
	for m.out.Len() == 0 && m.left > 0 {
		m.advance()
	}
	return m.out.Read(to)
}

func (m *mendedPNG) chunk(kind string, body []byte) {
	head := append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), kind...)
	sum := crc32.Update(crc32.ChecksumIEEE([]byte(kind)), crc32.IEEETable, body)
	m.out.Write(head)
	m.out.Write(body)
	m.out.Write(binary.BigEndian.AppendUint32(nil, sum))
}

// pngPieces writes chunks of pixels.
type pngPieces struct{ m *mendedPNG }

func (p pngPieces) Write(packed []byte) (int, error) {
	p.m.chunk("IDAT", packed)
	return len(packed), nil
}

// pngChunks are those of a file that are still to be read. Their checksums are not looked at.
type pngChunks struct{ rest []byte }

// next is the chunk that follows, the last perhaps cut short; "" where none does.
func (c *pngChunks) next() (kind string, body []byte) {
	const head, sum = 8, 4 // bytes
	if len(c.rest) < head {
		return "", nil
	}
	size := int(binary.BigEndian.Uint32(c.rest))
	kind, c.rest = string(c.rest[4:head]), c.rest[head:]
	body = c.rest[:min(size, len(c.rest))]
	c.rest = c.rest[min(size+sum, len(c.rest)):]
	return kind, body
}

// pngData is what all chunks of pixels hold.
type pngData struct {
	chunks pngChunks
	body   []byte
}

func (d *pngData) Read(to []byte) (int, error) {
	for len(d.body) == 0 {
		kind, body := d.chunks.next()
		if kind == "" {
			return 0, io.EOF
		}
		if kind == "IDAT" {
			d.body = body
		}
	}
	n := copy(to, d.body)
	d.body = d.body[n:]
	return n, nil
}

// pngPixelBytes is how many bytes the pixels have that a header tells of, as they are before they are packed: of each row a byte
// that names its filter, and its pixels; of an interlaced picture seven smaller ones (ISO/IEC 15948, 8.2).
func pngPixelBytes(header []byte) (bytes int64) {
	width, height := int64(binary.BigEndian.Uint32(header)), int64(binary.BigEndian.Uint32(header[4:]))
	bits := int64(header[8]) * map[byte]int64{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[header[9]]
	passes := [][4]int64{{0, 0, 1, 1}} // its first pixel, and the steps to the next
	if header[12] != 0 {
		passes = [][4]int64{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}
	}
	for _, p := range passes {
		across, down := max(width-p[0]+p[2]-1, 0)/p[2], max(height-p[1]+p[3]-1, 0)/p[3]
		if across > 0 {
			bytes += down * (1 + (across*bits+7)/8)
		}
	}
	return bytes
}
