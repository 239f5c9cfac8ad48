package scene

import (
	"fmt"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/texturetransform"
)

// textureReader reads the textures of one material.
type textureReader struct {
	*textureTable
	shown []subject // the material
}

// textureUse is a texture that a material may have.
type textureUse struct {
	use  TextureUse
	info *gltf.TextureInfo // nil for none
	srgb bool
}

// read gives a material its textures. It ends at the first that cannot be read: the material has none from there on.
func (t *textureReader) read(m *Material, uses ...textureUse) (err error) {
	for _, u := range uses {
		m.Textures[u.use] = NoTexture()
		if u.info == nil || err != nil {
			continue
		}
		var ref TextureRef
		if ref, err = t.ref(u.info, u.srgb); err == nil {
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
