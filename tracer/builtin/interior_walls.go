package builtin

import (
	"fmt"
	"glint/tracer/scene"
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// walls hang a screen at the back, shelves and pictures on the right, and put a plant into the corner.
func (r *interior) walls() {
	const w, h, y = 1.25, 0.7, 1.62 // of the screen: half sizes, height of its middle
	z := float32(-roomZ)
	r.add(box(mgl32.Vec3{2*w + 0.06, 2*h + 0.06, 0.05}), at(0, y-h-0.03, z+0.03), r.black)
	m := emitter("screen", mgl32.Vec3{2.4, 2.4, 2.4})
	m.Textures[scene.TextureEmissive] = r.texture(painting{name: "slide", srgb: true, color: slide}.run())
	r.add(quad([4]mgl32.Vec3{{-w, y - h, z + 0.056}, {w, y - h, z + 0.056}, {w, y + h, z + 0.056}, {-w, y + h, z + 0.056}}, mgl32.Vec2{1, 1}),
		mgl32.Ident4(), r.material(m))
	for i := range 8 { // panels of cloth that swallow sound
		hue := rainbow(float64(i)*0.05 + 0.02).Mul(0.55)
		x := float32(i%4)*0.5 + 1.65
		r.add(box(mgl32.Vec3{0.47, 0.9, 0.06}), at(x*float32(1-i/4*2), 1.2, z+0.031), r.material(matte(fmt.Sprintf("cloth %d", i), hue)))
	}
	r.shelf()
	r.plant()
}

// slide is what the screen shows: a diagram of four curves and bars.
func slide(u, v float64) [3]float64 {
	c := [3]float64{0.93, 0.95, 0.97}
	if v < 0.14 {
		return [3]float64{0.08, 0.25, 0.42}
	}
	x, y := (u-0.08)/0.84, (0.92-v)/0.7
	if x < 0 || x > 1 || y < 0 || y > 1 {
		return c
	}
	if bar := math.Floor(x * 9); y < 0.15+0.6*math.Abs(math.Sin(1.3*bar+0.6)) && x*9-bar > 0.25 {
		c = blend([3]float64{0.2, 0.55, 0.75}, [3]float64{0.95, 0.5, 0.2}, bar/9)
	}
	if curve := 0.2 + 0.7*x*x + 0.05*math.Sin(14*x); math.Abs(y-curve) < 0.018 {
		c = [3]float64{0.7, 0.1, 0.15}
	}
	return c
}

// shelf stands against the right wall: books of many colours between boards of oak.
func (r *interior) shelf() {
	oak := r.wooden("oak", mgl32.Vec3{1, 0.95, 0.85}, 0.5, 0.8)
	const depth, length, boards = 0.32, 2.6, 5
	x, z := float32(roomX-depth/2-0.005), float32(-2.6)
	for i := range boards {
		r.add(box(mgl32.Vec3{depth, 0.03, length}), at(x, 0.25+float32(i)*0.38, z), oak)
	}
	for i := range 4 {
		r.add(box(mgl32.Vec3{depth, 1.79, 0.03}), at(x-0.0005, 0.001, z+(float32(i)-1.5)*(length-0.03)/3), oak)
	}
	var covers []uint32
	for i := range 14 {
		cover := rainbow(float64(i) / 14).Mul(0.5)
		m := plastic(fmt.Sprintf("book %d", i), cover, 0.35+0.04*float32(i%6))
		if i%3 == 0 {
			m = matte(m.Name, cover)
		}
		covers = append(covers, r.material(m))
	}
	n := uint32(0)
	for row := range boards - 1 {
		for along := float32(-length/2 + 0.06); along < length/2-0.1; n++ {
			roll := func(k uint32) float32 { return float32(hash(n, k, 81)) / math.MaxUint32 }
			thick := 0.018 + 0.035*roll(1)
			if roll(2) > 0.12 && math.Abs(math.Mod(float64(along+length/2), (length-0.03)/3)-0.42) < 0.36 {
				size := mgl32.Vec3{0.17 + 0.06*roll(3), 0.2 + 0.12*roll(4), thick - 0.002}
				r.add(box(size), at(x, 0.281+float32(row)*0.38, z+along+thick/2), covers[n*7%14])
			}
			along += thick
		}
	}
	r.add(vase(0.42, r.segments), at(x, 1.8005, z+0.8), r.material(plastic("celadon", mgl32.Vec3{0.32, 0.5, 0.42}, 0.12)))
	r.add(bowl(0.14, r.segments), at(x, 1.8005, z-0.1), r.material(metal("copper", mgl32.Vec3{0.95, 0.55, 0.4}, 0.2)))
	r.add(sphere(0.11, r.segments), at(x, 1.8005+0.11, z-0.75), r.glass)
}

// plant is a pot with long bent leaves, in the corner by the windows.
func (r *interior) plant() {
	x, z := float32(-roomX+0.55), float32(-roomZ+0.6)
	r.add(turn([]knot{{0, 0, edge}, {0.17, 0, edge}, {0.24, 0.4, edge}, {0.215, 0.4, edge}, {0.2, 0.36, edge}, {0, 0.36, edge}}, 1, r.segments), at(x, 0.001, z),
		r.material(plastic("glazed pot", mgl32.Vec3{0.72, 0.7, 0.66}, 0.15)))
	green := plastic("leaf", mgl32.Vec3{0.07, 0.2, 0.05}, 0.35)
	green.DoubleSided = true
	leaves := r.material(green)
	for i := range 34 {
		roll := func(k uint32) float32 { return float32(hash(uint32(i), k, 83)) / math.MaxUint32 }
		r.add(leaf(0.75+0.75*roll(1), 0.05+0.03*roll(2), 0.25+0.6*roll(3)), at(x, 0.36, z).Mul4(turned(137.5*float32(i))), leaves)
	}
}

// leaf is a bent blade that grows from the origin along +z, m; bend is how much of its length it leans over.
func leaf(length, width, bend float32) mesh {
	const rows = 12
	var m mesh
	for i := range rows + 1 {
		t := float32(i) / rows
		half := width/2*float32(math.Sin(math.Pi*math.Pow(float64(t), 0.7))) + 0.002
		y, z := length*(t-0.45*bend*t*t*t), length*bend*t*t
		along := mgl32.Vec3{0, 1 - 1.35*bend*t*t, 2 * bend * t}.Normalize()
		normal := mgl32.Vec3{1, 0, 0}.Cross(along)
		for _, s := range []float32{-1, 1} {
			m.vertex(mgl32.Vec3{s * half, y, z}, normal, mgl32.Vec4{1, 0, 0, 1}, mgl32.Vec2{(s + 1) / 2, -t})
		}
	}
	m.lattice(0, rows+1, 2)
	return m
}
