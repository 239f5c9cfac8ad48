package gpuscene

import (
	"math"

	"glint/cuda"
	"glint/tracer/scene"
)

// materials are those of a scene in the kernels' layout.
type materials struct {
	rows  []cuda.Material
	holes []bool // see holes()
}

func newMaterials(s *scene.Scene) materials {
	m := materials{make([]cuda.Material, len(s.Materials)), holes(s)}
	for i := range m.rows {
		m.rows[i] = m.row(i, &s.Materials[i])
	}
	return m
}

// row translates a material, or what becomes of it in a pose.
func (m *materials) row(at int, of *scene.Material) cuda.Material {
	d := deviceMaterial(of)
	if m.holes[at] {
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

// maxAnisotropy bounds the mean cosine of scattering: at 1 light would not turn at all, and close to it single precision
// cannot distinguish angles.
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

// scatters tells whether paths may be scattered inside some volume.
func scatters(s *scene.Scene) bool {
	for i := range s.Materials {
		if s.Features(uint32(i))&scene.FeatureMedia != 0 {
			return true
		}
	}
	return false
}
