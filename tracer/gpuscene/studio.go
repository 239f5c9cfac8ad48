package gpuscene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// softbox is a rectangular lamp far away. Its edges are what polished surfaces show of it.
type softbox struct {
	toward    mgl32.Vec3
	halfWidth float32 // tangents of half the angles that it covers
	halfTall  float32
	radiance  mgl32.Vec3
}

// softEdge is the width over which a softbox fades out, as the tangent of an angle.
const softEdge = 0.06

// seen is how much of the lamp there is in a direction, 0…1. It is brightest in the middle, as a cloth before a bulb is.
func (l *softbox) seen(d mgl32.Vec3) float32 {
	toward := l.toward.Normalize()
	ahead := d.Dot(toward)
	if ahead <= 0 {
		return 0
	}
	right := mgl32.Vec3{0, 1, 0}.Cross(toward).Normalize()
	x, y := d.Dot(right)/ahead, d.Dot(toward.Cross(right))/ahead
	inside := func(v, half float32) float32 {
		t := min(max((half-float32(math.Abs(float64(v))))/softEdge+0.5, 0), 1)
		return t * t * (3 - 2*t)
	}
	dim := 1 - 0.35*min((x*x)/(l.halfWidth*l.halfWidth)+(y*y)/(l.halfTall*l.halfTall), 1)
	return inside(x, l.halfWidth) * inside(y, l.halfTall) * dim
}

// studioEnvironment is the environment of scenes that do not light themselves: a photographer's corner with a large warm lamp over the
// left shoulder of a viewer who looks along −Z, a weak one on the other side, a cool strip behind each flank, and a backdrop
// that darkens towards the ground.
func studioEnvironment() *Environment {
	const w, h = 512, 256
	softboxes := []softbox{
		{mgl32.Vec3{-0.6, 0.62, 0.62}, 0.42, 0.34, mgl32.Vec3{5.6, 5.2, 4.7}},
		{mgl32.Vec3{0.85, 0.3, 0.5}, 0.3, 0.45, mgl32.Vec3{0.75, 0.8, 0.9}},
		{mgl32.Vec3{0.8, 0.3, -0.75}, 0.12, 0.8, mgl32.Vec3{4.2, 4.7, 5.4}},
		{mgl32.Vec3{-0.95, 0.25, -0.6}, 0.09, 0.7, mgl32.Vec3{2.6, 2.9, 3.3}},
	}
	e := &Environment{Width: w, Height: h, Pixels: make([]float32, 0, 3*w*h)}
	for y := range h {
		for x := range w {
			d := directionOf(x, y, w, h)
			c := gradient(d[1])
			for i := range softboxes {
				c = c.Add(softboxes[i].radiance.Mul(softboxes[i].seen(d)))
			}
			e.Pixels = append(e.Pixels, c[0], c[1], c[2])
		}
	}
	return e
}

// gradient is the sky's radiance without its lamps at the height up, −1…1.
func gradient(up float32) mgl32.Vec3 {
	zenith, horizon, ground := mgl32.Vec3{0.30, 0.33, 0.38}, mgl32.Vec3{0.27, 0.275, 0.285}, mgl32.Vec3{0.10, 0.097, 0.094}
	if up > 0 {
		return lerp(horizon, zenith, up)
	}
	t := min(-up*1.6, 1)
	return lerp(horizon, ground, t*t*(3-2*t))
}

func lerp(a, b mgl32.Vec3, t float32) mgl32.Vec3 { return a.Mul(1 - t).Add(b.Mul(t)) }
