package rays_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/rays"
)

var room = rays.Room{Min: mgl32.Vec3{-3, 0, -3}, Max: mgl32.Vec3{3, 2, 3}}

// floor is a triangle at y = 0 that faces down, so that the normal must be turned.
var floor = []cuda.Triangle{{V0: [3]float32{-9, 0, -9}, E1: [3]float32{30, 0, 0}, E2: [3]float32{0, 0, 30}}}

// downwards is n rays from 1 m above the floor, every other of which misses.
func downwards(n int) ([]cuda.Ray, []cuda.Hit) {
	first, hits := make([]cuda.Ray, n), make([]cuda.Hit, n)
	for i := range first {
		first[i] = cuda.Ray{Origin: [3]float32{0, 1, 0}, Direction: [3]float32{0, -1, 0}, TMax: 5}
		hits[i] = cuda.Hit{T: 1}
		if i%2 == 1 {
			hits[i].Triangle = cuda.NoHit
		}
	}
	return first, hits
}

func TestPrimaryGoesByTiles(t *testing.T) {
	got := rays.Primary(17, 9, func(x, y float32) cuda.Ray { return cuda.Ray{Origin: [3]float32{x, y, 0}} })
	if len(got) != 16*8 {
		t.Fatalf("%d rays of 17×9 pixels, want whole tiles", len(got))
	}
	for i, want := range map[int][3]float32{0: {0.5, 0.5}, 7: {7.5, 0.5}, 8: {0.5, 1.5}, 32: {8.5, 0.5}, 64: {0.5, 4.5}, 127: {15.5, 7.5}} {
		if got[i].Origin != want {
			t.Errorf("ray %d is of pixel %v, want %v", i, got[i].Origin, want)
		}
	}
}

func TestLeave(t *testing.T) {
	const n = 20000
	first, hits := downwards(n)
	for _, k := range rays.Kinds() {
		out := room.Leave(k, first, hits, floor, 1)
		var cosine float64
		for i, r := range out {
			if k.Name == "primary" || i%2 == 1 {
				if r != first[i] {
					t.Fatalf("%s: ray %d was changed", k.Name, i)
				}
				continue
			}
			if r.Origin[1] <= 0 || r.Direction[1] <= 0 {
				t.Fatalf("%s: ray %d leaves on the wrong side: %v", k.Name, i, r)
			}
			end := mgl32.Vec3(r.Origin).Add(mgl32.Vec3(r.Direction).Mul(r.TMax))
			if k.AnyHit && (math.Abs(float64(end[1])-1.95) > 1e-4 || math.Abs(float64(end[0])) > 1.001 || math.Abs(float64(end[2])) > 1.001) {
				t.Fatalf("shadow ray %d ends at %v", i, end)
			}
			cosine += float64(r.Direction[1])
		}
		if mean := cosine / (n / 2); k.Name == "bounce" && math.Abs(mean-2./3) > 0.01 {
			t.Errorf("the mean cosine of bounces is %.3f, want 2/3", mean)
		}
	}
}
