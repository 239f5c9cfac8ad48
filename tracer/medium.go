package tracer

import (
	"math"

	"glint/tracer/scene"
)

// maxAnisotropy bounds the mean cosine of scattering: at 1 light would not turn at all, and close to it single precision
// cannot tell angles apart.
const maxAnisotropy = 0.99

// scattering is the part of attenuation (1/m) that scatters, zero where no volume does.
func scattering(m *scene.Material) [3]float32 {
	sigma := attenuation(m)
	for c := range sigma {
		if !m.Scatters() {
			sigma[c] = 0
		}
		sigma[c] *= float32(scatterAlbedo(float64(m.MultiscatterColor[c])))
	}
	return sigma
}

// scatterAlbedo is the share of attenuation that must scatter for a volume to look as bright as multi after many
// scattering events: the fit of Kulla and Conty (Revisiting Physically Based Shading at Imageworks, 2017), as
// KHR_materials_volume_scatter has it.
func scatterAlbedo(multi float64) float64 {
	root := 4.09712 + 4.20863*multi - math.Sqrt(9.59217+41.6808*multi+17.7126*multi*multi)
	return max(0, min(1, 1-root*root))
}

func anisotropy(m *scene.Material) float32 {
	return max(-maxAnisotropy, min(maxAnisotropy, m.ScatterAnisotropy))
}
