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

// shiftedSample is what probe.Shift says.
type shiftedSample struct{ there, back, radianceThere, radianceBack float64 }

func (s shift) move(f *cuda.Frame, kind uint32, roughness, f0 float64) shiftedSample {
	in := append(float32s(s.from, s.to, s.x2, s.normal), float32(kind), float32(roughness), float32(f0))
	out := probe.Shift.Map(f, in)
	return shiftedSample{float64(out[0]), float64(out[1]), float64(out[2]), float64(out[3])}
}

// A sample of any kind that is moved to another pixel and back is the one that it was, and J there and back make 1.
func TestShiftThereAndBack(t *testing.T) {
	r := newRandom(23)
	f := &cuda.Frame{Restir: cuda.RestirParams{MinDistance: 0.01}}
	lights, spots := exchange(t, []cuda.Light{{Kind: cuda.LightSpot, Direction: [3]float32{0, 0, -1}, Intensity: [3]float32{2, 3, 5}, CosInner: 0.9, CosOuter: 0.3}})
	spot := &spots[0]
	f.Scene.LightScale, f.Scene.Lights, f.Scene.LightCount, f.Scene.Tables = 1, lights, 1, upload(t, cuda.Tables())
	for kind, name := range []string{cuda.SampleSurface: "surface", cuda.SampleDistant: "distant", cuda.SamplePunctual: "punctual"} {
		moved := 0
		for range 5000 {
			s := randomShift(r)
			spot.Position = [3]float32{float32(s.x2[0]), float32(s.x2[1]), float32(s.x2[2])}
			got := s.move(f, uint32(kind), r.Float64(), 0.2*r.Float64())
			if (got.there == 0) != (got.back == 0) {
				t.Fatalf("%s: %+v has a Jacobian of %g there and of %g back", name, s, got.there, got.back)
			}
			if got.there == 0 {
				continue
			}
			moved++
			if math.Abs(got.there*got.back-1) > 1e-5 {
				t.Fatalf("%s: %+v: Jacobians there and back make %g", name, s, got.there*got.back)
			}
			switch uint32(kind) {
			case cuda.SampleSurface: // coats there and back cancel
				if math.Abs(got.radianceBack-1) > 1e-5 || !(got.radianceThere > 0) {
					t.Fatalf("%s: radiance %g there and %g back, was 1", name, got.radianceThere, got.radianceBack)
				}
			case cuda.SampleDistant:
				if got.there != 1 || got.radianceThere != 1 || got.radianceBack != 1 {
					t.Fatalf("%s: %+v, want 1 of all", name, got)
				}
			case cuda.SamplePunctual: // as bright as the light is from where it is seen
				for _, v := range []struct {
					at   vec
					have float64
				}{{s.to, got.radianceThere}, {s.from, got.radianceBack}} {
					if want := spotAt(*spot, v.at); math.Abs(v.have-want) > 1e-4*(1+want) || got.there != 1 {
						t.Fatalf("%s: J %g, radiance %g at %v, want 1 and %g", name, got.there, v.have, v.at, want)
					}
				}
			}
		}
		if moved < 1000 {
			t.Errorf("%s: only %d of 5000 shifts are defined", name, moved)
		}
	}
}

// spotAt is what a spot light sends to a point, R + G + B (KHR_lights_punctual).
func spotAt(l cuda.Light, at vec) float64 {
	d := at.sub(vec{float64(l.Position[0]), float64(l.Position[1]), float64(l.Position[2])})
	cosine := d.unit().dot(vec{float64(l.Direction[0]), float64(l.Direction[1]), float64(l.Direction[2])})
	fade := (cosine - float64(l.CosOuter)) / float64(l.CosInner-l.CosOuter)
	fade = math.Min(math.Max(fade, 0), 1)
	return float64(l.Intensity[0]+l.Intensity[1]+l.Intensity[2]) * fade * fade / d.dot(d)
}

// Light is found by N light samples and by the path's own ray. Their weights add up to one, whichever techniques take part.
func TestWeightsOfLightThatIsMetSumToOne(t *testing.T) {
	r := newRandom(24)
	for _, strategy := range []uint32{cuda.SamplingMis, cuda.SamplingLight, cuda.SamplingBsdf} {
		for range 1000 {
			f := &cuda.Frame{}
			f.Sampling.Strategy, f.Restir.LightSamples = strategy, uint32(1+r.IntN(16))
			light, bsdf := math.Exp(8*r.Float64()-4), math.Exp(8*r.Float64()-4)
			m := probe.MetWeights.Map(f, []float32{float32(light), float32(bsdf)})
			if sum := float64(m[0] + m[1]); math.Abs(sum-1) > 1e-5 {
				t.Fatalf("strategy %d, densities %g and %g: weights %v add up to %g", strategy, light, bsdf, m, sum)
			}
		}
	}
}
