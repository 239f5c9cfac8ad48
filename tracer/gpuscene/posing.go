package gpuscene

import (
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/device"
	"glint/tracer/scene"
)

// posing is all meshes that deform, on the device: what kernels make their vertices, triangles and trees of in each pose.
type posing struct {
	buffers   []device.Buffer
	meshes    []cuda.DeformedMesh
	joints    []int       // matrices of each
	instances []int       // the one that draws it
	mirrored  []bool      // at rest
	of        map[int]int // by mesh, its place in them
	table     cuda.Posing
	frame     cuda.Frame
	binary    []cuda.RefitLevel
	wide      []cuda.RefitLevel
	matrices  device.Buffer
	weights   device.Buffer
	meshTable device.Buffer
	boxes     device.Buffer
	// What lights among its triangles are made of.
	restLights device.Buffer
}

// upload copies what poses are made of, once the meshes are there.
func (g *posing) upload(d device.Device, p *Prepared, t *tables, in *instances) error {
	motion := p.Scene.Motion
	if motion == nil {
		return nil
	}
	deforming := motion.Deforming()
	if len(deforming) == 0 {
		return nil
	}
	g.of = map[int]int{}
	shared := map[*scene.Vertex]cuda.DeformedMesh{} // copies of a mesh are made of the same
	matrices, weights, wide := 0, 0, 0
	var trees []preparedMesh
	for i := range deforming {
		from := &deforming[i]
		m, known := shared[&from.Vertices[0]]
		if !known {
			var err error
			if m, err = g.uploadParts(d, from); err != nil {
				return err
			}
			shared[&from.Vertices[0]] = m
		}
		mesh, tree := &p.geometry.meshes[from.Mesh], &in.meshes[from.Mesh]
		m.Nodes, m.WideNodes, m.Triangles = tree.Nodes, tree.WideNodes, tree.Triangles
		if d.Info().Kind == device.KindCPU {
			m.SpreadNodes = tree.SpreadNodes
		}
		m.First, m.FirstVertex, m.VertexCount = g.table.VertexCount, mesh.firstVertex, uint32(len(from.Vertices))
		m.FirstTriangle, m.TriangleCount = g.table.TriangleCount, uint32(len(mesh.triangles))
		m.FirstMatrix, m.FirstWeight, m.FirstWide = uint32(matrices), uint32(weights), uint32(wide)
		g.joints = append(g.joints, joints(from))
		g.instances = append(g.instances, from.Instance)
		g.mirrored = append(g.mirrored, from.Mirrored)
		matrices += g.joints[i]
		weights += len(from.Targets)
		wide += len(mesh.wideNodes)
		g.table.VertexCount += m.VertexCount
		g.table.TriangleCount += m.TriangleCount
		g.of[from.Mesh] = i
		g.meshes = append(g.meshes, m)
		trees = append(trees, *mesh)
	}
	g.table.MeshCount = uint32(len(g.meshes))
	g.table.Vertices, g.table.Lights = t.vertices.Address, t.lights.Address
	g.frame.Scene = t.frame.Scene
	in.fill(&g.frame)
	return g.uploadTables(d, p.lights.table, trees, matrices, weights)
}

// joints is how many matrices a mesh takes.
func joints(m *scene.DeformingMesh) int {
	if m.Influences == 0 {
		return 1
	}
	most := 0
	for i, joint := range m.Joints {
		if m.Weights[i] > 0 {
			most = max(most, int(joint))
		}
	}
	return most + 1
}

// uploadParts copies what a mesh's vertices are made of.
func (g *posing) uploadParts(d device.Device, from *scene.DeformingMesh) (m cuda.DeformedMesh, err error) {
	rest := make([]cuda.Vertex, len(from.Vertices))
	for i := range rest {
		rest[i] = deviceVertex(&from.Vertices[i])
	}
	influences := make([]cuda.Influence, len(from.Joints))
	for i := range influences {
		influences[i] = cuda.Influence{Joint: from.Joints[i], Weight: from.Weights[i]}
		if from.Weights[i] == 0 {
			influences[i].Joint = 0 // files name any
		}
	}
	deltas := make([]cuda.MorphDelta, 0, len(from.Targets)*len(rest))
	for _, t := range from.Targets {
		for i := range rest {
			deltas = append(deltas, cuda.MorphDelta{Position: deltaOf(t.Positions, i), Normal: deltaOf(t.Normals, i), Tangent: deltaOf(t.Tangents, i)})
		}
	}
	m.InfluenceCount, m.TargetCount = uint32(from.Influences), uint32(len(from.Targets))
	if from.Flat {
		m.Flags |= cuda.DeformFlat
	}
	buffers, err := device.UploadAll(d, []device.Rows{
		{Address: &m.Rest, Data: device.BytesOf(rest)},
		{Address: &m.Influences, Data: device.BytesOf(influences)},
		{Address: &m.Deltas, Data: device.BytesOf(deltas)},
	})
	g.buffers = append(g.buffers, buffers...)
	return m, err
}

func deltaOf(deltas []mgl32.Vec3, i int) mgl32.Vec3 {
	if deltas == nil {
		return mgl32.Vec3{}
	}
	return deltas[i]
}

// uploadTables takes the memory that poses are made in.
func (g *posing) uploadTables(d device.Device, lights []cuda.Light, trees []preparedMesh, matrices, weights int) error {
	var nodes, wideNodes []cuda.RefitNode
	nodes, g.binary = levels(trees, func(m *preparedMesh) []uint32 { return bvh.Depths(m.nodes) })
	wideNodes, g.wide = levels(trees, func(m *preparedMesh) []uint32 { return bvh.WideDepths(m.wideNodes) })
	t := &g.table
	buffers, err := device.UploadAll(d, []device.Rows{
		{Address: &t.Meshes, Data: device.BytesOf(g.meshes)},
		{Address: &t.Matrices, Bytes: matrices * 3 * 16},
		{Address: &t.Weights, Bytes: weights * 4},
		{Address: &t.Boxes, Bytes: len(g.meshes) * device.SizeOf[cuda.RefitBox]()},
		{Address: &t.Previous, Bytes: int(t.VertexCount) * 16},
		{Address: &t.RestLights, Data: device.BytesOf(lights)},
		{Address: &t.Nodes, Data: device.BytesOf(nodes)},
		{Address: &t.Levels, Data: device.BytesOf(g.binary)},
		{Address: &t.WideNodes, Data: device.BytesOf(wideNodes)},
		{Address: &t.WideLevels, Data: device.BytesOf(g.wide)},
		{Address: &t.WideBoxes, Bytes: len(wideNodes) * device.SizeOf[cuda.RefitBox]()},
	})
	g.buffers = append(g.buffers, buffers...)
	if err != nil {
		return err
	}
	g.meshTable, g.matrices, g.weights, g.boxes, g.restLights = buffers[0], buffers[1], buffers[2], buffers[3], buffers[5]
	last, err := device.UploadAll(d, []device.Rows{{Address: &g.frame.Build.Posed, Data: device.BytesOf([]cuda.Posing{*t})}})
	g.buffers = append(g.buffers, last...)
	return err
}

// levels lists the nodes of all trees by their depth, the deepest first.
func levels(trees []preparedMesh, depths func(*preparedMesh) []uint32) (nodes []cuda.RefitNode, table []cuda.RefitLevel) {
	var by [][]cuda.RefitNode
	for i := range trees {
		for node, depth := range depths(&trees[i]) {
			for int(depth) >= len(by) {
				by = append(by, nil)
			}
			by[depth] = append(by[depth], cuda.RefitNode{Mesh: uint32(i), Node: uint32(node)})
		}
	}
	for _, level := range slices.Backward(by) {
		table = append(table, cuda.RefitLevel{First: uint32(len(nodes)), Count: uint32(len(level))})
		nodes = append(nodes, level...)
	}
	return nodes, table
}

// run makes the pose of all that deforms, and tells the boxes around meshes.
func (g *posing) run(d device.Device, pose *scene.Pose, tree *deviceBVH, meshes []scene.Bounds) error {
	if len(g.meshes) == 0 {
		return nil
	}
	if err := g.uploadPose(d, pose); err != nil {
		return err
	}
	tree.apply(&g.frame) // any has the faces, but not for ever
	if err := d.SetFrame(&g.frame); err != nil {
		return err
	}
	launches := []device.Launch{
		{Kernel: cuda.DeformVertices, Indices: int(g.table.VertexCount)},
		{Kernel: cuda.DeformTriangles, Indices: int(g.table.TriangleCount)},
	}
	for i, level := range g.binary {
		launches = append(launches, device.Launch{Kernel: cuda.RefitNodes, Arg: uint32(i), Indices: int(level.Count)})
	}
	for i, level := range g.wide {
		launches = append(launches, device.Launch{Kernel: cuda.RefitWide, Arg: uint32(i), Indices: int(level.Count)})
	}
	if err := device.RunAll(d, launches...); err != nil {
		return err
	}
	if err := d.Sync(); err != nil {
		return err
	}
	boxes := make([]cuda.RefitBox, len(g.meshes))
	if err := d.Download(g.boxes, device.BytesOf(boxes)); err != nil {
		return err
	}
	for mesh, i := range g.of {
		meshes[mesh] = scene.Bounds{Min: boxes[i].Lo, Max: boxes[i].Hi}
	}
	return nil
}

// uploadPose copies what a pose is.
func (g *posing) uploadPose(d device.Device, pose *scene.Pose) error {
	matrices := make([][3][4]float32, g.matrices.Size/48)
	weights := make([]float32, g.weights.Size/4)
	for i := range g.meshes {
		now, m := &pose.Deformed[i], &g.meshes[i]
		for k := range g.joints[i] {
			matrices[int(m.FirstMatrix)+k] = rows(now.Joints[k])
		}
		for k := range min(int(m.TargetCount), len(now.Weights)) {
			weights[int(m.FirstWeight)+k] = float32(now.Weights[k])
		}
		m.Flags &^= cuda.DeformHidden | cuda.DeformTurned
		if pose.Hidden[g.instances[i]] {
			m.Flags |= cuda.DeformHidden
		}
		if now.Mirrors() != g.mirrored[i] {
			m.Flags |= cuda.DeformTurned
		}
	}
	return uploadParts(d, []part{
		{g.matrices, device.BytesOf(matrices)}, {g.weights, device.BytesOf(weights)}, {g.meshTable, device.BytesOf(g.meshes)},
	})
}

// previousOf is where kernels find where the vertices of a mesh were; 0 where it does not deform.
func (g *posing) previousOf(mesh int) uint64 {
	i, deforms := g.of[mesh]
	if !deforms {
		return 0
	}
	return g.table.Previous + 16*uint64(g.meshes[i].First)
}
