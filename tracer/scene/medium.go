package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
)

// readVolumeScatter reads KHR_materials_volume_scatter. Drafts of the extension call its colour by either name.
func readVolumeScatter(_ *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	v := struct {
		MultiscatterColor       [3]float64
		MultiscatterColorFactor [3]float64
		ScatterAnisotropy       float64
	}{}
	if err := decodeExtension(ext, name, &v); err != nil {
		return err
	}
	color := v.MultiscatterColor
	if v.MultiscatterColorFactor != ([3]float64{}) {
		color = v.MultiscatterColorFactor
	}
	m.MultiscatterColor = unitColor(color)
	m.ScatterAnisotropy = float32(v.ScatterAnisotropy)
	m.opensVolume = true
	return nil
}

func writeVolumeScatter(m *Material, _ TextureInfo) map[string]any {
	if m.MultiscatterColor == (mgl32.Vec3{}) {
		return nil
	}
	return map[string]any{"multiscatterColor": m.MultiscatterColor, "scatterAnisotropy": m.ScatterAnisotropy}
}

func scatterFeatures(m *Material) Feature { return FeatureMedia.when(m.Scatters()) }

func readVolume(_ *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	v := struct {
		ThicknessFactor     float64
		AttenuationDistance *float64
		AttenuationColor    [3]float64
	}{AttenuationColor: [3]float64{1, 1, 1}}
	err := decodeExtension(ext, name, &v)
	m.Thickness = max(0, finite32(v.ThicknessFactor))
	m.AttenuationColor = unitColor(v.AttenuationColor)
	if d := v.AttenuationDistance; err == nil && d != nil {
		m.AttenuationDistance = above0(*d)
	}
	return err
}

func writeVolume(m *Material, _ TextureInfo) map[string]any {
	if m.Thickness <= 0 {
		return nil
	}
	volume := map[string]any{"thicknessFactor": m.Thickness, "attenuationColor": m.AttenuationColor}
	if !math.IsInf(float64(m.AttenuationDistance), 1) {
		volume["attenuationDistance"] = m.AttenuationDistance
	}
	return volume
}

// volumeFeatures: clear glass does without, unless a path must keep its wavelength within.
func volumeFeatures(m *Material) Feature {
	colorless := m.AttenuationColor == mgl32.Vec3{1, 1, 1} || m.AttenuationDistance == float32(inf)
	return FeatureVolumes.when(m.disperses() || m.IsVolume() && !colorless)
}
