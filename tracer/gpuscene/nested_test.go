package gpuscene

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// Only where the boxes of volumes meet may one stand in another.
func TestVolumesThatMeet(t *testing.T) {
	glass, water, thin, matte := scene.NewMaterial("glass"), scene.NewMaterial("water"), scene.NewMaterial("thin"), scene.NewMaterial("matte")
	glass.Transmission, glass.Thickness = 1, 1
	water.Transmission, water.Thickness = 1, 1
	thin.Transmission = 1
	leaf := matte
	leaf.Translucency.Factor, leaf.Thickness = 0.5, 1
	type part struct {
		material uint32
		at       float32 // along x: parts are 1 m wide
	}
	for name, row := range map[string]struct {
		parts   []part
		objects []uint32 // by their first face; each part has one
		want    bool
	}{
		"one volume":               {[]part{{0, 0}}, nil, false},
		"far from each other":      {[]part{{0, 0}, {1, 2}}, nil, false},
		"one in the other":         {[]part{{0, 0}, {1, 0}}, nil, true},
		"they touch":               {[]part{{0, 0}, {1, 1}}, nil, true},
		"later ones":               {[]part{{0, 0}, {1, 5}, {0, 5.5}}, []uint32{0, 1, 2}, true},
		"thin glass in a volume":   {[]part{{0, 0}, {2, 0}}, nil, false},
		"something in a volume":    {[]part{{0, 0}, {3, 0}}, nil, false},
		"a leaf in a volume":       {[]part{{0, 0}, {4, 0}}, nil, true},
		"one material, one object": {[]part{{0, 0}, {0, 0.5}}, nil, false},
		"one material, two":        {[]part{{0, 0}, {0, 0.5}}, []uint32{0, 1}, true},
	} {
		for _, instanced := range []bool{false, true} {
			s := &scene.Scene{Materials: []scene.Material{glass, water, thin, matte, leaf}, Objects: row.objects}
			for _, p := range row.parts {
				var corners []scene.Vertex
				for _, at := range []mgl32.Vec3{{0, 0, 0}, {1, 0, 1}, {0, 1, 0}} {
					corners = append(corners, scene.Vertex{Position: at})
				}
				if instanced && (row.objects != nil || p.material != 0) {
					s.Instances = append(s.Instances, scene.Instance{Mesh: len(s.Meshes), World: mgl32.Translate3D(p.at, 0, 0)})
					s.Meshes = append(s.Meshes, scene.Mesh{Vertices: corners, Faces: []scene.Face{{V: [3]uint32{0, 1, 2}, Material: p.material}}})
					continue
				}
				first := uint32(len(s.Vertices))
				for i := range corners {
					corners[i].Position[0] += p.at
				}
				s.Vertices = append(s.Vertices, corners...)
				s.Faces = append(s.Faces, scene.Face{V: [3]uint32{first, first + 1, first + 2}, Material: p.material})
			}
			if got := nests(s); got != row.want {
				t.Errorf("%s, instanced %v: nests %v, want %v", name, instanced, got, row.want)
			}
		}
	}
}
