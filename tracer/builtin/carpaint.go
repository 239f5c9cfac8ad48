package builtin

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// carTriangles is how many triangles the car has at detail 1.
const carTriangles = 75_000

// buildCarpaint is a coupé in a studio, painted in four layers: most of what the camera sees is that one costly material.
func buildCarpaint(b *builder, opts Options) {
	detail := math.Sqrt(float64(opts.Triangles) / carTriangles)
	paint := b.material(candyRed())
	black := b.material(plastic("black trim", mgl32.Vec3{0.01, 0.01, 0.01}, 0.4))
	grille, body := carBody(detail).split(func(_ mgl32.Vec2, p mgl32.Vec3) bool { return p[0] < -2.185 })
	b.add(body, mgl32.Ident4(), paint)
	b.add(grille, mgl32.Ident4(), black)
	windows, roof := carCabin(detail).split(isWindow)
	b.add(roof, mgl32.Ident4(), paint)
	b.add(windows, mgl32.Ident4(), b.material(tintedWindow()))
	b.carWheels(detail)
	b.carLamps(detail)
	b.studio()
	b.camera(mgl32.Vec3{-5.0, 1.25, 4.1}, mgl32.Vec3{0, 0.56, 0.1}, 26)
}

// carLamps sit half in the fenders: chrome behind clear glass in front, red glass behind.
func (b *builder) carLamps(detail float64) {
	segments := max(12, 2*int(math.Round(16*detail)))
	chrome := b.material(metal("lamp chrome", mgl32.Vec3{0.9, 0.9, 0.9}, 0.1))
	clear := b.material(glass("lamp glass", 0, mgl32.Vec3{1, 1, 1}, 1))
	red := b.material(glass("tail lamp", 0.1, mgl32.Vec3{0.9, 0.05, 0.03}, 0.02))
	for _, side := range []float32{-1, 1} {
		b.add(sphere(0.085, segments), at(-1.87, 0.62, 0.56*side), chrome)
		b.add(sphere(0.1, segments), at(-1.9, 0.62, 0.56*side), clear)
		b.add(sphere(0.06, segments), at(2.08, 0.7, 0.5*side), red)
	}
}

// candyRed is a red base that darkens to the edge, dense fine flakes that look red, and sparse large ones like gold.
func candyRed() scene.Material {
	m := plastic("car paint", mgl32.Vec3{0.3, 0.004, 0.006}, 0)
	m.CarPaint = &scene.CarPaint{
		EdgeColor: mgl32.Vec3{0.05, 0.001, 0.012},
		Flakes: [2]scene.Flakes{
			{Color: mgl32.Vec3{1, 0.62, 0.3}, OtherColor: mgl32.Vec3{0.95, 0.2, 0.1}, Coverage: 0.08, Size: 0.003, Spread: 0.4, Exponent: 500},
			{Color: mgl32.Vec3{0.75, 0.012, 0.012}, OtherColor: mgl32.Vec3{0.9, 0.06, 0.03}, Coverage: 0.7, Size: 0.0004, Spread: 0.3, Exponent: 60},
		},
	}
	return m
}

// tintedWindow is opaque: nothing is to be seen inside.
func tintedWindow() scene.Material {
	return plastic("tinted window", mgl32.Vec3{0.004, 0.005, 0.006}, 0)
}

// isWindow leaves the roof and four pillars of the cabin to the body.
func isWindow(uv mgl32.Vec2, p mgl32.Vec3) bool {
	if p[1] < 0.86 || p[1] > 1.13 {
		return false
	}
	for _, pillar := range [][2]float32{{0.105, 0.13}, {0.37, 0.42}} { // shares of the way around, from the front
		u := min(uv[0], 1-uv[0])
		if u > pillar[0] && u < pillar[1] {
			return false
		}
	}
	return true
}

// studio is a dark room with a floor that shines, a wide lamp above, strips beside and points that make flakes sparkle.
func (b *builder) studio() {
	const size, height = 9, 6 // m
	floorMaterial := plastic("studio floor", mgl32.Vec3{0.06, 0.062, 0.066}, 0.18)
	wall := matte("studio wall", mgl32.Vec3{0.13, 0.133, 0.14})
	room{
		lo: mgl32.Vec3{-size, 0, -size}, hi: mgl32.Vec3{size, height, size},
		walls: map[side]scene.Material{floor: floorMaterial, left: wall, right: wall, back: wall, front: wall, ceiling: wall},
	}.addTo(b)
	b.softbox(mgl32.Vec3{0.3, 3.6, -0.4}, mgl32.Vec3{2.6, 0, 0}, mgl32.Vec3{0, 0, 0.75}, mgl32.Vec3{13, 13, 13.4})
	b.softbox(mgl32.Vec3{-0.6, 1.9, 5.2}, mgl32.Vec3{2.8, 0, 0}, mgl32.Vec3{0, 0.28, -0.1}, mgl32.Vec3{10, 9.5, 8.6})
	b.softbox(mgl32.Vec3{-5.6, 1.8, -2.6}, mgl32.Vec3{0.7, 0, -1.6}, mgl32.Vec3{0, 0.9, 0}, mgl32.Vec3{5, 5.6, 7})
	spark := b.material(emitter("spot", mgl32.Vec3{110, 104, 94}))
	for _, p := range []mgl32.Vec3{{-3.4, 4.4, 3.2}, {-1.2, 4.6, 3.9}, {1.6, 4.4, 3.4}} {
		b.add(sphere(0.15, 16), at(p[0], p[1], p[2]), spark)
	}
}

// softbox is a rectangular lamp that faces the car: its middle, half its sides, its radiance in nit.
func (b *builder) softbox(middle, u, v, radiance mgl32.Vec3) {
	if u.Cross(v).Dot(middle.Sub(mgl32.Vec3{0, 0.5, 0})) > 0 {
		u = u.Mul(-1)
	}
	b.add(quad([4]mgl32.Vec3{
		middle.Sub(u).Sub(v), middle.Add(u).Sub(v), middle.Add(u).Add(v), middle.Sub(u).Add(v),
	}, mgl32.Vec2{1, 1}), mgl32.Ident4(), b.material(emitter("softbox", radiance)))
}
