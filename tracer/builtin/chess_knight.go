package builtin

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// knightSection is a cut through the horse: from (backX, backY) on the mane or nose line to (frontX, frontY) on the chest or
// jaw line, halfWidth to either side; power 2 is an ellipse, more is squarer.
type knightSection struct{ backX, backY, frontX, frontY, halfWidth, power float64 }

// horse runs from the neck's foot over the poll to the muzzle.
var horse = []knightSection{
	{-0.205, 0.335, 0.205, 0.335, 0.200, 2.0},
	{-0.225, 0.420, 0.228, 0.400, 0.180, 2.0},
	{-0.262, 0.540, 0.220, 0.480, 0.155, 2.1},
	{-0.285, 0.680, 0.165, 0.575, 0.135, 2.2},
	{-0.275, 0.830, 0.090, 0.665, 0.118, 2.3},
	{-0.225, 0.970, 0.032, 0.735, 0.108, 2.4},
	{-0.140, 1.075, 0.040, 0.745, 0.114, 2.5},
	{-0.045, 1.125, 0.100, 0.705, 0.124, 2.5},
	{0.045, 1.105, 0.160, 0.678, 0.122, 2.5},
	{0.118, 1.045, 0.214, 0.664, 0.108, 2.5},
	{0.185, 0.968, 0.260, 0.650, 0.094, 2.4},
	{0.250, 0.890, 0.300, 0.632, 0.084, 2.4},
	{0.312, 0.822, 0.332, 0.608, 0.080, 2.5},
	{0.368, 0.768, 0.358, 0.588, 0.080, 2.6},
	{0.410, 0.712, 0.386, 0.588, 0.068, 2.5},
	{0.420, 0.665, 0.408, 0.610, 0.034, 2.2},
}

func (d carver) knight() piece {
	p := piece{body: d.turn(knightProfile())}
	p.body.append(d.horse(), mgl32.Ident4())
	p.body.append(d.mane(), mgl32.Ident4())
	ear, eye, nostril := d.ear(), sphere(0.022, max(12, d.segments/3)), sphere(0.017, max(12, d.segments/3))
	for _, side := range []float32{-1, 1} {
		p.body.append(ear, at(-0.07, 1.07, 0.058*side).Mul4(mgl32.HomogRotate3DX(0.22*side)).Mul4(mgl32.HomogRotate3DZ(0.18)))
		p.body.append(eye, at(0.085, 0.985, 0.108*side))
		p.body.append(nostril, at(0.378, 0.71, 0.066*side))
	}
	return p
}

// horse lofts the sections, closed at both ends, with the cheek, the mouth and the brow carved in.
func (d carver) horse() mesh {
	rows := (len(horse) - 1) * d.steps
	var rings [][]mgl32.Vec3
	for i := range rows + 1 {
		s := sectionAt(horse, float64(i)/float64(d.steps))
		rings = append(rings, ring(d.segments, s.point))
	}
	rings = append([][]mgl32.Vec3{pole(rings[0])}, rings...)
	return loft(append(rings, pole(rings[len(rings)-1])))
}

// point is the point of the section at angle a: 0 is the back line, a half turn the front line.
func (s knightSection) point(a float64) mgl32.Vec3 {
	sin, cos := math.Sincos(a)
	e := 2 / s.power
	along, across := -math.Copysign(math.Pow(math.Abs(cos), e), cos), math.Copysign(math.Pow(math.Abs(sin), e), sin)
	x := mix(s.backX, s.frontX, 0.5+0.5*along)
	y := mix(s.backY, s.frontY, 0.5+0.5*along)
	z := s.halfWidth * across * carve(x, y)
	return mgl32.Vec3{float32(x), float32(y), float32(z)}
}

// carve scales the horse's width: a round cheek, a groove behind it, a hollow over the muzzle and the mouth's line.
func carve(x, y float64) float64 {
	bump := func(cx, cy, radius float64) float64 {
		return math.Exp(-((x-cx)*(x-cx) + (y-cy)*(y-cy)) / (radius * radius))
	}
	mouth := math.Abs((x-0.37)*0.5+(y-0.645)*0.87) / 0.011 // distance from the line of the lips
	inMouth := smoothstep(0.27, 0.33, x)
	return 1 + 0.16*bump(0.12, 0.81, 0.085) - 0.2*bump(-0.02, 0.82, 0.06) - 0.10*bump(0.23, 0.8, 0.06) +
		0.10*bump(0.055, 1.03, 0.045) - 0.22*inMouth*math.Exp(-mouth*mouth)
}

// mane is a scalloped crest along the back of the neck up to the forehead.
func (d carver) mane() mesh {
	const first, last, locks = 1.6, 7.4, 7
	rows := locks * 2 * d.steps
	var rings [][]mgl32.Vec3
	for i := range rows + 1 {
		t := float64(i) / float64(rows)
		s := sectionAt(horse, mix(first, last, t))
		swell := 0.35 + 0.65*math.Abs(math.Sin(math.Pi*locks*t))
		swell *= smoothstep(0, 0.06, t) * (1 - smoothstep(0.93, 1, t))
		x, y := s.backX-s.frontX, s.backY-s.frontY
		length := math.Hypot(x, y)
		rings = append(rings, ring(max(8, d.segments/2), func(a float64) mgl32.Vec3 {
			sin, cos := math.Sincos(a)
			out := 0.012 + (0.006+0.03*swell)*cos
			return mgl32.Vec3{float32(s.backX + x/length*out), float32(s.backY + y/length*out), float32(0.05 * (0.35 + 0.65*swell) * sin)}
		}))
	}
	rings = append([][]mgl32.Vec3{pole(rings[0])}, rings...)
	return loft(append(rings, pole(rings[len(rings)-1])))
}

// ear is a pointed leaf that opens forward, standing on the origin.
func (d carver) ear() mesh {
	var rings [][]mgl32.Vec3
	for _, s := range [][2]float64{{0, 0.036}, {0.02, 0.044}, {0.045, 0.046}, {0.075, 0.038}, {0.105, 0.022}, {0.125, 0.008}, {0.13, 0}} {
		rings = append(rings, ring(max(10, d.segments/2), func(a float64) mgl32.Vec3 {
			hollow := 0.5 - 0.9*math.Pow(max(math.Cos(a), 0), 3)*smoothstep(0.01, 0.04, s[0])
			return mgl32.Vec3{float32(s[1] * math.Cos(a) * hollow), float32(s[0]), float32(-0.75 * s[1] * math.Sin(a))}
		}))
	}
	return loft(append([][]mgl32.Vec3{pole(rings[0])}, rings...))
}

// pole is the ring shrunk to its centre: it closes a loft.
func pole(r []mgl32.Vec3) []mgl32.Vec3 {
	c := ringCenter(r)
	return ring(len(r), func(float64) mgl32.Vec3 { return c })
}

// sectionAt interpolates the sections by Catmull-Rom splines.
func sectionAt(sections []knightSection, t float64) knightSection {
	i := min(int(t), len(sections)-2)
	p := [4]knightSection{sections[max(i-1, 0)], sections[i], sections[i+1], sections[min(i+2, len(sections)-1)]}
	spline := func(field func(knightSection) float64) float64 {
		a, b, c, d := field(p[0]), field(p[1]), field(p[2]), field(p[3])
		value, _ := hermite(b, c, (c-a)/2, (d-b)/2, t-float64(i))
		return value
	}
	return knightSection{
		spline(func(s knightSection) float64 { return s.backX }), spline(func(s knightSection) float64 { return s.backY }),
		spline(func(s knightSection) float64 { return s.frontX }), spline(func(s knightSection) float64 { return s.frontY }),
		spline(func(s knightSection) float64 { return s.halfWidth }), spline(func(s knightSection) float64 { return s.power }),
	}
}
