package bvh_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// movedMeshes are pairs: a mesh, and where its triangles have gone.
func movedMeshes() map[string][2]mesh {
	twist := func(m mesh) mesh {
		out := make(mesh, len(m))
		for i, t := range m {
			for k, p := range t {
				out[i][k] = mgl32.Rotate3DY(2 * p[1]).Mul3x1(p).Add(mgl32.Vec3{0, 0.3 * p[0] * p[0], 0})
			}
		}
		return out
	}
	shuffled := soup(700)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, k int) { shuffled[i], shuffled[k] = shuffled[k], shuffled[i] })
	ball := sphere(16, 0.1)
	return map[string][2]mesh{
		"twisted":    {ball, twist(ball)},
		"elsewhere":  {cube(), cube().moved(mgl32.Vec3{50, -3, 7})},
		"shuffled":   {soup(700), shuffled},
		"collapsed":  {soup(500), repeated(500, [3]mgl32.Vec3{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}})},
		"unfolded":   {repeated(500, [3]mgl32.Vec3{}), soup(500)},
		"one, grown": {soup(1), soup(1).scaled(1e6)},
	}
}

// A tree whose triangles have moved holds every one of them after it was refitted, and rays find what they find in a search
// through all.
func TestRefit(t *testing.T) {
	batch := newRayBatch(t, 500)
	scatter(batch.Rays())
	for name, m := range movedMeshes() {
		for how, method := range methods() {
			t.Run(fmt.Sprintf("%s, %s", name, how), func(t *testing.T) {
				before, after := m[0], m[1]
				tree, err := before.build(method)
				if err != nil {
					t.Fatal(err)
				}
				tree.Refit(func(i int) [3]mgl32.Vec3 { return after[tree.Order[i]] })
				checkTree(t, after, tree)
				checkWide(t, after, tree)
				if name == "shuffled" || name == "twisted" {
					castByAll(t, how, after, newCasterFrom(t, after, tree), batch)
				}
			})
		}
	}
}
