package view

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
)

// Lens is a camera as kernels have it.
type Lens = cuda.Camera

// nearest is how far ahead of the lens a point must lie to be seen, m.
const nearest = 1e-4

// Segment is where a line of the scene is seen, from one point to another, 0…1 from the image's top left. What lies behind the camera is cut
// off; ok is false where all of it does.
func Segment(c Lens, from, to mgl32.Vec3) (a, b [2]float32, ok bool) {
	forward, eye := mgl32.Vec3(c.Forward), mgl32.Vec3(c.Eye)
	if c.OrthoHalfHeight == 0 {
		p, q := from.Sub(eye).Dot(forward)-nearest, to.Sub(eye).Dot(forward)-nearest
		switch {
		case p <= 0 && q <= 0:
			return a, b, false
		case p <= 0:
			from = from.Add(to.Sub(from).Mul(p / (p - q)))
		case q <= 0:
			to = to.Add(from.Sub(to).Mul(q / (q - p)))
		}
	}
	return project(c, from), project(c, to), true
}

// project is where a point ahead of the camera is seen.
func project(c Lens, p mgl32.Vec3) [2]float32 {
	off := p.Sub(mgl32.Vec3(c.Eye))
	x, y, half := off.Dot(mgl32.Vec3(c.Right)), off.Dot(mgl32.Vec3(c.Up)), c.OrthoHalfHeight
	if half == 0 {
		half = max(off.Dot(mgl32.Vec3(c.Forward)), nearest) * c.TanHalfFovY
	}
	return [2]float32{0.5 + x/(2*half*c.Aspect), 0.5 - y/(2*half)}
}
