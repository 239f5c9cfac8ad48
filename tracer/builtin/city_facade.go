package builtin

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
)

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
		f := f
		images := paint([]painting{
			{name: fmt.Sprintf("facade %d", f), srgb: true, color: f.color},
			roughnessMap(fmt.Sprintf("facade polish %d", f), f.polish),
		})
		c.facades[f] = facadeMaps{c.tiled(images[0]), c.tiled(images[1])}
	}
	for i, grey := range []float32{0.2, 0.32, 0.45} {
		c.roofs = append(c.roofs, c.material(matte(fmt.Sprintf("roof %d", i), mgl32.Vec3{grey, grey, 0.97 * grey})))
	}
	c.roofs = append(c.roofs, c.material(matte("copper roof", mgl32.Vec3{0.2, 0.4, 0.34})))
	for i, green := range []mgl32.Vec3{{0.09, 0.17, 0.035}, {0.14, 0.2, 0.04}, {0.06, 0.13, 0.045}, {0.3, 0.2, 0.04}} {
		c.leaves = append(c.leaves, c.material(matte(fmt.Sprintf("leaves %d", i), green)))
	}
	c.bark = c.material(matte("bark", mgl32.Vec3{0.16, 0.11, 0.07}))
}

// tiled is a texture whose image covers facadeTile windows and storeys.
func (c *city) tiled(img scene.Image) scene.TextureRef {
	ref := c.texture(img)
	ref.Transform = scene.UVTransform{1. / (facadeTile * windowAxis), 0, 0, 0, 1. / (facadeTile * storey), 0}
	return ref
}

// facadeMaterial is a wall of its own colour: no two houses share one.
func (c *city) facadeMaterial(f facade) uint32 {
	hue, light := c.random.Float32(), c.between(0.35, 0.85)
	tint := mgl32.Vec3{1, 0.93 - 0.25*hue, 0.84 - 0.45*hue}.Mul(light)
	name := c.numbered("house")
	if f == plain {
		return c.material(matte(name, tint))
	}
	m := plastic(name, tint, 1)
	if f == curtain {
		m = metal(name, mgl32.Vec3{0.5 + 0.3*hue, 0.68, 0.88 - 0.15*hue}.Mul(0.55+0.3*light), 1)
	}
	m.Textures[scene.TextureBaseColor], m.Textures[scene.TextureMetallicRoughness] = c.facades[f].color, c.facades[f].polish
	return c.material(m)
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
