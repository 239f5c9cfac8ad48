package scene

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// binding ties vertices to joints: sets × 4 influences per vertex.
type binding struct {
	joints  []uint32
	weights []float32
	per     int // influences per vertex
}

// normalize makes each vertex's weights sum to one.
func (b *binding) normalize() {
	for own := range slices.Chunk(b.weights, b.per) {
		sum := float32(0)
		for _, w := range own {
			sum += w
		}
		for i := range own {
			if sum > 0 {
				own[i] /= sum
			}
		}
		if sum == 0 {
			own[0] = 1
		}
	}
}

// rearrange follows vertices that were copied: new vertex i was from[i].
func (b *binding) rearrange(from []uint32) {
	if b == nil {
		return
	}
	joints, weights := make([]uint32, 0, len(from)*b.per), make([]float32, 0, len(from)*b.per)
	for _, v := range from {
		joints = append(joints, b.joints[int(v)*b.per:][:b.per]...)
		weights = append(weights, b.weights[int(v)*b.per:][:b.per]...)
	}
	b.joints, b.weights = joints, weights
}

// skin is the joints that move vertices.
type skin struct {
	nodes   []int        // of the joints
	inverse []mgl64.Mat4 // from the mesh's space at rest to each joint's; nil when all are the identity
}

// joints are the matrices that take a skinned vertex of the rest pose into the world (glTF 2.0 §3.7.3), for nodes that stand there.
func (s *skin) joints(world []mgl64.Mat4) []mgl64.Mat4 {
	out := make([]mgl64.Mat4, len(s.nodes))
	for i, node := range s.nodes {
		out[i] = world[node]
		if s.inverse != nil {
			out[i] = out[i].Mul4(s.inverse[i])
		}
	}
	return out
}

// bound takes out the influence of joints that the skin does not have, and says which was the first.
func (b *binding) bound(joints int) (err error) {
	for i, j := range b.joints {
		if int64(j) < int64(joints) {
			continue
		}
		if b.weights[i] > 0 && err == nil {
			err = fmt.Errorf("vertex %d uses joint %d, the skin has %d", i/b.per, j, joints)
		}
		b.joints[i], b.weights[i] = 0, 0
	}
	if err != nil {
		b.normalize()
	}
	return err
}

// blend is the transform of vertex v.
func (b *binding) blend(v int, joints []mgl64.Mat4) transform {
	return newTransform(b.matrix(v, joints))
}

// matrix of vertex v: the weighted sum of its joints' matrices.
func (b *binding) matrix(v int, joints []mgl64.Mat4) mgl64.Mat4 {
	var sum mgl64.Mat4
	for i := v * b.per; i < (v+1)*b.per; i++ {
		if w := b.weights[i]; w > 0 {
			sum = sum.Add(joints[b.joints[i]].Mul(float64(w)))
		}
	}
	return sum
}
