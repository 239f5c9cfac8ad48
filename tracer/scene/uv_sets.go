package scene

import (
	"fmt"
	"slices"

	"glint/tracer/guard"
)

// uvSets are the numbers that a vertex's texture coordinates have in the file.
type uvSets [2]int

// chooseUVSets has the textures of a material use the sets of coordinates that its vertices get. A file may have any number of sets,
// but vertices have room for two, which is enough for nearly all materials.
func chooseUVSets(m *Material, warn *warnings, shown []subject) uvSets {
	sets := uvSets{0, 1}
	var used []int
	for _, ref := range m.Textures {
		if ref.Texture >= 0 && !slices.Contains(used, ref.UVSet) {
			used = append(used, ref.UVSet)
		}
	}
	if len(used) == 0 || slices.Max(used) < len(sets) {
		return sets
	}
	used = used[:min(len(used), len(sets))] // the base colour's is the first
	slices.Sort(used)
	copy(sets[:], used)
	for i := range m.Textures {
		ref := &m.Textures[i]
		at := slices.Index(sets[:], ref.UVSet)
		if ref.Texture >= 0 && at < 0 {
			warn.about("material "+guard.Quoted(m.Name), shown,
				"has textures by more than two sets of coordinates: those by TEXCOORD_%d are left out", ref.UVSet)
			*ref = NoTexture()
		}
		ref.UVSet = max(at, 0)
	}
	return sets
}

// texCoord is the attribute that has a set.
func texCoord(set int) string { return fmt.Sprintf("TEXCOORD_%d", set) }
