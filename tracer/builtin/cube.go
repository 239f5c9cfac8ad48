package builtin

import "github.com/go-gl/mathgl/mgl32"

// buildBoxOpen is a cube in a room without ceiling and front wall: paths end early, which is what compaction lives on.
func buildBoxOpen(b *builder, _ Options) {
	cornellRoom().without(ceiling).addTo(b)
	b.cube()
}

// buildBoxClosed is the same cube in a room without openings, the camera inside: every path lives until roulette ends it.
func buildBoxClosed(b *builder, _ Options) {
	cornellRoom().closed(3).addTo(b)
	b.cube()
}

func (b *builder) cube() {
	b.cornellLamp()
	b.add(box(mgl32.Vec3{0.8, 0.8, 0.8}), at(0, 0.4, 0).Mul4(turned(30)), b.material(matte("cube", white)))
	b.camera(mgl32.Vec3{0, 1, 2.95}, mgl32.Vec3{0, 0.95, 0}, 42)
}
