package scene

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
)

// Clip is an animation of a file.
type Clip struct {
	Name     string
	Number   int     // of the animation in the file, from 0: those that cannot be played are counted, too
	Seconds  float64 // when its last key frame is
	channels []channel
}

// Time is where a clip is after so many seconds of playing it, s.
func (c *Clip) Time(played float64, loop bool) float64 {
	if c.Seconds <= 0 {
		return 0
	}
	if loop {
		return played - c.Seconds*math.Floor(played/c.Seconds)
	}
	return min(max(played, 0), c.Seconds)
}

// withAll adds a clip that plays all of them at once, which is what some files mean. Its number is behind those of the file.
func withAll(clips []Clip, number int) []Clip {
	if len(clips) < 2 {
		return clips
	}
	all := Clip{Name: "all", Number: number}
	for _, clip := range clips {
		all.channels = append(all.channels, clip.channels...)
		all.Seconds = max(all.Seconds, clip.Seconds)
	}
	return append(clips, all)
}

// channel changes one property of an object of the file.
type channel struct {
	property *property
	at       int // of the objects of its kind
	track    track
}

// apply writes the property at a time into its object.
func (c *channel) apply(now *moment, seconds float64) {
	var few [4]float64
	v := few[:]
	if c.track.width > len(few) {
		v = make([]float64, c.track.width)
	}
	v = v[:c.track.width]
	c.track.at(seconds, v, c.property.effect == Turns)
	c.property.set(now, c.at, v)
}

// track is values over time (glTF 2.0 §3.11).
type track struct {
	times  []float32 // s, ascending
	values []float32 // for each time width numbers; with cubic three times as many: in-tangents, values, out-tangents
	width  int
	how    gltf.Interpolation
}

// key is value k of a cubic track, or one of its tangents.
func (t *track) key(k, part int) []float32 {
	if t.how == gltf.InterpolationCubicSpline {
		k = 3*k + part
	}
	return t.values[k*t.width:][:t.width]
}

const (
	inTangent = iota
	value
	outTangent
)

// at writes the value at a time, s. Before the first key frame and after the last it stays.
func (t *track) at(seconds float64, out []float64, spherical bool) {
	next, _ := slices.BinarySearchFunc(t.times, seconds, func(at float32, seconds float64) int {
		if float64(at) <= seconds {
			return -1
		}
		return 1
	})
	k := max(next-1, 0)
	a := t.key(k, value)
	widen(out, a)
	if next == 0 || next == len(t.times) || t.how == gltf.InterpolationStep {
		return
	}
	span := float64(t.times[next]) - float64(t.times[k])
	s := (seconds - float64(t.times[k])) / span
	b := t.key(next, value)
	switch {
	case t.how == gltf.InterpolationCubicSpline:
		in, leaving := t.key(next, inTangent), t.key(k, outTangent)
		for i := range out {
			out[i] = hermite(s, float64(a[i]), span*float64(leaving[i]), float64(b[i]), span*float64(in[i]))
		}
	case spherical:
		q := mgl64.QuatSlerp(quaternion(a), shorter(quaternion(a), quaternion(b)), s)
		copy(out, []float64{q.V[0], q.V[1], q.V[2], q.W})
	default:
		for i := range out {
			out[i] = (1-s)*float64(a[i]) + s*float64(b[i])
		}
	}
}

// most is no less than any value of a track, number by number.
func (t *track) most() []float64 {
	out := make([]float64, t.width)
	for i := range out {
		out[i] = math.Inf(-1)
		for k := range t.times {
			v := float64(t.key(k, value)[i])
			if t.how == gltf.InterpolationCubicSpline && k+1 < len(t.times) {
				// Each slope adds at most 4/27 of it.
				span := float64(t.times[k+1]) - float64(t.times[k])
				slopes := math.Abs(float64(t.key(k, outTangent)[i])) + math.Abs(float64(t.key(k+1, inTangent)[i]))
				v = max(v, float64(t.key(k+1, value)[i])) + span*slopes*4/27
			}
			out[i] = max(out[i], v)
		}
	}
	return out
}

// hermite is the cubic from a to b with these slopes, at s of 0…1 (glTF 2.0, appendix C.5).
func hermite(s, a, slopeA, b, slopeB float64) float64 {
	s2, s3 := s*s, s*s*s
	return (2*s3-3*s2+1)*a + (s3-2*s2+s)*slopeA + (3*s2-2*s3)*b + (s3-s2)*slopeB
}

func quaternion(v []float32) mgl64.Quat {
	return mgl64.Quat{W: float64(v[3]), V: mgl64.Vec3{float64(v[0]), float64(v[1]), float64(v[2])}}
}

// shorter is b, or −b, which turns the same: what is nearer to a.
func shorter(a, b mgl64.Quat) mgl64.Quat {
	if a.Dot(b) < 0 {
		return b.Scale(-1)
	}
	return b
}
