package gpuscene

import (
	"context"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/device"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// tlas is the upper of two levels in a device's memory: a tree over instances and, as one more box, all that is baked.
type tlas struct {
	buffers []device.Buffer
	moves   int     // times that instances have been placed
	reach   float32 // m: twice that bounds the terms that a point of an instance is the sum of
}

// place writes where instances stand and builds the tree over them anew. Places that cannot be leave everything as it was.
func (s *Scene) place(d device.Device, at []mgl32.Mat4, hidden []bool) error {
	if len(at) == 0 {
		return nil
	}
	next := tlas{moves: s.tlas.moves + 1}
	table, boxes, entries, err := s.table(at, hidden, &next.reach)
	if err != nil {
		return err
	}
	built, err := bvh.Build(context.Background(), bvh.Binned, func(i int) [3]mgl32.Vec3 {
		return [3]mgl32.Vec3{boxes[i].Min, boxes[i].Max, boxes[i].Min} // a triangle that has this box
	}, len(boxes))
	if err != nil {
		return err
	}
	for i, which := range built.Order {
		built.Order[i] = entries[which]
	}
	if err := d.Sync(); err != nil { // frames under way read the tree before
		return err
	}
	f, room := &s.frame.Scene, len(at)+1 // entries at the most, and never more nodes
	f.InstanceCount = uint32(len(at))
	rows := []device.Rows{
		{Address: &f.Instances, Data: device.BytesOf(table)},
		{Address: &f.TlasNodes, Data: device.BytesOf(built.Nodes), Bytes: room * device.SizeOf[bvh.Node]()},
		{Address: &f.TlasWideNodes, Data: device.BytesOf(built.Wide), Bytes: room * device.SizeOf[bvh.WideNode]()},
		{Address: &f.TlasOrder, Data: device.BytesOf(built.Order), Bytes: room * 4},
	}
	if next.buffers = s.tlas.buffers; next.buffers == nil {
		next.buffers, err = device.UploadAll(d, rows)
	} else {
		for i := 0; i < len(rows) && err == nil; i++ {
			err = d.Upload(next.buffers[i], rows[i].Data)
		}
	}
	if err != nil {
		return err
	}
	s.tlas, s.stand = next, table
	return nil
}

// table is what kernels read of instances that stand there, with the boxes of the upper tree: of those that are drawn, then of what
// is baked. Entries say which is whose. It raises reach to what tlas.reach must be.
func (s *Scene) table(at []mgl32.Mat4, hidden []bool, reach *float32) (table []cuda.Instance, boxes []scene.Bounds, entries []uint32, err error) {
	p := s.prepared
	id := cuda.FirstInstanced
	for i, m := range at {
		mesh := p.drawn.Instances[i].Mesh
		if hidden != nil && hidden[i] { // it has its place in the table, and none in the tree
			in := s.meshes[mesh]
			in.ToWorld, in.ToMesh, in.First = rows(mgl64.Ident4()), rows(mgl64.Ident4()), id
			id += uint32(len(p.meshes[mesh].triangles))
			table = append(table, in)
			continue
		}
		back, err := scene.Inverse(m)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("instance %d: %w", i, err)
		}
		out := wide64(m)
		in := s.meshes[mesh]
		in.ToWorld, in.ToMesh, in.First = rows(out), rows(back), id
		if mirrors(m) != mirrors(p.drawn.Instances[i].World) {
			in.Turned = cuda.TurnedBit
		}
		id += uint32(len(p.meshes[mesh].triangles))
		box := s.boxes[mesh]
		size := sizes(out, farthest(box))
		*reach = max(*reach, float32(largest(sizes(out, farthest(box).Add(sizes(back, size)))))/2)
		table, boxes, entries = append(table, in), append(boxes, padded(box.Moved(m), size)), append(entries, uint32(i))
	}
	if !p.baked.Empty() {
		boxes, entries = append(boxes, p.baked), append(entries, cuda.StaticGeometry)
	}
	if len(boxes) == 0 { // nothing is drawn: the tree still has a leaf, where no ray comes
		nowhere := mgl32.Vec3{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}
		boxes, entries = append(boxes, scene.Bounds{Min: nowhere, Max: nowhere}), append(entries, 0)
	}
	return table, boxes, entries, nil
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

// preparedMesh is a mesh of instances, in its own space, with its tree.
type preparedMesh struct {
	triangles   []cuda.Triangle // in leaf order, once the tree has grown
	firstFace   uint32          // of all faces
	firstVertex uint32          // of all vertices
	box         scene.Bounds
	nodes       []bvh.Node
	wideNodes   []bvh.WideNode
}

// buildMeshes builds the trees of instances' meshes, which stay when setting bvh changes: quickly where a scene is opened with BVH fast,
// else as auto does, whatever the setting says.
func (p *Prepared) buildMeshes(ctx context.Context, method string) error {
	how := bvh.Binned
	if method == "fast" {
		how = bvhMethods[method]
	}
	if ids := p.drawn.Triangles() - len(p.drawn.Faces); ids >= int(cuda.NoHit-cuda.FirstInstanced) {
		return fmt.Errorf("instances have %d triangles, more than kernels can tell apart: draw fewer of them", ids)
	}
	return guard.Each(ctx, len(p.meshes), func(i int) error {
		m, faces, vertices := &p.meshes[i], p.drawn.Meshes[i].Faces, p.drawn.Meshes[i].Vertices
		built, err := bvh.Build(ctx, how, func(face int) [3]mgl32.Vec3 { return corners(vertices, faces[face]) }, len(faces))
		if err != nil {
			return fmt.Errorf("mesh %d: %w", i, err)
		}
		m.nodes, m.wideNodes = built.Nodes, built.Wide
		listed := m.triangles
		m.triangles = make([]cuda.Triangle, len(built.Order))
		parallel(len(built.Order), func(k int) { m.triangles[k] = listed[built.Order[k]] })
		return nil
	})
}

// uploadInstances copies the meshes to the device and places their instances as the scene has them.
func (s *Scene) uploadInstances(d device.Device) error {
	p := s.prepared
	s.meshes = make([]cuda.Instance, len(p.meshes))
	for i := range p.meshes {
		m, to := &p.meshes[i], &s.meshes[i]
		buffers, err := device.UploadAll(d, []device.Rows{
			{Address: &to.Nodes, Data: device.BytesOf(m.nodes)},
			{Address: &to.WideNodes, Data: device.BytesOf(m.wideNodes)},
			{Address: &to.SpreadNodes, Data: device.BytesOf(spreadFor(d, m.wideNodes))},
			{Address: &to.Triangles, Data: device.BytesOf(m.triangles)},
		})
		if err != nil {
			return err
		}
		s.buffers = append(s.buffers, buffers...)
		s.boxes = append(s.boxes, m.box)
	}
	at := make([]mgl32.Mat4, len(p.drawn.Instances))
	for i, in := range p.drawn.Instances {
		at[i] = in.World
	}
	if err := s.place(d, at, p.drawn.Hidden); err != nil {
		return fmt.Errorf("place instances: %w", err)
	}
	return nil
}

// Place moves all instances: at holds a matrix for each of scene.Scene.Instances, from its mesh's space to the world. Images
// begin anew with the next Render. On an error everything stays where it is.
func (s *Scene) Place(d device.Device, at []mgl32.Mat4) error {
	if want := len(s.prepared.drawn.Instances); len(at) != want {
		return fmt.Errorf("place instances: %d matrices for %d instances", len(at), want)
	}
	if err := s.place(d, at, nil); err != nil {
		return fmt.Errorf("place instances: %w", err)
	}
	return nil
}

// Moves is how many times instances have been placed.
func (s *Scene) Moves() int { return s.tlas.moves }

// mirrors tells whether fronts of faces turn over.
func mirrors(m mgl32.Mat4) bool { return wide64(m).Mat3().Det() < 0 }

func wide64(m mgl32.Mat4) (out mgl64.Mat4) {
	for i, v := range m {
		out[i] = float64(v)
	}
	return out
}
