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
func clipReports(doc *gltf.Document) (out []ClipReport) {
	for i, a := range doc.Animations {
		if a == nil {
			a = &gltf.Animation{}
		}
		r := ClipReport{Name: clipName(i, a)}
		for _, s := range a.Samplers {
			if s == nil || s.Input < 0 || s.Input >= len(doc.Accessors) || len(doc.Accessors[s.Input].Max) != 1 {
				continue
			}
			r.Seconds = max(r.Seconds, doc.Accessors[s.Input].Max[0])
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

// changes are the clips of a file, and what they change in it. Nil where there is none.
type changes struct {
	clips     []Clip
	blinks    []bool // nodes whose visibility changes
	moves     []bool // nodes that are moved by themselves
	morphs    []bool // nodes whose weights change
	materials map[int]bool
	lights    map[int]*lightSource // at rest
	cameras   map[int]*lens
	relights  bool // a light changes how bright it is
}

// readClips reads the animations of the file. What is broken in them is left out, and said.
func readClips(doc *document) *changes {
	n := len(doc.Nodes)
	out := &changes{
		blinks: make([]bool, n), moves: make([]bool, n), morphs: make([]bool, n),
		materials: map[int]bool{}, lights: map[int]*lightSource{}, cameras: map[int]*lens{},
	}
	for i, a := range doc.Animations {
		if a == nil {
			continue
		}
		clip := Clip{Name: clipName(i, a), Number: i}
		for k, c := range a.Channels {
			if c == nil {
				continue
			}
			if err := out.addChannel(doc, &clip, a, c); err != nil {
				doc.warn.about(fmt.Sprintf("%s, channel %d", label("animation", i, a.Name), k), nil, "%v: not played", err)
			}
		}
		if len(clip.channels) > 0 {
			out.clips = append(out.clips, clip)
		}
	}
	if len(out.clips) == 0 {
		return nil
	}
	out.clips = withAll(out.clips, len(doc.Animations))
	return out
}

// changesWeights tells whether a clip morphs what a node draws.
func (c *changes) changesWeights(node int) bool { return c != nil && c.morphs[node] }

func (c *changes) changesMaterial(at int) bool { return c != nil && c.materials[at] }

// own are the clips of the file, without the one that addAll has added.
func (m *Motion) own() []Clip {
	if len(m.Clips) < 2 {
		return m.Clips
	}
	return m.Clips[:len(m.Clips)-1]
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

// addChannel reads a channel into a clip.
func (c *changes) addChannel(doc *document, clip *Clip, a *gltf.Animation, src *gltf.AnimationChannel) error {
	at, what, err := findTarget(doc, src)
	if err != nil || what == nil {
		return err
	}
	if src.Sampler < 0 || src.Sampler >= len(a.Samplers) || a.Samplers[src.Sampler] == nil {
		return fmt.Errorf("sampler %d does not exist", src.Sampler)
	}
	added := channel{property: what, at: at}
	if added.track, err = readTrack(doc, a.Samplers[src.Sampler], what); err != nil {
		return err
	}
	if err := c.note(doc, at, what); err != nil {
		return err
	}
	clip.channels = append(clip.channels, added)
	clip.Seconds = max(clip.Seconds, float64(added.track.times[len(added.track.times)-1]))
	return nil
}

// readTrack reads a sampler.
func readTrack(doc *document, src *gltf.AnimationSampler, what *property) (track, error) {
	t := track{how: src.Interpolation}
	if what.effect == blinks {
		t.how = gltf.InterpolationStep
	}
	times, _, err := readKeyFrames(doc, "input", src.Input)
	if err != nil {
		return t, err
	}
	for i, at := range times {
		if !(at >= 0 && at <= largest) || i > 0 && at < times[i-1] {
			return t, fmt.Errorf("key frame %d is at %v s, after one at %v s: times must rise from 0", i, at, times[max(i-1, 0)])
		}
	}
	values, components, err := readKeyFrames(doc, "output", src.Output)
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

// readKeyFrames reads an accessor that a sampler names. What it holds stays in memory with the scene.
func readKeyFrames(doc *document, what string, at int) (values []float32, components int, err error) {
	if at < 0 || at >= len(doc.Accessors) {
		return nil, 0, fmt.Errorf("%s: accessor %d does not exist", what, at)
	}
	a, err := doc.accessor(at)
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", what, err)
	}
	if a.count == 0 || doc.isMatrix(at) || what == "input" && (a.components != 1 || a.kind != gltf.ComponentFloat) {
		return nil, 0, fmt.Errorf("%s: accessor %d cannot be key frames", what, at)
	}
	if err := orElse(doc.reserve(a), doc.memory.Take("animations", 4*int64(a.count)*int64(a.components))); err != nil {
		return nil, 0, fmt.Errorf("%s: accessor %d: %w", what, at, err)
	}
	return a.floats(), a.components, nil
}
