package builtin

import (
	"math"
	"sync"

	"glint/tracer/scene"
)

// textureSize is the width and height of every generated image, texels.
const textureSize = 512

// painting is one image to generate: a function of u, v in 0…1 that gives three channels, 0…1 (sRGB-encoded when srgb), or
// that gives the height of a relief, in tiles, whose normals are wanted.
type painting struct {
	name   string
	srgb   bool
	color  func(u, v float64) [3]float64
	height func(u, v float64) float64
}

// textures runs paintings in parallel and adds them.
func (b *builder) textures(paintings ...painting) (refs []scene.TextureRef) {
	images := make([]scene.Image, len(paintings))
	var wg sync.WaitGroup
	for i, p := range paintings {
		wg.Go(func() { images[i] = p.run() })
	}
	wg.Wait()
	for _, img := range images {
		refs = append(refs, b.texture(img))
	}
	return refs
}

func (p painting) run() scene.Image {
	const n = textureSize
	color := p.color
	if p.height != nil {
		color = normals(p.height)
	}
	pixels := make([]byte, 0, 4*n*n)
	for y := range n {
		for x := range n {
			c := color((float64(x)+0.5)/n, (float64(y)+0.5)/n)
			pixels = append(pixels, quantize(c[0]), quantize(c[1]), quantize(c[2]), 255)
		}
	}
	return scene.Image{Name: p.name, Width: n, Height: n, SRGB: p.srgb, Pixels: pixels}
}

func quantize(x float64) byte { return byte(min(max(x, 0), 1)*255 + 0.5) }

// blend mixes two colours.
func blend(a, b [3]float64, t float64) [3]float64 {
	return [3]float64{mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)}
}

// roughnessMap is the glTF packing: green roughness, blue metallic. The material's factors multiply it.
func roughnessMap(name string, roughness func(u, v float64) float64) painting {
	return painting{name: name, color: func(u, v float64) [3]float64 { return [3]float64{1, roughness(u, v), 1} }}
}

// normals is the tangent-space normal map of a relief, by central differences; green points up in the image, as glTF has it.
func normals(height func(u, v float64) float64) func(u, v float64) [3]float64 {
	const n = textureSize
	relief := make([]float64, n*n)
	for i := range relief {
		relief[i] = height((float64(i%n)+0.5)/n, (float64(i/n)+0.5)/n)
	}
	h := func(x, y int) float64 { return relief[(y+n)%n*n+(x+n)%n] }
	return func(u, v float64) [3]float64 {
		x, y := int(u*n), int(v*n)
		right, up := (h(x-1, y)-h(x+1, y))*n/2, (h(x, y+1)-h(x, y-1))*n/2
		k := 0.5 / math.Sqrt(right*right+up*up+1)
		return [3]float64{0.5 + right*k, 0.5 + up*k, 0.5 + k}
	}
}

// textured gives a material images of its colour, its roughness and its relief.
func textured(m scene.Material, color, rough, relief scene.TextureRef) scene.Material {
	m.Textures[scene.TextureBaseColor], m.Textures[scene.TextureMetallicRoughness], m.Textures[scene.TextureNormal] = color, rough, relief
	return m
}

// tiled has the image of a texture cover so many metres.
func tiled(t scene.TextureRef, width, height float32) scene.TextureRef {
	t.Transform = scene.UVTransform{1 / width, 0, 0, 0, 1 / height, 0}
	return t
}
