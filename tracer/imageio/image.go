// Package imageio reads and writes the pictures that a renderer deals in: linear radiance in PFM, OpenEXR and Radiance
// RGBE files, and display-referred PNG files that say in text chunks how they were made.
//
//	env, err := imageio.Read("garden.hdr")
//	err = imageio.Write("out.exr", img, imageio.Meta{"scene": "chess", "samples": "256"})
//	err = imageio.WritePNG("shot.png", screen, map[string]string{"glint": settingsJSON})
//
// Every write is atomic (a temporary file, then a rename). Malformed files end in an error, never in a panic, and
// sizes are checked before memory is taken.
package imageio

import (
	"errors"
	"fmt"
	"math"

	"glint/tracer/guard"
)

// maxPixels bounds every picture that is read or written: 1.5 GiB of linear RGB, a 16384×8192 environment.
const maxPixels = 1 << 27

// errTruncated ends the reading of a file that is shorter than its header promises.
var errTruncated = errors.New("the file ends before its last pixel")

// Image is a picture of linear Rec.709 radiance: three floats (R, G, B) a pixel, row 0 at the top.
type Image struct {
	Width, Height int
	Pix           []float32 // 3·Width·Height
}

// Meta says how a picture was made (scene, camera, samples, seconds, settings…). OpenEXR files carry it as string
// attributes; PFM has no place for it.
type Meta map[string]string

// Luminance is that of a colour in linear Rec.709 (ITU-R BT.709), or the luma of an encoded one.
func Luminance[T float32 | float64](r, g, b T) T { return 0.2126*r + 0.7152*g + 0.0722*b }

// Layer is something else that is known of each pixel of a picture: some named channels, interleaved like Image.Pix.
type Layer struct {
	Name     string   // of the layer; its channels are written as Name.Channel
	Channels []string // such as R, G, B
	Pix      []float32
}

// Validate reports whether the size is one that can be stored and Pix has the length that the size asks for.
func (m *Image) Validate() error {
	if m == nil {
		return errors.New("no image")
	}
	if err := CheckSize(m.Width, m.Height); err != nil {
		return err
	}
	if len(m.Pix) != 3*m.Width*m.Height {
		return fmt.Errorf("%d×%d image has %d values instead of %d", m.Width, m.Height, len(m.Pix), 3*m.Width*m.Height)
	}
	return nil
}

// CheckSize refuses sizes that are not positive or would take more memory than a picture may.
func CheckSize(width, height int) error {
	if width <= 0 || height <= 0 {
		return fmt.Errorf("image size %d×%d is not positive", width, height)
	}
	if width > maxPixels/height {
		return fmt.Errorf("image size %d×%d is above the limit of %d pixels", width, height, maxPixels)
	}
	return nil
}

// MakeFinite replaces infinities by the largest float, and NaN by 0: many programs stop at them.
func MakeFinite(values []float32) {
	for i, v := range values {
		switch {
		case v != v:
			values[i] = 0
		case v-v != 0:
			values[i] = float32(math.Copysign(math.MaxFloat32, float64(v)))
		}
	}
}

// takePixels counts the memory of a picture that is about to be decoded, and as many bytes a pixel beside it.
func takePixels(memory *guard.Memory, width, height int, beside int64) error {
	pixels := int64(width) * int64(height)
	what := fmt.Sprintf("a picture of %d×%d", width, height)
	if err := memory.Check(what, pixels*(12+beside)); err != nil {
		return err
	}
	return memory.Take(what, pixels*12)
}

// newImage allocates a black image of a size that the file's bytes have been checked against.
func newImage(width, height int) *Image {
	return &Image{Width: width, Height: height, Pix: make([]float32, 3*width*height)}
}
