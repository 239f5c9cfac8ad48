package gpuscene

import (
	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/scene"
)

// movement is where everything was before the last pose, so that what is carried over from image to image finds it there.
type movement struct {
	table     device.Buffer         // Movement per instance
	positions map[int]device.Buffer // float4 per vertex of a mesh that deforms
}

// keep notes how the scene is posed, which is about to change.
func (m *movement) keep(d device.Device, s *Scene) error {
	if len(s.stand) == 0 {
		return nil
	}
	table := make([]cuda.Movement, len(s.stand))
	for i, in := range s.prepared.drawn.Instances {
		table[i] = cuda.Movement{ToWorld: s.stand[i].ToWorld, FirstVertex: s.prepared.meshes[in.Mesh].firstVertex}
		if !s.prepared.drawn.Meshes[in.Mesh].Deforms() {
			continue
		}
		b, err := m.keepPositions(d, in.Mesh, s.verticesOf(in.Mesh))
		if err != nil {
			return err
		}
		table[i].Positions = b.Address
	}
	if m.table.Size == 0 {
		var err error
		if m.table, err = d.Alloc(len(table) * device.SizeOf[cuda.Movement]()); err != nil {
			return err
		}
	}
	return d.Upload(m.table, device.BytesOf(table))
}

func (m *movement) keepPositions(d device.Device, mesh int, vertices []scene.Vertex) (device.Buffer, error) {
	at := make([][4]float32, len(vertices))
	for i := range vertices {
		p := &vertices[i].Position
		at[i] = [4]float32{p[0], p[1], p[2]}
	}
	b, there := m.positions[mesh]
	if !there {
		var err error
		if b, err = d.Alloc(max(len(at), 1) * 16); err != nil {
			return b, err
		}
		if m.positions == nil {
			m.positions = map[int]device.Buffer{}
		}
		m.positions[mesh] = b
	}
	return b, d.Upload(b, device.BytesOf(at))
}

// verticesOf are those of a mesh as the last pose has left them.
func (s *Scene) verticesOf(mesh int) []scene.Vertex {
	if t := &s.trees[mesh]; t.posed {
		return t.vertices
	}
	return s.prepared.drawn.Meshes[mesh].Vertices
}

// FillMovement has an image follow what has moved since the image before, which was rendered when Moves was that.
func (s *Scene) FillMovement(f *cuda.Frame, moves int) {
	f.Scene.Movements = 0
	if moves == s.tlas.moves-1 {
		f.Scene.Movements = s.movement.table.Address
	}
}

// Animated tells whether there may be movement.
func (s *Scene) Animated() bool { return s.prepared.Scene.Motion != nil }

func (m *movement) bytes() int {
	bytes := m.table.Size
	for _, b := range m.positions {
		bytes += b.Size
	}
	return bytes
}

func (m *movement) free(d device.Device) {
	d.Free(m.table)
	for _, b := range m.positions {
		d.Free(b)
	}
	*m = movement{}
}
