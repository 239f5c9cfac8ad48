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
