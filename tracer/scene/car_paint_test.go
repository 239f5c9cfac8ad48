package scene

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// painted is a file with one material that has the extension.
func painted(properties jsonObject) *builder {
	b := newBuilder()
	b.extension("GLINT_materials_car_paint")
	b.mesh(b.triangle(jsonObject{
		"pbrMetallicRoughness": jsonObject{"baseColorFactor": []any{0.1, 0.2, 0.3, 1}},
		"extensions":           jsonObject{"GLINT_materials_car_paint": properties},
	}))
	return b
}

func TestCarPaint(t *testing.T) {
	full := jsonObject{"colorFactor": []any{1, 0.5, 0}, "otherColorFactor": []any{2, 0.25, -1}, "coverageFactor": 0.25,
		"size": 0.002, "spread": 0.5, "exponent": 40}
	some := NewFlakes()
	some.Color, some.OtherColor, some.Coverage = mgl32.Vec3{1, 0.5, 0}, mgl32.Vec3{1, 0.25, 0}, 0.25
	some.Size, some.Spread, some.Exponent = 0.002, 0.5, 40
	one := NewFlakes()
	one.Color, one.OtherColor = mgl32.Vec3{0.5, 0.5, 0.5}, mgl32.Vec3{0.5, 0.5, 0.5}
	for _, c := range []struct {
		name       string
		properties jsonObject
		want       CarPaint
	}{
		{"nothing", jsonObject{}, CarPaint{mgl32.Vec3{0.1, 0.2, 0.3}, [2]Flakes{NewFlakes(), NewFlakes()}}},
		{"edge", jsonObject{"edgeColorFactor": []any{0.4, 0.5, 9}}, CarPaint{mgl32.Vec3{0.4, 0.5, 1}, [2]Flakes{NewFlakes(), NewFlakes()}}},
		{"both layers", jsonObject{"flakes": []any{full, jsonObject{"colorFactor": []any{0.5, 0.5, 0.5}}}},
			CarPaint{mgl32.Vec3{0.1, 0.2, 0.3}, [2]Flakes{some, one}}},
	} {
		m := painted(c.properties).load(t).Materials[0]
		if m.CarPaint == nil || *m.CarPaint != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, m.CarPaint, c.want)
		}
	}
}

func TestBadCarPaint(t *testing.T) {
	layer := func(name string, value any) jsonObject { return jsonObject{"flakes": []any{jsonObject{name: value}}} }
	for _, c := range []struct {
		properties jsonObject
		word       string
	}{
		{layer("size", 0), "flakes[0].size: 0 is below 1e-06: 1e-06 is used"},
		{layer("size", -1), "size"},
		{layer("size", 1e30), "size"},
		{layer("spread", 2), "spread"},
		{layer("exponent", 0.5), "exponent"},
		{layer("colorFactor", "red"), `colorFactor: must be an array of 3 numbers, is "red"`},
		{jsonObject{"flakes": 7}, "GLINT_materials_car_paint.flakes: must be an array, is 7"},
		{jsonObject{"flakes": []any{jsonObject{}, jsonObject{}, jsonObject{}}}, "3 layers"},
	} {
		painted(c.properties).degrades(t, c.word)
	}
}
