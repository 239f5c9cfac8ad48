package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
)

// withoutMatrix gives a node translation, rotation and scale in the place of its matrix, if they can say the same.
func withoutMatrix(n *gltf.Node) {
	if n.Matrix == gltf.DefaultMatrix {
		return
	}
	const exact = 1e-6 // of the largest number
	m := mgl64.Mat4(n.Matrix)
	linear, size := m.Mat3(), 0.0
	for _, x := range linear {
		size = max(size, math.Abs(x))
	}
	var scale [3]float64
	turn := linear
	for axis := range scale {
		scale[axis] = linear.Col(axis).Len()
		if axis == 0 && linear.Det() < 0 {
			scale[axis] = -scale[axis]
		}
		if scale[axis] == 0 {
			return
		}
		turn.SetCol(axis, linear.Col(axis).Mul(1/scale[axis]))
	}
	q := mgl64.Mat4ToQuat(turn.Mat4()).Normalize()
	out := gltf.Node{
		Matrix: gltf.DefaultMatrix, Translation: [3]float64(m.Col(3).Vec3()), Rotation: [4]float64{q.V[0], q.V[1], q.V[2], q.W}, Scale: scale,
	}
	for i, x := range localMatrix(&out) {
		if tolerance := exact * size; i < 12 && !(math.Abs(x-m[i]) <= tolerance) {
			return
		}
	}
	n.Matrix, n.Translation, n.Rotation, n.Scale = out.Matrix, out.Translation, out.Rotation, out.Scale
}
