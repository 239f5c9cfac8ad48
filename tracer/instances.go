package tracer

import (
	"errors"
	"fmt"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/scene"
)

// preparedMesh is a mesh of instances, in its own space, with its tree.
type preparedMesh struct {
	triangles []cuda.Triangle // in leaf order, once the tree has grown
	box       scene.Bounds
	nodes     []bvh.Node
	wideNodes []bvh.WideNode
}

// growMeshes builds the trees of instances' meshes. They are of method auto whatever setting bvh says.
func (p *Prepared) growMeshes() error {
	if ids := p.Scene.Triangles() - len(p.Scene.Faces); ids >= int(cuda.NoHit-cuda.FirstInstanced) {
		return fmt.Errorf("instances have %d triangles, more than kernels can tell apart: draw fewer of them", ids)
	}
	for i := range p.meshes {
		m, faces := &p.meshes[i], p.Scene.Meshes[i].Faces
		vertices := p.Scene.Meshes[i].Vertices
		built, err := bvh.Build(bvh.Binned, func(face int) [3]mgl32.Vec3 { return corners(vertices, faces[face]) }, len(faces))
		if err != nil {
			return fmt.Errorf("mesh %d: %w", i, err)
		}
		m.nodes, m.wideNodes = built.Nodes, built.Wide
		listed := m.triangles
		m.triangles = make([]cuda.Triangle, len(built.Order))
		parallel(len(built.Order), func(k int) { m.triangles[k] = listed[built.Order[k]] })
	}
	return nil
}

// putInstances copies the meshes to the device and places their instances as the scene has them.
func (s *deviceScene) putInstances(d device) error {
	p := s.prepared
	s.meshes = make([]cuda.Instance, len(p.meshes))
	for i := range p.meshes {
		m, to := &p.meshes[i], &s.meshes[i]
		buffers, err := putAll(d, []put{
			{address: &to.Nodes, data: bytesOf(m.nodes)},
			{address: &to.WideNodes, data: bytesOf(m.wideNodes)},
			{address: &to.SpreadNodes, data: bytesOf(spreadFor(d, m.wideNodes))},
			{address: &to.Triangles, data: bytesOf(m.triangles)},
		})
		if err != nil {
			return err
		}
		s.buffers = append(s.buffers, buffers...)
	}
	at := make([]mgl32.Mat4, len(p.Scene.Instances))
	for i, in := range p.Scene.Instances {
		at[i] = in.World
	}
	if err := s.place(d, at); err != nil {
		return fmt.Errorf("place instances: %w", err)
	}
	return nil
}

// PlaceInstances moves all instances of the scene in use, for twins, too: at holds a matrix for each of Scene.Instances, from
// its mesh's space to the world. Images begin anew with the next Render. On an error everything stays where it is.
func (r *Renderer) PlaceInstances(at []mgl32.Mat4) error {
	if r.scene == nil {
		return errors.New("place instances: no scene in use")
	}
	instances := r.scene.prepared.Scene.Instances
	if len(at) != len(instances) {
		return fmt.Errorf("place instances: %d matrices for %d instances", len(at), len(instances))
	}
	for i, m := range at {
		if (wide64(m).Mat3().Det() < 0) != (wide64(instances[i].World).Mat3().Det() < 0) {
			return fmt.Errorf("place instance %d: its matrix mirrors the mesh, which it did not before, or no longer does", i)
		}
	}
	if err := r.scene.place(r.device, at); err != nil {
		return fmt.Errorf("place instances: %w", err)
	}
	return nil
}

func wide64(m mgl32.Mat4) (out mgl64.Mat4) {
	for i, v := range m {
		out[i] = float64(v)
	}
	return out
}
