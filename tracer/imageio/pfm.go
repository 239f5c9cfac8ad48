package imageio

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"glint/tracer/guard"
)

// pfmHeader is the text in front of a portable float map's pixels.
type pfmHeader struct {
	channels      int // 3 in colour files, 1 in grey ones
	width, height int
	scale         float32 // factor of every value
	order         binary.ByteOrder
	size          int // bytes of header
}

// decodePFM reads a portable float map (Debevec's PFM, as Netpbm documents it): rows from the bottom up, the scale's
// sign gives the byte order and its magnitude is a factor.
func decodePFM(data []byte, memory *guard.Memory) (*Image, error) {
	h, err := parsePFMHeader(data)
	if err != nil {
		return nil, err
	}
	body := data[h.size:]
	if len(body)/4/h.channels/h.width < h.height {
		return nil, errTruncated
	}
	if err := takePixels(memory, h.width, h.height, 0); err != nil {
		return nil, err
	}
	img := newImage(h.width, h.height)
	rowBytes := 4 * h.channels * h.width
	for y := range h.height {
		row := body[(h.height-1-y)*rowBytes:][:rowBytes]
		h.decodeRow(img.Pix[3*y*h.width:][:3*h.width], row)
	}
	return img, nil
}

// decodeRow turns a row of bytes into RGB, repeating grey.
func (h *pfmHeader) decodeRow(rgb []float32, row []byte) {
	for i := range rgb {
		at := i
		if h.channels == 1 {
			at = i / 3
		}
		rgb[i] = h.scale * math.Float32frombits(h.order.Uint32(row[4*at:]))
	}
}

func parsePFMHeader(data []byte) (*pfmHeader, error) {
	var fields [4]string
	rest := data
	for i := range fields {
		var ok bool
		if fields[i], rest, ok = cutField(rest); !ok {
			return nil, errors.New("incomplete PFM header")
		}
	}
	h := &pfmHeader{channels: 3, order: binary.BigEndian, size: len(data) - len(rest)}
	switch fields[0] {
	case "PF":
	case "Pf":
		h.channels = 1
	default:
		return nil, fmt.Errorf("PFM files start with PF or Pf, not %q", fields[0])
	}
	var err error
	if h.width, err = strconv.Atoi(fields[1]); err != nil {
		return nil, fmt.Errorf("PFM width %q is not a number", fields[1])
	}
	if h.height, err = strconv.Atoi(fields[2]); err != nil {
		return nil, fmt.Errorf("PFM height %q is not a number", fields[2])
	}
	scale, err := strconv.ParseFloat(fields[3], 32)
	if err != nil || scale == 0 || math.IsNaN(scale) || math.IsInf(scale, 0) {
		return nil, fmt.Errorf("PFM scale %q is not a finite number other than 0", fields[3])
	}
	if scale < 0 {
		h.order = binary.LittleEndian
	}
	h.scale = float32(math.Abs(scale))
	return h, CheckSize(h.width, h.height)
}

// cutField takes one word and the single white space behind it.
func cutField(data []byte) (field string, rest []byte, ok bool) {
	const longest = 64 // no number of a header is longer
	data = bytes.TrimLeft(data, " \t\r\n")
	end := bytes.IndexAny(data[:min(len(data), longest)], " \t\r\n")
	if end <= 0 {
		return "", nil, false
	}
	return string(data[:end]), data[end+1:], true
}

// encodePFM writes a little-endian colour map.
func encodePFM(w io.WriteSeeker, img *Image, _ Meta) error {
	out := bufio.NewWriterSize(w, 1<<16)
	if _, err := fmt.Fprintf(out, "PF\n%d %d\n-1.0\n", img.Width, img.Height); err != nil {
		return err
	}
	row := make([]byte, 0, 12*img.Width)
	for y := img.Height - 1; y >= 0; y-- {
		row = row[:0]
		for _, v := range img.Pix[3*y*img.Width:][:3*img.Width] {
			row = binary.LittleEndian.AppendUint32(row, math.Float32bits(v))
		}
		if _, err := out.Write(row); err != nil {
			return err
		}
	}
	return out.Flush()
}
