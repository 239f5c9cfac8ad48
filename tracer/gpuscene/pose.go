package gpuscene

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/device"
	"glint/tracer/scene"
)

// meshTree is a mesh's tree on the device, and as the last pose has left it.
type meshTree struct {
	buffers   [4]device.Buffer // binary nodes, wide nodes, spread nodes, triangles
	tree      bvh.Tree
	triangles []cuda.Triangle
	box       scene.Bounds
	vertices  []scene.Vertex
	posed     bool // the rest is known; before, it is as it was prepared
}

// meshBox is the box around a mesh, in its own space.
func (s *Scene) meshBox(mesh int) scene.Bounds {
	if t := &s.trees[mesh]; t.posed {
		return t.box
	}
	return s.prepared.meshes[mesh].box
}

// Pose moves all that moves to where it is at one moment. Images begin anew with the next Render. What is shown depends on the pose
// alone, not on those before: trees keep their shape, and their boxes follow. After an error the scene may be between two poses.
func (s *Scene) Pose(d device.Device, pose *scene.Pose) error {
	if err := d.Sync(); err != nil { // frames under way read the pose before
		return err
	}
	if err := s.movement.keep(d, s); err != nil {
		return fmt.Errorf("pose: %w", err)
	}
	lights := slices.Clone(s.prepared.lights)
	for i := range pose.Deformed {
		if err := s.deform(d, &pose.Deformed[i], lights); err != nil {
			return fmt.Errorf("pose mesh %d: %w", pose.Deformed[i].Mesh, err)
		}
	}
	s.shine(lights, pose)
	if len(lights) > 0 {
		if err := d.Upload(s.lights, device.BytesOf(lights)); err != nil {
			return fmt.Errorf("pose lights: %w", err)
		}
	}
	at := make([]mgl32.Mat4, len(pose.Instances))
	for i, in := range pose.Instances {
		at[i] = in.World
	}
	if err := s.place(d, at, pose.Hidden); err != nil {
		return fmt.Errorf("pose: %w", err)
	}
	if len(at) == 0 { // only lights and cameras move
		s.tlas.moves++
	}
	return nil
}

// deform moves a mesh's vertices, and its triangles, boxes and lights with them.
func (s *Scene) deform(d device.Device, now *scene.Deformed, lights []cuda.Light) error {
	p, t := &s.prepared.meshes[now.Mesh], &s.trees[now.Mesh]
	faces := s.prepared.drawn.Meshes[now.Mesh].Faces
	if !t.posed {
		t.tree.Nodes, t.tree.Wide = slices.Clone(p.nodes), slices.Clone(p.wideNodes)
		t.triangles, t.posed = slices.Clone(p.triangles), true
	}
	t.vertices = now.Vertices
	vertices := make([]cuda.Vertex, len(now.Vertices))
	for i := range vertices {
		vertices[i] = deviceVertex(&now.Vertices[i])
	}
	t.box = scene.NoBounds()
	for i := range t.triangles {
		to := &t.triangles[i]
		c := corners(now.Vertices, faces[to.Face-p.firstFace])
		to.V0, to.E1, to.E2 = c[0], c[1].Sub(c[0]), c[2].Sub(c[0])
		for _, at := range c {
			t.box.Add(at)
		}
		if to.Light != cuda.NoLight {
			l := &lights[to.Light]
			l.Position, l.Direction, l.Intensity = to.V0, to.E1, to.E2
			l.Area = mgl32.Vec3(to.E1).Cross(mgl32.Vec3(to.E2)).Len() / 2
		}
	}
	t.tree.Refit(func(i int) [3]mgl32.Vec3 { return corners(now.Vertices, faces[t.triangles[i].Face-p.firstFace]) })
	for _, part := range []struct {
		to   device.Buffer
		data []byte
	}{
		{s.vertices.From(int(p.firstVertex) * device.SizeOf[cuda.Vertex]()), device.BytesOf(vertices)},
		{t.buffers[0], device.BytesOf(t.tree.Nodes)}, {t.buffers[1], device.BytesOf(t.tree.Wide)},
		{t.buffers[2], device.BytesOf(spreadFor(d, t.tree.Wide))}, {t.buffers[3], device.BytesOf(t.triangles)},
	} {
		if err := d.Upload(part.to, part.data); err != nil {
			return err
		}
	}
	return nil
}

// shine moves lights without area, and puts out those that are not there.
func (s *Scene) shine(lights []cuda.Light, pose *scene.Pose) {
	p := s.prepared
	radius := float64(p.Scene.Bounds().Radius())
	for i := range pose.Lights {
		l, _ := punctualLight(&pose.Lights[i], radius)
		l.Selection = lights[p.firstPunctual+i].Selection // so are the chances, which need not be the best ones
		lights[p.firstPunctual+i] = l
	}
	for i, in := range pose.Instances {
		if !pose.Hidden[i] || !p.drawn.Meshes[in.Mesh].Deforms() {
			continue
		}
		for _, t := range p.meshes[in.Mesh].triangles {
			if t.Light != cuda.NoLight {
				lights[t.Light].Emission = mgl32.Vec3{}
			}
		}
	}
}
