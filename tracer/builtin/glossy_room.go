package builtin

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// buildGlossyRoom is a room whose floor and walls reflect with a roughness of 0.15 to 0.4: too sharp to be shared as diffuse light is,
// too blurred to follow as a mirror.
func buildGlossyRoom(b *builder, opts Options) {
	room{lo: mgl32.Vec3{-2, 0, -2}, hi: mgl32.Vec3{2, 2.4, 2.8}, walls: map[side]scene.Material{
		floor: plastic("lacquered floor", mgl32.Vec3{0.08, 0.06, 0.05}, 0.15), ceiling: matte("ceiling", mgl32.Vec3{0.72, 0.71, 0.69}),
		left: metal("copper wall", mgl32.Vec3{0.82, 0.5, 0.36}, 0.3), right: metal("blue steel wall", mgl32.Vec3{0.3, 0.42, 0.58}, 0.25),
		back: plastic("cream wall", mgl32.Vec3{0.6, 0.54, 0.42}, 0.2), front: plastic("grey wall", mgl32.Vec3{0.4, 0.4, 0.4}, 0.4),
	}}.addTo(b)
	b.ceilingLamp(mgl32.Vec3{-0.9, 2.4, -0.5}, 0.35, 0.35, warm.Mul(21))
	b.ceilingLamp(mgl32.Vec3{1.1, 2.4, 0.9}, 0.15, 0.5, mgl32.Vec3{13, 15.5, 20})
	segments := sphereSegments(opts.Triangles, 7)
	b.add(sphere(0.42, segments), ball(-0.75, -0.6, 0.4201), b.material(metal("satin silver", mgl32.Vec3{0.92, 0.91, 0.89}, 0.2)))
	b.add(box(mgl32.Vec3{0.6, 1.1, 0.6}), at(0.75, 0.0001, -0.9).Mul4(turned(-24)), b.material(metal("brass block", brassColor, 0.4)))
	b.add(sphere(0.27, segments), at(0.75, 1.3703, -0.9), b.material(plastic("red lacquer", mgl32.Vec3{0.6, 0.03, 0.03}, 0.18)))
	b.add(vase(0.85, segments), at(0.15, 0.0001, 0.45), b.material(plastic("jade vase", mgl32.Vec3{0.1, 0.42, 0.26}, 0.25)))
	b.add(bowl(0.2, segments), at(-0.55, 0.0001, 0.75), b.material(matte("clay bowl", mgl32.Vec3{0.62, 0.42, 0.28})))
	b.camera(mgl32.Vec3{0.35, 1.2, 2.7}, mgl32.Vec3{-0.05, 0.8, -0.5}, 56)
}
