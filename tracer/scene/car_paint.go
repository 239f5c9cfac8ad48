package scene

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
)

// readCarPaint reads what is not as the defaults have it. A second colour that is left out is the first.
func readCarPaint(ext gltf.Extensions, m *materialSource, warn func(format string, args ...any)) error {
	p := &CarPaint{EdgeColor: m.BaseColor.Vec3(), Flakes: [2]Flakes{NewFlakes(), NewFlakes()}}
	var v struct {
		EdgeColorFactor *[3]float64
		Flakes          []struct {
			ColorFactor      *[3]float64
			OtherColorFactor *[3]float64
			CoverageFactor   float64
			Size             *float64
			Spread           *float64
			Exponent         *float64
		}
	}
	if err := decodeExtension(ext, "GLINT_materials_car_paint", &v); err != nil {
		return err
	}
	if len(v.Flakes) > len(p.Flakes) {
		warn("has %d layers of flakes: the first %d are drawn", len(v.Flakes), len(p.Flakes))
		v.Flakes = v.Flakes[:len(p.Flakes)]
	}
	color := func(to *mgl32.Vec3, said *[3]float64) {
		if said != nil {
			*to = unitColor(*said)
		}
	}
	number := func(to *float32, said *float64) {
		if said != nil {
			*to = float32(*said)
		}
	}
	color(&p.EdgeColor, v.EdgeColorFactor)
	for i, said := range v.Flakes {
		f := &p.Flakes[i]
		color(&f.Color, said.ColorFactor)
		f.OtherColor, f.Coverage = f.Color, unit32(said.CoverageFactor)
		color(&f.OtherColor, said.OtherColorFactor)
		number(&f.Size, said.Size)
		number(&f.Spread, said.Spread)
		number(&f.Exponent, said.Exponent)
	}
	m.CarPaint = p
	return nil
}

func writeCarPaint(m *Material, out map[string]any) {
	var layers []map[string]any
	for _, f := range m.CarPaint.Flakes {
		layers = append(layers, map[string]any{
			"colorFactor": f.Color, "otherColorFactor": f.OtherColor, "coverageFactor": f.Coverage,
			"size": f.Size, "spread": f.Spread, "exponent": f.Exponent,
		})
	}
	out["edgeColorFactor"], out["flakes"] = m.CarPaint.EdgeColor, layers
}
