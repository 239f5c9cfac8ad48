package scene

import "github.com/qmuntal/gltf"

// flakesJSON is one layer as the extension writes it; what is left out has its default.
type flakesJSON struct {
	ColorFactor      *[3]float64
	OtherColorFactor *[3]float64
	CoverageFactor   float64
	Size             *float64
	Spread           *float64
	Exponent         *float64
}

func readCarPaint(ext gltf.Extensions, m *materialSource, warn func(format string, args ...any)) error {
	var v struct {
		EdgeColorFactor *[3]float64
		Flakes          []flakesJSON
	}
	if err := decodeExtension(ext, "GLINT_materials_car_paint", &v); err != nil {
		return err
	}
	p := &CarPaint{EdgeColor: m.BaseColor.Vec3(), Flakes: [2]Flakes{NewFlakes(), NewFlakes()}}
	if len(v.Flakes) > len(p.Flakes) {
		warn("has %d layers of flakes: the first %d are drawn", len(v.Flakes), len(p.Flakes))
		v.Flakes = v.Flakes[:len(p.Flakes)]
	}
	if v.EdgeColorFactor != nil {
		p.EdgeColor = unitColor(*v.EdgeColorFactor)
	}
	for i, f := range v.Flakes {
		p.Flakes[i] = f.layer()
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

// layer is what kernels take. A second colour that is left out is the first.
func (v flakesJSON) layer() Flakes {
	f := NewFlakes()
	if v.ColorFactor != nil {
		f.Color = unitColor(*v.ColorFactor)
	}
	f.OtherColor = f.Color
	if v.OtherColorFactor != nil {
		f.OtherColor = unitColor(*v.OtherColorFactor)
	}
	f.Coverage = unit32(v.CoverageFactor)
	for _, row := range []struct {
		value *float64
		field *float32
	}{{v.Size, &f.Size}, {v.Spread, &f.Spread}, {v.Exponent, &f.Exponent}} {
		if row.value != nil {
			*row.field = float32(*row.value)
		}
	}
	return f
}
