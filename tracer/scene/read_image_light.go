package scene

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
)

// readImageLight reads the image-based light of a scene of the file, nil for none. What is broken in it is left out, and said.
func readImageLight(doc *document, scene int, images *textureTable) *ImageLight {
	if scene >= len(doc.Scenes) {
		return nil
	}
	use := struct{ Light *int }{}
	err := decodeExtension(doc.Scenes[scene].Extensions, imageLights, &use)
	if err == nil && use.Light == nil {
		return nil
	}
	var light *ImageLight
	if err == nil {
		light, err = newImageLight(doc, *use.Light, images)
	}
	if err != nil {
		doc.warn.about(label("scene", scene, doc.Scenes[scene].Name), nil, "%v: left out", err)
		return nil
	}
	return light
}

func newImageLight(doc *document, at int, images *textureTable) (*ImageLight, error) {
	file := struct {
		Lights []*struct {
			Rotation               *[4]float64
			Intensity              *float64
			SpecularImages         [][]int
			IrradianceCoefficients [][]float64
		}
	}{}
	if err := decodeExtension(doc.Extensions, imageLights, &file); err != nil {
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
	return out, out.readCube(src.SpecularImages[0], images)
}

// readCube reads the sharpest images; the others are for renderers that do not trace.
func (i *ImageLight) readCube(sources []int, images *textureTable) error {
	if len(sources) != cubeFaces {
		return fmt.Errorf("an image-based light has %d faces, not %d", len(sources), cubeFaces)
	}
	for _, source := range sources {
		if source < 0 || source >= len(images.doc.Images) {
			return fmt.Errorf("image %d does not exist: the file has %d", source, len(images.doc.Images))
		}
	}
	for _, source := range sources {
		i.Faces = append(i.Faces, images.image(imageUse{source: source, fallback: -1, srgb: true}))
	}
	return nil
}

const (
	imageLights = "EXT_lights_image_based"
	cubeFaces   = 6
)
