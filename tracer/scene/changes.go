package scene

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"
)

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

func clipName(i int, a *gltf.Animation) string { return cmp.Or(a.Name, fmt.Sprintf("animation %d", i)) }

// changes are the clips of a file, and what they and edits change in it. Nil where nothing does.
type changes struct {
	clips     []Clip
	blinks    []bool // nodes whose visibility changes
	moves     []bool // nodes that are moved by themselves
	morphs    []bool // nodes whose weights change
	materials map[int]bool
	lights    map[int]*lightSource // at rest
	cameras   map[int]*lens
	relights  bool                         // a light changes how bright it is
	glows     map[int]bool                 // materials that edits may have glow
	adds      map[int][]*materialExtension // what edits give materials
}

// newChanges has none yet.
func newChanges(doc *document) *changes {
	n := len(doc.Nodes)
	return &changes{
		blinks: make([]bool, n), moves: make([]bool, n), morphs: make([]bool, n),
		materials: map[int]bool{}, lights: map[int]*lightSource{}, cameras: map[int]*lens{},
		glows: map[int]bool{}, adds: map[int][]*materialExtension{},
	}
}

// readClips reads the animations of the file. What is broken in them is left out, and said.
func (c *changes) readClips(doc *document) {
	for i, a := range doc.Animations {
		if a == nil {
			continue
		}
		clip := Clip{Name: clipName(i, a), Number: i}
		for k, src := range a.Channels {
			if src == nil {
				continue
			}
			if err := c.addChannel(doc, &clip, a, src); err != nil {
				doc.warn.about(fmt.Sprintf("%s, channel %d", label("animation", i, a.Name), k), nil, "%v: not played", err)
			}
		}
		if len(clip.channels) > 0 {
			c.clips = append(c.clips, clip)
		}
	}
	c.clips = withAll(c.clips, len(doc.Animations))
}

// changesWeights tells whether what a node draws is morphed.
func (c *changes) changesWeights(node int) bool { return c != nil && c.morphs[node] }

func (c *changes) changesMaterial(at int) bool { return c != nil && c.materials[at] }

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
	if what.effect == Blinks {
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
	if err := cmp.Or(doc.reserve(a), doc.memory.Take("animations", 4*int64(a.count)*int64(a.components))); err != nil {
		return nil, 0, fmt.Errorf("%s: accessor %d: %w", what, at, err)
	}
	return a.floats(), a.components, nil
}

// note notes that a property of an object changes. An error says why it does not.
func (c *changes) note(doc *document, at int, p *property) error {
	switch p.of {
	case &animatedNode:
		return c.noteNode(doc, at, p)
	case &animatedMaterial:
		return c.noteMaterial(doc, at, p)
	case &animatedLight:
		return c.noteLight(doc, at, p)
	}
	lens := lensOf(doc.Cameras[at])
	c.cameras[at] = &lens
	return nil
}

func (c *changes) noteNode(doc *document, at int, p *property) error {
	switch p.effect {
	case Morphs:
		c.morphs[at] = true
	case Blinks:
		c.blinks[at], c.moves[at] = true, true
	default:
		if doc.Nodes[at].Matrix != gltf.DefaultMatrix {
			return fmt.Errorf("%s has a matrix, which glTF does not let animations move", doc.nodeLabel(at))
		}
		c.moves[at] = true
	}
	return nil
}

func (c *changes) noteMaterial(doc *document, at int, p *property) error {
	const metallic, glossy = "pbrMetallicRoughness/", "KHR_materials_pbrSpecularGlossiness"
	if _, there := doc.Materials[at].Extensions[glossy]; there && strings.HasPrefix(p.path, metallic) {
		return fmt.Errorf("%s is drawn as %s describes it, not by %s", label("material", at, doc.Materials[at].Name), glossy, p.path)
	}
	c.materials[at] = true
	c.relights = c.relights || p.effect == Relights
	return nil
}

func (c *changes) noteLight(doc *document, at int, p *property) error {
	light := lightsOf(doc)[at]
	if light == nil {
		return fmt.Errorf("light %d does not exist", at)
	}
	s, err := sourceOf(light)
	c.relights = c.relights || p.effect == Relights
	c.lights[at] = &s
	return err
}
