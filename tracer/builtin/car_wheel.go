package builtin

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// carTire is turned about the y axis, its middle at the origin, m.
func carTire(detail float64) mesh {
	const r, inner, half = wheelRadius, 0.225, 0.115
	return turn([]knot{
		{inner, -half * 0.8, edge}, {inner + 0.03, -half * 0.96, soft}, {r - 0.05, -half, soft}, {r - 0.008, -half * 0.8, soft}, {r, -half * 0.5, soft},
		{r, half * 0.5, soft}, {r - 0.008, half * 0.8, soft}, {r - 0.05, half, soft}, {inner + 0.03, half * 0.96, soft}, {inner, half * 0.8, edge},
	}, 1, wheelSegments(detail))
}

// carRim is the bright lip and the dish behind the spokes.
func carRim(detail float64) mesh {
	return turn([]knot{
		{0.23, -0.09, edge}, {0.23, 0.098, edge}, {0.218, 0.1, edge}, {0.205, 0.085, soft}, {0.2, 0.05, soft}, {0.195, -0.02, edge}, {0, -0.02, edge},
	}, 1, wheelSegments(detail))
}

// carSpokes is a star of five arms around a hub, in the plane of x and y.
func carSpokes(detail float64) mesh {
	const arms, hub, reach = 5, 0.062, 0.204
	n := arms * max(8, int(math.Round(24*detail)))
	outline := make([]mgl32.Vec2, n)
	for i := range outline {
		a := 2 * math.Pi * float64(i) / float64(n)
		arm := math.Pow((1+math.Cos(arms*a))/2, 1.6)
		sin, cos := math.Sincos(a)
		r := hub + (reach-hub)*min(1, 1.25*arm)
		outline[i] = mgl32.Vec2{float32(r * cos), float32(r * sin)}
	}
	return extrude(outline, mgl32.Vec2{}, 0.03, 0.004)
}

func wheelSegments(detail float64) int { return max(12, 4*int(math.Round(10*detail))) }

// carWheels puts four wheels on the ground, the spokes outwards.
func (b *builder) carWheels(detail float64) {
	rubber := b.material(plastic("tyre", mgl32.Vec3{0.012, 0.012, 0.013}, 0.55))
	bright := b.material(metal("rim", mgl32.Vec3{0.9, 0.9, 0.92}, 0.12))
	dark := b.material(metal("dish", mgl32.Vec3{0.06, 0.06, 0.065}, 0.35))
	tire, rim, spokes := carTire(detail), carRim(detail), carSpokes(detail)
	dish, lip := rim.split(func(_ mgl32.Vec2, p mgl32.Vec3) bool { return math.Hypot(float64(p[0]), float64(p[2])) < 0.2001 })
	for i, x := range axles {
		for _, side := range []float32{-1, 1} {
			// Turned about its axle, each wheel stands as it happened to stop.
			out := mgl32.HomogRotate3DX(side * math.Pi / 2)
			wheel := at(float32(x), wheelRadius, side*wheelTread).Mul4(out).Mul4(turned(float32(20 + 31*i)))
			b.add(tire, wheel, rubber)
			b.add(lip, wheel, bright)
			b.add(dish, wheel, dark)
			b.add(spokes, wheel.Mul4(at(0, 0.07, 0)).Mul4(mgl32.HomogRotate3DX(-math.Pi/2)), bright)
		}
	}
}
