package tracer

import "glint/tracer/scene"

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
