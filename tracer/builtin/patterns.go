package builtin

import (
	"math"
	"sync"
)

// woodRings is how many growth rings cross one tile of the wood texture.
const woodRings = 7

// woodGrain is the figure of wood whose fibres run along v: how far the growth ring has ripened, 0…1, and the darkness of
// the pores, 0…1.
func woodGrain(u, v float64) (ring, pore float64) {
	sway := 0.9*fbm(2*u, v, 2, 1, 3, 301) + 0.25*noise(6*u, 3*v, 6, 3, 305)
	phase := woodRings*u + 1.4*sway
	phase -= math.Floor(phase)
	ring = smoothstep(0, 0.75, phase) * (1 - smoothstep(0.9, 1, phase))
	pore = smoothstep(0.25, 0.65, noise(160*u+3*sway, 6*v, 160, 6, 311)+0.4*noise(70*u, 3*v, 70, 3, 313))
	return ring, pore
}

// figure is the grain of one plank at every texel, which colour, polish and relief share.
type figure func() [][2]float64

// newFigure computes the grain when it is first wanted.
func newFigure() figure {
	return sync.OnceValue(func() [][2]float64 {
		const n = textureSize
		grain := make([][2]float64, n*n)
		for i := range grain {
			grain[i][0], grain[i][1] = woodGrain((float64(i%n)+0.5)/n, (float64(i/n)+0.5)/n)
		}
		return grain
	})
}

// at is ring and pore of woodGrain at the centre of a texel.
func (f figure) at(u, v float64) (ring, pore float64) {
	g := f()[int(v*textureSize)*textureSize+int(u*textureSize)]
	return g[0], g[1]
}

// color paints growth rings from the light early wood to the dark late wood, with dark pores.
func (f figure) color(light, dark [3]float64) func(u, v float64) [3]float64 {
	return func(u, v float64) [3]float64 {
		ring, pore := f.at(u, v)
		tint := 0.5 + 0.5*fbm(3*u, v, 3, 1, 2, 331)
		return blend(blend(light, dark, min(0.8*ring+0.25*tint, 1)), blend(dark, [3]float64{}, 0.5), 0.7*pore)
	}
}

// polish is the roughness of varnished wood: pores and late wood take the polish less well.
func (f figure) polish(u, v float64) float64 {
	ring, pore := f.at(u, v)
	return 0.55 + 0.2*ring + 0.25*pore
}

// relief is the height of varnished wood, tiles: pores sink a little.
func (f figure) relief(u, v float64) float64 {
	ring, pore := f.at(u, v)
	return -0.00022*pore + 0.0003*ring
}

// paintings are the colour, the polish and the relief of varnished wood.
func (f figure) paintings(light, dark [3]float64) []painting {
	return []painting{
		{name: "wood", srgb: true, color: f.color(light, dark)}, roughnessMap("wood polish", f.polish), {name: "wood relief", height: f.relief},
	}
}

// stone is the look of one marble: sRGB-encoded colours and how wide its veins are.
type stone struct {
	ground, cloud, vein [3]float64
	width               float64
	seed                uint32
}

// marble paints veins: the zero lines of a noise whose domain another noise has warped, broad faint ones and fine sharp ones.
func marble(name string, s stone) painting {
	return painting{name: name, srgb: true, color: func(u, v float64) [3]float64 {
		wx := fbm(4*u, 4*v, 4, 4, 3, s.seed)
		wy := fbm(4*u, 4*v, 4, 4, 3, s.seed+20)
		x, y := 3*u+0.7*wx, 3*v+0.7*wy
		broad := math.Exp(-math.Abs(noise(x, y, 3, 3, s.seed+40)) / (2.2 * s.width))
		fine := math.Exp(-math.Abs(noise(2*x+wy, 2*y+wx, 6, 6, s.seed+60)) / s.width)
		where := smoothstep(-0.25, 0.35, wx+wy) // fine veins come in swarms
		c := blend(s.ground, s.cloud, smoothstep(-0.5, 0.6, wy-wx))
		return blend(c, s.vein, min(0.75*broad*(0.55+wx)+0.8*fine*where, 0.95))
	}}
}

// brush is noise drawn out along u, as a wire brush or a lathe tool leaves it, about −1…1.
func brush(u, v float64) float64 {
	return 0.6*noise(3*u, 120*v, 3, 120, 401) + 0.5*noise(7*u, 250*v, 7, 250, 402) + 0.4*noise(u, 40*v, 1, 40, 403)
}

// brushedPolish is the roughness of brushed metal, a factor of the material's own.
func brushedPolish(u, v float64) float64 {
	return 0.72 + 0.28*brush(u, v) + 0.15*fbm(4*u, 4*v, 4, 4, 4, 404)
}

// brushedRelief is the height of brushed metal, tiles.
func brushedRelief(u, v float64) float64 { return 0.0003 * brush(u, v) }
