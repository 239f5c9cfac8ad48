package builtin

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
)

// sphere is centred on the origin, with exact normals; segments around, half as many from pole to pole.
func sphere(radius float32, segments int) mesh {
	rows := max(2, segments/2)
	run := make([]profilePoint, rows+1)
	for i := range run {
		a := math.Pi * float64(i) / float64(rows)
		sin, cos := math.Sincos(a)
		if i == rows {
			sin = 0 // the pole must close exactly
		}
		r := float64(radius)
		run[i] = profilePoint{r: r * sin, y: -r * cos, nr: sin, ny: -cos, s: r * a}
	}
	return lathe(profile{run}, segments)
}

// sphereSegments is the number of segments around with which count spheres have about that many triangles together:
// one sphere has 2·s·(s/2 − 1) ≈ s².
func sphereSegments(triangles, count int) int {
	return max(8, int(math.Round(math.Sqrt(float64(triangles)/float64(count))))&^1)
}

// ball is where a sphere of radius r stands when it rests on the floor at (x, z).
func ball(x, z, r float32) mgl32.Mat4 { return at(x, r, z) }
