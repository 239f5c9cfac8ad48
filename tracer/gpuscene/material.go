package gpuscene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/imageio"
	"glint/tracer/scene"
)

// deviceMaterials translates materials to the kernels' layout.
func deviceMaterials(materials []scene.Material) []cuda.Material {
	out := make([]cuda.Material, len(materials))
	for i := range materials {
		out[i] = deviceMaterial(&materials[i])
	}
	return out
}

func deviceMaterial(m *scene.Material) cuda.Material {
	d := cuda.Material{
		BaseColor: m.BaseColor, Emission: m.Emission, Metallic: m.Metallic, Roughness: m.Roughness,
		SpecularColor: m.SpecularColor, Specular: m.Specular, Attenuation: attenuation(m),
		Scattering: scattering(m), ScatterAnisotropy: anisotropy(m),
		Ior: m.IOR, Transmission: m.Transmission, NormalScale: m.NormalScale,
		AlphaMode: uint32(m.AlphaMode), AlphaCutoff: m.AlphaCutoff, Flags: materialFlags(m),
	}
	for use, ref := range m.Textures {
		d.Textures[use] = textureRef(ref)
	}
	if p := m.CarPaint; p != nil {
		d.EdgeColor = p.EdgeColor
		for i, f := range p.Flakes {
			d.Flakes[i] = cuda.Flakes{Color: f.Color, OtherColor: f.OtherColor, Coverage: f.Coverage, Size: f.Size,
				Spread: f.Spread, Exponent: f.Exponent}
		}
	}
	return d
}

// attenuation is Beer and Lambert's coefficient (1/m): what remains after AttenuationDistance is AttenuationColor.
func attenuation(m *scene.Material) [3]float32 {
	var sigma [3]float32
	if d := float64(m.AttenuationDistance); d > 0 && !math.IsInf(d, 1) {
		for c := range 3 {
			sigma[c] = float32(-math.Log(max(float64(m.AttenuationColor[c]), 1e-6)) / d)
		}
	}
	return sigma
}

func materialFlags(m *scene.Material) uint32 {
	var flags uint32
	if m.DoubleSided {
		flags |= cuda.MaterialDoubleSided
	}
	if m.Unlit {
		flags |= cuda.MaterialUnlit
	}
	if m.Transmission > 0 && m.Thickness == 0 {
		flags |= cuda.MaterialThin
	}
	if m.CarPaint != nil {
		flags |= cuda.MaterialPaint
	}
	return flags
}

func textureRef(r scene.TextureRef) cuda.TextureRef {
	t := r.Transform
	return cuda.TextureRef{Texture: int32(r.Texture), UvSet: uint32(r.UVSet),
		M00: t[0], M01: t[1], M02: t[2], M10: t[3], M11: t[4], M12: t[5]}
}

// meanTexture averages what a texture shows over a triangle, linear, by a few points, mixed with a little of 1 so that no
// emitter is thought to be black. It only steers sampling.
func meanTexture(s *scene.Scene, ref scene.TextureRef, uv [3]mgl32.Vec2) float32 {
	if ref.Texture < 0 {
		return 1
	}
	img := &s.Images[s.Textures[ref.Texture].Image]
	t := ref.Transform
	var sum float32
	const points = 4
	for i := range points {
		for j := range points - i {
			a, b := (float32(i)+1./3)/points, (float32(j)+1./3)/points
			p := uv[0].Mul(1 - a - b).Add(uv[1].Mul(a)).Add(uv[2].Mul(b))
			sum += texelLuminance(img, t[0]*p[0]+t[1]*p[1]+t[2], t[3]*p[0]+t[4]*p[1]+t[5])
		}
	}
	return 0.95*sum/(points*(points+1)/2) + 0.05
}

func texelLuminance(img *scene.Image, u, v float32) float32 {
	x, y := wrapped(u, img.Width), wrapped(v, img.Height)
	at := 4 * (y*img.Width + x)
	if at < 0 || at+3 > len(img.Pixels) {
		return 1
	}
	var rgb [3]float64
	for c := range rgb {
		rgb[c] = float64(img.Pixels[at+c]) / 255
		if img.SRGB {
			rgb[c] = cuda.SRGBDecode(rgb[c])
		}
	}
	return float32(imageio.Luminance(rgb[0], rgb[1], rgb[2]))
}

func wrapped(x float32, n int) int {
	f := float64(x) - math.Floor(float64(x))
	return min(int(f*float64(n)), n-1)
}

// maxAnisotropy bounds the mean cosine of scattering: at 1 light would not turn at all, and close to it single precision
// cannot tell angles apart.
const maxAnisotropy = 0.99

// scattering is the part of attenuation (1/m) that scatters, zero where no volume does.
func scattering(m *scene.Material) [3]float32 {
	var sigma [3]float32
	if m.Scatters() {
		for c, attenuation := range attenuation(m) {
			sigma[c] = attenuation * float32(scene.ScatterAlbedo(float64(m.MultiscatterColor[c])))
		}
	}
	return sigma
}

func anisotropy(m *scene.Material) float32 {
	return max(-maxAnisotropy, min(maxAnisotropy, m.ScatterAnisotropy))
}
