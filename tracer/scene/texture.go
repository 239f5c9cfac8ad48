package scene

import (
	"encoding/binary"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf/ext/texturetransform"
)

// TextureRef is a use of a texture by a material: which UV set, and KHR_texture_transform.
type TextureRef struct {
	Texture   int // index into Scene.Textures, -1 for none
	UVSet     int // 0 or 1
	Transform UVTransform
}

// NoTexture is the use of none.
func NoTexture() TextureRef { return TextureRef{Texture: -1, Transform: IdentityTransform} }

// UVTransform maps (u, v) to (M[0]u + M[1]v + M[2], M[3]u + M[4]v + M[5]).
type UVTransform [6]float32

// IdentityTransform leaves texture coordinates as they are.
var IdentityTransform = UVTransform{1, 0, 0, 0, 1, 0}

// uvTransform is translation × rotation × scale of KHR_texture_transform.
func uvTransform(t *texturetransform.TextureTranform) UVTransform {
	sin, cos := math.Sincos(t.Rotation)
	return UVTransform{
		finite32(cos * t.Scale[0]), finite32(sin * t.Scale[1]), finite32(t.Offset[0]),
		finite32(-sin * t.Scale[0]), finite32(cos * t.Scale[1]), finite32(t.Offset[1]),
	}
}

// Wrap is a texture's behaviour outside [0, 1].
type Wrap uint32

// The wrap modes of glTF samplers.
const (
	WrapRepeat Wrap = iota
	WrapMirror
	WrapClamp
)

// Texture is an image with a sampler.
type Texture struct {
	Image   int // index into Scene.Images
	WrapS   Wrap
	WrapT   Wrap
	Nearest bool // magFilter NEAREST; else bilinear
}

// Image is a decoded picture, RGBA (not premultiplied) of 8 or 16 bits a channel, row 0 at v = 0 (the top, as glTF has it).
// SRGB is true when its colour channels must be decoded before filtering; an image used both ways appears twice.
type Image struct {
	Name          string
	Width, Height int
	SRGB          bool
	Deep          bool   // 16 bits, the lower byte first: the file's colours need them
	Pixels        []byte // TexelBytes()·Width·Height
}

// TexelBytes is how many bytes a texel has.
func (img *Image) TexelBytes() int {
	if img.Deep {
		return 8
	}
	return 4
}

// Value is channel i of all channels of the image, texel by texel, 0…1 as it is stored.
func (img *Image) Value(i int) float32 {
	if img.Deep {
		return float32(binary.LittleEndian.Uint16(img.Pixels[2*i:])) / 65535
	}
	return float32(img.Pixels[i]) / 255
}

// meanColor is the mean linear colour of a grid of texels.
func (img *Image) meanColor() mgl32.Vec3 {
	const grid = 64
	var sum mgl32.Vec3
	for y := range grid {
		for x := range grid {
			at := 4 * (y*img.Height/grid*img.Width + x*img.Width/grid)
			for c := range 3 {
				v := img.Value(at + c)
				if img.SRGB {
					v *= v // near enough to the transfer function to weigh by
				}
				sum[c] += v
			}
		}
	}
	return sum.Mul(1. / (grid * grid))
}
