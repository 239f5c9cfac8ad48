package scene

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// transform maps local space to world space.
type transform struct {
	linear mgl32.Mat3
	normal mgl32.Mat3 // cofactors: the inverse transpose but for its length, also where no inverse exists
	offset mgl32.Vec3
	mirror bool // front faces would turn over
}

func newTransform(m mgl64.Mat4) transform {
	linear := m.Mat3()
	det := linear.Det()
	sign := 1.0
	if det < 0 {
		sign = -1
	}
	// Scaling first keeps the cofactors of very small and very large transforms inside float32.
	norm := 0.0
	for _, v := range linear {
		norm = max(norm, math.Abs(v))
	}
	if norm == 0 || math.IsInf(norm, 0) || math.IsNaN(norm) {
		norm = 1
	}
	cofactor := cofactors(linear.Mul(1 / norm)).Mul(sign)
	t := transform{mirror: det < 0, offset: mgl32.Vec3{float32(m[12]), float32(m[13]), float32(m[14])}}
	for i := range 9 {
		t.linear[i], t.normal[i] = float32(linear[i]), float32(cofactor[i])
	}
	return t
}

// cofactors of m, column-major.
func cofactors(m mgl64.Mat3) mgl64.Mat3 {
	a, b, c := m.Col(0), m.Col(1), m.Col(2)
	return mgl64.Mat3FromCols(b.Cross(c), c.Cross(a), a.Cross(b))
}

func (t transform) apply(v *Vertex) {
	v.Position = t.linear.Mul3x1(v.Position).Add(t.offset)
	v.Normal = unitOr(t.normal.Mul3x1(v.Normal), mgl32.Vec3{0, 1, 0})
	v.Tangent = safeTangent(t.linear.Mul3x1(v.Tangent.Vec3()).Vec4(v.Tangent[3]), v.Normal)
	if t.mirror {
		v.Tangent[3] = -v.Tangent[3]
	}
}

// matrix is the transform as one matrix; a mirror's in the space of the mirrored mesh, whose corners stand in mirrored order.
func (t transform) matrix() mgl32.Mat4 {
	m := t.linear.Mat4()
	m.SetCol(3, t.offset.Vec4(1))
	return m
}
