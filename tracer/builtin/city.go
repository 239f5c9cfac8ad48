package builtin

import (
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
	farBankZ   = 420
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
	trees    []mgl32.Vec3 // where they stand
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
	b.camera(mgl32.Vec3{-92, 54, 262}, mgl32.Vec3{-4, 44, 0}, 36)
}

// sky is a dome with a few clouds, and the sun behind the viewer's left shoulder.
func (c *city) sky() {
	const spans = 8
	var outline []profilePoint
	for i := range spans + 1 { // from the zenith down, so that the dome looks inwards
		sin, cos := math.Sincos(math.Pi / 2 * float64(i) / spans)
		outline = append(outline, profilePoint{skyRadius * sin, skyRadius*cos - 2, -sin, -cos, skyRadius * math.Pi / 2 * float64(i) / spans})
	}
	m := emitter("sky", mgl32.Vec3{1.15, 1.15, 1.15})
	m.Textures[scene.TextureEmissive] = c.texture(painting{name: "sky", srgb: true, color: skyColor}.run())
	m.Textures[scene.TextureEmissive].Transform = scene.UVTransform{1, 0, 0, 0, -4, 0} // the dome's quarter of the outline is all of the image
	c.add(lathe(profile{outline}, 32), mgl32.Ident4(), c.material(m))
	c.sun(mgl32.Vec3{-0.72, 0.46, 0.52}.Normalize())
}

// sun is a square inside the dome, four times as wide as the real one so that shadows are soft; face on it gives about 12 lux.
func (c *city) sun(toward mgl32.Vec3) {
	const half, away = 26, skyRadius * 0.95 // m
	x := toward.Cross(mgl32.Vec3{0, 1, 0}).Normalize().Mul(-half)
	y := toward.Cross(x).Mul(-1)
	p := toward.Mul(away)
	c.add(quad([4]mgl32.Vec3{p.Sub(x).Sub(y), p.Add(x).Sub(y), p.Add(x).Add(y), p.Sub(x).Add(y)}, mgl32.Vec2{1, 1}), mgl32.Ident4(),
		c.material(emitter("sun", mgl32.Vec3{1, 0.75, 0.5}.Mul(9216))))
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
	asphalt := plastic("asphalt", mgl32.Vec3{0.09, 0.09, 0.095}, 0.7)
	c.add(boxSide(mgl32.Vec3{-skyRadius, -4, -skyRadius}, mgl32.Vec3{skyRadius, 0, quayZ}, ceiling, false), mgl32.Ident4(), c.material(asphalt))
	c.add(boxSide(mgl32.Vec3{-skyRadius, -4, -skyRadius}, mgl32.Vec3{skyRadius, 0, quayZ}, front, false), mgl32.Ident4(),
		c.material(matte("quay", mgl32.Vec3{0.36, 0.33, 0.29})))
	water := plastic("water", mgl32.Vec3{0.012, 0.035, 0.04}, 0.06)
	water.IOR = 1.33
	water.Textures[scene.TextureNormal] = c.texture(painting{name: "ripples", height: func(u, v float64) float64 {
		return 0.0016*fbm(10*u, 26*v, 10, 26, 4, 611) + 0.0005*noise(60*u, 90*v, 60, 90, 617)
	}}.run())
	water.Textures[scene.TextureNormal].Transform = scene.UVTransform{1. / 60, 0, 0, 0, 1. / 60, 0}
	c.add(boxSide(mgl32.Vec3{-skyRadius, -8, quayZ}, mgl32.Vec3{skyRadius, -3, skyRadius}, ceiling, false), mgl32.Ident4(), c.material(water))
	c.pavement = c.material(matte("pavement", mgl32.Vec3{0.42, 0.4, 0.37}))
	c.metal = c.material(metal("zinc", mgl32.Vec3{0.55, 0.57, 0.58}, 0.4))
}

// block is a pavement with houses on its lots, or a park.
func (c *city) block(x, z float32) {
	c.add(box(mgl32.Vec3{blockSide, sidewalk, blockSide}), at(x, 0.001, z), c.pavement)
	c.traffic(x, z)
	distance := mgl32.Vec2{x - 20, z + 150}.Len()
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
