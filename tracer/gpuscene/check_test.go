package gpuscene

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/device"
	"glint/tracer/scene"
)

// bvhCheck walks a tree and counts what it finds.
type bvhCheck struct {
	bvh  *BVH
	seen []int // times that a triangle is in a leaf
	err  error // the first thing that is wrong
}

type span3 struct{ lo, hi [3]float32 }

// CheckBVH says what is wrong with the first tree of a scene: both encodings must hold every triangle once, inside of all
// boxes above it, and faces and lights must know where their triangles are.
func CheckBVH(p *Prepared) error {
	t, g, lights := p.first, p.geometry, p.lights.table
	if len(t.triangles) != len(g.triangles) || len(t.faces) != len(g.faces) {
		return fmt.Errorf("%d triangles and %d faces of %d", len(t.triangles), len(t.faces), len(g.faces))
	}
	for i, triangle := range t.triangles {
		if triangle != g.triangles[triangle.Face] || t.faces[triangle.Face].Triangle != uint32(i) {
			return fmt.Errorf("triangle %d is not that of face %d", i, triangle.Face)
		}
		if triangle.Light != cuda.NoLight && lights[triangle.Light].Face != triangle.Face {
			return fmt.Errorf("light %d shines from face %d, not %d", triangle.Light, lights[triangle.Light].Face, triangle.Face)
		}
	}
	return checkTrees(t)
}

func checkTrees(t *BVH) error {
	inf := float32(math.Inf(1))
	all := span3{[3]float32{-inf, -inf, -inf}, [3]float32{inf, inf, inf}}
	for name, walk := range map[string]func(*bvhCheck, uint32, span3, int){"binary": (*bvhCheck).binary, "wide": (*bvhCheck).wide} {
		c := &bvhCheck{bvh: t, seen: make([]int, len(t.triangles))}
		walk(c, 0, all, 1)
		for i, n := range c.seen {
			if n != 1 && c.err == nil {
				c.err = fmt.Errorf("triangle %d is in %d leaves", i, n)
			}
		}
		if c.err != nil {
			return fmt.Errorf("the %s BVH: %w", name, c.err)
		}
	}
	return nil
}

func (c *bvhCheck) binary(node uint32, within span3, depth int) {
	if depth > bvh.MaxDepth {
		c.err = fmt.Errorf("a node at depth %d", depth)
		return
	}
	n := &c.bvh.nodes[node]
	for i, child := range n.Child {
		box := within
		for a, row := range [][4]float32{n.X, n.Y, n.Z} {
			box.lo[a], box.hi[a] = max(box.lo[a], row[i]), min(box.hi[a], row[i+2])
		}
		switch {
		case child == bvh.EmptyChild:
		case child&bvh.LeafBit != 0:
			c.leaf(bvh.LeafRange(child))(box)
		case child <= node:
			c.err = fmt.Errorf("node %d comes before its parent %d", child, node)
		default:
			c.binary(child, box, depth+1)
		}
	}
}

func (c *bvhCheck) wide(node uint32, within span3, depth int) {
	if depth > int(cuda.BuildLevels) {
		c.err = fmt.Errorf("a node at depth %d", depth)
		return
	}
	n := &c.bvh.wideNodes[node]
	for slot := range 8 {
		box := within
		for a, rows := range [][2]*[8]uint8{{&n.LoX, &n.HiX}, {&n.LoY, &n.HiY}, {&n.LoZ, &n.HiZ}} {
			step := math.Ldexp(1, int(n.Exponents[a])-127) // less what the kernels' rounding may use up
			box.lo[a] = max(box.lo[a], float32(float64(n.Origin[a])+step*(float64(rows[0][slot])+1./256)))
			box.hi[a] = min(box.hi[a], float32(float64(n.Origin[a])+step*(float64(rows[1][slot])-1./256)))
		}
		if n.Inner>>slot&1 != 0 {
			c.wide(n.ChildBase+uint32(bits.OnesCount8(n.Inner&(1<<slot-1))), box, depth+1)
			continue
		}
		if first, count := n.Leaf(slot); count > 0 {
			c.leaf(first, count)(box)
		}
	}
}

// leaf counts a run of triangles, which must be inside of a box.
func (c *bvhCheck) leaf(first, count int) func(span3) {
	return func(box span3) {
		for i := first; i < first+count; i++ {
			c.seen[i]++
			t := &c.bvh.triangles[i]
			for a := range 3 {
				for _, x := range []float32{t.V0[a], t.V0[a] + t.E1[a], t.V0[a] + t.E2[a]} {
					if x < box.lo[a] || x > box.hi[a] {
						c.err = fmt.Errorf("triangle %d reaches out of the box %v", i, box)
					}
				}
			}
		}
	}
}

// Vertices are those of a scene as the device has them.
func Vertices(s *Scene, d device.Device) ([]cuda.Vertex, error) {
	return downloaded[cuda.Vertex](s, d, s.tables.vertices.Address, len(s.prepared.geometry.vertices))
}

// CheckMeshes says what is wrong with the trees of instances' meshes, as the device has them.
func CheckMeshes(s *Scene, d device.Device) error {
	for i := range s.instances.meshes {
		m, p, has := &s.instances.meshes[i], &s.prepared.geometry.meshes[i], s.instances.boxes[i]
		if len(p.triangles) == 0 { // all of them have been left out, and nothing draws it
			continue
		}
		var t BVH
		var errs [3]error
		t.nodes, errs[0] = downloaded[bvh.Node](s, d, m.Nodes, len(p.nodes))
		t.wideNodes, errs[1] = downloaded[bvh.WideNode](s, d, m.WideNodes, len(p.wideNodes))
		t.triangles, errs[2] = downloaded[cuda.Triangle](s, d, m.Triangles, len(p.triangles))
		if err := errors.Join(errs[:]...); err != nil {
			return err
		}
		if err := checkTrees(&t); err != nil {
			return fmt.Errorf("mesh %d: %w", i, err)
		}
		box := scene.NoBounds()
		for k := range t.triangles {
			v := &t.triangles[k]
			for _, c := range []mgl32.Vec3{v.V0, mgl32.Vec3(v.V0).Add(v.E1), mgl32.Vec3(v.V0).Add(v.E2)} {
				box.Add(c)
			}
		}
		for a := range 3 {
			if near := 1e-5*(1+box.Radius()) + 5e-7*(box.Min.Len()+box.Max.Len()); box.Min[a] < has.Min[a]-near || box.Max[a] > has.Max[a]+near || has.Max[a] > box.Max[a]+near || has.Min[a] < box.Min[a]-near {
				return fmt.Errorf("mesh %d fills %v, its box is %v", i, box, has)
			}
		}
	}
	return nil
}

func downloaded[T any](s *Scene, d device.Device, address uint64, count int) ([]T, error) {
	out := make([]T, count)
	buffers := slices.Concat(s.tables.buffers, s.instances.buffers)
	i := slices.IndexFunc(buffers, func(b device.Buffer) bool { return b.Address == address })
	return out, d.Download(buffers[i], device.BytesOf(out))
}

// BuildOn builds BVH fast by the kernels of a device, for the scene's first one, and tells the milliseconds of each kernel.
func (p *Prepared) BuildOn(d device.Device) (map[string]float64, error) {
	g, err := runPLOC(d, p.geometry)
	if err != nil {
		return nil, err
	}
	device.FreeAll(d, g.made)
	if p.first, err = p.buildOn(d); err != nil {
		return nil, err
	}
	p.BVH = p.first.Stats
	return g.spent, nil
}

// MergeOn sorts and merges as BuildOn does, without what follows.
func (p *Prepared) MergeOn(d device.Device) error {
	g, err := newPLOC(d, p.geometry)
	if err != nil {
		return err
	}
	defer func() {
		device.FreeAll(d, g.scratch)
		device.FreeAll(d, g.made)
	}()
	if err := g.allocate(p.geometry); err != nil {
		return err
	}
	if err := g.sort(); err != nil {
		return err
	}
	return g.merge()
}

// BuildBVH builds a BVH on the host.
func (p *Prepared) BuildBVH(ctx context.Context, method string) (*BVH, error) {
	return buildBVH(ctx, p.geometry, method, p.memory)
}

// buildOn builds a BVH by the kernels of a device, and reads it back.
func (p *Prepared) buildOn(d device.Device) (*BVH, error) {
	start := time.Now()
	g, err := runPLOC(d, p.geometry)
	if err != nil {
		return nil, err
	}
	defer device.FreeAll(d, g.made)
	t := &BVH{Method: "fast", nodes: make([]bvh.Node, g.faces-1), wideNodes: make([]bvh.WideNode, g.nodes),
		triangles: make([]cuda.Triangle, g.faces), faces: make([]cuda.Face, g.faces)}
	for i, data := range [][]byte{
		madeNodes: device.BytesOf(t.nodes), madeWide: device.BytesOf(t.wideNodes),
		madeTriangles: device.BytesOf(t.triangles), madeFaces: device.BytesOf(t.faces),
	} {
		if err := d.Download(g.made[i], data); err != nil {
			return nil, err
		}
	}
	t.Stats = bvh.Measure(t.nodes, g.nodes, g.faces, g.faces)
	t.Stats.Seconds = time.Since(start).Seconds()
	return t, nil
}

// Lit is what kernels read of the materials and lights of a scene, as the device has them.
type Lit struct {
	Materials []cuda.Material
	Lights    []cuda.Light
	Alias     []cuda.AliasEntry
	Missing   uint32
}

// LitBy downloads them.
func LitBy(s *Scene, d device.Device) (l Lit, err error) {
	var errs [3]error
	l.Materials, errs[0] = downloaded[cuda.Material](s, d, s.tables.materials.Address, len(s.prepared.materials.rows))
	l.Lights, errs[1] = downloaded[cuda.Light](s, d, s.tables.lights.Address, len(s.prepared.lights.table))
	l.Alias, errs[2] = downloaded[cuda.AliasEntry](s, d, s.tables.lightAlias.Address, len(s.prepared.lights.table))
	l.Missing = s.tables.frame.Scene.Missing
	return l, errors.Join(errs[:]...)
}

// ImageEnvironment is that of a scene's image-based light.
var ImageEnvironment = imageEnvironment

// HasSky tells whether an image lights a scene from around.
func HasSky(p *Prepared) bool { return p.environment.width > 0 }

// CheckPosedFaces says whether poses read the faces of a BVH that is there.
func CheckPosedFaces(s *Scene) error {
	if got, want := s.posing.frame.Scene.Faces, s.choose("").frame.Scene.Faces; got != want {
		return fmt.Errorf("poses read faces at %#x, but they are at %#x", got, want)
	}
	return nil
}

// Method is the choice of setting bvh that the first BVH was built by.
func (p *Prepared) Method() string { return p.first.Method }
