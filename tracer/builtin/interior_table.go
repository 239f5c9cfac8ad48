package builtin

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// pillow is a rounded block around the origin, m: a superellipsoid (Barr 1981), the squarer the smaller its exponent.
func pillow(size mgl32.Vec3, exponent float64, segments int) mesh {
	power := func(x float64) float64 { return math.Copysign(math.Pow(math.Abs(x), exponent), x) }
	rows := max(segments/2, 6)
	rings := make([][]mgl32.Vec3, rows+1)
	for i := range rings {
		up, out := math.Sincos(math.Pi * (float64(i)/float64(rows) - 0.5))
		if i == 0 || i == rows {
			out = 0 // poles must close exactly
		}
		for j := range segments {
			sin, cos := math.Sincos(-2 * math.Pi * float64(j) / float64(segments))
			rings[i] = append(rings[i], mgl32.Vec3{
				size[0] / 2 * float32(power(out)*power(cos)), size[1] / 2 * float32(power(up)), size[2] / 2 * float32(power(out)*power(sin)),
			})
		}
	}
	return loft(rings)
}

// table is a long board of walnut with an inlay of leather, on two feet of steel, and what people have left on it.
func (r *interior) table() {
	walnut := r.wooden("walnut", mgl32.Vec3{0.75, 0.62, 0.55}, 0.22, 1.1)
	r.add(box(mgl32.Vec3{2 * tableX, 0.045, 2 * tableZ}), at(0, tableTop-0.045, 0), walnut)
	r.add(box(mgl32.Vec3{0.3, 0.004, 2*tableZ - 0.6}), at(0, tableTop+0.0003, 0), r.leather)
	for _, s := range []float32{-1, 1} {
		r.add(box(mgl32.Vec3{0.9, 0.03, 0.12}), at(0, 0.0135, s*(tableZ-0.7)), r.chrome)
		r.add(box(mgl32.Vec3{0.14, tableTop - 0.09, 0.1}), at(0, 0.0437, s*(tableZ-0.7)), r.chrome)
	}
	r.drinks()
	r.papers()
	for _, l := range []struct{ x, z, turn float32 }{{0.42, 1.15, 95}, {-0.42, 0.3, -84}, {0.4, -0.75, 86}, {-0.4, -1.5, -97}} {
		r.laptop(at(l.x, tableTop+0.0006, l.z).Mul4(turned(l.turn)))
	}
	r.add(bowl(0.09, r.segments), at(0, tableTop+0.005, 0.05), r.material(plastic("porcelain", mgl32.Vec3{0.82, 0.81, 0.78}, 0.08)))
	fruit := r.material(plastic("orange", mgl32.Vec3{0.85, 0.33, 0.04}, 0.45))
	apple := r.material(plastic("apple", mgl32.Vec3{0.5, 0.05, 0.04}, 0.15))
	for i := range 5 {
		sin, cos := math.Sincos(float64(i) * 2 * math.Pi / 5)
		r.add(sphere(0.036, r.segments/2), at(0.045*float32(cos), tableTop+0.075, 0.05+0.045*float32(sin)), []uint32{fruit, apple}[i%2])
	}
}

// drinks are carafes of water and glasses.
func (r *interior) drinks() {
	carafe := turn([]knot{
		{0, 0, edge}, {0.05, 0, edge}, {0.055, 0.02, soft}, {0.055, 0.12, soft}, {0.022, 0.2, soft}, {0.03, 0.27, edge}, {0.027, 0.27, edge}, {0.019, 0.2, soft},
		{0.051, 0.12, soft}, {0.05, 0.02, soft}, {0, 0.012, edge},
	}, 1, r.segments)
	tumbler := turn([]knot{
		{0, 0, edge}, {0.028, 0, edge}, {0.034, 0.095, edge}, {0.0325, 0.095, edge}, {0.0265, 0.012, edge}, {0, 0.012, edge},
	}, 1, r.segments)
	mug := turn([]knot{
		{0, 0, edge}, {0.036, 0, edge}, {0.039, 0.01, soft}, {0.039, 0.09, edge}, {0.035, 0.09, edge}, {0.035, 0.01, edge}, {0, 0.008, edge},
	}, 1, r.segments)
	for _, z := range []float32{-1.1, 0.75} {
		r.add(carafe, at(0.02, tableTop+0.005, z), r.glass)
		for i := range 4 {
			sin, cos := math.Sincos(0.6 + float64(i)*1.4)
			r.add(tumbler, at(0.02+0.13*float32(cos), tableTop+0.005, z+0.16*float32(sin)), r.glass)
		}
	}
	glazes := []uint32{
		r.material(plastic("blue mug", mgl32.Vec3{0.06, 0.16, 0.4}, 0.12)), r.material(plastic("yellow mug", mgl32.Vec3{0.75, 0.5, 0.06}, 0.12)),
		r.material(plastic("white mug", mgl32.Vec3{0.8, 0.8, 0.78}, 0.12)),
	}
	for i, p := range [][2]float32{{0.3, 1.75}, {-0.3, 0.95}, {0.28, -0.2}, {-0.33, -0.7}, {0.3, -1.7}, {-0.3, 1.9}} {
		r.add(mug, at(p[0], tableTop+0.0006, p[1]), glazes[i%3])
	}
}

// papers are sheets, folders and pencils before the empty chairs.
func (r *interior) papers() {
	paper := r.material(matte("paper", mgl32.Vec3{0.85, 0.85, 0.83}))
	folder := r.material(plastic("folder", mgl32.Vec3{0.5, 0.06, 0.05}, 0.5))
	pencil := turn([]knot{{0, 0, edge}, {0.0035, 0.01, edge}, {0.0035, 0.17, edge}, {0, 0.17, edge}}, 1, 12)
	lying := mgl32.HomogRotate3DZ(mgl32.DegToRad(90))
	yellow := r.material(plastic("pencil", mgl32.Vec3{0.8, 0.5, 0.05}, 0.3))
	for i, p := range [][2]float32{{-0.45, 1.6}, {0.48, 0.2}, {-0.46, -0.45}, {0.5, -1.55}} {
		where := at(p[0], tableTop+0.0006, p[1]).Mul4(turned(float32(i*53%40 - 20)))
		r.add(box(mgl32.Vec3{0.23, 0.006, 0.31}), where, folder)
		r.add(box(mgl32.Vec3{0.21, 0.004, 0.297}), where.Mul4(at(0.004, 0.0063, 0)).Mul4(turned(3)), paper)
		r.add(pencil, where.Mul4(at(0.09, 0.0141, 0.05)).Mul4(turned(65)).Mul4(lying), yellow)
	}
}

// laptop is open, its screen glowing; whoever works at it sits at +z.
func (r *interior) laptop(where mgl32.Mat4) {
	body := r.material(metal("anodised", mgl32.Vec3{0.56, 0.57, 0.58}, 0.38))
	r.add(box(mgl32.Vec3{0.31, 0.012, 0.22}), where, body)
	r.add(box(mgl32.Vec3{0.27, 0.0015, 0.1}), where.Mul4(at(0, 0.0123, -0.035)), r.black)
	lid := where.Mul4(at(0, 0.012, -0.11)).Mul4(mgl32.HomogRotate3DX(mgl32.DegToRad(-18)))
	r.add(box(mgl32.Vec3{0.31, 0.21, 0.006}), lid, body)
	const w, low, high, z = 0.145, 0.012, 0.2, 0.0035
	r.add(quad([4]mgl32.Vec3{{-w, low, z}, {w, low, z}, {w, high, z}, {-w, high, z}}, mgl32.Vec2{1, 1}), lid,
		r.material(emitter("display", mgl32.Vec3{0.7, 1.1, 1.7})))
}

// chair is a shell of leather on a star of chrome; who sits in it looks along −z.
func (r *interior) chair(where mgl32.Mat4) {
	seat := pillow(mgl32.Vec3{0.5, 0.09, 0.48}, 0.4, r.segments)
	rest := pillow(mgl32.Vec3{0.46, 0.56, 0.08}, 0.45, r.segments)
	r.add(seat, where.Mul4(at(0, 0.46, 0)), r.leather)
	r.add(rest, where.Mul4(at(0, 0.78, 0.25)).Mul4(mgl32.HomogRotate3DX(mgl32.DegToRad(10))), r.leather)
	post := turn([]knot{{0.03, 0, edge}, {0.03, 0.3, edge}, {0.02, 0.3, edge}, {0.02, 0.36, edge}}, 1, r.segments/2)
	r.add(post, where.Mul4(at(0, 0.06, 0)), r.chrome)
	for i := range 5 {
		foot := where.Mul4(turned(72 * float32(i))).Mul4(at(0.16, 0.07, 0))
		r.add(box(mgl32.Vec3{0.3, 0.025, 0.04}), foot, r.chrome)
		r.add(sphere(0.028, max(r.segments/3, 8)), foot.Mul4(at(0.14, -0.03, 0)), r.black)
	}
	for _, s := range []float32{-1, 1} {
		r.add(pillow(mgl32.Vec3{0.05, 0.03, 0.3}, 0.5, max(r.segments/2, 8)), where.Mul4(at(s*0.27, 0.66, 0.03)), r.black)
		r.add(box(mgl32.Vec3{0.02, 0.2, 0.03}), where.Mul4(at(s*0.265, 0.455, 0.08)), r.chrome)
	}
}
