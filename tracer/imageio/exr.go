package imageio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mrjoshuak/go-openexr/exr"

	"glint/tracer/guard"
)

const (
	// exrMaxRatio bounds how far an OpenEXR file may expand: above what the codecs reach on real pictures.
	exrMaxRatio = 1 << 14
	// exrMaxFile is the largest file that the library opens (it takes the whole file for a header).
	exrMaxFile = 64 << 20
	// exrMaxName is the longest attribute name without the long-names flag.
	exrMaxName = 31
	// exrPrefix keeps our attributes apart from the standard ones.
	exrPrefix = "glint."
)

// decodeEXR reads the colour channels of an OpenEXR file's data window: scanlines or tiles, half, float or uint.
func decodeEXR(data []byte, memory *guard.Memory) (*Image, error) {
	if len(data) > exrMaxFile {
		return nil, fmt.Errorf("OpenEXR files above %d MiB are not supported; store half floats or convert to .pfm", exrMaxFile>>20)
	}
	f, err := exr.OpenReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("not an OpenEXR file that can be read: %w", err)
	}
	if f.IsMultiPart() || f.IsDeep() {
		return nil, errors.New("multi-part and deep OpenEXR files are not supported; export a single flat part")
	}
	h := f.Header(0)
	if c := h.Compression(); c > exr.CompressionDWAB {
		return nil, fmt.Errorf("OpenEXR compression %v is not supported: store the picture with ZIP or PIZ", c)
	}
	width, height, err := exrSize(h, len(data))
	if err != nil {
		return nil, err
	}
	names, err := colorChannels(h.Channels())
	if err != nil {
		return nil, err
	}
	if err := takePixels(memory, width, height, int64(h.Channels().BytesPerPixel())); err != nil {
		return nil, err
	}
	img := newImage(width, height)
	frame := exr.NewFrameBuffer() // the library converts
	setPlanes(frame, img.Pix, 3, img, names)
	if err := readEXRPixels(f, frame, data); err != nil {
		return nil, fmt.Errorf("OpenEXR pixels: %w", err)
	}
	if len(names) == 1 {
		spreadGray(img)
	}
	return img, nil
}

// exrSize checks the data window and the channels against the file's size before anything is allocated.
func exrSize(h *exr.Header, fileSize int) (width, height int, err error) {
	window, channels := h.DataWindow(), h.Channels()
	if channels == nil || channels.Len() == 0 {
		return 0, 0, errors.New("OpenEXR file without channels")
	}
	wide := int64(window.Max.X) - int64(window.Min.X) + 1
	high := int64(window.Max.Y) - int64(window.Min.Y) + 1
	if wide > math.MaxInt32 || high > math.MaxInt32 {
		return 0, 0, fmt.Errorf("image size %d×%d is above the limit", wide, high)
	}
	if err := CheckSize(int(wide), int(high)); err != nil {
		return 0, 0, err
	}
	for _, c := range channels.Channels() {
		if c.XSampling != 1 || c.YSampling != 1 {
			return 0, 0, fmt.Errorf("OpenEXR channel %q is subsampled, which is not supported", c.Name)
		}
	}
	raw := wide * high * int64(channels.BytesPerPixel())
	if raw > maxFileSize || raw > exrMaxRatio*int64(fileSize) {
		return 0, 0, fmt.Errorf("%d bytes cannot hold %d×%d pixels of %d channels", fileSize, wide, high, channels.Len())
	}
	return int(wide), int(high), nil
}

// colorChannels names R, G and B, or grey, of the picture or else of the first layer that has them.
func colorChannels(list *exr.ChannelList) ([]string, error) {
	layers := append([]string{""}, list.Layers()...)
	for _, layer := range layers {
		if layer != "" {
			layer += "."
		}
		for _, base := range [][]string{{"R", "G", "B"}, {"Y"}} {
			names := make([]string, len(base))
			for i := range base {
				names[i] = layer + base[i]
			}
			if !slices.ContainsFunc(names, func(n string) bool { return list.Get(n) == nil }) {
				return names, nil
			}
		}
	}
	return nil, fmt.Errorf("no R, G, B or Y among the OpenEXR channels %s", strings.Join(list.Names(), ", "))
}

// setPlanes points channels at the first of the interleaved values of each pixel.
func setPlanes(frame *exr.FrameBuffer, pix []float32, values int, size *Image, names []string) {
	for c, name := range names {
		plane := exr.NewSliceFromFloat32(pix[c:], size.Width, size.Height)
		plane.XStride, plane.YStride = values*plane.XStride, values*plane.YStride
		frame.Set(name, plane)
	}
}

func readEXRPixels(f *exr.File, frame *exr.FrameBuffer, data []byte) error {
	if f.IsTiled() {
		return readEXRTiles(f, frame, data)
	}
	r, err := exr.NewScanlineReader(f)
	if err != nil {
		return err
	}
	r.SetFrameBuffer(frame)
	window := r.DataWindow()
	step := r.Header().Compression().ScanlinesPerChunk()
	// Chunk by chunk the library stays on this goroutine, where a panic can be caught.
	for y := int(window.Min.Y); y <= int(window.Max.Y); y += step {
		if err := r.ReadPixels(y, min(y+step-1, int(window.Max.Y))); err != nil {
			return err
		}
	}
	return nil
}

func readEXRTiles(f *exr.File, frame *exr.FrameBuffer, data []byte) error {
	const tileHeader = 20 // x, y, level x, level y, packed size
	for _, offset := range f.OffsetsRef(0) {
		// The library would allocate the packed size before it notices that the file is shorter.
		if offset < 0 || offset > int64(len(data)-tileHeader) ||
			int64(binary.LittleEndian.Uint32(data[offset+tileHeader-4:])) > int64(len(data))-offset-tileHeader {
			return errTruncated
		}
	}
	r, err := exr.NewTiledReader(f)
	if err != nil {
		return err
	}
	r.SetFrameBuffer(frame)
	return r.ReadTiles(0, 0, r.NumTilesX()-1, r.NumTilesY()-1)
}

func spreadGray(img *Image) {
	for i := 0; i < len(img.Pix); i += 3 {
		img.Pix[i+1], img.Pix[i+2] = img.Pix[i], img.Pix[i]
	}
}
