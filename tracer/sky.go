package tracer

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// glow is a soft lamp of the sky: radiance falls off with the angle from toward like a von Mises-Fisher distribution.
type glow struct {
	toward    mgl32.Vec3
	sharpness float64 // the greater the smaller
	radiance  mgl32.Vec3
}

// softSky is the environment of scenes that do not light themselves: a photographer's corner with a large warm lamp over the
// left shoulder of a viewer who looks along −Z, a cool one behind, and a backdrop that darkens towards the ground.
func softSky() *Environment {
	const w, h = 128, 64
	glows := []glow{
		{mgl32.Vec3{-0.55, 0.75, 0.6}.Normalize(), 14, mgl32.Vec3{5.6, 5.3, 4.9}},
		{mgl32.Vec3{0.75, 0.45, -0.6}.Normalize(), 18, mgl32.Vec3{2.2, 2.4, 2.8}},
	}
	e := &Environment{Width: w, Height: h, Pixels: make([]float32, 0, 3*w*h)}
	for y := range h {
		sin, cos := math.Sincos(math.Pi * (float64(y) + 0.5) / h)
		for x := range w {
			// u = atan2(z, x)/2π + ½
			sinU, cosU := math.Sincos(2 * math.Pi * ((float64(x)+0.5)/w - 0.5))
			d := mgl32.Vec3{float32(sin * cosU), float32(cos), float32(sin * sinU)}
			c := backdrop(d[1])
			for _, g := range glows {
				c = c.Add(g.radiance.Mul(float32(math.Exp(g.sharpness * float64(d.Dot(g.toward)-1)))))
			}
			e.Pixels = append(e.Pixels, c[0], c[1], c[2])
		}
	}
	return e
}

// backdrop is the sky's radiance without its lamps at the height up, −1…1.
func backdrop(up float32) mgl32.Vec3 {
	zenith, horizon, ground := mgl32.Vec3{0.42, 0.48, 0.56}, mgl32.Vec3{0.36, 0.37, 0.38}, mgl32.Vec3{0.13, 0.125, 0.12}
	if up > 0 {
		return lerp(horizon, zenith, up)
	}
	t := min(-up*1.6, 1)
	return lerp(horizon, ground, t*t*(3-2*t))
}

func lerp(a, b mgl32.Vec3, t float32) mgl32.Vec3 { return a.Mul(1 - t).Add(b.Mul(t)) }
