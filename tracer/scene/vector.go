package scene

import (
	"math"
	"strconv"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// largest coordinate that is taken, m: beyond it the products of a ray test overflow.
const largest = 1e15

// finite32 narrows v and keeps it finite.
func finite32(v float64) float32 {
	return float32(max(-math.MaxFloat32, min(math.MaxFloat32, v)))
}

// narrow scales v into float32's range: only its direction is kept.
func narrow(v mgl64.Vec3) mgl32.Vec3 {
	if length := v.Len(); length > 0 {
		v = v.Mul(1 / length)
	}
	return Single(v)
}

// Wide is v in double precision.
func Wide(v mgl32.Vec3) mgl64.Vec3 { return mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])} }

// Single is v in single precision.
func Single(v mgl64.Vec3) mgl32.Vec3 { return mgl32.Vec3{float32(v[0]), float32(v[1]), float32(v[2])} }

// position is the translation of m, m.
func position(m mgl64.Mat4) mgl32.Vec3 {
	return mgl32.Vec3{finite32(m[12]), finite32(m[13]), finite32(m[14])}
}

// unitOr is v at unit length, or fallback when v has no direction.
func unitOr(v, fallback mgl32.Vec3) mgl32.Vec3 {
	square := v.Dot(v)
	if square > 1e-30 && square < 1e30 {
		return v.Mul(1 / float32(math.Sqrt(float64(square))))
	}
	top := max(abs32(v[0]), abs32(v[1]), abs32(v[2]))
	if !(top > 0) || math.IsInf(float64(top), 0) {
		return fallback
	}
	v = mgl32.Vec3{v[0] / top, v[1] / top, v[2] / top}
	return v.Mul(1 / v.Len())
}

func abs32(v float32) float32 { return float32(math.Abs(float64(v))) }

// safeTangent is t as a unit tangent of normal n, or any perpendicular when t has no use.
func safeTangent(t mgl32.Vec4, n mgl32.Vec3) mgl32.Vec4 {
	w := float32(1)
	if t[3] < 0 {
		w = -1
	}
	v := unitOr(t.Vec3(), mgl32.Vec3{})
	v = v.Sub(n.Mul(n.Dot(v)))
	if square := v.Dot(v); square > 1e-8 {
		return v.Mul(1 / float32(math.Sqrt(float64(square)))).Vec4(w)
	}
	return perpendicular(n).Vec4(w)
}

// perpendicular is a unit vector at right angles to the unit vector n, without branches
// (Duff et al., Building an Orthonormal Basis, Revisited, 2017).
func perpendicular(n mgl32.Vec3) mgl32.Vec3 {
	sign := float32(math.Copysign(1, float64(n[2])))
	a := -1 / (sign + n[2])
	return mgl32.Vec3{1 + sign*n[0]*n[0]*a, sign * n[0] * n[1] * a, -sign * n[0]}
}

func finite(v []float32) bool {
	for _, x := range v {
		if !(x >= -largest && x <= largest) {
			return false
		}
	}
	return true
}

// cross64 is (b − a) × (c − a), m². In float64, where even a micrometre's triangle has a normal.
func cross64(a, b, c mgl32.Vec3) [3]float64 {
	var u, v [3]float64
	for i := range 3 {
		u[i] = float64(b[i]) - float64(a[i])
		v[i] = float64(c[i]) - float64(a[i])
	}
	return [3]float64{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]}
}

// shortest is v with as few decimals as tell it from other single numbers.
func shortest(v float32) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
	if err != nil {
		return float64(v)
	}
	return out
}

// unit32 clamps v to 0…1.
func unit32(v float64) float32 { return float32(max(0, min(1, v))) }

func vec3(v [3]float64) mgl32.Vec3 {
	return mgl32.Vec3{least0(v[0]), least0(v[1]), least0(v[2])}
}

func vec4(v [4]float64) mgl32.Vec4 {
	return vec3([3]float64(v[:3])).Vec4(unit32(v[3]))
}

// unitColor clamps each component to 0…1, as a reflectance must be.
func unitColor(v [3]float64) mgl32.Vec3 { return mgl32.Vec3{unit32(v[0]), unit32(v[1]), unit32(v[2])} }

func least0(v float64) float32 { return max(0, finite32(v)) }

func above0(v float64) float32 { return max(finite32(v), math.SmallestNonzeroFloat32) }

var inf = math.Inf(1)

func widen(to []float64, v []float32) {
	for i := range to {
		to[i] = float64(v[i])
	}
}
