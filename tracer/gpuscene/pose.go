package gpuscene

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/scene"
)

// Pose moves all that moves to where it is at one moment. Images begin anew with the next Render. What is shown depends on the pose
// alone, not on those before: trees keep their shape, and their boxes follow. After an error the scene may be between two poses.
func (s *Scene) Pose(d device.Device, pose *scene.Pose) error {
	if err := d.Sync(); err != nil { // frames under way read the pose before
		return err
	}
	if err := s.keepMovement(d); err != nil {
		return fmt.Errorf("pose: %w", err)
	}
	if err := s.shine(d, pose); err != nil {
		return fmt.Errorf("pose lights: %w", err)
	}
	if err := s.posing.run(d, s, pose); err != nil {
		return fmt.Errorf("pose what deforms: %w", err)
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

// shine moves lights without area.
func (s *Scene) shine(d device.Device, pose *scene.Pose) error {
	p := s.prepared
	if len(pose.Lights) == 0 {
		return nil
	}
	lights := make([]cuda.Light, len(pose.Lights))
	for i := range lights {
		lights[i], _ = punctualLight(&pose.Lights[i], float64(p.radius))
		lights[i].Selection = p.lights[p.firstPunctual+i].Selection // so are the chances, which need not be the best ones
	}
	return d.Upload(s.lights.From(p.firstPunctual*device.SizeOf[cuda.Light]()), device.BytesOf(lights))
}

// keepMovement notes where instances stand, which is about to change, so that what is carried over from image to image finds it there.
func (s *Scene) keepMovement(d device.Device) error {
	if len(s.stand) == 0 {
		return nil
	}
	table := make([]cuda.Movement, len(s.stand))
	for i, in := range s.prepared.drawn.Instances {
		table[i] = cuda.Movement{ToWorld: s.stand[i].ToWorld, FirstVertex: s.prepared.meshes[in.Mesh].firstVertex,
			Positions: s.posing.previousOf(in.Mesh)}
	}
	if s.movement.Size == 0 {
		var err error
		if s.movement, err = d.Alloc(len(table) * device.SizeOf[cuda.Movement]()); err != nil {
			return err
		}
	}
	return d.Upload(s.movement, device.BytesOf(table))
}

// FillMovement has an image follow what has moved since the image before, which was rendered when Moves was that.
func (s *Scene) FillMovement(f *cuda.Frame, moves int) {
	f.Scene.Movements = 0
	if moves == s.tlas.moves-1 {
		f.Scene.Movements = s.movement.Address
	}
}

// Animated tells whether there may be movement.
func (s *Scene) Animated() bool { return s.prepared.Scene.Motion != nil }
