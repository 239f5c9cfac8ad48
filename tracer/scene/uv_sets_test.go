package scene

import (
	"image"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// Materials use any two of the sets of texture coordinates that a file has, each its own.
func TestAnyTwoSetsOfCoordinates(t *testing.T) {
	for _, row := range []struct {
		base, normal int      // sets that textures use
		uv           [2]int   // sets that vertices get
		refs         [2]int   // where the textures find theirs
		note         string   // that the report must have
		lacks        []string // attributes that the primitive does not have
	}{
		{base: 0, normal: 1, uv: [2]int{0, 1}, refs: [2]int{0, 1}},
		{base: 1, normal: 1, uv: [2]int{0, 1}, refs: [2]int{1, 1}},
		{base: 2, normal: 2, uv: [2]int{2, 1}, refs: [2]int{0, 0}},
		{base: 0, normal: 3, uv: [2]int{0, 3}, refs: [2]int{0, 1}},
		{base: 3, normal: 2, uv: [2]int{2, 3}, refs: [2]int{1, 0}},
		{base: 2, normal: 3, uv: [2]int{-1, 3}, refs: [2]int{0, 1}, note: "textured by TEXCOORD_2", lacks: []string{"TEXCOORD_2"}},
	} {
		b := newBuilder()
		texture := b.image(encodePNG(image.NewNRGBA(image.Rect(0, 0, 1, 1))))
		use := func(set int) jsonObject { return jsonObject{"index": texture, "texCoord": set} }
		triangle := b.triangle(jsonObject{"pbrMetallicRoughness": jsonObject{"baseColorTexture": use(row.base)}, "normalTexture": use(row.normal)})
		attributes := triangle["attributes"].(jsonObject)
		for set := range 4 {
			u := float32(set) / 4
			attributes[texCoord(set)] = b.accessor(f32, "VEC2", 3, []float32{u, 0.5, u, 0.5, u, 0.5})
		}
		for _, name := range row.lacks {
			delete(attributes, name)
		}
		b.mesh(triangle)
		b.add("scenes", jsonObject{"nodes": []int{0}})
		s := b.load(t)
		for at, set := range row.uv {
			want := mgl32.Vec2{float32(set) / 4, 0.5}
			if set < 0 {
				want = mgl32.Vec2{}
			}
			if got := s.Vertices[0].UV[at]; got != want {
				t.Errorf("sets %d and %d: coordinates %d are %v, want %v", row.base, row.normal, at, got, want)
			}
		}
		m := s.Materials[s.Faces[0].Material]
		if got := [2]int{m.Textures[TextureBaseColor].UVSet, m.Textures[TextureNormal].UVSet}; got != row.refs {
			t.Errorf("sets %d and %d: textures look at %v, want %v", row.base, row.normal, got, row.refs)
		}
		if row.note != "" {
			warns(t, s, row.note)
		} else if len(s.Report.Notes) > 0 {
			t.Errorf("sets %d and %d: %v", row.base, row.normal, s.Report.Notes)
		}
	}
}
