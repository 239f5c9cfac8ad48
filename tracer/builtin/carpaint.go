package builtin

import (
	"math"
	"slices"
	"sort"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// carTriangles is how many triangles the car has at detail 1.
const carTriangles = 75_000

// buildCarpaint is a coupé in a studio, painted in four layers: most of what the camera sees is that one costly material.
func buildCarpaint(b *builder, opts Options) {
	detail := math.Sqrt(float64(opts.Triangles) / carTriangles)
	paint := b.material(candyRed())
	black := b.material(plastic("black trim", vec3{0.01, 0.01, 0.01}, 0.4))
	grille, body := carBody(detail).split(func(_ vec2, p vec3) bool { return p[0] < -2.185 })
	b.add(body, mgl32.Ident4(), paint)
	b.add(grille, mgl32.Ident4(), black)
	windows, roof := carCabin(detail).split(isWindow)
	b.add(roof, mgl32.Ident4(), paint)
	b.fix(windows, plastic("tinted window", vec3{0.004, 0.005, 0.006}, 0)) // opaque: nothing is to be seen inside
	carWheels(b, detail)
	carLamps(b, detail)
	studio(b)
	b.camera(vec3{-5.0, 1.25, 4.1}, vec3{0, 0.56, 0.1}, 26)
}

// carLamps sit half in the fenders: chrome behind clear glass in front, red glass behind.
func carLamps(b *builder, detail float64) {
	segments := max(12, 2*int(math.Round(16*detail)))
	chrome := b.material(metal("lamp chrome", vec3{0.9, 0.9, 0.9}, 0.1))
	clear := b.material(glass("lamp glass", 0, vec3{1, 1, 1}, 1))
	red := b.material(glass("tail lamp", 0.1, vec3{0.9, 0.05, 0.03}, 0.02))
	for _, side := range []float32{-1, 1} {
		b.add(sphere(0.085, segments), at(-1.87, 0.62, 0.56*side), chrome)
		b.add(sphere(0.1, segments), at(-1.9, 0.62, 0.56*side), clear)
		b.add(sphere(0.06, segments), at(2.08, 0.7, 0.5*side), red)
	}
}

// candyRed is a red base that darkens to the edge, dense fine flakes that look red, and sparse large ones like gold.
func candyRed() scene.Material {
	m := plastic("car paint", vec3{0.3, 0.004, 0.006}, 0)
	m.CarPaint = &scene.CarPaint{
		EdgeColor: vec3{0.05, 0.001, 0.012},
		Flakes: [2]scene.Flakes{
			{Color: vec3{1, 0.62, 0.3}, OtherColor: vec3{0.95, 0.2, 0.1}, Coverage: 0.08, Size: 0.003, Spread: 0.4, Exponent: 500},
			{Color: vec3{0.75, 0.012, 0.012}, OtherColor: vec3{0.9, 0.06, 0.03}, Coverage: 0.7, Size: 0.0004, Spread: 0.3, Exponent: 60},
		},
	}
	return m
}

// isWindow leaves the roof and four pillars of the cabin to the body.
func isWindow(uv vec2, p vec3) bool {
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

// studio is a dark room with a floor that shines, a wide lamp above, strips at its sides and points that make flakes sparkle.
func studio(b *builder) {
	const size, height = 9, 6 // m
	floorMaterial := plastic("studio floor", vec3{0.06, 0.062, 0.066}, 0.18)
	wall := matte("studio wall", vec3{0.13, 0.133, 0.14})
	room{
		lo: vec3{-size, 0, -size}, hi: vec3{size, height, size},
		walls: map[side]scene.Material{floor: floorMaterial, left: wall, right: wall, back: wall, front: wall, ceiling: wall},
	}.addTo(b)
	softbox(b, vec3{0.3, 3.6, -0.4}, vec3{2.6, 0, 0}, vec3{0, 0, 0.75}, vec3{13, 13, 13.4})
	softbox(b, vec3{-0.6, 1.9, 5.2}, vec3{2.8, 0, 0}, vec3{0, 0.28, -0.1}, vec3{10, 9.5, 8.6})
	softbox(b, vec3{-5.6, 1.8, -2.6}, vec3{0.7, 0, -1.6}, vec3{0, 0.9, 0}, vec3{5, 5.6, 7})
	spark := b.material(emitter("spot", vec3{110, 104, 94}))
	for _, p := range []vec3{{-3.4, 4.4, 3.2}, {-1.2, 4.6, 3.9}, {1.6, 4.4, 3.4}} {
		b.add(sphere(0.15, 16), at(p[0], p[1], p[2]), spark)
	}
}

// softbox is a rectangular lamp that faces the car: its middle, half its sides, its radiance in nit.
func softbox(b *builder, middle, u, v, radiance vec3) {
	if u.Cross(v).Dot(middle.Sub(vec3{0, 0.5, 0})) > 0 {
		u = u.Mul(-1)
	}
	b.fix(rectangle(middle, u, v), emitter("softbox", radiance))
}

// Measures of the car, m. It stands on y = 0 and looks along −x.
const (
	carHalfLength = 2.2
	wheelRadius   = 0.34
	wheelTread    = 0.74 // half the distance between the wheels of an axle
	archRadius    = 0.375
)

// axles are where the wheels stand along x.
var axles = [2]float64{-1.36, 1.3}

// The lines of the body along x: half its width, its top and its bottom, how far the fenders stand out of the hood, and the
// height of the point on which nose or tail close in.
var (
	bodyWidth  = curve{{-2.2, 0.86}, {-1.4, 0.92}, {-0.1, 0.86}, {1.25, 0.95}, {2.2, 0.84}}
	bodyTop    = curve{{-2.2, 0.63}, {-1.5, 0.69}, {-0.6, 0.79}, {0.4, 0.86}, {1.3, 0.88}, {2.2, 0.84}}
	bodyBottom = curve{{-2.2, 0.2}, {-1.9, 0.16}, {1.7, 0.16}, {2.2, 0.36}}
	bodyTip    = curve{{-2.2, 0.42}, {-1, 0.5}, {1, 0.6}, {2.2, 0.64}}
	fenderRise = curve{{-2.2, 0.02}, {-1.4, 0.14}, {-0.5, 0.06}, {0.3, 0.01}, {1.25, 0.1}, {2.1, 0.03}}
)

// curve is a smooth function through points (x, y) with rising x, flat beyond its ends: cubic Hermite spans whose slopes are
// finite differences.
type curve [][2]float64

func (c curve) at(x float64) float64 {
	last := len(c) - 1
	if x <= c[0][0] {
		return c[0][1]
	}
	if x >= c[last][0] {
		return c[last][1]
	}
	i := sort.Search(last, func(i int) bool { return c[i+1][0] > x })
	width := c[i+1][0] - c[i][0]
	y, _ := hermite(c[i][1], c[i+1][1], c.slope(i)*width, c.slope(i+1)*width, (x-c[i][0])/width)
	return y
}

// slope is 0 at the ends, so that nothing breaks there.
func (c curve) slope(i int) float64 {
	if i == 0 || i == len(c)-1 {
		return 0
	}
	return (c[i+1][1] - c[i-1][1]) / (c[i+1][0] - c[i-1][0])
}

// carBody is lofted along x through superelliptic sections, with the wheel arches pressed into it.
func carBody(detail float64) mesh {
	around := max(16, 4*int(math.Round(28*detail)))
	var rings [][]vec3
	for _, x := range bodyStations(max(12, int(math.Round(110*detail)))) {
		rings = append(rings, bodySection(x, around))
	}
	return loft(rings)
}

// bodyStations run from nose to tail, dense at both ends, with more along the arches: their edges need two stations each.
func bodyStations(n int) []float64 {
	var x []float64
	for i := range n + 1 {
		at := -carHalfLength * math.Cos(math.Pi*float64(i)/float64(n))
		if !nearArch(at) {
			x = append(x, at)
		}
	}
	for _, axle := range axles {
		x = append(x, axle-archRadius-1e-3, axle+archRadius+1e-3)
		for i := range n/4 + 1 {
			x = append(x, axle-archRadius*math.Cos(math.Pi*float64(i)/float64(n/4)))
		}
	}
	slices.Sort(x)
	return x
}

func nearArch(x float64) bool {
	return slices.ContainsFunc(axles[:], func(axle float64) bool { return math.Abs(x-axle) < archRadius+0.01 })
}

// archHeight is where the body ends above a wheel, 0 elsewhere.
func archHeight(x float64) float64 {
	for _, axle := range axles {
		if d := math.Abs(x - axle); d <= archRadius {
			return wheelRadius + math.Sqrt(max(0, archRadius*archRadius-d*d))
		}
	}
	return 0
}

// bodySection is the ring at x. Towards nose and tail all lines close in on a point.
func bodySection(x float64, n int) []vec3 {
	const shoulder = 0.56 // height of the widest place
	tip := bodyTip.at(x)
	closing := math.Pow(max(0, 1-math.Pow(math.Abs(x)/carHalfLength, 6)), 0.4)
	toward := func(y float64) float64 { return tip + (y-tip)*closing }
	width, top, bottom, middle := bodyWidth.at(x)*closing, toward(bodyTop.at(x)), toward(bodyBottom.at(x)), toward(shoulder)
	return ring(n, func(a float64) vec3 {
		sin, cos := math.Sincos(a)
		var y, z float64
		if sin >= 0 {
			z = width * power(cos, 0.7)
			y = middle + (top-middle)*power(sin, 0.8)
			y += fenderRise.at(x) * closing * bump((math.Abs(z)-0.62)/0.2) * sin
		} else {
			z = width * power(cos, 0.35)
			y = middle + (middle-bottom)*power(sin, 0.75)
			z *= 1 - 0.06*sin*sin // tucked under
		}
		return vec3{float32(x), float32(max(y, archHeight(x))), float32(-z)}
	})
}

// carCabin is a dome on the body, steeper at its sides than at windscreen and rear.
func carCabin(detail float64) mesh {
	around, rows := 4*max(6, int(math.Round(24*detail))), max(8, int(math.Round(40*detail)))
	const front, rear, half, height = 1.15, 1.6, 0.74, 0.46
	var rings [][]vec3
	for i := range rows + 1 {
		rise, shrink := math.Sincos(math.Pi / 2 * float64(i) / float64(rows))
		if i == rows {
			shrink = 0 // the pole must close exactly
		}
		rings = append(rings, ring(around, func(a float64) vec3 {
			sin, cos := math.Sincos(a)
			length := front
			if cos < 0 {
				length = rear
			}
			return vec3{
				float32(0.35 - length*power(cos, 0.85)*math.Pow(shrink, 0.9)),
				float32(0.76 + height*math.Pow(rise, 0.8)),
				float32(half * power(sin, 0.8) * math.Pow(shrink, 0.5)),
			}
		}))
	}
	return loft(rings)
}

// bump is 1 at 0 and fades within ±2.
func bump(x float64) float64 { return math.Exp(-x * x) }

// split parts a mesh by what its faces' corners have in common.
func (m mesh) split(inside func(uv vec2, p vec3) bool) (in, out mesh) {
	in.vertices, out.vertices = m.vertices, m.vertices
	for _, f := range m.faces {
		all := true
		for _, v := range f {
			all = all && inside(m.vertices[v].UV[0], m.vertices[v].Position)
		}
		if all {
			in.faces = append(in.faces, f)
		} else {
			out.faces = append(out.faces, f)
		}
	}
	return in, out
}

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
	outline := make([]vec2, n)
	for i := range outline {
		a := 2 * math.Pi * float64(i) / float64(n)
		arm := math.Pow((1+math.Cos(arms*a))/2, 1.6)
		sin, cos := math.Sincos(a)
		r := hub + (reach-hub)*min(1, 1.25*arm)
		outline[i] = vec2{float32(r * cos), float32(r * sin)}
	}
	return extrude(outline, vec2{}, 0.03, 0.004)
}

func wheelSegments(detail float64) int { return max(12, 4*int(math.Round(10*detail))) }

// carWheels puts four wheels on the ground, the spokes outwards.
func carWheels(b *builder, detail float64) {
	rubber := b.material(plastic("tyre", vec3{0.012, 0.012, 0.013}, 0.55))
	bright := b.material(metal("rim", vec3{0.9, 0.9, 0.92}, 0.12))
	dark := b.material(metal("dish", vec3{0.06, 0.06, 0.065}, 0.35))
	tire, rim, spokes := carTire(detail), carRim(detail), carSpokes(detail)
	dish, lip := rim.split(func(_ vec2, p vec3) bool { return math.Hypot(float64(p[0]), float64(p[2])) < 0.2001 })
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
