package builtin

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// room is a box seen from inside, m. A wall without a material is left out.
type room struct {
	lo, hi vec3
	walls  map[side]scene.Material
}

// walled is a room with six walls of a material.
func walled(lo, hi vec3, wall scene.Material) room {
	r := room{lo: lo, hi: hi, walls: map[side]scene.Material{}}
	for s := range sideCount {
		r.walls[s] = wall
	}
	return r
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

// inside is a room with what is in it.
func inside(r room, furnish func(*builder, Options)) func(*builder, Options) {
	return func(b *builder, opts Options) {
		r.addTo(b)
		furnish(b, opts)
	}
}

// lampGap keeps a lamp clear of the ceiling, m.
const lampGap = 0.005

// ceilingLamp adds a rectangle at height y that shines down: half its width and depth in m, radiance in nit.
func (b *builder) ceilingLamp(center vec3, halfX, halfZ float32, radiance vec3) {
	center[1] -= lampGap
	b.fix(rectangle(center, vec3{halfX, 0, 0}, vec3{0, 0, halfZ}), emitter("lamp", radiance))
}
