package scene

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"
)

// placedNodes are the nodes of a file at rest, and what those of its chosen scene hold.
type placedNodes struct {
	tree      hierarchy
	world     []mgl64.Mat4 // of each node
	moves     []bool       // nodes that a clip moves, by themselves or with an ancestor; nil where there are no clips
	hidden    []bool       // nodes that are not drawn, by themselves
	instances []instance
	seats     []int // nodes of cameras and lights, in their order
}

// placeNodes computes every node's world matrix and gathers what a scene of the file holds.
func placeNodes(doc *document, scene int, named bool, c *changes) (*placedNodes, error) {
	order, parents := nodeOrder(doc)
	p := &placedNodes{tree: hierarchy{nodes: make([]gltf.Node, len(doc.Nodes)), order: order, parents: parents}, hidden: make([]bool, len(doc.Nodes))}
	for i, n := range doc.Nodes {
		p.tree.nodes[i] = gltf.Node{Matrix: n.Matrix, Translation: n.Translation, Rotation: n.Rotation, Scale: n.Scale, Weights: n.Weights}
	}
	p.world = p.tree.worlds()
	if c != nil {
		p.moves = p.tree.spread(c.moves)
	}
	roots, err := sceneRoots(doc, scene, named, parents)
	if err != nil {
		return nil, err
	}
	return p, p.gather(doc, roots, c)
}

// meshes are those that are drawn, each once.
func (p *placedNodes) meshes() (out []int) {
	seen := map[int]bool{}
	for _, in := range p.instances {
		if !seen[in.mesh] {
			seen[in.mesh] = true
			out = append(out, in.mesh)
		}
	}
	return out
}

// nodeOrder lists parents before their children. A node has one parent, and none of those below it (§3.5.2): others lose it.
func nodeOrder(doc *document) (order, parents []int) {
	nodes := doc.Nodes
	parents = slices.Repeat([]int{-1}, len(nodes))
	cut := func(child int, why string) {
		doc.warn.lose(fmt.Errorf("%s %s", label("node", child, nodes[child].Name), why))
		doc.warn.about(label("node", child, nodes[child].Name), []subject{{nodeSubject, child}}, "%s", why)
	}
	for i, n := range nodes {
		n.Children = slices.DeleteFunc(n.Children, func(child int) bool {
			taken := parents[child] >= 0 || child == i
			if taken {
				cut(child, "has more than one parent, or is its own: the first counts")
			} else {
				parents[child] = i
			}
			return taken
		})
	}
	reached := make([]bool, len(nodes))
	from := func(root int) {
		begin := len(order)
		order = append(order, root)
		for at := begin; at < len(order); at++ {
			reached[order[at]] = true
			order = append(order, nodes[order[at]].Children...)
		}
	}
	for i, p := range parents {
		if p < 0 {
			from(i)
		}
	}
	for i := range nodes {
		if reached[i] {
			continue
		}
		cut(i, "is its own ancestor or below a node that is: its parent is ignored")
		above := nodes[parents[i]]
		above.Children = slices.DeleteFunc(above.Children, func(child int) bool { return child == i })
		parents[i] = -1
		from(i)
	}
	return order, parents
}

// chosenScene is the scene that was asked for, or the file's default. It need not exist.
func chosenScene(doc *gltf.Document, asked int) int {
	switch {
	case asked >= 0:
		return asked
	case doc.Scene != nil:
		return *doc.Scene
	}
	return 0
}

// sceneRoots are the root nodes to draw: of the scene, or all when there is no scene and none was named.
func sceneRoots(doc *document, scene int, named bool, parents []int) ([]int, error) {
	if scene < len(doc.Scenes) {
		return doc.Scenes[scene].Nodes, nil
	}
	if len(doc.Scenes) > 0 || named {
		return nil, fmt.Errorf("scene %d does not exist: the file has %d", scene, len(doc.Scenes))
	}
	var roots []int
	for i, p := range parents {
		if p < 0 {
			roots = append(roots, i)
		}
	}
	if len(roots) > 0 {
		doc.warn.addf("the file has no scene: every node is drawn")
	}
	return roots, nil
}

// gather walks the scene's nodes and notes meshes, cameras and lights.
func (p *placedNodes) gather(doc *document, roots []int, c *changes) error {
	stack := slices.Clone(roots)
	slices.Reverse(stack) // the last is visited first
	reached := make([]bool, len(doc.Nodes))
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if reached[i] {
			doc.warn.about(doc.nodeLabel(i), []subject{{nodeSubject, i}}, "is listed twice in its scene")
			continue
		}
		reached[i] = true
		n := doc.Nodes[i]
		visible, err := nodeVisible(n)
		if err := doc.spare(doc.nodeLabel(i), nil, err, "drawn"); err != nil {
			return err
		}
		p.hidden[i] = !visible
		if blinks := c != nil && c.blinks[i]; !visible && !blinks {
			continue
		}
		if err := p.gatherNode(doc, i, c.changesWeights(i)); err != nil {
			return err
		}
		for c := len(n.Children) - 1; c >= 0; c-- {
			stack = append(stack, n.Children[c])
		}
	}
	return nil
}

func (p *placedNodes) gatherNode(doc *document, i int, morphs bool) error {
	n := doc.Nodes[i]
	if n.Camera != nil || n.Extensions[lightspunctual.ExtensionName] != nil {
		p.seats = append(p.seats, i)
	}
	if n.Mesh == nil {
		return nil
	}
	locals, err := readCopies(doc, n)
	if err := doc.spare(doc.nodeLabel(i), []subject{{nodeSubject, i}}, err, "drawn once"); err != nil {
		return err
	}
	in := instance{node: i, mesh: *n.Mesh, skin: -1, key: meshKey{*n.Mesh, -1}}
	if n.Skin != nil {
		in.skin = *n.Skin
	}
	if len(n.Weights) > 0 || morphs {
		in.key.node = i
	}
	for _, in.local = range locals {
		in.world = p.world[i].Mul4(in.local)
		p.instances = append(p.instances, in)
	}
	return nil
}

// nodeVisible reads KHR_node_visibility: an invisible node hides everything below it.
func nodeVisible(n *gltf.Node) (bool, error) {
	ext := struct{ Visible *bool }{}
	err := decodeExtension(n.Extensions, "KHR_node_visibility", &ext)
	return err != nil || ext.Visible == nil || *ext.Visible, err
}
