package scene

import (
	"fmt"

	"github.com/qmuntal/gltf"
)

// readVolumeScatter reads KHR_materials_volume_scatter. Drafts of the extension call its colour by either name.
func readVolumeScatter(_ *converter, ext gltf.Extensions, name string, m *Material) error {
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
	for i, c := range color {
		if !(c >= 0 && c <= 1) {
			return fmt.Errorf("multiscatterColor %v must lie in 0…1", color)
		}
		m.MultiscatterColor[i] = float32(c)
	}
	if g := v.ScatterAnisotropy; !(g >= -1 && g <= 1) {
		return fmt.Errorf("scatterAnisotropy %v must lie in −1…1", g)
	}
	m.ScatterAnisotropy = float32(v.ScatterAnisotropy)
	return nil
}

// Scatters tells whether light is scattered inside: there is a volume, it attenuates, and not by absorption alone.
func (m *Material) Scatters() bool {
	return m.Transmission > 0 && m.Thickness > 0 && m.AttenuationDistance < float32(inf) && m.MultiscatterColor.Len() > 0
}
