package gpuscene

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/device"
	"glint/tracer/scene"
)

// instances are meshes that are drawn several times, in a device's memory, and where they stand: the upper of two levels is a tree over
// them and, as one more box, all that is baked.
type instances struct {
	of       *geometry
	buffers  []device.Buffer // of the meshes
	meshes   []cuda.Instance // where each mesh is; everything else is zero
	boxes    []scene.Bounds  // around them in their own space, as the last pose has left them
	stand    []cuda.Instance // the instances, where they stand
	hidden   []bool          // which of them are not drawn; nil: none
	movement device.Buffer   // Movement per instance
	tlas     []device.Buffer
	frame    cuda.Frame // the addresses; everything else is zero
	moves    int        // times that instances have been placed
	reach    float32    // m: twice that bounds the terms that a point of an instance is the sum of
}

// upload copies the meshes to the device and places their instances as the scene has them.
func (in *instances) upload(d device.Device, g *geometry) error {
	in.of, in.meshes = g, make([]cuda.Instance, len(g.meshes))
	for i := range g.meshes {
		m, to := &g.meshes[i], &in.meshes[i]
		buffers, err := device.UploadAll(d, []device.Rows{
			{Address: &to.Nodes, Data: device.BytesOf(m.nodes)},
			{Address: &to.WideNodes, Data: device.BytesOf(m.wideNodes)},
			{Address: &to.SpreadNodes, Data: device.BytesOf(spreadFor(d, m.wideNodes))},
			{Address: &to.Triangles, Data: device.BytesOf(m.triangles)},
		})
		if err != nil {
			return err
		}
		in.buffers = append(in.buffers, buffers...)
		in.boxes = append(in.boxes, m.box)
	}
	at := make([]mgl32.Mat4, len(g.scene.Instances))
	for i, instance := range g.scene.Instances {
		at[i] = instance.World
	}
	if err := in.place(d, at, g.scene.Hidden); err != nil {
		return fmt.Errorf("place instances: %w", err)
	}
	return nil
}

func (in *instances) bytes() int {
	return device.SizeOfAll(in.buffers) + device.SizeOfAll(in.tlas) + in.movement.Size
}

func (in *instances) free(d device.Device) {
	device.FreeAll(d, append(slices.Concat(in.buffers, in.tlas), in.movement))
	*in = instances{}
}

// fill fills in what kernels read of them.
func (in *instances) fill(f *cuda.Frame) {
	from := &in.frame.Scene
	f.Scene.InstanceCount, f.Scene.Instances, f.Scene.TlasOrder = from.InstanceCount, from.Instances, from.TlasOrder
	f.Scene.TlasNodes, f.Scene.TlasWideNodes = from.TlasNodes, from.TlasWideNodes
}

// place writes where instances stand and rebuilds the tree over them. A transform that cannot be inverted leaves everything as it was.
func (in *instances) place(d device.Device, at []mgl32.Mat4, hidden []bool) error {
	if len(at) == 0 {
		return nil
	}
	table, boxes, entries, reach, err := in.table(at, hidden)
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
	f, room := &in.frame.Scene, len(at)+1 // entries at the most, and never more nodes
	f.InstanceCount = uint32(len(at))
	rows := []device.Rows{
		{Address: &f.Instances, Data: device.BytesOf(table)},
		{Address: &f.TlasNodes, Data: device.BytesOf(built.Nodes), Bytes: room * device.SizeOf[bvh.Node]()},
		{Address: &f.TlasWideNodes, Data: device.BytesOf(built.Wide), Bytes: room * device.SizeOf[bvh.WideNode]()},
		{Address: &f.TlasOrder, Data: device.BytesOf(built.Order), Bytes: room * 4},
	}
	if in.tlas == nil {
		in.tlas, err = device.UploadAll(d, rows)
	} else {
		for i := 0; i < len(rows) && err == nil; i++ {
			err = d.Upload(in.tlas[i], rows[i].Data)
		}
	}
	if err != nil {
		return err
	}
	in.moves, in.reach, in.stand, in.hidden = in.moves+1, reach, table, hidden
	return nil
}

// table is what kernels read of instances that stand there, with the boxes of the upper tree: of those that are drawn, then of what
// is baked. Entries say which is whose.
func (in *instances) table(at []mgl32.Mat4, hidden []bool) (
	table []cuda.Instance, boxes []scene.Bounds, entries []uint32, reach float32, err error,
) {
	g := in.of
	id := cuda.FirstInstanced
	for i, m := range at {
		mesh := g.scene.Instances[i].Mesh
		if hidden != nil && hidden[i] { // it has its place in the table, and none in the tree
			to := in.meshes[mesh]
			to.ToWorld, to.ToMesh, to.First = rows(mgl64.Ident4()), rows(mgl64.Ident4()), id
			id += uint32(len(g.meshes[mesh].triangles))
			table = append(table, to)
			continue
		}
		back, err := scene.Inverse(m)
		if err != nil {
			return nil, nil, nil, 0, fmt.Errorf("instance %d: %w", i, err)
		}
		out := wide64(m)
		to := in.meshes[mesh]
		to.ToWorld, to.ToMesh, to.First = rows(out), rows(back), id
		if mirrors(m) != mirrors(g.scene.Instances[i].World) {
			to.Turned = cuda.TurnedBit
		}
		id += uint32(len(g.meshes[mesh].triangles))
		box := in.boxes[mesh]
		size := sizes(out, farthest(box))
		reach = max(reach, float32(largest(sizes(out, farthest(box).Add(sizes(back, size)))))/2)
		table, boxes, entries = append(table, to), append(boxes, padded(box.Moved(m), size)), append(entries, uint32(i))
	}
	if !g.baked.Empty() {
		boxes, entries = append(boxes, g.baked), append(entries, cuda.StaticGeometry)
	}
	if len(boxes) == 0 { // nothing is drawn: the tree still has a leaf, where no ray comes
		nowhere := mgl32.Vec3{math.MaxFloat32, math.MaxFloat32, math.MaxFloat32}
		boxes, entries = append(boxes, scene.Bounds{Min: nowhere, Max: nowhere}), append(entries, 0)
	}
	return table, boxes, entries, reach, nil
}

// keepMovement notes where instances stand, which is about to change, so that what is carried over from image to image finds it there.
func (in *instances) keepMovement(d device.Device, previousOf func(mesh int) uint64) error {
	if len(in.stand) == 0 {
		return nil
	}
	table := make([]cuda.Movement, len(in.stand))
	for i, instance := range in.of.scene.Instances {
		table[i] = cuda.Movement{ToWorld: in.stand[i].ToWorld, FirstVertex: in.of.meshes[instance.Mesh].firstVertex,
			Positions: previousOf(instance.Mesh)}
	}
	if in.movement.Size == 0 {
		var err error
		if in.movement, err = d.Alloc(len(table) * device.SizeOf[cuda.Movement]()); err != nil {
			return err
		}
	}
	return d.Upload(in.movement, device.BytesOf(table))
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

// mirrors tells whether fronts of faces turn over.
func mirrors(m mgl32.Mat4) bool { return wide64(m).Mat3().Det() < 0 }

func wide64(m mgl32.Mat4) (out mgl64.Mat4) {
	for i, v := range m {
		out[i] = float64(v)
	}
	return out
}
