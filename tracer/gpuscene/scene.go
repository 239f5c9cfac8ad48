// Package gpuscene is a scene as kernels read it: triangles, lights and tables, and the BVHs that rays go through.
//
//	p, err := gpuscene.Prepare(ctx, s, gpuscene.Options{})   // any goroutine
//	scene, err := gpuscene.Upload(d, p, tables)         // the goroutine of the device
//	scene.Fill(&frame, &settings, "auto")
package gpuscene

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// Scene is a prepared scene in a device's memory.
type Scene struct {
	Notes []string // what the user should know about how it fits the device

	bvhSet
	prepared  *Prepared
	tables    tables
	instances instances
	posing    posing
	hardware  hardwareRays
}

// Upload copies a prepared scene to the device, all or nothing. Tables is the address of cuda.Tables there.
func Upload(d device.Device, p *Prepared, tables uint64) (*Scene, error) {
	s := &Scene{prepared: p, bvhSet: bvhSet{of: p.geometry, first: p.first, memory: p.memory}}
	longest, err := p.checkRoom(d)
	if err != nil {
		return nil, err
	}
	if longest < p.textures.longest() {
		s.Notes = append(s.Notes, p.textures.note(longest))
	}
	s.tables.frame.Scene.Tables = tables
	s.tables.frame.Scene.Missing = p.lacks()
	d.Specialize(s.tables.frame.Scene.Missing)
	err = s.tables.upload(d, p, longest)
	if err == nil {
		err = s.addBVH(d, p.first)
	}
	if err == nil {
		err = s.instances.upload(d, p.geometry)
	}
	if err == nil {
		err = s.posing.upload(d, p, &s.tables, &s.instances)
	}
	if err != nil {
		s.Free(d)
		return nil, err
	}
	p.BVH = p.first.Stats // of a deferred BVH they are known only now
	return s, nil
}

// Fill fills in all that the kernels read of the scene, through the BVH of a method where that is resident.
func (s *Scene) Fill(f *cuda.Frame, own *settings.Settings, bvh string) {
	s.tables.fill(f, own, &s.prepared.lights.tree)
	s.instances.fill(f)
	s.choose(bvh).apply(f)
	f.Scene.Radius, f.Scene.Reach = s.prepared.radius, max(s.prepared.reach, s.instances.reach)
}

// FillHardware has hardware trace the rays of a frame that Fill has filled in, with the same BVH, where setting rays wants it to. Then it says
// who traces them. An error is why hardware does not though it should, and is given once; software does.
func (s *Scene) FillHardware(d device.Device, f *cuda.Frame, rays, bvh string) (by string, err error) {
	b := rayTreeBuilder{device: d, instances: &s.instances, posing: &s.posing, of: s.choose(bvh), vertices: s.tables.vertices.Address}
	return s.hardware.fill(b, f, rays)
}

// Prepared is what the scene was uploaded from.
func (s *Scene) Prepared() *Prepared { return s.prepared }

// Instances is how many instances there are.
func (s *Scene) Instances() int { return int(s.instances.frame.Scene.InstanceCount) }

// Animated tells whether there may be movement.
func (s *Scene) Animated() bool { return s.prepared.Scene.Motion != nil }

// Moves counts the poses that the scene has had.
func (s *Scene) Moves() int { return s.instances.moves }

// FillMovement has an image follow what has moved since the image before, which was rendered when Moves was that.
func (s *Scene) FillMovement(f *cuda.Frame, moves int) {
	f.Scene.Movements = 0
	if moves == s.instances.moves-1 {
		f.Scene.Movements = s.instances.movement.Address
	}
}

// Bytes is the device memory of the scene with all of its BVHs.
func (s *Scene) Bytes() int {
	bytes := s.hardware.trees.bytes() + device.SizeOfAll(s.tables.buffers) + s.instances.bytes() + device.SizeOfAll(s.posing.buffers)
	for _, b := range s.resident {
		bytes += device.SizeOfAll(b.buffers)
	}
	return bytes
}

// Free gives the memory back.
func (s *Scene) Free(d device.Device) {
	s.hardware.trees.free(d)
	device.FreeAll(d, s.tables.buffers)
	s.tables.buffers = nil
	s.free(d)
	s.instances.free(d)
	device.FreeAll(d, s.posing.buffers)
	s.posing = posing{}
}

// Place moves all instances: at holds a matrix for each of scene.Scene.Instances, from its mesh's space to the world. Images
// restart with the next Render. On an error everything stays where it is.
func (s *Scene) Place(d device.Device, at []mgl32.Mat4) error {
	if want := len(s.prepared.drawn.Instances); len(at) != want {
		return fmt.Errorf("place instances: %d matrices for %d instances", len(at), want)
	}
	if err := s.instances.place(d, at, nil); err != nil {
		return fmt.Errorf("place instances: %w", err)
	}
	return nil
}

// Pose moves all that moves to where it is at one moment. Images restart with the next Render. What is shown depends on the pose
// alone, not on those before: trees keep their shape, and their boxes follow. After an error the scene may be between two poses.
func (s *Scene) Pose(d device.Device, pose *scene.Pose) error {
	if err := d.Sync(); err != nil { // frames under way read the pose before
		return err
	}
	if err := s.instances.keepMovement(d, s.posing.previousOf); err != nil {
		return fmt.Errorf("pose: %w", err)
	}
	if err := s.tables.changeMaterials(d, s.prepared, pose); err != nil {
		return fmt.Errorf("pose materials: %w", err)
	}
	if err := s.tables.shine(d, s.prepared, pose, s.posing.restLights); err != nil {
		return fmt.Errorf("pose lights: %w", err)
	}
	if err := s.posing.run(d, pose, s.choose(""), s.instances.boxes); err != nil {
		return fmt.Errorf("pose what deforms: %w", err)
	}
	at := make([]mgl32.Mat4, len(pose.Instances))
	for i, in := range pose.Instances {
		at[i] = in.World
	}
	if err := s.instances.place(d, at, pose.Hidden); err != nil {
		return fmt.Errorf("pose: %w", err)
	}
	if len(at) == 0 { // only lights and cameras move
		s.instances.moves++
	}
	return nil
}
