package builtin

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// lathe turns an outline about the y axis. u goes once around, v falls with the length of the outline, m, times the turns
// of texture per metre that make a texel square where the outline is widest.
func lathe(p profile, segments int) mesh {
	widest := 0.0
	for _, run := range p {
		for _, q := range run {
			widest = max(widest, q.r)
		}
	}
	around := make([][2]float64, segments+1) // the last column closes the first bit for bit
	for j := range segments {
		sin, cos := math.Sincos(2 * math.Pi * float64(j) / float64(segments))
		around[j] = [2]float64{sin, cos}
	}
	around[segments] = around[0]
	var m mesh
	for _, run := range p {
		first := len(m.vertices)
		for _, q := range run {
			if q.r == 0 {
				q.nr, q.ny = 0, math.Copysign(1, q.ny)
			}
			for j, sc := range around {
				sin, cos := sc[0], sc[1]
				m.vertex(
					mgl32.Vec3{float32(q.r * cos), float32(q.y), float32(-q.r * sin)},
					mgl32.Vec3{float32(q.nr * cos), float32(q.ny), float32(-q.nr * sin)},
					mgl32.Vec4{float32(-sin), 0, float32(-cos), 1},
					mgl32.Vec2{float32(j) / float32(segments), float32(-q.s / (2 * math.Pi * widest))})
			}
		}
		m.lattice(first, len(run), segments+1)
	}
	return m
}
