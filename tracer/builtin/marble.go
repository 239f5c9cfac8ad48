package builtin

import "math"

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
