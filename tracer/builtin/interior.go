package builtin

import (
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
	segments             int // around what is turned
	wood, polish, relief scene.TextureRef
	leather, chrome      uint32
	glass, black         uint32
}

// buildInterior is a conference room with many kinds of material: wood, leather, metal, glass, cloth, lamps and screens.
func buildInterior(b *builder, opts Options) {
	plank := newFigure()
	images := paint([]painting{
		{name: "wood", srgb: true, color: plank.color([3]float64{0.6, 0.4, 0.24}, [3]float64{0.33, 0.18, 0.1})},
		roughnessMap("wood polish", plank.polish),
		{name: "wood relief", height: plank.relief},
		{name: "leather relief", height: leatherRelief},
	})
	r := &interior{builder: b, segments: sphereSegments(max(opts.Triangles-interiorFlat, 0), interiorTurned) &^ 3}
	r.wood, r.polish, r.relief = b.texture(images[0]), b.texture(images[1]), b.texture(images[2])
	hide := plastic("leather", mgl32.Vec3{0.16, 0.055, 0.03}, 0.45)
	hide.Textures[scene.TextureNormal] = b.texture(images[3])
	hide.Textures[scene.TextureNormal].Transform = scene.UVTransform{6, 0, 0, 0, 6, 0}
	r.leather, r.chrome = b.material(hide), b.material(metal("chrome", mgl32.Vec3{0.62, 0.63, 0.65}, 0.12))
	r.glass, r.black = b.material(glass("glass", 0, mgl32.Vec3{1, 1, 1}, 1)), b.material(plastic("black", mgl32.Vec3{0.02, 0.02, 0.022}, 0.3))
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
	b.camera(mgl32.Vec3{2.55, 1.72, 4.3}, mgl32.Vec3{-0.35, 0.92, -0.3}, 47)
}

// About how many triangles do not depend on tessellation, and how many whole spheres the rest is worth.
const interiorFlat, interiorTurned = 4000, 58

// leatherRelief is the height of grained leather, tiles.
func leatherRelief(u, v float64) float64 {
	return -0.0035 * math.Exp(-math.Abs(noise(24*u, 24*v, 24, 24, 701)+0.5*noise(48*u, 48*v, 48, 48, 702))*7)
}

// wooden is varnished wood of a tint whose image repeats every so many metres.
func (r *interior) wooden(name string, tint mgl32.Vec3, roughness, tile float32) uint32 {
	m := plastic(name, tint, roughness)
	m.Textures[scene.TextureBaseColor], m.Textures[scene.TextureMetallicRoughness], m.Textures[scene.TextureNormal] = r.wood, r.polish, r.relief
	for _, ref := range []*scene.TextureRef{&m.Textures[scene.TextureBaseColor], &m.Textures[scene.TextureMetallicRoughness], &m.Textures[scene.TextureNormal]} {
		ref.Transform = scene.UVTransform{1 / tile, 0, 0, 0, 1 / tile, 0}
	}
	return r.material(m)
}

// shell is floor, carpet, ceiling and the walls without openings.
func (r *interior) shell() {
	plaster := matte("plaster", mgl32.Vec3{0.76, 0.74, 0.7})
	hall := room{lo: mgl32.Vec3{-roomX, 0, -roomZ}, hi: mgl32.Vec3{roomX, roomY, roomZ}, walls: map[side]scene.Material{
		right: plaster, ceiling: plaster, front: plaster, back: matte("petrol wall", mgl32.Vec3{0.07, 0.17, 0.2}),
	}}
	hall.addTo(r.builder)
	r.add(boxSide(hall.lo, hall.hi, floor, true), mgl32.Ident4(), r.wooden("parquet", mgl32.Vec3{0.95, 0.85, 0.75}, 0.4, 1.3))
	r.add(box(mgl32.Vec3{3.4, 0.012, 6.2}), at(0, 0.001, 0), r.material(matte("carpet", mgl32.Vec3{0.3, 0.28, 0.26})))
	r.add(box(mgl32.Vec3{2 * roomX, 0.1, 0.02}), at(0, 0.001, -roomZ+0.011), r.black)
}

// windows fill the left wall above a sill, between posts of aluminium. They stand open: glass would hide the daylight from
// shadow rays.
func (r *interior) windows() {
	wall := r.material(matte("window wall", mgl32.Vec3{0.74, 0.73, 0.7}))
	aluminium := r.material(metal("aluminium", mgl32.Vec3{0.8, 0.8, 0.8}, 0.35))
	for _, part := range [][2]float32{{0, sillHeight}, {lintel, roomY}} {
		r.add(box(mgl32.Vec3{0.2, part[1] - part[0], 2 * roomZ}), at(-roomX-0.1, part[0], 0), wall)
	}
	r.add(box(mgl32.Vec3{0.4, 0.04, 2 * roomZ}), at(-roomX+0.05, sillHeight+0.0005, 0), wall)
	for i := range 8 {
		r.add(box(mgl32.Vec3{0.09, lintel - sillHeight - 0.05, 0.07}), at(-roomX-0.06, sillHeight+0.045, (float32(i)-3.5)*2*roomZ/7*0.99), aluminium)
	}
	lo, hi := mgl32.Vec3{-roomX - 0.25, sillHeight - 0.1, -roomZ}, mgl32.Vec3{-roomX, lintel + 0.1, roomZ} // no larger: hidden light is noise
	day := emitter("daylight", mgl32.Vec3{6, 6, 6})
	day.Textures[scene.TextureEmissive] = r.texture(painting{name: "view", srgb: true, color: viewOutside}.run())
	day.Textures[scene.TextureEmissive].Transform = scene.UVTransform{1 / (hi[2] - lo[2]), 0, 0, 0, 1 / (hi[1] - lo[1]), 0}
	r.add(boxSide(lo, hi, left, true), mgl32.Ident4(), r.material(day))
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
		r.ceilingLamp(mgl32.Vec3{2.4, roomY, (float32(i) - 1.5) * 2.1}, 0.12, 0.6, mgl32.Vec3{1, 0.97, 0.9}.Mul(14))
	}
}
