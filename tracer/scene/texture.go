package scene

import (
	"fmt"
	"maps"
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
	textures  map[use]int
	images    map[imageUse]int
	sources   []int        // per scene image: the image of the file
	fallbacks []int        // per scene image: that which is taken when the first cannot be, -1 for none
	spare     map[int]bool // images of the file in whose place a fallback can be
}

// imageUse is an image of the file read in one of the two colour spaces, and the image that takes its place, -1 for none.
type imageUse struct {
	source, fallback int
	srgb             bool
}

func newTextureTable() *textureTable {
	return &textureTable{textures: map[use]int{}, images: map[imageUse]int{}, spare: map[int]bool{}}
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
	if info.Index < 0 || info.Index >= len(l.Textures) {
		return ref, fmt.Errorf("texture %d does not exist: the file has %d", info.Index, len(l.Textures))
	}
	if t, ok := info.Extensions[texturetransform.ExtensionName].(*texturetransform.TextureTranform); ok {
		ref.Transform = uvTransform(t)
		if t.TexCoord != nil {
			ref.UVSet = *t.TexCoord
		}
	}
	name := label("texture", info.Index, l.Textures[info.Index].Name)
	if ref.UVSet < 0 {
		l.warn.about(name, []subject{l.nextMaterial()}, "uses TEXCOORD_%d, which cannot be: the texture is left out", ref.UVSet)
		ref.UVSet = 0
		return ref, nil
	}
	index, err := l.useTexture(info.Index, srgb)
	if err != nil {
		return ref, fmt.Errorf("%s: %w", name, err)
	}
	if index < 0 {
		l.warn.about(name, []subject{l.nextMaterial()}, "has no image that can be read: the texture is left out")
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
	src := l.Textures[index]
	image, err := l.textureSource(src)
	if err != nil || image.source < 0 {
		return -1, err
	}
	image.srgb = srgb
	t := Texture{Image: l.useImage(image)}
	if src.Sampler != nil {
		s := l.Samplers[*src.Sampler]
		t.WrapS, t.WrapT = wrap(s.WrapS), wrap(s.WrapT)
		t.Nearest = s.MagFilter == gltf.MagNearest
	}
	at := len(l.out.Textures)
	l.out.Textures = append(l.out.Textures, t)
	l.textures.textures[key] = at
	return at, nil
}

// textureSource is the image of a texture, -1 for none: that of an extension for other formats where there is one, and the
// texture's own as its fallback then.
func (l *loader) textureSource(t *gltf.Texture) (imageUse, error) {
	image := imageUse{source: -1, fallback: -1}
	sources := []*int{t.Source}
	for _, name := range []string{"EXT_texture_webp", "KHR_texture_basisu"} {
		ext := struct{ Source *int }{}
		if err := decodeExtension(t.Extensions, name, &ext); err != nil {
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
		if *source < 0 || *source >= len(l.Images) {
			return image, fmt.Errorf("image %d does not exist: the file has %d", *source, len(l.Images))
		}
		image.source, image.fallback = *source, image.source
	}
	return image, nil
}

func (l *loader) useImage(use imageUse) int {
	if at, done := l.textures.images[use]; done {
		return at
	}
	src := l.Images[use.source]
	name := src.Name
	if name == "" && len(src.URI) < 256 {
		name = src.URI
	}
	at := len(l.out.Images)
	l.out.Images = append(l.out.Images, Image{Name: name, SRGB: use.srgb})
	l.textures.images[use] = at
	l.textures.sources = append(l.textures.sources, use.source)
	l.textures.fallbacks = append(l.textures.fallbacks, use.fallback)
	if use.fallback >= 0 {
		l.textures.spare[use.source] = true
	}
	return at
}

// allImages are those of the scene.
func (l *loader) allImages() []int {
	all := make([]int, len(l.textures.sources))
	for i := range all {
		all[i] = i
	}
	return all
}

// takeFallbacks decodes the fallbacks of those images that could not be.
func (l *loader) takeFallbacks(failed map[int]bool) {
	var users []int
	for user, source := range l.textures.sources {
		if fallback := l.textures.fallbacks[user]; failed[source] && fallback >= 0 {
			l.textures.sources[user] = fallback
			users = append(users, user)
		}
	}
	if len(users) == 0 {
		return
	}
	again := l.planImages(users)
	l.decodeImages(again)
	maps.Copy(failed, again.failed)
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
	l.dropCube(images)
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

// normalTexture converts a normal map, with its scale.
func (c *converter) normalTexture(t *gltf.NormalTexture) (ref TextureRef, scale float32) {
	if t == nil || t.Index == nil {
		return NoTexture(), 1
	}
	info := gltf.TextureInfo{Index: *t.Index, TexCoord: t.TexCoord, Extensions: t.Extensions}
	return c.texture(&info, false), finite32(t.ScaleOrDefault())
}
