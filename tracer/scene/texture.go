package scene

import (
	"fmt"
	"math"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/texturetransform"
)

// use is an object of the file read in one of the two colour spaces.
type use struct {
	index int
	srgb  bool
}

// textureTable maps uses of the file's textures and images to the scene's.
type textureTable struct {
	textures map[use]int
	images   map[use]int
	sources  []int // per scene image: the image of the file
}

func newTextureTable() *textureTable {
	return &textureTable{textures: map[use]int{}, images: map[use]int{}}
}

// texture converts a reference and remembers the first error.
func (c *converter) texture(info *gltf.TextureInfo, srgb bool) TextureRef {
	if info == nil || c.err != nil {
		return NoTexture()
	}
	ref, err := c.l.textureRef(info, srgb)
	if err != nil {
		c.err = err
		return NoTexture()
	}
	return ref
}

func (l *loader) textureRef(info *gltf.TextureInfo, srgb bool) (TextureRef, error) {
	ref := NoTexture()
	ref.UVSet = info.TexCoord
	if info.Index < 0 || info.Index >= len(l.doc.Textures) {
		return ref, fmt.Errorf("texture %d does not exist: the file has %d", info.Index, len(l.doc.Textures))
	}
	if t, ok := info.Extensions[texturetransform.ExtensionName].(*texturetransform.TextureTranform); ok {
		ref.Transform = uvTransform(t)
		if t.TexCoord != nil {
			ref.UVSet = *t.TexCoord
		}
	}
	name := label("texture", info.Index, l.doc.Textures[info.Index].Name)
	if ref.UVSet < 0 || ref.UVSet > 1 {
		l.warn.addf("%s uses TEXCOORD_%d: only sets 0 and 1 are read, the texture is left out", name, ref.UVSet)
		ref.UVSet = 0
		return ref, nil
	}
	index, err := l.useTexture(info.Index, srgb)
	if err != nil {
		return ref, fmt.Errorf("%s: %w", name, err)
	}
	if index < 0 {
		l.warn.addf("%s has no image that can be read: the texture is left out", name)
	}
	ref.Texture = index
	return ref, nil
}

// uvTransform is translation × rotation × scale of KHR_texture_transform.
func uvTransform(t *texturetransform.TextureTranform) UVTransform {
	sin, cos := math.Sincos(t.Rotation)
	return UVTransform{
		finite32(cos * t.Scale[0]), finite32(sin * t.Scale[1]), finite32(t.Offset[0]),
		finite32(-sin * t.Scale[0]), finite32(cos * t.Scale[1]), finite32(t.Offset[1]),
	}
}

// useTexture is the scene's index of a texture read in one colour space, -1 when it has no image.
func (l *loader) useTexture(index int, srgb bool) (int, error) {
	key := use{index, srgb}
	if at, done := l.textures.textures[key]; done {
		return at, nil
	}
	src := l.doc.Textures[index]
	image, err := l.textureSource(src)
	if err != nil || image < 0 {
		return -1, err
	}
	t := Texture{Image: l.useImage(image, srgb)}
	if src.Sampler != nil {
		s := l.doc.Samplers[*src.Sampler]
		t.WrapS, t.WrapT = wrap(s.WrapS), wrap(s.WrapT)
		t.Nearest = s.MagFilter == gltf.MagNearest
	}
	at := len(l.out.Textures)
	l.out.Textures = append(l.out.Textures, t)
	l.textures.textures[key] = at
	return at, nil
}

// textureSource is the image of a texture: the WebP one (EXT_texture_webp) where there is one, -1 for none.
func (l *loader) textureSource(t *gltf.Texture) (int, error) {
	ext := struct{ Source *int }{}
	if err := decodeExtension(t.Extensions, "EXT_texture_webp", &ext); err != nil {
		return -1, err
	}
	source := t.Source
	if ext.Source != nil {
		source = ext.Source
	}
	if source == nil {
		return -1, nil
	}
	if *source < 0 || *source >= len(l.doc.Images) {
		return -1, fmt.Errorf("image %d does not exist: the file has %d", *source, len(l.doc.Images))
	}
	return *source, nil
}

func (l *loader) useImage(index int, srgb bool) int {
	key := use{index, srgb}
	if at, done := l.textures.images[key]; done {
		return at
	}
	src := l.doc.Images[index]
	name := src.Name
	if name == "" && len(src.URI) < 256 {
		name = src.URI
	}
	at := len(l.out.Images)
	l.out.Images = append(l.out.Images, Image{Name: name, SRGB: srgb})
	l.textures.images[key] = at
	l.textures.sources = append(l.textures.sources, index)
	return at
}

func wrap(w gltf.WrappingMode) Wrap {
	switch w {
	case gltf.WrapMirroredRepeat:
		return WrapMirror
	case gltf.WrapClampToEdge:
		return WrapClamp
	default:
		return WrapRepeat
	}
}

// dropTextures takes out the images that could not be decoded, with their textures: the factors alone remain.
func (l *loader) dropTextures(failed map[int]bool) {
	if len(failed) == 0 {
		return
	}
	images, textures := make([]int, len(l.out.Images)), make([]int, len(l.out.Textures))
	kept := l.out.Images[:0]
	for i, image := range l.out.Images {
		images[i] = -1
		if !failed[l.textures.sources[i]] {
			images[i] = len(kept)
			kept = append(kept, image)
		}
	}
	l.out.Images = kept
	left := l.out.Textures[:0]
	for i, t := range l.out.Textures {
		textures[i] = -1
		if t.Image = images[t.Image]; t.Image >= 0 {
			textures[i] = len(left)
			left = append(left, t)
		}
	}
	l.out.Textures = left
	for i := range l.out.Materials {
		refs := &l.out.Materials[i].Textures
		for use := range refs {
			if at := refs[use].Texture; at >= 0 {
				refs[use].Texture = textures[at]
			}
		}
	}
}
