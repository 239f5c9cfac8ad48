package builtin

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// chessMaterials are the indices of the chess scene's materials.
type chessMaterials struct {
	redMetal                       uint32 // wall
	whiteStone, blackStone         uint32 // squares
	frame, inlay                   uint32 // board
	marble, crystal, walnut, brass uint32 // pieces
}

// addChessMaterials generates the textures side by side and adds the materials.
func (b *builder) addChessMaterials() chessMaterials {
	var refs []scene.TextureRef
	for _, img := range paint(chessPaintings()) {
		refs = append(refs, b.texture(img))
	}
	textured := func(m scene.Material, color, rough, normal int) scene.Material {
		for slot, i := range map[*scene.TextureRef]int{&m.Textures[scene.TextureBaseColor]: color, &m.Textures[scene.TextureMetallicRoughness]: rough, &m.Textures[scene.TextureNormal]: normal} {
			if i >= 0 {
				*slot = refs[i]
			}
		}
		return m
	}
	one := mgl32.Vec3{1, 1, 1}
	return chessMaterials{
		redMetal:   b.material(textured(metal("red metal", mgl32.Vec3{0.8, 0.09, 0.07}, 0.5), none, brushedRough, brushedNormal)),
		whiteStone: b.material(textured(plastic("white marble squares", mgl32.Vec3{0.9, 0.88, 0.84}, 0.12), whiteMarble, none, none)),
		blackStone: b.material(textured(plastic("black marble squares", one, 0.12), blackMarble, none, none)),
		frame:      b.material(textured(plastic("walnut frame", mgl32.Vec3{0.8, 0.62, 0.55}, 0.35), wooden, woodRough, woodNormal)),
		inlay:      b.material(metal("brass inlay", brassColor, 0.2)),
		marble:     b.material(textured(plastic("marble", one, 0.1), statuary, none, none)),
		crystal:    b.material(glass("crystal", 0, mgl32.Vec3{0.75, 0.93, 0.88}, 0.08)),
		walnut:     b.material(textured(plastic("walnut", mgl32.Vec3{0.62, 0.5, 0.46}, 0.28), wooden, woodRough, woodNormal)),
		brass:      b.material(textured(metal("brass", brassColor, 0.28), none, brushedRough, brushedNormal)),
	}
}

// The images of the chess scene, in the order of chessPaintings; none is no texture.
const (
	none          = -1
	whiteMarble   = iota - 1
	blackMarble   // squares
	statuary      // pieces
	wooden        // frame and pieces
	woodRough     //
	woodNormal    //
	brushedRough  // wall and pieces
	brushedNormal //
)

func chessPaintings() []painting {
	plank := newFigure()
	return []painting{
		whiteMarble:   marble("white marble", stone{[3]float64{0.93, 0.92, 0.9}, [3]float64{0.86, 0.85, 0.84}, [3]float64{0.42, 0.43, 0.46}, 0.03, 1}),
		blackMarble:   marble("black marble", stone{[3]float64{0.13, 0.13, 0.14}, [3]float64{0.2, 0.19, 0.19}, [3]float64{0.75, 0.7, 0.6}, 0.016, 101}),
		statuary:      marble("statuary marble", stone{[3]float64{0.95, 0.94, 0.92}, [3]float64{0.91, 0.9, 0.88}, [3]float64{0.62, 0.61, 0.6}, 0.022, 201}),
		wooden:        {name: "wood", srgb: true, color: plank.color([3]float64{0.56, 0.35, 0.2}, [3]float64{0.27, 0.135, 0.075})},
		woodRough:     roughnessMap("wood polish", plank.polish),
		woodNormal:    {name: "wood relief", height: plank.relief},
		brushedRough:  roughnessMap("brushed polish", brushedPolish),
		brushedNormal: {name: "brushed relief", height: brushedRelief},
	}
}

// brassColor is polished brass at normal incidence.
var brassColor = mgl32.Vec3{0.91, 0.72, 0.38}
