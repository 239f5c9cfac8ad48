package cuda_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

type vec [3]float64

func (a vec) sub(b vec) vec     { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec) dot(b vec) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
func (a vec) scale(s float64) vec { return vec{a[0] * s, a[1] * s, a[2] * s} }
func (a vec) add(b vec) vec       { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) length() float64     { return math.Sqrt(a.dot(a)) }
func (a vec) unit() vec           { return a.scale(1 / a.length()) }

// float32s are the vectors' numbers in a row.
func float32s(vectors ...vec) []float32 {
	var out []float32
	for _, v := range vectors {
		out = append(out, float32(v[0]), float32(v[1]), float32(v[2]))
	}
	return out
}

// rounded is the vector that a kernel gets.
func rounded(v vec) vec {
	return vec{float64(float32(v[0])), float64(float32(v[1])), float64(float32(v[2]))}
}

// direction is uniform on the sphere.
func direction(r *rand.Rand) vec {
	return vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.unit()
}

// patchAngle is the solid angle of a small square around x2, seen from p [sr].
func patchAngle(p, x2, normal vec) float64 {
	u := normal.cross(vec{0.3, 0.5, 0.8}).unit().scale(1e-3)
	v := normal.unit().cross(u)
	a, b, c, d := x2.add(u), x2.add(v), x2.sub(u), x2.sub(v)
	return math.Abs(solidAngle([3][3]float64{a, b, c}, p)) + math.Abs(solidAngle([3][3]float64{a, c, d}, p))
}

// shift is one reconnection: x2 and its normal stay, the vertex before moves.
type shift struct{ from, to, x2, normal vec }

func randomShift(r *rand.Rand) shift {
	x2 := direction(r).scale(0.5)
	from, to := x2.add(direction(r).scale(0.2+r.Float64())), x2.add(direction(r).scale(0.2+r.Float64()))
	return shift{rounded(from), rounded(to), rounded(x2), rounded(direction(r))}
}

func (s shift) jacobian() float64 {
	out := probe.Jacobian.Map(&cuda.Frame{Restir: cuda.RestirParams{MinDistance: 0.01}}, float32s(s.from, s.to, s.x2, s.normal))
	return float64(out[0])
}

func (s shift) back() shift { return shift{s.to, s.from, s.x2, s.normal} }

// sides are the cosines at x2 towards both ends: the shift is undefined when they differ in sign.
func (s shift) sides() (float64, float64) {
	return s.from.sub(s.x2).unit().dot(s.normal), s.to.sub(s.x2).unit().dot(s.normal)
}

// The Jacobian is the ratio of the solid angles of one small patch, seen from both ends.
func TestJacobianIsARatioOfSolidAngles(t *testing.T) {
	r := newRandom(21)
	defined, undefined := 0, 0
	for range 10_000 {
		s := randomShift(r)
		j := s.jacobian()
		from, to := s.sides()
		want := patchAngle(s.to, s.x2, s.normal) / patchAngle(s.from, s.x2, s.normal)
		switch {
		case from*to < 0 || want > 10.01 || want < 1/10.01:
			undefined++
			if j != 0 {
				t.Fatalf("%+v: Jacobian %g of an undefined shift", s, j)
			}
		case want < 9.99 && want > 1/9.99 && math.Abs(from) > 0.01 && math.Abs(to) > 0.01:
			defined++
			if math.Abs(j/want-1) > 1e-3 {
				t.Fatalf("%+v: Jacobian %g, solid angles are as %g", s, j, want)
			}
		}
	}
	if defined < 2000 || undefined < 2000 {
		t.Errorf("%d defined and %d undefined shifts are too few to tell", defined, undefined)
	}
}

// The way back undoes the way there, and exists exactly when that does.
func TestJacobianOfTheWayBack(t *testing.T) {
	r := newRandom(22)
	for range 10_000 {
		s := randomShift(r)
		there, back := s.jacobian(), s.back().jacobian()
		if (there == 0) != (back == 0) {
			t.Fatalf("%+v: %g there, %g back", s, there, back)
		}
		if there != 0 && math.Abs(there*back-1) > 1e-5 {
			t.Fatalf("%+v: there and back make %g", s, there*back)
		}
	}
}

// What is too near, or not a number, cannot be shared, from neither end.
func TestJacobianRefuses(t *testing.T) {
	up, far := vec{0, 0, 1}, vec{0, 0, 0.05}
	for name, s := range map[string]shift{
		"too near":        {from: vec{0, 0, 0.009}, to: vec{0, 0, 0.02}, normal: up},
		"at the sample":   {from: vec{}, to: far, normal: up},
		"in its plane":    {from: vec{0.1, 0, 0}, to: far, normal: up},
		"other side":      {from: vec{0, 0, -0.05}, to: far, normal: up},
		"no normal":       {from: far, to: far},
		"not a number":    {from: vec{math.NaN(), 0, 1}, to: far, normal: up},
		"infinitely far":  {from: vec{0, 0, math.Inf(1)}, to: far, normal: up},
		"over the bounds": {from: vec{0, 0, 1}, to: far, normal: up},
	} {
		if there, back := s.jacobian(), s.back().jacobian(); there != 0 || back != 0 {
			t.Errorf("%s: Jacobian %g there and %g back, want none", name, there, back)
		}
	}
	if j := (shift{from: far, to: far, normal: up}).jacobian(); j != 1 {
		t.Errorf("staying has a Jacobian of %g", j)
	}
}
