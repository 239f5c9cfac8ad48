package builtin

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

// Measures of the city, m: blocks and streets repeat with the pitch; the river runs along the front.
const (
	blockSide  = 58
	street     = 16
	pitch      = blockSide + street
	quayZ      = 48
	skyRadius  = 1500
	sidewalk   = 0.18
	storey     = 3.5
	windowAxis = 3
)

// city is a town under construction.
type city struct {
	*builder
	random   *rand.Rand
	facades  map[facade]facadeMaps
	roofs    []uint32
	metal    uint32
	leaves   []uint32
	bark     uint32
	trees    []vec3 // where they stand
	pavement uint32
}

// buildCity is a skyline over a river in the late afternoon: hundreds of simple materials under a sky and a sun.
func buildCity(b *builder, opts Options) {
	c := &city{builder: b, random: rand.New(rand.NewPCG(19, 31))}
	c.sky()
	c.ground()
	c.paintFacades()
	for row := range 7 {
		for column := range 9 {
			c.block((float32(column)-4)*pitch, quayZ-12-pitch/2-float32(row)*pitch)
		}
	}
	c.promenade()
	c.plant(opts.Triangles)
	b.camera(vec3{-92, 54, 262}, vec3{-4, 44, 0}, 36)
}

// sky is a dome with a few clouds, and the sun behind the viewer's left shoulder.
func (c *city) sky() {
	const spans = 8
	var outline []profilePoint
	for i := range spans + 1 { // from the zenith down, so that the dome looks inwards
		sin, cos := math.Sincos(math.Pi / 2 * float64(i) / spans)
		outline = append(outline, profilePoint{skyRadius * sin, skyRadius*cos - 2, -sin, -cos, skyRadius * math.Pi / 2 * float64(i) / spans})
	}
	m := emitter("sky", vec3{1.15, 1.15, 1.15})
	m.Textures[scene.TextureEmissive] = c.texture(painting{name: "sky", srgb: true, color: skyColor}.run())
	m.Textures[scene.TextureEmissive].Transform = scene.UVTransform{1, 0, 0, 0, -4, 0} // the dome's quarter of the outline is all of the image
	c.fix(lathe(profile{outline}, 32), m)
	c.sun(vec3{-0.72, 0.46, 0.52}.Normalize())
}

// sun is a square inside the dome, four times as wide as the real one so that shadows are soft; face on it gives about 12 lux.
func (c *city) sun(toward vec3) {
	const half, away = 26, skyRadius * 0.95 // m
	x := toward.Cross(vec3{0, 1, 0}).Normalize().Mul(-half)
	y := toward.Cross(x).Mul(-1)
	c.fix(rectangle(toward.Mul(away), x, y), emitter("sun", vec3{1, 0.75, 0.5}.Mul(9216)))
}

// skyColor is the sky from the zenith at v = 0 to the horizon at 1, sRGB-encoded.
func skyColor(u, v float64) [3]float64 {
	zenith, horizon, haze := [3]float64{0.3, 0.47, 0.76}, [3]float64{0.74, 0.8, 0.86}, [3]float64{0.97, 0.85, 0.7}
	c := blend(zenith, horizon, smoothstep(0, 0.85, v))
	c = blend(c, haze, 0.85*smoothstep(0.72, 1, v))
	cloud := smoothstep(0.02, 0.55, fbm(8*u, 10*v, 8, 10, 5, 601)) * smoothstep(0.15, 0.5, v) * (1 - smoothstep(0.85, 1, v))
	return blend(c, [3]float64{1, 0.95, 0.9}, 0.75*cloud)
}

// ground is asphalt under the town, and water before it.
func (c *city) ground() {
	asphalt := plastic("asphalt", vec3{0.09, 0.09, 0.095}, 0.7)
	c.fix(boxSide(vec3{-skyRadius, -4, -skyRadius}, vec3{skyRadius, 0, quayZ}, ceiling, false), asphalt)
	c.fix(boxSide(vec3{-skyRadius, -4, -skyRadius}, vec3{skyRadius, 0, quayZ}, front, false), matte("quay", vec3{0.36, 0.33, 0.29}))
	water := plastic("water", vec3{0.012, 0.035, 0.04}, 0.06)
	water.IOR = 1.33
	water.Textures[scene.TextureNormal] = tiled(c.texture(painting{name: "ripples", height: func(u, v float64) float64 {
		return 0.0016*fbm(10*u, 26*v, 10, 26, 4, 611) + 0.0005*noise(60*u, 90*v, 60, 90, 617)
	}}.run()), 60, 60)
	c.fix(boxSide(vec3{-skyRadius, -8, quayZ}, vec3{skyRadius, -3, skyRadius}, ceiling, false), water)
	c.pavement = c.material(matte("pavement", vec3{0.42, 0.4, 0.37}))
	c.metal = c.material(metal("zinc", vec3{0.55, 0.57, 0.58}, 0.4))
}

// block is a pavement with houses on its lots, or a park.
func (c *city) block(x, z float32) {
	c.add(box(vec3{blockSide, sidewalk, blockSide}), at(x, 0.001, z), c.pavement)
	c.traffic(x, z)
	distance := vec2{x - 20, z + 150}.Len()
	if c.random.Float32() < 0.09 {
		c.park(x, z)
		return
	}
	lots := 2
	if distance > 130 && c.random.IntN(3) > 0 {
		lots = 3
	}
	side := float32(blockSide-4) / float32(lots)
	for i := range lots * lots {
		lx := x + (float32(i%lots)-float32(lots-1)/2)*side
		lz := z + (float32(i/lots)-float32(lots-1)/2)*side
		rise := 95 * float32(math.Exp(-float64(distance*distance)/(2*130*130)))
		height := 14 + 12*c.random.Float32() + rise*(0.25+0.95*c.random.Float32()*c.random.Float32()*1.6)
		c.house(lx, lz, side-1.5-2*c.random.Float32(), side-1.5-2*c.random.Float32(), height)
	}
}

// between is a random number.
func (c *city) between(low, high float32) float32 { return low + (high-low)*c.random.Float32() }

// traffic parks and drives cars along two sides of a block.
func (c *city) traffic(x, z float32) {
	for range 7 {
		along := c.between(-blockSide/2, blockSide/2)
		lane := float32(blockSide/2) + []float32{1.6, 5.6, 10.2, 14.2}[c.random.IntN(4)]
		c.car(at(x+along, 0.001, z+lane).Mul4(turned(90)))
		along = c.between(-blockSide/2, blockSide/2)
		c.car(at(x+lane, 0.001, z+along))
	}
}

// car stands along the z axis.
func (c *city) car(where mgl32.Mat4) {
	color := rainbow(float64(c.random.Float32()))
	if c.random.IntN(3) > 0 {
		gray := c.between(0.03, 0.75)
		color = vec3{gray, gray, gray}
	}
	c.put(box(vec3{1.8, 0.75, 4.3}), where.Mul4(at(0, 0.3, 0)), plastic(c.numbered("car"), color, 0.2))
	c.add(box(vec3{1.6, 0.55, 2.2}), where.Mul4(at(0, 1.0501, -0.2)), c.metal)
}

// park is a lawn with trees and a path.
func (c *city) park(x, z float32) {
	lawn := c.material(matte(c.numbered("lawn"), vec3{0.14, 0.23, 0.06}))
	c.add(box(vec3{blockSide - 4, 0.1, blockSide - 4}), at(x, sidewalk+0.002, z), lawn)
	c.add(box(vec3{3, 0.04, blockSide - 4}), at(x, sidewalk+0.103, z).Mul4(turned(20)), c.pavement)
	for range 26 {
		c.trees = append(c.trees, vec3{x + c.between(-26, 26), sidewalk, z + c.between(-26, 26)})
	}
}

// promenade is a row of trees along the quay, with a parapet and lanterns.
func (c *city) promenade() {
	for i := range 90 {
		c.trees = append(c.trees, vec3{(float32(i) - 45) * 7.5, 0, quayZ - 5 + c.between(-0.8, 0.8)})
	}
	c.add(box(vec3{700, 1, 0.5}), at(0, 0.001, quayZ-0.4), c.pavement)
	for i := range 48 {
		c.add(box(vec3{0.18, 5, 0.18}), at((float32(i)-24)*14, 0, quayZ-1.5), c.metal)
	}
}

// plant grows the trees, of about so many triangles in all.
func (c *city) plant(triangles int) {
	const crowns = 4 // balls of leaves on a trunk
	segments := sphereSegments(max(triangles-len(c.s.Faces), 0), crowns*len(c.trees))
	trunk := turn([]knot{{0.22, 0, edge}, {0.14, 3, edge}}, 1, 6)
	for _, where := range c.trees {
		size := c.between(0.8, 1.35)
		c.add(trunk, mgl32.Translate3D(where[0], where[1], where[2]).Mul4(mgl32.Scale3D(size, size, size)), c.bark)
		leaves := c.leaves[c.random.IntN(len(c.leaves))]
		for range crowns {
			crown := sphere(c.between(0.9, 1.7)*size, segments)
			c.add(crown, at(where[0]+c.between(-0.9, 0.9), where[1]+size*c.between(3, 4.8), where[2]+c.between(-0.9, 0.9)), leaves)
		}
	}
}

// whole rounds a length to a number of units, at least two.
func whole(length, unit float32) float32 {
	return max(float32(math.Round(float64(length/unit))), 2) * unit
}

// house builds on a lot of w × d metres around (x, z), about h high.
func (c *city) house(x, z, w, d, h float32) {
	w, d, h = whole(w-1, windowAxis), whole(d-1, windowAxis), whole(h, storey)
	switch kind := c.random.IntN(10); {
	case h > 60 && kind < 5:
		c.tower(x, z, w, d, h, c.facadeMaterial(curtain))
	case h > 60:
		c.setbacks(x, z, w, d, h, c.facadeMaterial(ribbon))
	case h > 32 && kind < 2:
		c.roundTower(x, z, min(w, d)/2, h)
	case h > 32 && kind < 7:
		c.fins(x, z, w, d, h)
	case h > 26:
		c.setbacks(x, z, w, d, h, c.facadeMaterial(punched))
	case kind < 3:
		c.gabled(x, z, w, d, min(h, 5*storey))
	default:
		c.corniced(x, z, w, d, h)
	}
}

// volume is a box of walls with a roof, its foot at height y; it returns the height of its roof.
func (c *city) volume(x, y, z, w, h, d float32, wall uint32) float32 {
	lo, hi := vec3{x - w/2, y, z - d/2}, vec3{x + w/2, y + h, z + d/2}
	for _, s := range []side{left, right, front, back} {
		c.add(boxSide(lo, hi, s, false), mgl32.Ident4(), wall)
	}
	c.add(boxSide(lo, hi, ceiling, false), mgl32.Ident4(), c.roofs[c.random.IntN(len(c.roofs))])
	return y + h
}

// frame is a low wall around a roof.
func (c *city) frame(x, y, z, w, d, height, thickness float32, material uint32) {
	for _, s := range []float32{-1, 1} {
		c.add(box(vec3{thickness, height, d + thickness}), at(x+s*w/2, y, z), material)
		c.add(box(vec3{w - thickness, height, thickness}), at(x, y, z+s*d/2), material)
	}
}

// tower is one prism of glass with a crown.
func (c *city) tower(x, z, w, d, h float32, wall uint32) {
	y := c.volume(x, sidewalk, z, w, h, d, wall)
	inner := c.between(0.5, 0.75)
	y = c.volume(x, y, z, whole(w*inner, windowAxis), whole(h*c.between(0.06, 0.2), storey), whole(d*inner, windowAxis), wall)
	c.roofTop(x, y, z, w*inner, d*inner)
	if c.random.IntN(2) == 0 {
		c.add(turn([]knot{{0.16, 0, edge}, {0.02, 1, edge}, {0, 1, edge}}, float64(c.between(14, 30)), 8), at(x, y, z), c.metal)
	}
}

// setbacks is a pile of boxes that get smaller.
func (c *city) setbacks(x, z, w, d, h float32, wall uint32) {
	y, steps := float32(sidewalk), 2+c.random.IntN(2)
	for i := range steps {
		part := whole(h*[]float32{0.5, 0.3, 0.2}[i], storey)
		y = c.volume(x, y, z, w, part, d, wall)
		c.frame(x, y, z, w-0.4, d-0.4, 1, 0.4, wall)
		if i < steps-1 {
			w, d = whole(w*c.between(0.65, 0.85), windowAxis), whole(d*c.between(0.65, 0.85), windowAxis)
		}
	}
	c.roofTop(x, y, z, w, d)
}

// fins is a slab with blades of stone between its windows.
func (c *city) fins(x, z, w, d, h float32) {
	wall := c.facadeMaterial(ribbon)
	y := c.volume(x, sidewalk, z, w, h, d, wall)
	blade := box(vec3{0.35, h + 1.2, 0.9})
	for i := range int(w/windowAxis) + 1 {
		for _, s := range []float32{-1, 1} {
			c.add(blade, at(x-w/2+float32(i)*windowAxis, sidewalk, z+s*(d/2+0.3)), wall)
		}
	}
	for i := range int(d/windowAxis) - 1 {
		for _, s := range []float32{-1, 1} {
			c.add(blade, at(x+s*(w/2+0.3), sidewalk, z-d/2+float32(i+1)*windowAxis).Mul4(turned(90)), wall)
		}
	}
	c.roofTop(x, y, z, w, d)
}

// roundTower is a cylinder with floors that stand out.
func (c *city) roundTower(x, z, r, h float32) {
	wall, floors := c.facadeMaterial(curtain), c.facadeMaterial(plain)
	shaft := turn([]knot{{float64(r), 0, edge}, {float64(r), float64(h), edge}, {0, float64(h), edge}}, 1, 32)
	c.add(shaft, at(x, sidewalk, z), wall)
	disc := turn([]knot{{0, 0, edge}, {float64(r) + 0.8, 0, edge}, {float64(r) + 0.8, 0.5, edge}, {0, 0.5, edge}}, 1, 32)
	for i := range int(h / storey) {
		c.add(disc, at(x, sidewalk+float32(i+1)*storey, z), floors)
	}
	c.roofTop(x, sidewalk+h+0.5, z, r, r)
}

// corniced is an old house with a moulding around its roof.
func (c *city) corniced(x, z, w, d, h float32) {
	wall := c.facadeMaterial(punched)
	y := c.volume(x, sidewalk, z, w, h, d, wall)
	stone := c.facadeMaterial(plain)
	c.frame(x, y-0.8, z, w+0.4, d+0.4, 0.8, 0.8, stone)
	c.frame(x, y, z, w-0.3, d-0.3, 0.9, 0.3, wall)
	c.frame(x, sidewalk+storey-0.3, z, w+0.1, d+0.1, 0.3, 0.3, stone)
	c.roofTop(x, y, z, w, d)
}

// gabled has a saddle roof of tiles.
func (c *city) gabled(x, z, w, d, h float32) {
	wall := c.facadeMaterial(punched)
	y := c.volume(x, sidewalk, z, w, h, d, wall)
	rise := min(w, d) * 0.38
	roof := c.material(matte(c.numbered("tiles"), vec3{c.between(0.3, 0.5), c.between(0.1, 0.16), c.between(0.05, 0.08)}))
	e, l := w/2+0.5, d/2+0.4
	ridge := [2]vec3{{0, rise, l}, {0, rise, -l}}
	c.add(quad([4]vec3{{e, 0, l}, {e, 0, -l}, ridge[1], ridge[0]}, vec2{1, 1}), at(x, y, z), roof)
	c.add(quad([4]vec3{{-e, 0, -l}, {-e, 0, l}, ridge[0], ridge[1]}, vec2{1, 1}), at(x, y, z), roof)
	for _, s := range []float32{-1, 1} { // gables, each a narrow quad
		c.add(quad([4]vec3{{-s * w / 2, 0, s * d / 2}, {s * w / 2, 0, s * d / 2}, {s * 0.05, rise, s * d / 2}, {-s * 0.05, rise, s * d / 2}},
			vec2{0.3, 0.3}), at(x, y, z), wall)
	}
}

// roofTop is what stands on a flat roof: machines, a stair's head, sometimes a water tank.
func (c *city) roofTop(x, y, z, w, d float32) {
	for range 2 + c.random.IntN(4) {
		size := vec3{c.between(1.2, 4), c.between(0.8, 2.6), c.between(1.2, 4)}
		c.add(box(size), at(x+c.between(-0.3, 0.3)*w, y+0.01, z+c.between(-0.3, 0.3)*d), c.metal)
	}
	if c.random.IntN(4) > 0 {
		return
	}
	tank := turn([]knot{{0, 0, edge}, {1.6, 0, edge}, {1.6, 2.8, edge}, {0, 4, edge}}, 1, 16)
	tx, tz := x+c.between(-0.3, 0.3)*w, z+c.between(-0.3, 0.3)*d
	c.add(tank, at(tx, y+2, tz), c.bark)
	for i := range 4 {
		c.add(box(vec3{0.2, 2, 0.2}), at(tx+float32(i%2)*2-1, y, tz+float32(i/2)*2-1), c.metal)
	}
}

// facade is a way to put windows into a wall.
type facade int

const (
	plain   facade = iota // none
	punched               // single windows in masonry
	ribbon                // bands
	curtain               // glass all over
)

// facadeMaps are the images of a facade: a tile is facadeTile windows wide and high.
type facadeMaps struct{ color, polish scene.TextureRef }

const facadeTile = 4

// paintFacades makes the images that all houses share, and the materials of roofs and trees.
func (c *city) paintFacades() {
	c.facades = map[facade]facadeMaps{}
	for _, f := range []facade{punched, ribbon, curtain} {
		t := c.textures(painting{name: fmt.Sprintf("facade %d", f), srgb: true, color: f.color},
			roughnessMap(fmt.Sprintf("facade polish %d", f), f.polish))
		const width, height = facadeTile * windowAxis, facadeTile * storey
		c.facades[f] = facadeMaps{tiled(t[0], width, height), tiled(t[1], width, height)}
	}
	for i, gray := range []float32{0.2, 0.32, 0.45} {
		c.roofs = append(c.roofs, c.material(matte(fmt.Sprintf("roof %d", i), vec3{gray, gray, 0.97 * gray})))
	}
	c.roofs = append(c.roofs, c.material(matte("copper roof", vec3{0.2, 0.4, 0.34})))
	for i, green := range []vec3{{0.09, 0.17, 0.035}, {0.14, 0.2, 0.04}, {0.06, 0.13, 0.045}, {0.3, 0.2, 0.04}} {
		c.leaves = append(c.leaves, c.material(matte(fmt.Sprintf("leaves %d", i), green)))
	}
	c.bark = c.material(matte("bark", vec3{0.16, 0.11, 0.07}))
}

// facadeMaterial is a wall of its own colour: no two houses share one.
func (c *city) facadeMaterial(f facade) uint32 {
	hue, light := c.random.Float32(), c.between(0.35, 0.85)
	tint := vec3{1, 0.93 - 0.25*hue, 0.84 - 0.45*hue}.Mul(light)
	name := c.numbered("house")
	if f == plain {
		return c.material(matte(name, tint))
	}
	m := plastic(name, tint, 1)
	if f == curtain {
		m = metal(name, vec3{0.5 + 0.3*hue, 0.68, 0.88 - 0.15*hue}.Mul(0.55+0.3*light), 1)
	}
	return c.material(textured(m, c.facades[f].color, c.facades[f].polish, scene.NoTexture()))
}

// numbered is a name that no other material has.
func (c *city) numbered(name string) string { return fmt.Sprintf("%s %d", name, len(c.s.Materials)) }

// pane is a place in a tile as a place in one window's field: u, v in 0…1 with the window's number.
func pane(u, v float64) (x, y float64, window uint32) {
	u, v = u*facadeTile, v*facadeTile
	return u - math.Floor(u), v - math.Floor(v), hash(uint32(u), uint32(v), 71)
}

// glazed tells how much of a place is glass, 0 or 1.
func (f facade) glazed(x, y float64) float64 {
	inside := func(x, lo, hi float64) float64 {
		return smoothstep(lo-0.008, lo, x) * (1 - smoothstep(hi, hi+0.008, x))
	}
	switch f {
	case punched:
		return inside(x, 0.3, 0.7) * inside(y, 0.22, 0.72) * (1 - inside(x, 0.485, 0.515))
	case ribbon:
		return inside(y, 0.25, 0.7) * (1 - inside(x, 0.02, 0.05))
	default:
		return inside(x, 0.03, 0.97) * inside(y, 0.02, 0.86)
	}
}

// color is the wall in grey, to be tinted by the material, and windows with blinds here and there.
func (f facade) color(u, v float64) [3]float64 {
	x, y, window := pane(u, v)
	grain := 0.9 + 0.06*fbm(32*u, 32*v, 32, 32, 3, 631)
	wall := [3]float64{grain, grain, grain}
	shade := 0.2 + 0.12*float64(window>>28)/15
	if window>>24&7 == 0 && y < 0.22+0.4*float64(window>>20&15)/15 {
		shade = 0.62 // a blind
	}
	glass := [3]float64{0.85 * shade, 0.95 * shade, 1.1 * shade}
	if f == curtain { // the material is metal: glass keeps its colour
		glass = [3]float64{0.85 + 0.5*shade/2, 0.9 + 0.3*shade/2, 1}
		wall = [3]float64{0.42, 0.43, 0.45}
	}
	return blend(wall, glass, f.glazed(x, y))
}

// polish is the roughness: glass is smooth.
func (f facade) polish(u, v float64) float64 {
	x, y, window := pane(u, v)
	return mix(0.85, 0.06+0.05*float64(window>>28)/15, f.glazed(x, y))
}
