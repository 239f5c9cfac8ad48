package scene

import (
	"errors"
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
)

// ImageLight is light from all around the scene (EXT_lights_image_based): a cube of images, or where there are none, what its
// coefficients of irradiance tell.
type ImageLight struct {
	Rotation  mgl64.Quat // of what is around
	Intensity float64    // multiplies all of it
	// Faces are indices into Scene.Images, of +X, −X, +Y, −Y, +Z and −Z: what one sees there from the middle, upright; of ±Y with ∓Z
	// at the top. Colours are to be divided by alpha (RGBD). Nil for none.
	Faces []int
	// Irradiance is its coefficients by real spherical harmonics of degree 0 to 2, and order −l to l, lux.
	Irradiance [9][3]float64
}

func (i *ImageLight) readIrradiance(rows [][]float64) error {
	if len(rows) != len(i.Irradiance) {
		return fmt.Errorf("an image-based light without images needs %d irradianceCoefficients, not %d", len(i.Irradiance), len(rows))
	}
	for k, row := range rows {
		if len(row) != len(i.Irradiance[k]) {
			return errors.New("irradianceCoefficients must be triples")
		}
		copy(i.Irradiance[k][:], row)
	}
	return nil
}

// follow is the light when images are left out; images are their new indices, −1 for none. Nil where nothing of it is left.
func (i *ImageLight) follow(images []int) *ImageLight {
	if i == nil {
		return nil
	}
	for k, face := range i.Faces {
		if i.Faces[k] = images[face]; images[face] < 0 {
			i.Faces = nil
			break
		}
	}
	if i.Faces == nil && i.Irradiance == ([9][3]float64{}) {
		return nil
	}
	return i
}
