package scene

import (
	"slices"
	"strconv"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"
)

// TreeNode is a node of a file, with what hangs on it.
type TreeNode struct {
	Object string // its pointer
	Label  string
	Parent int // index into the list, where it comes before; −1: none
	Depth  int
	Mesh   string   // what it is called; empty: none
	Uses   []string // pointers to its camera, its light, and the materials of its mesh
	Box    *Bounds  // around it and all below it, where the file puts them; nil where nothing is drawn
}

// listNodes lists the nodes of a file, each followed by all below it.
func listNodes(doc *document, tree hierarchy, where *whereabouts) []TreeNode {
	boxes := slices.Clone(where.objects[nodeSubject])
	for _, i := range slices.Backward(tree.order) {
		if parent := tree.parents[i]; parent >= 0 {
			boxes[parent].join(boxes[i])
		}
	}
	out := make([]TreeNode, 0, len(doc.Nodes))
	place := make([]int, len(doc.Nodes)) // of each in the list
	stack := slices.DeleteFunc(slices.Clone(tree.order), func(i int) bool { return tree.parents[i] >= 0 })
	slices.Reverse(stack) // the last is visited first
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := doc.Nodes[i]
		row := TreeNode{Object: animatedNode.prefix + strconv.Itoa(i), Label: doc.nodeLabel(i), Parent: -1, Uses: usedBy(doc, n)}
		if parent := tree.parents[i]; parent >= 0 {
			row.Parent = place[parent]
			row.Depth = out[row.Parent].Depth + 1
		}
		if !boxes[i].empty() {
			row.Box = &Bounds{Single(boxes[i].min.Sub(where.origin)), Single(boxes[i].max.Sub(where.origin))}
		}
		if n.Mesh != nil {
			row.Mesh = doc.meshLabel(*n.Mesh)
		}
		place[i] = len(out)
		out = append(out, row)
		for _, child := range slices.Backward(n.Children) {
			stack = append(stack, child)
		}
	}
	return out
}

// usedBy are the pointers to what hangs on a node.
func usedBy(doc *document, n *gltf.Node) (out []string) {
	add := func(kind *animated, at int) {
		if pointer := kind.prefix + strconv.Itoa(at); !slices.Contains(out, pointer) {
			out = append(out, pointer)
		}
	}
	if n.Camera != nil {
		add(&animatedCamera, *n.Camera)
	}
	if at, lit := n.Extensions[lightspunctual.ExtensionName].(lightspunctual.LightIndex); lit {
		add(&animatedLight, int(at))
	}
	if n.Mesh != nil {
		for _, p := range doc.Meshes[*n.Mesh].Primitives {
			if p.Material != nil {
				add(&animatedMaterial, *p.Material)
			}
		}
	}
	return out
}
