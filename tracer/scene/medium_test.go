package scene

import (
	"math"
	"testing"
)

func scatter(properties jsonObject) jsonObject {
	return jsonObject{"extensions": jsonObject{"KHR_materials_volume_scatter": properties}}
}

// Files use either name of the colour, and open dense volumes by transmission or by diffuse transmission.
func TestVolumesThatScatter(t *testing.T) {
	for _, test := range []struct {
		name       string
		extensions jsonObject
		scatters   bool
	}{
		{"all", jsonObject{"KHR_materials_transmission": jsonObject{"transmissionFactor": 1}}, true},
		{"diffuse", jsonObject{"KHR_materials_diffuse_transmission": jsonObject{"diffuseTransmissionFactor": 0.5}}, true},
		{"opaque", jsonObject{}, false},
		{"black", jsonObject{"KHR_materials_transmission": jsonObject{"transmissionFactor": 1},
			"KHR_materials_volume_scatter": jsonObject{}}, false},
		{"clear", jsonObject{"KHR_materials_transmission": jsonObject{"transmissionFactor": 1},
			"KHR_materials_volume": jsonObject{"thicknessFactor": 1}}, false},
		{"thin", jsonObject{"KHR_materials_transmission": jsonObject{"transmissionFactor": 1},
			"KHR_materials_volume": jsonObject{"attenuationDistance": 1}}, false},
	} {
		for _, name := range []string{"multiscatterColor", "multiscatterColorFactor"} {
			extensions := jsonObject{
				"KHR_materials_volume":         jsonObject{"thicknessFactor": 1, "attenuationDistance": 0.1},
				"KHR_materials_volume_scatter": jsonObject{name: []any{0.8, 0.4, 0.2}},
			}
			for key, value := range test.extensions {
				extensions[key] = value
			}
			b := newBuilder()
			b.mesh(b.triangle(jsonObject{"extensions": extensions}))
			if m := b.load(t).Materials[0]; m.Scatters() != test.scatters {
				t.Errorf("%s, %s: scatters %v, want %v: %+v", test.name, name, m.Scatters(), test.scatters, m)
			}
		}
	}
}

// The fit inverts van de Hulst's albedo of a half-space that scatters alike to all sides (Multiple Light Scattering, 1980):
// (1 − s)(1 − 0.139 s) / (1 + 1.17 s) with s² = 1 − albedo of one event.
func TestScatterAlbedo(t *testing.T) {
	for multi := 0.0; multi <= 1; multi += 0.05 {
		s := math.Sqrt(1 - ScatterAlbedo(multi))
		if got := (1 - s) * (1 - 0.139*s) / (1 + 1.17*s); math.Abs(got-multi) > 1e-3 {
			t.Errorf("a half-space of colour %.2f looks like %.4f", multi, got)
		}
	}
}
