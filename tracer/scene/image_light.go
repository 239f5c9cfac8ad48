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

const (
	imageLights = "EXT_lights_image_based"
	cubeFaces   = 6
)

// loadImageLight reads the image-based light of the chosen scene. What is broken in it is left out, and said.
func (l *loader) loadImageLight() {
	at := l.chosenScene()
	if at >= len(l.Scenes) {
		return
	}
	use := struct{ Light *int }{}
	err := decodeExtension(l.Scenes[at].Extensions, imageLights, &use)
	if err == nil && use.Light == nil {
		return
	}
	var light *ImageLight
	if err == nil {
		light, err = l.imageLight(*use.Light)
	}
	if err != nil {
		l.warn.about(label("scene", at, l.Scenes[at].Name), nil, "%v: left out", err)
		return
	}
	l.out.ImageLight = light
}

func (l *loader) imageLight(at int) (*ImageLight, error) {
	file := struct {
		Lights []*struct {
			Rotation               *[4]float64
			Intensity              *float64
			SpecularImages         [][]int
			IrradianceCoefficients [][]float64
		}
	}{}
	if err := decodeExtension(l.Extensions, imageLights, &file); err != nil {
		return nil, err
	}
	if at < 0 || at >= len(file.Lights) || file.Lights[at] == nil {
		return nil, fmt.Errorf("image-based light %d does not exist: the file has %d", at, len(file.Lights))
	}
	src := file.Lights[at]
	out := &ImageLight{Rotation: mgl64.QuatIdent(), Intensity: 1}
	if q := src.Rotation; q != nil {
		turn := mgl64.Quat{W: q[3], V: mgl64.Vec3{q[0], q[1], q[2]}}
		if length := turn.Len(); !(length > 1e-9 && length < largest) {
			return nil, fmt.Errorf("the rotation %v of image-based light %d is none", *q, at)
		}
		out.Rotation = turn.Normalize()
	}
	if src.Intensity != nil {
		out.Intensity = *src.Intensity
	}
	if len(src.SpecularImages) == 0 {
		return out, out.readIrradiance(src.IrradianceCoefficients)
	}
	if err := out.readIrradiance(src.IrradianceCoefficients); err != nil {
		out.Irradiance = [9][3]float64{} // nobody asks while there are images
	}
	return out, l.cube(out, src.SpecularImages[0])
}

// cube reads the sharpest images; the others are for renderers that do not trace.
func (l *loader) cube(out *ImageLight, sources []int) error {
	if len(sources) != cubeFaces {
		return fmt.Errorf("an image-based light has %d faces, not %d", len(sources), cubeFaces)
	}
	for _, source := range sources {
		if source < 0 || source >= len(l.Images) {
			return fmt.Errorf("image %d does not exist: the file has %d", source, len(l.Images))
		}
	}
	for _, source := range sources {
		out.Faces = append(out.Faces, l.useImage(imageUse{source: source, fallback: -1, srgb: true}))
	}
	return nil
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

// dropCube has an image light follow when images are left out; images are their new indices, −1 for none.
func (l *loader) dropCube(images []int) {
	light := l.out.ImageLight
	if light == nil {
		return
	}
	for k, face := range light.Faces {
		if light.Faces[k] = images[face]; images[face] < 0 {
			light.Faces = nil
			break
		}
	}
	if light.Faces == nil && light.Irradiance == ([9][3]float64{}) {
		l.out.ImageLight = nil
		l.warn.about("extension "+imageLights, nil, "left out, since not all of its images can be read")
	}
}
