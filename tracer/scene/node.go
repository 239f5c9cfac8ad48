package scene

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"
)

// instance is one mesh placed in the world.
type instance struct {
	node  int
	mesh  int
	skin  int        // -1 for none
	local mgl64.Mat4 // in the node's space
	world mgl64.Mat4
}

// placeNodes computes every node's world matrix and gathers what the chosen scene holds.
func (l *loader) placeNodes() error {
	order, parents := l.nodeOrder()
	tree := hierarchy{nodes: make([]gltf.Node, len(l.Nodes)), order: order, parents: parents}
	for i, n := range l.Nodes {
		tree.nodes[i] = gltf.Node{Matrix: n.Matrix, Translation: n.Translation, Rotation: n.Rotation, Scale: n.Scale, Weights: n.Weights}
	}
	l.world = tree.worlds()
	if l.motion != nil {
		l.motion.start.nodes = tree
		l.motion.findMoving()
	}
	roots, err := l.sceneRoots(parents)
	if err != nil {
		return err
	}
	return l.gather(roots)
}

// hierarchy is nodes as far as they place things.
type hierarchy struct {
	nodes   []gltf.Node // transforms and weights alone
	order   []int       // parents before their children
	parents []int       // -1: none
}

// worlds are the world matrices of all nodes.
func (h *hierarchy) worlds() []mgl64.Mat4 {
	world := make([]mgl64.Mat4, len(h.nodes))
	for _, i := range h.order {
		world[i] = localMatrix(&h.nodes[i])
		if h.parents[i] >= 0 {
			world[i] = world[h.parents[i]].Mul4(world[i])
		}
	}
	return world
}

// nodeOrder lists parents before their children. A node has one parent, and none of those below it (§3.5.2): others lose it.
func (l *loader) nodeOrder() (order, parents []int) {
	nodes := l.Nodes
	parents = slices.Repeat([]int{-1}, len(nodes))
	cut := func(child int, why string) {
		l.warn.lose(fmt.Errorf("%s %s", label("node", child, nodes[child].Name), why))
		l.warn.about(label("node", child, nodes[child].Name), []subject{{nodeSubject, child}}, "%s", why)
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
func (l *loader) chosenScene() int {
	switch {
	case l.opts.Scene >= 0:
		return l.opts.Scene
	case l.Scene != nil:
		return *l.Scene
	}
	return 0
}

// sceneRoots are the root nodes to draw: of the chosen scene, of the file's default, or all when there is no scene.
func (l *loader) sceneRoots(parents []int) ([]int, error) {
	chosen := l.chosenScene()
	if chosen < len(l.Scenes) {
		return l.Scenes[chosen].Nodes, nil
	}
	if len(l.Scenes) > 0 || l.opts.Scene > 0 {
		return nil, fmt.Errorf("scene %d does not exist: the file has %d", chosen, len(l.Scenes))
	}
	var roots []int
	for i, p := range parents {
		if p < 0 {
			roots = append(roots, i)
		}
	}
	if len(roots) > 0 {
		l.warn.addf("the file has no scene: every node is drawn")
	}
	return roots, nil
}

// gather walks the scene's nodes and notes meshes, cameras and lights.
func (l *loader) gather(roots []int) error {
	stack := slices.Clone(roots)
	slices.Reverse(stack) // the last is visited first
	reached := make([]bool, len(l.Nodes))
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if reached[i] {
			l.warn.about(label("node", i, l.Nodes[i].Name), []subject{{nodeSubject, i}}, "is listed twice in its scene")
			continue
		}
		reached[i] = true
		n := l.Nodes[i]
		visible, err := nodeVisible(n)
		if err != nil {
			if err := l.spare(label("node", i, n.Name), nil, err, "drawn"); err != nil {
				return err
			}
			visible = true
		}
		if l.motion != nil {
			l.motion.start.hidden[i] = !visible
			visible = visible || l.motion.blinks[i]
		}
		if !visible {
			continue
		}
		if err := l.gatherNode(i, n); err != nil {
			return err
		}
		for c := len(n.Children) - 1; c >= 0; c-- {
			stack = append(stack, n.Children[c])
		}
	}
	return nil
}

func (l *loader) gatherNode(i int, n *gltf.Node) error {
	if n.Camera != nil || n.Extensions[lightspunctual.ExtensionName] != nil {
		l.seats = append(l.seats, i)
	}
	if n.Mesh == nil {
		return nil
	}
	locals, err := l.copies(n)
	if err != nil {
		if err := l.spare(label("node", i, n.Name), []subject{{nodeSubject, i}}, err, "drawn once"); err != nil {
			return err
		}
		locals = []mgl64.Mat4{mgl64.Ident4()}
	}
	in := instance{node: i, mesh: *n.Mesh, skin: -1}
	if n.Skin != nil {
		in.skin = *n.Skin
	}
	for _, in.local = range locals {
		in.world = l.world[i].Mul4(in.local)
		l.instances = append(l.instances, in)
	}
	return nil
}

// seat adds the cameras and the lights, once it is known where the scene's origin is.
func (l *loader) seat() error {
	for _, i := range l.seats {
		n := l.Nodes[i]
		if n.Camera != nil && l.addCamera(n, l.world[i]) && l.motion != nil {
			l.motion.cameras = append(l.motion.cameras, seat{i, *n.Camera})
		}
		at, lit := n.Extensions[lightspunctual.ExtensionName].(lightspunctual.LightIndex)
		if !lit {
			continue
		}
		added, err := l.addLight(n, int(at), l.world[i])
		if err != nil {
			if err := l.leaveOut(label("node", i, n.Name), nil, err); err != nil {
				return err
			}
		}
		if added && l.motion != nil {
			l.motion.lights = append(l.motion.lights, seat{i, int(at)})
		}
	}
	return nil
}

// nodeVisible reads KHR_node_visibility: an invisible node hides everything below it.
func nodeVisible(n *gltf.Node) (bool, error) {
	ext := struct{ Visible *bool }{}
	err := decodeExtension(n.Extensions, "KHR_node_visibility", &ext)
	return ext.Visible == nil || *ext.Visible, err
}
