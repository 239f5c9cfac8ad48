package scene

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

// CarPaint replaces the diffuse base of a material by flakes over a base whose colour changes towards grazing angles
// (GLINT_materials_car_paint, docs/car-paint.md). The dielectric coat over them stays as the material says.
type CarPaint struct {
	EdgeColor mgl32.Vec3 // of the base at grazing angles; BaseColor is its colour head on
	Flakes    [2]Flakes  // the upper layer first
}

// Flakes is one layer of little metal plates.
type Flakes struct {
	Color, OtherColor mgl32.Vec3 // reflectance: each flake lies somewhere between the two
	Coverage          float32    // share of the surface that they cover, 0…1; 0 for no layer
	Size              float32    // m: mean distance of neighbours, above 0
	Spread            float32    // greatest slope of a flake against the surface, 0…1
	Exponent          float32    // Blinn-Phong's, of one flake, 1…10000
}

// NewFlakes is a layer with the extension's defaults: none, until it covers something.
func NewFlakes() Flakes {
	return Flakes{Color: mgl32.Vec3{1, 1, 1}, OtherColor: mgl32.Vec3{1, 1, 1}, Size: 0.001, Spread: 0.3, Exponent: 100}
}

// flakesJSON is one layer as the extension writes it; what is left out has its default.
type flakesJSON struct {
	ColorFactor      *[3]float64
	OtherColorFactor *[3]float64
	CoverageFactor   float64
	Size             *float64
	Spread           *float64
	Exponent         *float64
}

func readCarPaint(t *textureReader, ext gltf.Extensions, name string, m *materialSource) error {
	var v struct {
		EdgeColorFactor *[3]float64
		Flakes          []flakesJSON
	}
	if err := decodeExtension(ext, name, &v); err != nil {
		return err
	}
	p := &CarPaint{EdgeColor: m.BaseColor.Vec3(), Flakes: [2]Flakes{NewFlakes(), NewFlakes()}}
	if len(v.Flakes) > len(p.Flakes) {
		t.doc.warn.about("material "+guard.Quoted(m.Name), t.shown, "has %d layers of flakes: the first %d are drawn", len(v.Flakes), len(p.Flakes))
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

func writeCarPaint(m *Material, _ TextureInfo) map[string]any {
	if m.CarPaint == nil {
		return nil
	}
	var layers []map[string]any
	for _, f := range m.CarPaint.Flakes {
		layers = append(layers, map[string]any{
			"colorFactor": f.Color, "otherColorFactor": f.OtherColor, "coverageFactor": f.Coverage,
			"size": f.Size, "spread": f.Spread, "exponent": f.Exponent,
		})
	}
	return map[string]any{"edgeColorFactor": m.CarPaint.EdgeColor, "flakes": layers}
}

func paintFeatures(m *Material) Feature { return FeaturePaint.when(m.CarPaint != nil) }

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

// unitColor clamps each component to 0…1, as a reflectance must be.
func unitColor(v [3]float64) mgl32.Vec3 { return mgl32.Vec3{unit32(v[0]), unit32(v[1]), unit32(v[2])} }
