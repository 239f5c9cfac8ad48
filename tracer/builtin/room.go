package builtin

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// room is a box seen from inside, m. A wall without a material is left out.
type room struct {
	lo, hi mgl32.Vec3
	walls  map[side]scene.Material
}

// cornellRoom is 2 m wide and high with a red left and a green right wall, open to the front.
func cornellRoom() room {
	w := matte("white", white)
	return room{
		lo: mgl32.Vec3{-1, 0, -1}, hi: mgl32.Vec3{1, 2, 1},
		walls: map[side]scene.Material{
			left: matte("red", red), right: matte("green", green), floor: w, ceiling: w, back: w,
		},
	}
}

// closed is the room with a white front wall at z metres, behind the camera.
func (r room) closed(z float32) room {
	r.hi[2] = z
	r.walls[front] = matte("white", white)
	return r
}

// without leaves walls out.
func (r room) without(sides ...side) room {
	for _, s := range sides {
		delete(r.walls, s)
	}
	return r
}

// addTo builds the walls, one material for all walls of one name.
func (r room) addTo(b *builder) {
	indices := map[string]uint32{}
	for s := range sideCount {
		m, ok := r.walls[s]
		if !ok {
			continue
		}
		index, ok := indices[m.Name]
		if !ok {
			index = b.material(m)
			indices[m.Name] = index
		}
		b.add(boxSide(r.lo, r.hi, s, true), mgl32.Ident4(), index)
	}
}

// lampGap keeps a lamp clear of the ceiling, m.
const lampGap = 0.005

// ceilingLamp adds a rectangle at height y that shines down: half its width and depth in m, radiance in nit.
func (b *builder) ceilingLamp(center mgl32.Vec3, halfX, halfZ float32, radiance mgl32.Vec3) {
	x, y, z := center[0], center[1]-lampGap, center[2]
	b.add(quad([4]mgl32.Vec3{
		{x - halfX, y, z - halfZ}, {x + halfX, y, z - halfZ}, {x + halfX, y, z + halfZ}, {x - halfX, y, z + halfZ},
	}, mgl32.Vec2{1, 1}), mgl32.Ident4(), b.material(emitter("lamp", radiance)))
}
