package tracer

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/scene"
)

// upper is the upper of two levels in a device's memory: a tree over instances and, as one more box, all that is baked.
type upper struct {
	buffers []buffer
	moves   int // times that instances have been placed
}

// place writes where instances stand and builds the upper tree anew, all or nothing.
func (s *deviceScene) place(d device, at []mgl32.Mat4) error {
	if len(at) == 0 {
		return nil
	}
	next := upper{moves: s.upper.moves + 1}
	f := s.frame
	f.Scene.Reach = f.Scene.Radius
	table, boxes, err := s.table(at, &f.Scene.Reach)
	if err != nil {
		return err
	}
	built, err := bvh.Build(bvh.Binned, func(i int) [3]mgl32.Vec3 {
		return [3]mgl32.Vec3{boxes[i].Min, boxes[i].Max, boxes[i].Min} // a triangle that has this box
	}, len(boxes))
	if err != nil {
		return err
	}
	for i, which := range built.Order {
		if int(which) == len(at) {
			built.Order[i] = cuda.StaticGeometry
		}
	}
	f.Scene.InstanceCount = uint32(len(at))
	if next.buffers, err = putAll(d, []put{
		{address: &f.Scene.Instances, data: bytesOf(table)},
		{address: &f.Scene.TlasNodes, data: bytesOf(built.Nodes)},
		{address: &f.Scene.TlasWideNodes, data: bytesOf(built.Wide)},
		{address: &f.Scene.TlasOrder, data: bytesOf(built.Order)},
	}); err != nil {
		return err
	}
	if err := d.sync(); err != nil { // frames under way read the tree before
		freeAll(d, next.buffers)
		return err
	}
	freeAll(d, s.upper.buffers)
	s.frame, s.upper = f, next
	return nil
}

// table is what kernels read of instances that stand there, with the boxes of the upper tree: theirs, then that of what is
// baked. It raises reach: twice that bounds the terms that a point of an instance is the sum of.
func (s *deviceScene) table(at []mgl32.Mat4, reach *float32) (table []cuda.Instance, boxes []scene.Bounds, err error) {
	p := s.prepared
	id := cuda.FirstInstanced
	for i, m := range at {
		mesh := p.Scene.Instances[i].Mesh
		back, err := scene.Inverse(m)
		if err != nil {
			return nil, nil, fmt.Errorf("instance %d: %w", i, err)
		}
		out := wide64(m)
		in := s.meshes[mesh]
		in.ToWorld, in.ToMesh, in.First = rows(out), rows(back), id
		id += uint32(len(p.meshes[mesh].triangles))
		size := sizes(out, farthest(p.meshes[mesh].box))
		*reach = max(*reach, float32(largest(sizes(out, farthest(p.meshes[mesh].box).Add(sizes(back, size)))))/2)
		table, boxes = append(table, in), append(boxes, padded(p.meshes[mesh].box.Moved(m), size))
	}
	if !p.baked.Empty() {
		boxes = append(boxes, p.baked)
	}
	return table, boxes, nil
}

// rows are the upper three of a matrix, as kernels read them.
func rows(m mgl64.Mat4) (out [3][4]float32) {
	for i := range out {
		for k := range 4 {
			out[i][k] = float32(m.At(i, k))
		}
	}
	return out
}

// farthest is, by axes, how far from the origin a box reaches.
func farthest(b scene.Bounds) (out mgl64.Vec3) {
	for a := range 3 {
		out[a] = math.Max(math.Abs(float64(b.Min[a])), math.Abs(float64(b.Max[a])))
	}
	return out
}

// sizes bounds the terms that a moved point adds up, for points no farther out than size.
func sizes(m mgl64.Mat4, size mgl64.Vec3) (out mgl64.Vec3) {
	for i := range out {
		out[i] = math.Abs(m.At(i, 3))
		for k := range 3 {
			out[i] += math.Abs(m.At(i, k)) * size[k]
		}
	}
	return out
}

func largest(v mgl64.Vec3) float64 { return math.Max(v[0], math.Max(v[1], v[2])) }

// padded makes room for the rounding of moved points.
func padded(b scene.Bounds, size mgl64.Vec3) scene.Bounds {
	const ulps = 8 * 6e-8
	for a := range 3 {
		b.Min[a] -= float32(size[a] * ulps)
		b.Max[a] += float32(size[a] * ulps)
	}
	return b
}
