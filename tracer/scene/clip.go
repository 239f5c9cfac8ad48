package scene

import (
	"fmt"
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

// channel changes one property of an object of the file.
type channel struct {
	property *property
	at       int // of the objects of its kind
	track    track
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

// apply writes the property at a time into its object.
func (c *channel) apply(now *moment, seconds float64) {
	var few [4]float64
	v := few[:]
	if c.track.width > len(few) {
		v = make([]float64, c.track.width)
	}
	v = v[:c.track.width]
	c.track.at(seconds, v, c.property.effect == turns)
	c.property.set(now, c.at, v)
}

// clipReports lists the animations of the file by what their accessors say, without reading them.
func (l *loader) clipReports() (out []ClipReport) {
	for i, a := range l.Animations {
		if a == nil {
			a = &gltf.Animation{}
		}
		r := ClipReport{Name: clipName(i, a)}
		for _, s := range a.Samplers {
			if s == nil || s.Input < 0 || s.Input >= len(l.Accessors) || len(l.Accessors[s.Input].Max) != 1 {
				continue
			}
			r.Seconds = max(r.Seconds, l.Accessors[s.Input].Max[0])
		}
		out = append(out, r)
	}
	return out
}

func clipName(i int, a *gltf.Animation) string {
	if a.Name != "" {
		return a.Name
	}
	return fmt.Sprintf("animation %d", i)
}

// readClips reads the animations of the file. What is broken in them is left out, and said.
func (l *loader) readClips() {
	if len(l.Animations) == 0 {
		return
	}
	n := len(l.Nodes)
	l.motion = &Motion{bounds: map[int]bounds{}, blinks: make([]bool, n), moves: make([]bool, n), morphs: make([]bool, n), skins: l.skins}
	l.motion.start = moment{hidden: make([]bool, n), materials: map[int]*materialSource{}, lights: map[int]*lightSource{}, cameras: map[int]*lens{}}
	for i, a := range l.Animations {
		if a == nil {
			continue
		}
		clip := Clip{Name: clipName(i, a), Number: i}
		for k, c := range a.Channels {
			if c == nil {
				continue
			}
			if err := l.addChannel(&clip, a, c); err != nil {
				l.warn.about(fmt.Sprintf("%s, channel %d", label("animation", i, a.Name), k), nil, "%v: not played", err)
			}
		}
		if len(clip.channels) > 0 {
			l.motion.Clips = append(l.motion.Clips, clip)
		}
	}
	if len(l.motion.Clips) == 0 {
		l.motion = nil
		return
	}
	l.motion.addAll(len(l.Animations))
}

// own are the clips of the file, without the one that addAll has added.
func (m *Motion) own() []Clip {
	if len(m.Clips) < 2 {
		return m.Clips
	}
	return m.Clips[:len(m.Clips)-1]
}

// addAll adds a clip that plays all of them at once, which is what some files mean. Its number is behind those of the file.
func (m *Motion) addAll(number int) {
	if len(m.Clips) < 2 {
		return
	}
	all := Clip{Name: "all", Number: number}
	for _, clip := range m.Clips {
		all.channels = append(all.channels, clip.channels...)
		all.Seconds = max(all.Seconds, clip.Seconds)
	}
	m.Clips = append(m.Clips, all)
}

// addChannel reads a channel into a clip.
func (l *loader) addChannel(clip *Clip, a *gltf.Animation, src *gltf.AnimationChannel) error {
	at, what, err := l.target(src)
	if err != nil || what == nil {
		return err
	}
	if src.Sampler < 0 || src.Sampler >= len(a.Samplers) || a.Samplers[src.Sampler] == nil {
		return fmt.Errorf("sampler %d does not exist", src.Sampler)
	}
	c := channel{property: what, at: at}
	if c.track, err = l.track(a.Samplers[src.Sampler], what); err != nil {
		return err
	}
	if err := what.of.note(l, at, what); err != nil {
		return err
	}
	clip.channels = append(clip.channels, c)
	clip.Seconds = max(clip.Seconds, float64(c.track.times[len(c.track.times)-1]))
	return nil
}

// track reads a sampler.
func (l *loader) track(src *gltf.AnimationSampler, what *property) (track, error) {
	t := track{how: src.Interpolation}
	if what.effect == blinks {
		t.how = gltf.InterpolationStep
	}
	times, _, err := l.keyFrames("input", src.Input)
	if err != nil {
		return t, err
	}
	for i, at := range times {
		if !(at >= 0 && at <= largest) || i > 0 && at < times[i-1] {
			return t, fmt.Errorf("key frame %d is at %v s, after one at %v s: times must rise from 0", i, at, times[max(i-1, 0)])
		}
	}
	values, components, err := l.keyFrames("output", src.Output)
	if err != nil {
		return t, err
	}
	parts := len(times)
	if t.how == gltf.InterpolationCubicSpline {
		parts *= 3
	}
	want := max(1, what.width)
	switch {
	case components != want:
		return t, fmt.Errorf("accessor %d has %d components, not %d", src.Output, components, want)
	case len(values) == 0 || len(values)%parts != 0 || what.width > 0 && len(values)/parts != want:
		return t, fmt.Errorf("accessor %d has %d elements, which do not fit %d key frames", src.Output, len(values)/components, len(times))
	case !slices.ContainsFunc(values, func(x float32) bool { return !(math.Abs(float64(x)) <= largest) }):
		t.times, t.values, t.width = times, values, len(values)/parts
		return t, nil
	}
	return t, fmt.Errorf("accessor %d holds values that are not finite, or beyond %g", src.Output, float64(largest))
}

// keyFrames reads an accessor that a sampler names. What it holds stays in memory with the scene.
func (l *loader) keyFrames(what string, at int) (values []float32, components int, err error) {
	if at < 0 || at >= len(l.Accessors) {
		return nil, 0, fmt.Errorf("%s: accessor %d does not exist", what, at)
	}
	a, err := l.accessor(at)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", what, err)
	}
	if a.count == 0 || l.isMatrix(at) || what == "input" && (a.components != 1 || a.kind != gltf.ComponentFloat) {
		return nil, 0, fmt.Errorf("%s: accessor %d cannot be key frames", what, at)
	}
	if err := orElse(l.reserve(a), l.memory.Take("animations", 4*int64(a.count)*int64(a.components))); err != nil {
		return nil, 0, fmt.Errorf("%s: accessor %d: %w", what, at, err)
	}
	return a.floats(), a.components, nil
}
