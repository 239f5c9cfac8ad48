package gpuscene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/imageio"
	"glint/tracer/scene"
)

// deviceMaterials translates materials to the kernels' layout.
func (p *Prepared) deviceMaterials(materials []scene.Material) []cuda.Material {
	p.holes = holes(p.drawn)
	out := make([]cuda.Material, len(materials))
	for i := range materials {
		out[i] = p.deviceMaterial(i, &materials[i])
	}
	return out
}

// deviceMaterial translates a material, or what becomes of it in a pose.
func (p *Prepared) deviceMaterial(at int, m *scene.Material) cuda.Material {
	d := deviceMaterial(m)
	if p.holes[at] {
		d.Flags |= cuda.MaterialPane | cuda.MaterialHoles
	}
	return d
}

// holes tells of which materials alpha makes holes in the surface of a volume. A path that goes through one enters or leaves the volume,
// where paths know which volumes they are in.
func holes(s *scene.Scene) []bool {
	holes := make([]bool, len(s.Materials))
	var features scene.Feature
	any := false
	for i := range s.Materials {
		m, of := &s.Materials[i], s.Features(uint32(i))
		features |= of
		holes[i] = m.AlphaMode != scene.AlphaOpaque && (m.IsVolume() || of&(scene.FeatureGlass|scene.FeatureVolumes) != 0)
		any = any || holes[i]
	}
	if any && features&scene.FeatureVolumes == 0 && !nests(s) {
		clear(holes)
	}
	return holes
}

func deviceMaterial(m *scene.Material) cuda.Material {
	d := cuda.Material{
		BaseColor: m.BaseColor, Emission: m.Emission, Metallic: m.Metallic, Roughness: m.Roughness,
		SpecularColor: m.SpecularColor, Specular: m.Specular, Attenuation: attenuation(m),
		Scattering: scattering(m), ScatterAnisotropy: anisotropy(m),
		Ior: m.IOR, Transmission: m.Transmission, NormalScale: m.NormalScale,
		AlphaMode: uint32(m.AlphaMode), AlphaCutoff: m.AlphaCutoff, Flags: materialFlags(m), Priority: priority(m),
		Clearcoat: m.Clearcoat.Factor, ClearcoatRoughness: m.Clearcoat.Roughness, ClearcoatNormalScale: m.Clearcoat.NormalScale,
		SheenColor: m.Sheen.Color, SheenRoughness: m.Sheen.Roughness,
		Anisotropy: m.Anisotropy.Strength, AnisotropyCos: float32(math.Cos(float64(m.Anisotropy.Rotation))),
		AnisotropySin: float32(math.Sin(float64(m.Anisotropy.Rotation))),
		Iridescence:   m.Iridescence.Factor, IridescenceIor: m.Iridescence.IOR,
		IridescenceMin: m.Iridescence.Minimum, IridescenceMax: m.Iridescence.Maximum,
		Dispersion: m.Dispersion, DiffuseTransmission: m.Translucency.Factor, DiffuseTransmissionColor: m.Translucency.Color,
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

// priority is by which of the volumes that overlap one counts: by the file's number, and where that is the same by index of refraction.
func priority(m *scene.Material) float32 {
	const densest = 15 // no real material comes near
	return float32(m.Priority)*(densest+1) + min(m.IOR, densest)
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
	if (m.Transmission > 0 || m.Translucency.Factor > 0) && m.Thickness == 0 {
		flags |= cuda.MaterialThin
	}
	if m.IsPane() {
		flags |= cuda.MaterialPane
	}
	if m.IsStraight() {
		flags |= cuda.MaterialPane | cuda.MaterialStraight
	}
	if m.Glossy {
		flags |= cuda.MaterialGlossiness
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

// meanTexture averages what a texture shows over a face, linear luminance.
func (p *Prepared) meanTexture(vertices []scene.Vertex, f scene.Face, ref scene.TextureRef) float32 {
	if ref.Texture < 0 {
		return 1
	}
	img := p.imageOf(ref)
	return meanOver(func(b mgl32.Vec3) float32 { return texelLuminance(img, p.texel(vertices, f, ref, img, b)) })
}

// meanCoverage averages the share of rays that a face stops.
func (p *Prepared) meanCoverage(vertices []scene.Vertex, f scene.Face, m *scene.Material) float32 {
	if m.AlphaMode == scene.AlphaOpaque {
		return 1
	}
	ref := m.Textures[scene.TextureBaseColor]
	return meanOver(func(b mgl32.Vec3) float32 {
		alpha := m.BaseColor[3]
		if ref.Texture >= 0 {
			img := p.imageOf(ref)
			alpha *= img.Value(p.texel(vertices, f, ref, img, b) + 3)
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

func (p *Prepared) imageOf(ref scene.TextureRef) *scene.Image {
	return &p.drawn.Images[p.drawn.Textures[ref.Texture].Image]
}

// texel is where the channels of the texel begin that a point of a face shows.
func (p *Prepared) texel(vertices []scene.Vertex, f scene.Face, ref scene.TextureRef, img *scene.Image, b mgl32.Vec3) int {
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
