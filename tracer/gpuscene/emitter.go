package gpuscene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/imageio"
	"glint/tracer/scene"
)

// emitterWeight is what the power of an emissive triangle depends on besides its emission; all 0 for none.
type emitterWeight struct {
	area, texture, coverage float32 // m², and means over it
	sides                   float32
}

// power is that of an emission in nits.
func (w emitterWeight) power(emission mgl32.Vec3) float64 {
	power := math.Pi * float64(w.area*luminance(emission)*w.texture*w.coverage) * float64(w.sides)
	return max(power, math.SmallestNonzeroFloat32)
}

// triangleLight is a triangle in the world that emits (emitting) as a light; no weight when it has no area.
func triangleLight(s *scene.Scene, t *cuda.Triangle, vertices []scene.Vertex, f scene.Face) (cuda.Light, emitterWeight) {
	m := &s.Materials[f.Material]
	area := mgl32.Vec3(t.E1).Cross(mgl32.Vec3(t.E2)).Len() / 2
	if !(area > 0) {
		return cuda.Light{}, emitterWeight{}
	}
	weight := emitterWeight{area: area, texture: meanTexture(s, vertices, f, m.Textures[scene.TextureEmissive]), coverage: meanCoverage(s, vertices, f, m), sides: 1}
	if m.DoubleSided {
		weight.sides = 2
	}
	l := cuda.Light{Kind: cuda.LightTriangle, Position: t.V0, Direction: t.E1, Intensity: t.E2, Face: t.Face, Area: area,
		Emission: m.Emission, Material: f.Material}
	if m.DoubleSided {
		l.Material |= cuda.TwoSidedBit
	}
	if m.Textures[scene.TextureEmissive].Texture >= 0 {
		l.Material |= cuda.TexturedBit
	}
	if m.AlphaMode != scene.AlphaOpaque {
		l.Material |= cuda.TestedBit
	}
	return l, weight
}

// meanTexture averages what a texture shows over a face, linear luminance.
func meanTexture(s *scene.Scene, vertices []scene.Vertex, f scene.Face, ref scene.TextureRef) float32 {
	if ref.Texture < 0 {
		return 1
	}
	img := imageOf(s, ref)
	return meanOver(func(b mgl32.Vec3) float32 { return texelLuminance(img, texel(vertices, f, ref, img, b)) })
}

// meanCoverage averages the share of rays that a face stops.
func meanCoverage(s *scene.Scene, vertices []scene.Vertex, f scene.Face, m *scene.Material) float32 {
	if m.AlphaMode == scene.AlphaOpaque {
		return 1
	}
	ref := m.Textures[scene.TextureBaseColor]
	return meanOver(func(b mgl32.Vec3) float32 {
		alpha := m.BaseColor[3]
		if ref.Texture >= 0 {
			img := imageOf(s, ref)
			alpha *= img.Value(texel(vertices, f, ref, img, b) + 3)
		}
		first := vertices[f.V[0]].Color[3]
		color := first
		for k, v := range f.V {
			color += b[k] * (vertices[v].Color[3] - first) // exact where all are the same
		}
		if alpha *= color; m.AlphaMode == scene.AlphaBlend {
			return min(max(alpha, 0), 1)
		} else if alpha >= m.AlphaCutoff {
			return 1
		}
		return 0
	})
}

// meanOver averages over a face by a few points, mixed with a little of 1 so that no emitter is thought to be black. It only
// steers sampling. Value gets barycentric weights.
func meanOver(value func(b mgl32.Vec3) float32) float32 {
	var sum float32
	const points = 4
	for i := range points {
		for j := range points - i {
			u, v := (float32(i)+1./3)/points, (float32(j)+1./3)/points
			sum += value(mgl32.Vec3{1 - u - v, u, v})
		}
	}
	return 0.95*sum/(points*(points+1)/2) + 0.05
}

func imageOf(s *scene.Scene, ref scene.TextureRef) *scene.Image {
	return &s.Images[s.Textures[ref.Texture].Image]
}

// texel is where the channels of the texel begin that a point of a face shows.
func texel(vertices []scene.Vertex, f scene.Face, ref scene.TextureRef, img *scene.Image, b mgl32.Vec3) int {
	var uv mgl32.Vec2
	for k, v := range f.V {
		uv = uv.Add(vertices[v].UV[ref.UVSet].Mul(b[k]))
	}
	t := ref.Transform
	x, y := wrapped(t[0]*uv[0]+t[1]*uv[1]+t[2], img.Width), wrapped(t[3]*uv[0]+t[4]*uv[1]+t[5], img.Height)
	return 4 * (y*img.Width + x)
}

// texelLuminance is that of the texel whose channels begin at an index.
func texelLuminance(img *scene.Image, at int) float32 {
	var rgb [3]float64
	for c := range rgb {
		rgb[c] = float64(img.Value(at + c))
		if img.SRGB {
			rgb[c] = cuda.SRGBDecode(rgb[c])
		}
	}
	return float32(imageio.Luminance(rgb[0], rgb[1], rgb[2]))
}

// wrapped is the texel of n at a coordinate that repeats; not a number is the first.
func wrapped(x float32, n int) int {
	f := float64(x) - math.Floor(float64(x))
	if !(f >= 0) {
		return 0
	}
	return min(int(f*float64(n)), n-1)
}

func luminance(c mgl32.Vec3) float32 { return imageio.Luminance(c[0], c[1], c[2]) }
