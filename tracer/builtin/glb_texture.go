package builtin

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"math"
	"sync"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"

	"glint/tracer/scene"
)

// images encodes the images side by side and adds a texture and a sampler for each texture of the scene.
func (w *glbWriter) images() error {
	files := make([]bytes.Buffer, len(w.s.Images))
	failed := make([]error, len(w.s.Images))
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	var wg sync.WaitGroup
	for i, img := range w.s.Images {
		wg.Go(func() {
			failed[i] = encoder.Encode(&files[i], &image.NRGBA{
				Pix: img.Pixels, Stride: 4 * img.Width, Rect: image.Rect(0, 0, img.Width, img.Height),
			})
		})
	}
	wg.Wait()
	for i, img := range w.s.Images {
		if failed[i] != nil {
			return fmt.Errorf("image %d (%s): %w", i, img.Name, failed[i])
		}
		if _, err := modeler.WriteImage(w.doc, img.Name, "image/png", &files[i]); err != nil {
			return fmt.Errorf("image %d (%s): %w", i, img.Name, err)
		}
	}
	wraps := map[scene.Wrap]gltf.WrappingMode{
		scene.WrapRepeat: gltf.WrapRepeat, scene.WrapMirror: gltf.WrapMirroredRepeat, scene.WrapClamp: gltf.WrapClampToEdge,
	}
	for i, t := range w.s.Textures {
		filter := gltf.MagLinear
		if t.Nearest {
			filter = gltf.MagNearest
		}
		w.doc.Samplers = append(w.doc.Samplers, &gltf.Sampler{MagFilter: filter, WrapS: wraps[t.WrapS], WrapT: wraps[t.WrapT]})
		w.doc.Textures = append(w.doc.Textures, &gltf.Texture{Sampler: gltf.Index(i), Source: gltf.Index(t.Image)})
	}
	return nil
}

// textureTransform is KHR_texture_transform.
type textureTransform struct {
	Offset   [2]float32 `json:"offset"`
	Rotation float64    `json:"rotation,omitempty"`
	Scale    [2]float64 `json:"scale"`
}

// textureInfo refers to a texture; nil when there is none.
func (w *glbWriter) textureInfo(t scene.TextureRef) (*gltf.TextureInfo, error) {
	if t.Texture < 0 {
		return nil, nil
	}
	if t.Texture >= len(w.s.Textures) {
		return nil, fmt.Errorf("texture %d of %d", t.Texture, len(w.s.Textures))
	}
	info := &gltf.TextureInfo{Index: t.Texture, TexCoord: t.UVSet}
	if t.Transform != scene.IdentityTransform {
		transform, err := splitTransform(t.Transform)
		if err != nil {
			return nil, err
		}
		info.Extensions = gltf.Extensions{w.extension("KHR_texture_transform"): transform}
	}
	return info, nil
}

// splitTransform finds offset, rotation and scale: u' = cos r·sx·u + sin r·sy·v + ox, v' = −sin r·sx·u + cos r·sy·v + oy.
func splitTransform(m scene.UVTransform) (textureTransform, error) {
	a, b, c, d := float64(m[0]), float64(m[1]), float64(m[3]), float64(m[4])
	sx, sy := math.Hypot(a, c), math.Hypot(b, d)
	if math.Abs(a*b+c*d) > 1e-5*sx*sy {
		return textureTransform{}, errors.New("a texture transform shears, which KHR_texture_transform cannot express")
	}
	rotation := math.Atan2(-c, a)
	if sx == 0 {
		rotation = math.Atan2(b, d)
	}
	if a*d-b*c < 0 {
		sy = -sy
	}
	return textureTransform{[2]float32{m[2], m[5]}, rotation, [2]float64{sx, sy}}, nil
}
