package scene

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"

	"glint/tracer/guard"
)

// Editable are the objects of a file, with all that edits can change. An object goes by its pointer, such as /materials/3.
type Editable struct {
	Nodes []TreeNode

	start  moment // at rest; nil for materials with which nothing is drawn, and what cannot be used
	labels map[*animated][]string
	said   []map[string]bool // extensions of materials in the file
	worn   map[int]string    // pointers of materials, by their index in the scene
	by     drawers
}

const nodeBytes = 1024 // about what a node takes, with its labels

// Property is a property of an object.
type Property struct {
	Pointer     string
	Value       []float64 // where no clip is played
	Least, Most float64   // of each number
	Effect      Effect
}

// Limits says what each number may be.
func (p *Property) Limits() string {
	switch {
	case p.Least <= -largest:
		return "any"
	case p.Most < largest:
		return fmt.Sprintf("%.4g to %.4g", p.Least, p.Most)
	case p.Least > 0 && p.Least < narrowestView:
		return "above 0"
	}
	return fmt.Sprintf("at least %.4g", p.Least)
}

// newEditable gathers the objects of a file; nil where there is no memory for them.
func newEditable(doc *document, nodes *placedNodes, l *looks, where *whereabouts, by drawers) *Editable {
	if doc.memory.Take("what can be edited", int64(len(doc.Nodes))*nodeBytes+int64(len(l.sources))*materialBytes) != nil {
		return nil
	}
	e := &Editable{
		Nodes:  listNodes(doc, nodes.tree, where),
		start:  moment{nodes: nodes.tree, hidden: nodes.hidden, materials: map[int]*materialSource{}, lights: map[int]*lightSource{}, cameras: map[int]*lens{}},
		labels: map[*animated][]string{}, worn: map[int]string{}, by: by,
	}
	e.start = *e.start.clone()
	for i, n := range doc.Nodes {
		at := &e.start.nodes.nodes[i]
		withoutMatrix(at)
		if visible, err := nodeVisible(n); err == nil { // also below what is hidden
			e.start.hidden[i] = !visible
		}
		if len(at.Weights) == 0 && n.Mesh != nil {
			at.Weights = weightsAtRest(doc.Meshes[*n.Mesh])
		}
		e.name(&animatedNode, n.Name)
	}
	for i, m := range doc.Materials {
		e.name(&animatedMaterial, m.Name)
		e.said = append(e.said, saidExtensions(m))
		if slot, used := l.slots[i]; used {
			e.worn[int(slot)] = animatedMaterial.prefix + strconv.Itoa(i)
		}
		if source := l.sources[i]; source != nil {
			own := *source
			own.Textures = l.materials[l.slots[i]].Textures // those that cannot be read have been dropped since
			e.start.materials[i] = &own
		}
	}
	for i, light := range lightsOf(doc) {
		if light == nil {
			e.name(&animatedLight, "")
			continue
		}
		e.name(&animatedLight, light.Name)
		if s, err := sourceOf(light); err == nil {
			e.start.lights[i] = &s
		}
	}
	for i, camera := range doc.Cameras {
		e.name(&animatedCamera, camera.Name)
		lens := lensOf(camera)
		e.start.cameras[i] = &lens
	}
	return e
}

// weightsAtRest are those of a mesh, one for each of its targets.
func weightsAtRest(mesh *gltf.Mesh) []float64 {
	targets := 0
	for _, p := range mesh.Primitives {
		targets = max(targets, len(p.Targets))
	}
	if targets == 0 {
		return nil
	}
	out := make([]float64, targets)
	copy(out, mesh.Weights)
	return out
}

func (e *Editable) name(kind *animated, name string) {
	e.labels[kind] = append(e.labels[kind], label(kind.name, len(e.labels[kind]), name))
}

// Objects are the pointers of all objects that have properties: materials, then lights, cameras and nodes.
func (e *Editable) Objects() (out []string) {
	for _, kind := range []*animated{&animatedMaterial, &animatedLight, &animatedCamera, &animatedNode} {
		for at := range e.labels[kind] {
			if object := kind.prefix + strconv.Itoa(at); len(e.Properties(object, nil)) > 0 {
				out = append(out, object)
			}
		}
	}
	return out
}

// Material is the pointer of a material of the scene; empty where its file does not have it.
func (e *Editable) Material(index int) string { return e.worn[index] }

// Node is the pointer of the node that draws an object of the scene, whose instances are numbered from one on; empty where its file does
// not have it.
func (e *Editable) Node(object, instances int) string {
	by := e.by.world
	if object >= instances {
		by, object = e.by.instances, object-instances
	}
	if object < 0 || object >= len(by) {
		return ""
	}
	return animatedNode.prefix + strconv.Itoa(by[object])
}

// Find is the index of a node in Nodes, given its pointer; −1: there is no such.
func (e *Editable) Find(node string) int {
	return slices.IndexFunc(e.Nodes, func(n TreeNode) bool { return n.Object == node })
}

// Label is what messages call an object, given its pointer or that of a property.
func (e *Editable) Label(pointer string) string {
	for kind, labels := range e.labels {
		if number, ok := strings.CutPrefix(pointer, kind.prefix); ok {
			number, _, _ = strings.Cut(number, "/")
			if at, err := strconv.Atoi(number); err == nil && at >= 0 && at < len(labels) {
				return labels[at]
			}
		}
	}
	return guard.Quoted(pointer)
}

// Properties are those of an object, with edits.
func (e *Editable) Properties(object string, edits Edits) (out []Property) {
	for i := range properties {
		p := &properties[i]
		number, ofKind := strings.CutPrefix(object, p.of.prefix)
		at, err := strconv.Atoi(number)
		if !ofKind || err != nil || at < 0 || at >= len(e.labels[p.of]) {
			continue
		}
		if value := e.value(p, at); value != nil {
			row := Property{object + "/" + p.path, value, p.limits[0], p.limits[1], p.effect}
			if k, edited := edits.find(row.Pointer); edited {
				row.Value = edits[k].Value
			}
			out = append(out, row)
		}
	}
	return out
}

// VisiblePath leads from a node to whether it is drawn, with all below it.
const VisiblePath = "/extensions/KHR_node_visibility/visible"

// Visible tells whether a node is drawn, as far as it decides that.
func (e *Editable) Visible(object string, edits Edits) bool {
	if own := edits.Of(object + VisiblePath); len(own) > 0 {
		return own[0].Value[0] != 0
	}
	at, p := followPointer(object + VisiblePath)
	return p == nil || at < 0 || at >= len(e.start.hidden) || !e.start.hidden[at]
}

// value is that of a property in the file; nil where the object does not have it.
func (e *Editable) value(p *property, at int) []float64 {
	if p.draft || p.of == &animatedMaterial && !e.wears(p, at) {
		return nil
	}
	if p.row == nil || p.row.begin == nil || e.start.materials[at] == nil || e.said[at][p.row.name] {
		return p.get(&e.start, at)
	}
	own := *e.start.materials[at] // as it would be with the extension
	p.row.begin(&own)
	return p.get(&moment{materials: map[int]*materialSource{at: &own}}, at)
}

// wears tells whether a material can have a property: a texture that this is of, and nothing in its file that overrules it.
func (e *Editable) wears(p *property, at int) bool {
	const glossiness = "KHR_materials_pbrSpecularGlossiness"
	said, m := e.said[at], e.start.materials[at]
	switch {
	case m == nil, m.Unlit && p.row != nil, m.AlphaMode != AlphaMask && p.path == "alphaCutoff":
		return false
	case said[glossiness] && slices.ContainsFunc([]string{"pbrMetallicRoughness/", "extensions/KHR_materials_ior/", "extensions/KHR_materials_specular/"},
		func(prefix string) bool { return strings.HasPrefix(p.path, prefix) }):
		return false
	case p.row != nil && p.row.name == glossiness && !said[glossiness]:
		return false
	case p.slot == "":
		return true
	case p.row != nil && !said[p.row.name]:
		return false
	}
	use := slices.IndexFunc(textureSlots[:], func(slots []string) bool { return slices.Contains(slots, p.slot) })
	return m.Textures[use].Texture >= 0
}

// Check is an edit as it can be made: the object has the property, and the value is one that it may have.
func (e *Editable) Check(edit Edit) (Edit, error) {
	wrong := func(format string, a ...any) (Edit, error) {
		return edit, fmt.Errorf("edit %s: %s", guard.Quoted(edit.Pointer), fmt.Sprintf(format, a...))
	}
	at, p := followPointer(edit.Pointer)
	if p == nil {
		return wrong("it leads to nothing that can be edited; glint scene FILE lists what can be")
	}
	if count := len(e.labels[p.of]); at < 0 || at >= count {
		return wrong("%s %d does not exist: the file has %d", p.of.name, at, count)
	}
	now := e.value(p, at)
	if now == nil {
		return wrong("%s has no such property; glint scene FILE lists those that it has", e.labels[p.of][at])
	}
	if len(edit.Value) != len(now) {
		return wrong("%d numbers: want %d", len(edit.Value), len(now))
	}
	for _, x := range edit.Value {
		if !(x >= p.limits[0] && x <= p.limits[1]) {
			row := Property{Least: p.limits[0], Most: p.limits[1]}
			return wrong("%v: want %s", x, row.Limits())
		}
	}
	if p.effect == Turns {
		length := math.Sqrt(edit.Value[0]*edit.Value[0] + edit.Value[1]*edit.Value[1] + edit.Value[2]*edit.Value[2] + edit.Value[3]*edit.Value[3])
		if length == 0 {
			return wrong("0,0,0,0 is no rotation: want a unit quaternion, x,y,z,w")
		}
		if math.Abs(length-1) > 1e-7 {
			edit.Value = []float64{edit.Value[0] / length, edit.Value[1] / length, edit.Value[2] / length, edit.Value[3] / length}
		}
	}
	return edit, nil
}

// narrowestCone is what edits leave of a spot light, radians.
const narrowestCone = 1e-4

// Settle is what a file may say of edits. A spot light's inner angle must be below its outer one, and gives way to that.
func (e *Editable) Settle(edits Edits) Edits {
	const inside, outside = "/spot/innerConeAngle", "/spot/outerConeAngle"
	for _, edit := range edits {
		light, found := strings.CutSuffix(edit.Pointer, inside)
		if !found {
			if light, found = strings.CutSuffix(edit.Pointer, outside); !found {
				continue
			}
		}
		angle := map[string]float64{}
		for _, p := range e.Properties(light, edits) {
			angle[p.Pointer] = p.Value[0]
		}
		if outer := angle[light+outside]; outer < narrowestCone {
			angle[light+outside] = narrowestCone
			edits = edits.With(Edit{light + outside, []float64{narrowestCone}})
		}
		if outer := float32(angle[light+outside]); float32(angle[light+inside]) >= outer {
			edits = edits.With(Edit{light + inside, []float64{float64(math.Nextafter32(outer, 0))}})
		}
	}
	return edits
}

// CheckAll is Check of several, settled.
func (e *Editable) CheckAll(edits Edits) (out Edits, err error) {
	for _, edit := range edits {
		if edit, err = e.Check(edit); err != nil {
			return nil, err
		}
		out = append(out, edit)
	}
	return e.Settle(out), nil
}

// Shown are those edits that a pose shows of a scene that was read for others; all tells whether it was read for just such edits.
// Where it was not, reading it again for these shows the rest, and leaves out what is needed no more.
func (e *Editable) Shown(readFor, edits Edits) (shown Edits, all bool) {
	said := func(at int) map[string]bool {
		if at < 0 || at >= len(e.said) {
			return nil // the file does not have it
		}
		return e.said[at]
	}
	have, want := marksOf(readFor, said), marksOf(edits, said)
	all = len(have) == len(want)
	for _, edit := range edits {
		ready := true
		for m := range marksOf(Edits{edit}, said) {
			ready = have[m]
		}
		if all = all && ready; ready {
			shown = append(shown, edit)
		}
	}
	return shown, all
}
