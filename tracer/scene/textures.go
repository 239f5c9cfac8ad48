package scene

import (
	"fmt"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/texturetransform"
)

// use is an object of the file read in one of the two colour spaces.
type use struct {
	index int
	srgb  bool
}

// textureTable is the scene's textures and images, by their uses in the file.
type textureTable struct {
	doc      *document
	textures []Texture
	images   []Image // without their pixels
	known    map[use]int
	pictures map[imageUse]int
	// Of each image of the scene: the image of the file, and that which is taken when the first cannot be, -1 for none.
	sources, fallbacks []int
	spare              map[int]bool // images of the file in whose place a fallback can be
}

// imageUse is an image of the file read in one of the two colour spaces, and the image that takes its place, -1 for none.
type imageUse struct {
	source, fallback int
	srgb             bool
}

func newTextureTable(doc *document) *textureTable {
	return &textureTable{doc: doc, known: map[use]int{}, pictures: map[imageUse]int{}, spare: map[int]bool{}}
}

// texture is the scene's index of a texture read in one colour space, -1 when it has no image.
func (t *textureTable) texture(index int, srgb bool) (int, error) {
	key := use{index, srgb}
	if at, done := t.known[key]; done {
		return at, nil
	}
	src := t.doc.Textures[index]
	image, err := t.source(src)
	if err != nil || image.source < 0 {
		return -1, err
	}
	image.srgb = srgb
	out := Texture{Image: t.image(image)}
	if src.Sampler != nil {
		s := t.doc.Samplers[*src.Sampler]
		out.WrapS, out.WrapT = wraps[s.WrapS], wraps[s.WrapT]
		out.Nearest = s.MagFilter == gltf.MagNearest
	}
	at := len(t.textures)
	t.textures = append(t.textures, out)
	t.known[key] = at
	return at, nil
}

// source is the image of a texture, -1 for none: that of an extension for other formats where there is one, and the
// texture's own as its fallback then.
func (t *textureTable) source(of *gltf.Texture) (imageUse, error) {
	image := imageUse{source: -1, fallback: -1}
	sources := []*int{of.Source}
	for _, name := range []string{"EXT_texture_webp", "KHR_texture_basisu"} {
		ext := struct{ Source *int }{}
		if err := decodeExtension(of.Extensions, name, &ext); err != nil {
			return image, err
		}
		if ext.Source != nil {
			sources = append(sources, ext.Source)
		}
	}
	for _, source := range sources {
		if source == nil {
			continue
		}
		if *source < 0 || *source >= len(t.doc.Images) {
			return image, fmt.Errorf("image %d does not exist: the file has %d", *source, len(t.doc.Images))
		}
		image.source, image.fallback = *source, image.source
	}
	return image, nil
}

// image is the scene's index of an image.
func (t *textureTable) image(use imageUse) int {
	if at, done := t.pictures[use]; done {
		return at
	}
	src := t.doc.Images[use.source]
	name := src.Name
	if name == "" && len(src.URI) < 256 {
		name = src.URI
	}
	at := len(t.images)
	t.images = append(t.images, Image{Name: name, SRGB: use.srgb})
	t.pictures[use] = at
	t.sources = append(t.sources, use.source)
	t.fallbacks = append(t.fallbacks, use.fallback)
	if use.fallback >= 0 {
		t.spare[use.source] = true
	}
	return at
}

// wraps are the modes other than repeating.
var wraps = map[gltf.WrappingMode]Wrap{gltf.WrapMirroredRepeat: WrapMirror, gltf.WrapClampToEdge: WrapClamp}

// drop takes out the images of the file that could not be decoded, with their textures, and gives the new indices of the scene's
// images and textures, -1 for none.
func (t *textureTable) drop(failed map[int]bool) (images, textures []int) {
	images, textures = make([]int, len(t.images)), make([]int, len(t.textures))
	kept := t.images[:0]
	for i, image := range t.images {
		images[i] = -1
		if !failed[t.sources[i]] {
			images[i] = len(kept)
			kept = append(kept, image)
		}
	}
	t.images = kept
	left := t.textures[:0]
	for i, texture := range t.textures {
		textures[i] = -1
		if texture.Image = images[texture.Image]; texture.Image >= 0 {
			textures[i] = len(left)
			left = append(left, texture)
		}
	}
	t.textures = left
	return images, textures
}

// textureReader reads the textures of one material.
type textureReader struct {
	*textureTable
	shown []subject // the material
}

// textureUse is a texture that a material may have.
type textureUse struct {
	use  TextureUse
	info *gltf.TextureInfo // nil for none
}

// colors are the uses of textures for colours, which are in sRGB.
var colors = [TextureUses]bool{
	TextureBaseColor: true, TextureEmissive: true, TextureSpecularColor: true, TextureSheenColor: true, TextureDiffuseTransmissionColor: true,
}

// read gives a material its textures. It ends at the first that cannot be read: the material has none from there on.
func (t *textureReader) read(m *Material, uses ...textureUse) (err error) {
	for _, u := range uses {
		m.Textures[u.use] = NoTexture()
		if u.info == nil || err != nil {
			continue
		}
		var ref TextureRef
		if ref, err = t.ref(u.info, colors[u.use]); err == nil {
			m.Textures[u.use] = ref
		}
	}
	return err
}

func (t *textureReader) ref(info *gltf.TextureInfo, srgb bool) (TextureRef, error) {
	ref := NoTexture()
	ref.UVSet = info.TexCoord
	if info.Index < 0 || info.Index >= len(t.doc.Textures) {
		return ref, fmt.Errorf("texture %d does not exist: the file has %d", info.Index, len(t.doc.Textures))
	}
	if transform, ok := info.Extensions[texturetransform.ExtensionName].(*texturetransform.TextureTranform); ok {
		ref.Transform = uvTransform(transform)
		if transform.TexCoord != nil {
			ref.UVSet = *transform.TexCoord
		}
	}
	name := label("texture", info.Index, t.doc.Textures[info.Index].Name)
	if ref.UVSet < 0 {
		t.doc.warn.about(name, t.shown, "uses TEXCOORD_%d, which cannot be: the texture is left out", ref.UVSet)
		ref.UVSet = 0
		return ref, nil
	}
	index, err := t.texture(info.Index, srgb)
	if err != nil {
		return ref, fmt.Errorf("%s: %w", name, err)
	}
	if index < 0 {
		t.doc.warn.about(name, t.shown, "has no image that can be read: the texture is left out")
	}
	ref.Texture = index
	return ref, nil
}

// normalInfo is a normal map as other textures are, and its scale.
func normalInfo(t *gltf.NormalTexture) (info *gltf.TextureInfo, scale float32) {
	if t == nil || t.Index == nil {
		return nil, 1
	}
	return &gltf.TextureInfo{Index: *t.Index, TexCoord: t.TexCoord, Extensions: t.Extensions}, finite32(t.ScaleOrDefault())
}
