package imageio

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"glint/tracer/guard"
)

// decodeHDR reads a Radiance RGBE picture (Ward, "Real Pixels", Graphics Gems II): flat, or with run lengths of the old or of the new
// kind, its axes turned in whatever way.
func decodeHDR(data []byte, memory *guard.Memory) (*Image, error) {
	h, err := readHDRHeader(data)
	if err != nil {
		return nil, err
	}
	if err := CheckSize(h.width, h.height); err != nil {
		return nil, err
	}
	if len(h.rest)/smallestScanline(h.across) < h.down {
		return nil, errTruncated
	}
	beside := int64(4 / h.down) // a scanline
	if err := takePixels(memory, h.width, h.height, beside); err != nil {
		return nil, err
	}
	img := newImage(h.width, h.height)
	var scale [256]float64 // of a mantissa, by exponent
	for e := 1; e < len(scale); e++ {
		scale[e] = math.Ldexp(1, e-(128+8)) / h.exposure
	}
	line := make([]byte, 4*h.across)
	rest := h.rest
	for y := range h.down {
		if rest, err = readScanline(line, rest); err != nil {
			return nil, err
		}
		for x := range h.across {
			texel, pixel := line[4*x:][:4], img.Pix[3*h.at(x, y):][:3]
			for c := range pixel {
				pixel[c] = float32(float64(texel[c]) * scale[texel[3]])
			}
		}
	}
	for _, v := range img.Pix {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, errors.New("the header's EXPOSURE makes values that are not finite")
		}
	}
	return img, nil
}

// radianceHeader says how the pixels lie in a file.
type radianceHeader struct {
	rest          []byte // behind the header
	exposure      float64
	across, down  int  // pixels of a scanline, and scanlines
	columns       bool // scanlines stand upright
	width, height int
	right, up     bool // the directions of the file's axes
}

// at is the pixel that has place x of scanline y.
func (h *radianceHeader) at(x, y int) int {
	if h.columns {
		x, y = y, x
	}
	if !h.right {
		x = h.width - 1 - x
	}
	if h.up {
		y = h.height - 1 - y
	}
	return y*h.width + x
}

func readHDRHeader(data []byte) (*radianceHeader, error) {
	h := &radianceHeader{rest: data, exposure: 1}
	known, xyz := false, false
	for {
		line, err := h.line()
		if err != nil {
			return nil, err
		}
		if line == "" {
			break
		}
		switch key, value, _ := strings.Cut(line, "="); {
		case strings.HasPrefix(line, "#?"), line == "FORMAT=32-bit_rle_rgbe":
			known = true
		case line == "FORMAT=32-bit_rle_xyze":
			known, xyz = true, true
		case key == "EXPOSURE":
			exposure, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil {
				return nil, fmt.Errorf("not a Radiance picture that can be read: EXPOSURE is %s", guard.Quoted(value))
			}
			h.exposure *= exposure // of each program that the picture went through
		}
	}
	if !known {
		return nil, errors.New("not a Radiance picture that can be read: format not compatible")
	}
	if xyz {
		return nil, errors.New("only the RGBE form of Radiance pictures is supported, not XYZE")
	}
	if h.exposure > 1e12 || h.exposure < 1e-12 { // nobody means that
		h.exposure = 1
	}
	size, err := h.line()
	if err != nil {
		return nil, err
	}
	return h, h.readSize(size)
}

func (h *radianceHeader) line() (string, error) {
	line, rest, found := bytes.Cut(h.rest, []byte("\n"))
	if !found {
		return "", errTruncated
	}
	h.rest = rest
	return strings.TrimSpace(string(line)), nil
}

// readSize reads such as "-Y 512 +X 1024": the axis from scanline to scanline, then that along them. Y points up.
func (h *radianceHeader) readSize(line string) error {
	var first, second string
	n, err := fmt.Sscanf(line, "%s %d %s %d", &first, &h.down, &second, &h.across)
	axes := first + second
	if h.columns = strings.HasSuffix(first, "X"); h.columns {
		axes = second + first
	}
	isSign := func(c byte) bool { return c == '+' || c == '-' }
	if n < 4 || err != nil || len(axes) != 4 || axes[1] != 'Y' || axes[3] != 'X' || !isSign(axes[0]) || !isSign(axes[2]) {
		return fmt.Errorf("not a Radiance picture that can be read: its image size is %s", guard.Quoted(line))
	}
	h.up, h.right = axes[0] == '+', axes[2] == '+'
	if h.width, h.height = h.across, h.down; h.columns {
		h.width, h.height = h.down, h.across
	}
	return nil
}

const (
	leastRuns, mostRuns = 8, 1<<15 - 1 // pixels of a scanline that may have runs of the new kind
	smallestRun         = 4            // bytes: "as the last pixel, so many times"
)

// smallestScanline is the least number of bytes that hold a scanline: a pixel and a run, or the head of the new kind and more.
func smallestScanline(width int) int { return min(4*width, 4+smallestRun) }

// readScanline reads a scanline, and gives what follows it.
func readScanline(line, data []byte) (rest []byte, err error) {
	width := len(line) / 4
	if len(data) >= 4 && width >= leastRuns && width <= mostRuns && data[0] == 2 && data[1] == 2 && data[2] < 128 {
		if int(data[2])<<8|int(data[3]) != width {
			return nil, errors.New("malformed file: a scanline is not as long as the picture is wide")
		}
		return readRuns(line, data[4:])
	}
	shift := 0 // of the count of a run: several that follow each other are digits of one
	for at := 0; at < len(line); {
		if len(data) < 4 {
			return nil, errTruncated
		}
		if at == 0 || data[0] != 1 || data[1] != 1 || data[2] != 1 {
			at += copy(line[at:], data[:4])
			shift = 0
		} else {
			count := 4 * int(data[3]) << shift
			if count > len(line)-at {
				return nil, errors.New("malformed file: a run leaves its scanline")
			}
			for end := at + count; at < end; at += 4 {
				copy(line[at:], line[at-4:at])
			}
			shift = min(shift+8, 32)
		}
		data = data[4:]
	}
	return data, nil
}

// readRuns reads a scanline of the new kind: each channel by itself, in runs and literals.
func readRuns(line, data []byte) (rest []byte, err error) {
	for channel := range 4 {
		for at := channel; at < len(line); {
			if len(data) < 2 {
				return nil, errTruncated
			}
			count, step := int(data[0]), 1
			if count > 128 {
				count, step = count-128, 0
			}
			data = data[1:]
			if count == 0 || at+4*(count-1) >= len(line) {
				return nil, errors.New("malformed file: a run leaves its scanline")
			}
			if step*count > len(data) {
				return nil, errTruncated
			}
			for i := range count {
				line[at] = data[i*step]
				at += 4
			}
			data = data[max(step*count, 1):]
		}
	}
	return data, nil
}
