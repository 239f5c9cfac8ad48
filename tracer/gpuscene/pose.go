package gpuscene

import (
	"fmt"
	"slices"

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
	if err := s.changeMaterials(d, pose); err != nil {
		return fmt.Errorf("pose materials: %w", err)
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

// changeMaterials uploads those that clips change, with those between them in one piece.
func (s *Scene) changeMaterials(d device.Device, pose *scene.Pose) error {
	if len(pose.Materials) == 0 {
		return nil
	}
	of := s.prepared.Scene.Motion.Materials
	first, last := of[0], of[len(of)-1]
	table := slices.Clone(s.prepared.materials[first : last+1])
	for i, at := range of {
		table[at-first] = s.prepared.deviceMaterial(at, &pose.Materials[i])
	}
	return d.Upload(s.materials.From(first*device.SizeOf[cuda.Material]()), device.BytesOf(table))
}

// shine moves lights without area. Where clips change how bright lights are, chances follow.
func (s *Scene) shine(d device.Device, pose *scene.Pose) error {
	p := s.prepared
	punctual, powers := make([]cuda.Light, len(pose.Lights)), make([]float64, len(pose.Lights))
	for i := range punctual {
		punctual[i], powers[i] = punctualLight(&pose.Lights[i], float64(p.radius))
	}
	if p.Scene.Motion.Relights() {
		return s.relight(d, pose, punctual, powers)
	}
	if len(punctual) == 0 {
		return nil
	}
	for i := range punctual {
		punctual[i].Selection = p.lights[p.firstPunctual+i].Selection // so are the chances, which need not be the best ones
	}
	return d.Upload(s.lights.From(p.firstPunctual*device.SizeOf[cuda.Light]()), device.BytesOf(punctual))
}

// relight has emitters glow as their materials do now, and chooses lights by their powers now.
func (s *Scene) relight(d device.Device, pose *scene.Pose, punctual []cuda.Light, punctualPowers []float64) error {
	p := s.prepared
	lights, powers := slices.Clone(p.lights), slices.Clone(p.powers)
	for _, e := range p.relit {
		lights[e.light].Emission = pose.Materials[e.material].Emission
		powers[e.light] = e.weight.power(lights[e.light].Emission)
	}
	copy(lights[p.firstPunctual:], punctual)
	copy(powers[p.firstPunctual:], punctualPowers)
	table := choices(lights, p.lightWeights(powers))
	for _, part := range []struct {
		to   device.Buffer
		data []byte
	}{{s.lights, device.BytesOf(lights)}, {s.lightAlias, device.BytesOf(table)}, {s.posing.restLights, device.BytesOf(lights)}} {
		if part.to.Size == 0 {
			continue
		}
		if err := d.Upload(part.to, part.data); err != nil {
			return err
		}
	}
	return nil
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
