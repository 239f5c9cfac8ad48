package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"io"

	"golang.org/x/image/webp"

	"glint/tracer/guard"
)

// webpConfig refuses an extended file whose picture is not as large as its header says: the decoder would find out when it has
// decoded it.
func webpConfig(data []byte) (image.Config, error) {
	whole, err := webp.DecodeConfig(bytes.NewReader(data))
	if err != nil || len(data) < 16 || string(data[12:16]) != "VP8X" {
		return whole, err
	}
	for rest := data[12:]; len(rest) >= 8; {
		kind, size := string(rest[:4]), int(binary.LittleEndian.Uint32(rest[4:]))
		if size > len(rest)-8 {
			break
		}
		if kind == "VP8 " || kind == "VP8L" {
			alone := append([]byte("RIFF\x00\x00\x00\x00WEBP"), rest[:8+size]...)
			binary.LittleEndian.PutUint32(alone[4:], uint32(len(alone)-8))
			picture, err := webp.DecodeConfig(bytes.NewReader(alone))
			if err == nil && (picture.Width != whole.Width || picture.Height != whole.Height) {
				err = fmt.Errorf("its picture has %d × %d pixels, its header says %d × %d", picture.Width, picture.Height, whole.Width, whole.Height)
			}
			if err != nil {
				return whole, err
			}
		}
		rest = rest[min(8+size+size%2, len(rest)):]
	}
	return whole, nil
}

// decodeWebP decodes a WebP image. A file that ends early is continued with zeros, which show little more than its last colours.
func decodeWebP(ctx context.Context, data []byte) (image.Image, error) {
	whole, damage := io.Reader(bytes.NewReader(data)), error(nil)
	if longer := continuedWebP(data); longer != nil {
		whole, damage = longer, io.ErrUnexpectedEOF
	}
	decoded, err := webp.Decode(wantedReader{ctx, whole})
	if err != nil {
		return nil, err
	}
	switch m := decoded.(type) {
	case *image.YCbCr:
		return fromVideoRange(m, nil, 0), damage
	case *image.NYCbCrA:
		return fromVideoRange(&m.YCbCr, m.A, m.AStride), damage
	}
	return decoded, damage
}

// continuedWebP is a file that ends within its picture, with as many zeros behind it as its picture may need; else nil. Its chunks
// are renamed in length, since the decoder takes memory by what they say.
func continuedWebP(data []byte) io.Reader {
	config, err := webpConfig(data)
	if err != nil {
		return nil
	}
	for at := 12; at+8 <= len(data); {
		kind, size := string(data[at:at+4]), int(binary.LittleEndian.Uint32(data[at+4:]))
		have := len(data) - at - 8
		if size <= have {
			at += 8 + size + size%2
			continue
		}
		if kind != "VP8 " && kind != "VP8L" {
			return nil
		}
		const perPixel, headers, mostLossy = 4, 4096, 1<<24 - 2 // bytes; more than either kind takes, and what the decoder takes
		zeros := perPixel*config.Width*config.Height + headers
		if kind == "VP8 " {
			zeros = min(zeros, max(mostLossy-have, 0))
		}
		zeros += (have + zeros) % 2
		start := bytes.Clone(data[:at+8])
		binary.LittleEndian.PutUint32(start[4:], uint32(len(data)-8+zeros))
		binary.LittleEndian.PutUint32(start[at+4:], uint32(have+zeros))
		return io.MultiReader(bytes.NewReader(start), bytes.NewReader(data[at+8:]), io.LimitReader(zeroReader{}, int64(zeros)))
	}
	return nil
}

// zeroReader never ends.
type zeroReader struct{}

func (zeroReader) Read(to []byte) (int, error) {
	clear(to)
	return len(to), nil
}

// fromVideoRange converts the planes of a lossy WebP image, with the plane of its alpha or nil. They hold ITU-R BT.601 in the range
// of video, 16 to 235 and 240; the image package takes such planes for full range. In fixed point as libwebp has it, so that plain
// colours are the same as in browsers; chroma is not smoothed between its samples.
func fromVideoRange(m *image.YCbCr, alpha []byte, alphaStride int) *image.NRGBA {
	b := m.Bounds()
	out := &image.NRGBA{Pix: guard.MakeLarge[byte](4 * b.Dx() * b.Dy()), Stride: 4 * b.Dx(), Rect: image.Rect(0, 0, b.Dx(), b.Dy())}
	for y := range b.Dy() {
		row := out.Pix[y*out.Stride:][:out.Stride]
		for x := range b.Dx() {
			light := int32(m.Y[m.YOffset(b.Min.X+x, b.Min.Y+y)]) * 19077 >> 8
			c := m.COffset(b.Min.X+x, b.Min.Y+y)
			blue, red := int32(m.Cb[c]), int32(m.Cr[c])
			pixel := row[4*x:][:4]
			pixel[0] = clampSixth(light + red*26149>>8 - 14234)
			pixel[1] = clampSixth(light - blue*6419>>8 - red*13320>>8 + 8708)
			pixel[2] = clampSixth(light + blue*33050>>8 - 17685)
			pixel[3] = 255
			if alpha != nil {
				pixel[3] = alpha[y*alphaStride+x]
			}
		}
	}
	return out
}

// clampSixth is a value with six bits behind the point as a byte.
func clampSixth(v int32) byte { return byte(min(max(v>>6, 0), 255)) }
