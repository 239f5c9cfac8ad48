package tracer

import (
	"context"
	"fmt"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/denoise"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// PlannedMemory is what a renderer will hold after a sample of a view: on a device that only counts, it asks for all that it would ask
// for on another.
func PlannedMemory(d *device.Planner, p *gpuscene.Prepared, v schedule.Request, s settings.Settings) (memory profile.Memory, err error) {
	r, err := OpenOn(d, profile.Policy{})
	if err != nil {
		return memory, err
	}
	defer func() { _ = r.Close() }() // it has nothing to close
	if err := r.engine.Use(p); err != nil {
		return memory, err
	}
	if _, err := r.Render(v, s, view.Target{}); err != nil {
		return memory, err
	}
	if p := r.engine.Plan(v, s); p.Settings.Denoise != denoise.Off {
		if _, err := r.Image().Denoised(v, p.Settings); err != nil {
			return memory, err
		}
	}
	watched, err := r.Statistics()
	return watched.Memory, err
}

// PictureBytes is how much of a device's memory pictures of a view take, bytes: those of any scene with glass, or of any without.
func PictureBytes(of device.Info, v schedule.Request, s settings.Settings, glass bool) (int64, error) {
	material := scene.NewMaterial("pane")
	if glass {
		material.Transmission, material.Roughness = 1, 0
	}
	pane := &scene.Scene{Name: "a pane", Vertices: []scene.Vertex{{}, {Position: mgl32.Vec3{1, 0, 0}}, {Position: mgl32.Vec3{0, 1, 0}}},
		Faces: []scene.Face{{V: [3]uint32{0, 1, 2}}}, Materials: []scene.Material{material}}
	p, err := gpuscene.Prepare(context.Background(), pane, gpuscene.Options{})
	if err != nil {
		return 0, err
	}
	v.Camera = pane.DefaultCamera(1)
	memory, err := PlannedMemory(device.NewPlanner(of.Kind, of.Memory), p, v, s)
	if err != nil {
		return 0, fmt.Errorf("plan a picture's memory: %w", err)
	}
	return int64(memory.Device() - memory.Scene), nil
}
