package builtin

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// Measures of the conference room, m: the table stands in the middle, windows are on the left and the screen at the back.
const (
	roomX      = 3.6 // half of the width
	roomY      = 3
	roomZ      = 4.6 // half of the depth
	tableX     = 0.72
	tableZ     = 2.3
	tableTop   = 0.75
	sillHeight = 0.7
	lintel     = 2.65
)

// interior is the room while it is furnished.
type interior struct {
	*builder
	segments                      int                // around what is turned
	wood                          []scene.TextureRef // its colour, polish and relief
	leather, chrome, glass, black uint32
}

// buildInterior is a conference room with many kinds of material: wood, leather, metal, glass, cloth, lamps and screens.
func buildInterior(b *builder, opts Options) {
	r := &interior{builder: b, segments: sphereSegments(max(opts.Triangles-interiorFlat, 0), interiorTurned) &^ 3}
	r.wood = b.textures(append(newFigure().paintings([3]float64{0.6, 0.4, 0.24}, [3]float64{0.33, 0.18, 0.1}),
		painting{name: "leather relief", height: leatherRelief})...)
	hide := plastic("leather", vec3{0.16, 0.055, 0.03}, 0.45)
	hide.Textures[scene.TextureNormal] = r.wood[3]
	hide.Textures[scene.TextureNormal].Transform = scene.UVTransform{6, 0, 0, 0, 6, 0}
	r.leather, r.chrome = b.material(hide), b.material(metal("chrome", vec3{0.62, 0.63, 0.65}, 0.12))
	r.glass, r.black = b.material(glass("glass", 0, vec3{1, 1, 1}, 1)), b.material(plastic("black", vec3{0.02, 0.02, 0.022}, 0.3))
	r.shell()
	r.windows()
	r.walls()
	r.lamps()
	r.table()
	for i := range 5 {
		z := (float32(i) - 2) * 0.88
		r.chair(at(tableX+0.42, 0, z).Mul4(turned(-90 + 9*float32(i*7%3-1))))
		r.chair(at(-tableX-0.42, 0, z).Mul4(turned(90 + 11*float32(i*5%3-1))))
	}
	r.chair(at(0.05, 0, -tableZ-0.5).Mul4(turned(4)))
	b.camera(vec3{2.55, 1.72, 4.3}, vec3{-0.35, 0.92, -0.3}, 47)
}

// About how many triangles do not depend on tessellation, and how many whole spheres the rest is worth.
const interiorFlat, interiorTurned = 4000, 58

// leatherRelief is the height of grained leather, tiles.
func leatherRelief(u, v float64) float64 {
	return -0.0035 * math.Exp(-math.Abs(noise(24*u, 24*v, 24, 24, 701)+0.5*noise(48*u, 48*v, 48, 48, 702))*7)
}

// wooden is varnished wood of a tint whose image repeats every so many metres.
func (r *interior) wooden(name string, tint vec3, roughness, tile float32) uint32 {
	of := func(i int) scene.TextureRef { return tiled(r.wood[i], tile, tile) }
	return r.material(textured(plastic(name, tint, roughness), of(0), of(1), of(2)))
}

// shell is floor, carpet, ceiling and the walls without openings.
func (r *interior) shell() {
	plaster := matte("plaster", vec3{0.76, 0.74, 0.7})
	hall := room{lo: vec3{-roomX, 0, -roomZ}, hi: vec3{roomX, roomY, roomZ}, walls: map[side]scene.Material{
		right: plaster, ceiling: plaster, front: plaster, back: matte("petrol wall", vec3{0.07, 0.17, 0.2}),
	}}
	hall.addTo(r.builder)
	r.add(boxSide(hall.lo, hall.hi, floor, true), mgl32.Ident4(), r.wooden("parquet", vec3{0.95, 0.85, 0.75}, 0.4, 1.3))
	r.put(box(vec3{3.4, 0.012, 6.2}), at(0, 0.001, 0), matte("carpet", vec3{0.3, 0.28, 0.26}))
	r.add(box(vec3{2 * roomX, 0.1, 0.02}), at(0, 0.001, -roomZ+0.011), r.black)
}

// windows fill the left wall above a sill, between posts of aluminium. They stand open: glass would hide the daylight from
// shadow rays.
func (r *interior) windows() {
	wall := r.material(matte("window wall", vec3{0.74, 0.73, 0.7}))
	aluminium := r.material(metal("aluminium", vec3{0.8, 0.8, 0.8}, 0.35))
	for _, part := range [][2]float32{{0, sillHeight}, {lintel, roomY}} {
		r.add(box(vec3{0.2, part[1] - part[0], 2 * roomZ}), at(-roomX-0.1, part[0], 0), wall)
	}
	r.add(box(vec3{0.4, 0.04, 2 * roomZ}), at(-roomX+0.05, sillHeight+0.0005, 0), wall)
	for i := range 8 {
		r.add(box(vec3{0.09, lintel - sillHeight - 0.05, 0.07}), at(-roomX-0.06, sillHeight+0.045, (float32(i)-3.5)*2*roomZ/7*0.99), aluminium)
	}
	lo, hi := vec3{-roomX - 0.25, sillHeight - 0.1, -roomZ}, vec3{-roomX, lintel + 0.1, roomZ} // no larger: hidden light is noise
	day := emitter("daylight", vec3{6, 6, 6})
	day.Textures[scene.TextureEmissive] = tiled(r.texture(painting{name: "view", srgb: true, color: viewOutside}.run()), hi[2]-lo[2], hi[1]-lo[1])
	r.fix(boxSide(lo, hi, left, true), day)
}

// viewOutside is what one sees through the windows, sRGB-encoded: a bright sky, hills, and tree tops.
func viewOutside(u, v float64) [3]float64 {
	sky := blend([3]float64{0.62, 0.76, 0.93}, [3]float64{0.95, 0.95, 0.93}, smoothstep(0.1, 0.62, v))
	hills := 0.64 + 0.05*noise(4*u, 0.5, 4, 1, 711) + 0.02*noise(11*u, 0.5, 11, 1, 712)
	trees := 0.7 + 0.07*fbm(9*u, 0.5, 9, 1, 4, 713)
	c := blend(sky, [3]float64{0.5, 0.6, 0.68}, smoothstep(hills, hills+0.006, v))
	leaves := 0.75 + 0.35*fbm(60*u, 60*v, 60, 60, 3, 714)
	return blend(c, [3]float64{0.3 * leaves, 0.42 * leaves, 0.24 * leaves}, smoothstep(trees, trees+0.006, v))
}

// lamps hang over the table, and lie in the ceiling.
func (r *interior) lamps() {
	shade := turn([]knot{{0.03, 0.22, edge}, {0.05, 0.2, soft}, {0.2, 0, edge}, {0.192, 0, edge}, {0.045, 0.19, soft}, {0.0, 0.2, edge}}, 1, r.segments)
	brass, cord := r.material(metal("spun brass", brassColor, 0.25)), turn([]knot{{0.006, 0, edge}, {0.006, 1.2, edge}}, 1, 8)
	bulb := r.material(emitter("bulb", warm.Mul(95)))
	for i := range 3 {
		z := (float32(i) - 1) * 1.5
		r.add(shade, at(0, 1.78, z), brass)
		r.add(cord, at(0, 1.99, z), r.black)
		r.add(sphere(0.055, r.segments/2), at(0, 1.86, z), bulb)
	}
	for i := range 4 {
		r.ceilingLamp(vec3{2.4, roomY, (float32(i) - 1.5) * 2.1}, 0.12, 0.6, vec3{1, 0.97, 0.9}.Mul(14))
	}
}

// walls hang a screen at the back, shelves and pictures on the right, and put a plant into the corner.
func (r *interior) walls() {
	const w, h, y = 1.25, 0.7, 1.62 // of the screen: half sizes, height of its middle
	z := float32(-roomZ)
	r.add(box(vec3{2*w + 0.06, 2*h + 0.06, 0.05}), at(0, y-h-0.03, z+0.03), r.black)
	m := emitter("screen", vec3{2.4, 2.4, 2.4})
	m.Textures[scene.TextureEmissive] = r.texture(painting{name: "slide", srgb: true, color: slide}.run())
	r.fix(panel(-w, y-h, w, y+h, z+0.056), m)
	for i := range 8 { // panels of cloth that swallow sound
		hue := rainbow(float64(i)*0.05 + 0.02).Mul(0.55)
		x := float32(i%4)*0.5 + 1.65
		r.put(box(vec3{0.47, 0.9, 0.06}), at(x*float32(1-i/4*2), 1.2, z+0.031), matte(fmt.Sprintf("cloth %d", i), hue))
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
	oak := r.wooden("oak", vec3{1, 0.95, 0.85}, 0.5, 0.8)
	const depth, length, boards = 0.32, 2.6, 5
	x, z := float32(roomX-depth/2-0.005), float32(-2.6)
	for i := range boards {
		r.add(box(vec3{depth, 0.03, length}), at(x, 0.25+float32(i)*0.38, z), oak)
	}
	for i := range 4 {
		r.add(box(vec3{depth, 1.79, 0.03}), at(x-0.0005, 0.001, z+(float32(i)-1.5)*(length-0.03)/3), oak)
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
				size := vec3{0.17 + 0.06*roll(3), 0.2 + 0.12*roll(4), thick - 0.002}
				r.add(box(size), at(x, 0.281+float32(row)*0.38, z+along+thick/2), covers[n*7%14])
			}
			along += thick
		}
	}
	r.put(vase(0.42, r.segments), at(x, 1.8005, z+0.8), plastic("celadon", vec3{0.32, 0.5, 0.42}, 0.12))
	r.put(bowl(0.14, r.segments), at(x, 1.8005, z-0.1), metal("copper", vec3{0.95, 0.55, 0.4}, 0.2))
	r.add(sphere(0.11, r.segments), at(x, 1.8005+0.11, z-0.75), r.glass)
}

// plant is a pot with long bent leaves, in the corner by the windows.
func (r *interior) plant() {
	x, z := float32(-roomX+0.55), float32(-roomZ+0.6)
	r.put(turn([]knot{{0, 0, edge}, {0.17, 0, edge}, {0.24, 0.4, edge}, {0.215, 0.4, edge}, {0.2, 0.36, edge}, {0, 0.36, edge}}, 1, r.segments), at(x, 0.001, z),
		plastic("glazed pot", vec3{0.72, 0.7, 0.66}, 0.15))
	green := plastic("leaf", vec3{0.07, 0.2, 0.05}, 0.35)
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
		along := vec3{0, 1 - 1.35*bend*t*t, 2 * bend * t}.Normalize()
		normal := vec3{1, 0, 0}.Cross(along)
		for _, s := range []float32{-1, 1} {
			m.vertex(vec3{s * half, y, z}, normal, mgl32.Vec4{1, 0, 0, 1}, vec2{(s + 1) / 2, -t})
		}
	}
	m.lattice(0, rows+1, 2)
	return m
}

// pillow is a rounded block around the origin, m: a superellipsoid (Barr 1981), the squarer the smaller its exponent.
func pillow(size vec3, exponent float64, segments int) mesh {
	rows := max(segments/2, 6)
	rings := make([][]vec3, rows+1)
	for i := range rings {
		up, out := math.Sincos(math.Pi * (float64(i)/float64(rows) - 0.5))
		if i == 0 || i == rows {
			out = 0 // poles must close exactly
		}
		out, up = power(out, exponent), power(up, exponent)
		rings[i] = ring(segments, func(a float64) vec3 {
			sin, cos := math.Sincos(-a)
			return vec3{size[0] / 2 * float32(out*power(cos, exponent)), size[1] / 2 * float32(up), size[2] / 2 * float32(out*power(sin, exponent))}
		})
	}
	return loft(rings)
}

// table is a long board of walnut with an inlay of leather, on two feet of steel, and what people have left on it.
func (r *interior) table() {
	walnut := r.wooden("walnut", vec3{0.75, 0.62, 0.55}, 0.22, 1.1)
	r.add(box(vec3{2 * tableX, 0.045, 2 * tableZ}), at(0, tableTop-0.045, 0), walnut)
	r.add(box(vec3{0.3, 0.004, 2*tableZ - 0.6}), at(0, tableTop+0.0003, 0), r.leather)
	for _, s := range []float32{-1, 1} {
		r.add(box(vec3{0.9, 0.03, 0.12}), at(0, 0.0135, s*(tableZ-0.7)), r.chrome)
		r.add(box(vec3{0.14, tableTop - 0.09, 0.1}), at(0, 0.0437, s*(tableZ-0.7)), r.chrome)
	}
	r.drinks()
	r.papers()
	for _, l := range []struct{ x, z, turn float32 }{{0.42, 1.15, 95}, {-0.42, 0.3, -84}, {0.4, -0.75, 86}, {-0.4, -1.5, -97}} {
		r.laptop(at(l.x, tableTop+0.0006, l.z).Mul4(turned(l.turn)))
	}
	r.put(bowl(0.09, r.segments), at(0, tableTop+0.005, 0.05), plastic("porcelain", vec3{0.82, 0.81, 0.78}, 0.08))
	fruit := r.material(plastic("orange", vec3{0.85, 0.33, 0.04}, 0.45))
	apple := r.material(plastic("apple", vec3{0.5, 0.05, 0.04}, 0.15))
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
		r.material(plastic("blue mug", vec3{0.06, 0.16, 0.4}, 0.12)), r.material(plastic("yellow mug", vec3{0.75, 0.5, 0.06}, 0.12)),
		r.material(plastic("white mug", vec3{0.8, 0.8, 0.78}, 0.12)),
	}
	for i, p := range [][2]float32{{0.3, 1.75}, {-0.3, 0.95}, {0.28, -0.2}, {-0.33, -0.7}, {0.3, -1.7}, {-0.3, 1.9}} {
		r.add(mug, at(p[0], tableTop+0.0006, p[1]), glazes[i%3])
	}
}

// papers are sheets, folders and pencils before the empty chairs.
func (r *interior) papers() {
	paper := r.material(matte("paper", vec3{0.85, 0.85, 0.83}))
	folder := r.material(plastic("folder", vec3{0.5, 0.06, 0.05}, 0.5))
	pencil := turn([]knot{{0, 0, edge}, {0.0035, 0.01, edge}, {0.0035, 0.17, edge}, {0, 0.17, edge}}, 1, 12)
	lying := mgl32.HomogRotate3DZ(mgl32.DegToRad(90))
	yellow := r.material(plastic("pencil", vec3{0.8, 0.5, 0.05}, 0.3))
	for i, p := range [][2]float32{{-0.45, 1.6}, {0.48, 0.2}, {-0.46, -0.45}, {0.5, -1.55}} {
		where := at(p[0], tableTop+0.0006, p[1]).Mul4(turned(float32(i*53%40 - 20)))
		r.add(box(vec3{0.23, 0.006, 0.31}), where, folder)
		r.add(box(vec3{0.21, 0.004, 0.297}), where.Mul4(at(0.004, 0.0063, 0)).Mul4(turned(3)), paper)
		r.add(pencil, where.Mul4(at(0.09, 0.0141, 0.05)).Mul4(turned(65)).Mul4(lying), yellow)
	}
}

// laptop is open, its screen glowing; its user sits at +z.
func (r *interior) laptop(where mgl32.Mat4) {
	body := r.material(metal("anodised", vec3{0.56, 0.57, 0.58}, 0.38))
	r.add(box(vec3{0.31, 0.012, 0.22}), where, body)
	r.add(box(vec3{0.27, 0.0015, 0.1}), where.Mul4(at(0, 0.0123, -0.035)), r.black)
	lid := where.Mul4(at(0, 0.012, -0.11)).Mul4(mgl32.HomogRotate3DX(mgl32.DegToRad(-18)))
	r.add(box(vec3{0.31, 0.21, 0.006}), lid, body)
	r.put(panel(-0.145, 0.012, 0.145, 0.2, 0.0035), lid, emitter("display", vec3{0.7, 1.1, 1.7}))
}

// chair is a shell of leather on a star of chrome; who sits in it looks along −z.
func (r *interior) chair(where mgl32.Mat4) {
	seat := pillow(vec3{0.5, 0.09, 0.48}, 0.4, r.segments)
	rest := pillow(vec3{0.46, 0.56, 0.08}, 0.45, r.segments)
	r.add(seat, where.Mul4(at(0, 0.46, 0)), r.leather)
	r.add(rest, where.Mul4(at(0, 0.78, 0.25)).Mul4(mgl32.HomogRotate3DX(mgl32.DegToRad(10))), r.leather)
	post := turn([]knot{{0.03, 0, edge}, {0.03, 0.3, edge}, {0.02, 0.3, edge}, {0.02, 0.36, edge}}, 1, r.segments/2)
	r.add(post, where.Mul4(at(0, 0.06, 0)), r.chrome)
	for i := range 5 {
		foot := where.Mul4(turned(72 * float32(i))).Mul4(at(0.16, 0.07, 0))
		r.add(box(vec3{0.3, 0.025, 0.04}), foot, r.chrome)
		r.add(sphere(0.028, max(r.segments/3, 8)), foot.Mul4(at(0.14, -0.03, 0)), r.black)
	}
	for _, s := range []float32{-1, 1} {
		r.add(pillow(vec3{0.05, 0.03, 0.3}, 0.5, max(r.segments/2, 8)), where.Mul4(at(s*0.27, 0.66, 0.03)), r.black)
		r.add(box(vec3{0.02, 0.2, 0.03}), where.Mul4(at(s*0.265, 0.455, 0.08)), r.chrome)
	}
}
