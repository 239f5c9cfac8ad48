package builtin

import "glint/tracer/scene"

// carPaintProperties are those of GLINT_materials_car_paint.
func carPaintProperties(p *scene.CarPaint) map[string]any {
	var layers []map[string]any
	for _, f := range p.Flakes {
		layers = append(layers, map[string]any{
			"colorFactor": f.Color, "otherColorFactor": f.OtherColor, "coverageFactor": f.Coverage,
			"size": f.Size, "spread": f.Spread, "exponent": f.Exponent,
		})
	}
	return map[string]any{"edgeColorFactor": p.EdgeColor, "flakes": layers}
}
