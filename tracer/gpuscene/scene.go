// Package gpuscene is a scene as kernels read it: triangles, lights and tables, and the BVHs that rays go through.
//
//	p, err := gpuscene.Prepare(ctx, s, gpuscene.Options{})   // any goroutine
//	scene, err := gpuscene.Upload(d, p, tables)         // the goroutine of the device
//	scene.Fill(&frame, &settings, "auto")
package gpuscene

import (
	"fmt"
	"math"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/device"
	"glint/tracer/guard"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// Scene is a prepared scene in a device's memory.
type Scene struct {
	Notes []string // what the user should know about how it fits the device

	prepared                                *Prepared
	buffers                                 []device.Buffer
	frame                                   cuda.Frame // the addresses; everything else is zero
	bvhs                                    bvhSet
	meshes                                  []cuda.Instance // where each mesh is; everything else is zero
	boxes                                   []scene.Bounds  // around them in their own space, as the last pose has left them
	stand                                   []cuda.Instance // the instances, where they stand
	movement                                device.Buffer   // Movement per instance
	posing                                  posing
	vertices, materials, lights, lightAlias device.Buffer
	tlas                                    tlas
}

// Upload copies a prepared scene to the device, all or nothing. Tables is the address of cuda.Tables there.
func Upload(d device.Device, p *Prepared, tables uint64) (*Scene, error) {
	s := &Scene{prepared: p}
	longest, err := p.checkRoom(d)
	if err != nil {
		return nil, err
	}
	if longest < p.longestTexture() {
		s.Notes = append(s.Notes, p.scaledNote(longest))
	}
	s.frame.Scene.Tables = tables
	s.frame.Scene.Missing = p.lacks()
	d.Specialize(s.frame.Scene.Missing)
	err = s.upload(d, p, longest)
	if err == nil {
		err = s.addBVH(d, p.first)
	}
	if err == nil {
		err = s.uploadInstances(d)
	}
	if err == nil {
		err = s.uploadPosing(d)
	}
	if err != nil {
		s.Free(d)
		return nil, err
	}
	p.BVH = p.first.Stats // of a deferred BVH they are known only now
	return s, nil
}

// driverSpare is about what a GPU's driver takes beside what it is asked for: it rounds up, and loads kernels later.
const driverSpare = 48 << 20

// checkRoom refuses a scene for which the device has no memory, before any of it is copied, and says how long the sides of textures may
// be. On a processor the copy is made in the host's memory, and counts as part of the load.
func (p *Prepared) checkRoom(d device.Device) (longest int, err error) {
	need := p.copied(d)
	if d.Info().Kind == device.KindCPU {
		spread := int64(len(p.first.wideNodes)) * int64(device.SizeOf[bvh.SpreadNode]())
		return p.longestTexture(), p.memory.Check("the scene as the processor renders it", need.Geometry+need.Textures+spread)
	}
	free, known := d.FreeMemory()
	if !known {
		return p.longestTexture(), nil
	}
	room := int64(free) - need.Geometry - p.reserve
	for _, spare := range []int64{driverSpare, 0} {
		if longest = p.fitTextures(d, room-spare); longest > 0 {
			return longest, nil
		}
	}
	pictures := ""
	if p.reserve > 0 {
		pictures = fmt.Sprintf(", and pictures of this size %s", guard.Size(p.reserve))
	}
	return 0, fmt.Errorf("the scene takes %s of the GPU's memory, %s of it textures (%s if they are scaled to %d pixels a side)%s; %s are free: close other programs that use it, simplify the scene, or render with --backend cpu",
		guard.Size(need.Geometry+need.Textures), guard.Size(need.Textures), guard.Size(p.textureBytes(d, smallestTexture)), smallestTexture, pictures, guard.Size(int64(free)))
}

// Needs is what a scene takes of memory with its first tree, bytes.
type Needs struct{ Geometry, Textures int64 }

// Needs tells what kernels read, wherever it lies.
func (p *Prepared) Needs() Needs { return p.copied(device.NewPlanner(device.KindCUDA, 0)) }

// copied tells what Upload copies to a device, at the least: all that it cannot be lent.
func (p *Prepared) copied(d device.Memory) Needs {
	return Needs{Geometry: p.geometryBytes(d), Textures: p.textureBytes(d, p.longestTexture())}
}

// lends tells whether a device reads what is in the host's memory, and needs no copy.
func lends(d device.Memory, data []byte) bool {
	b, ok := d.Lend(data)
	if ok {
		d.Free(b)
	}
	return ok
}

// geometryBytes is what Upload copies excluding textures, at the least.
func (p *Prepared) geometryBytes(d device.Memory) (bytes int64) {
	lend := func(data []byte) {
		if !lends(d, data) {
			bytes += int64(len(data))
		}
	}
	if p.first.deferred {
		bytes += builtBytes(len(p.triangles))
	}
	for _, data := range [][]byte{
		device.BytesOf(p.first.triangles), device.BytesOf(p.first.nodes), device.BytesOf(p.first.wideNodes), device.BytesOf(p.first.faces),
		device.BytesOf(p.environment.texels), device.BytesOf(p.environment.alias),
	} {
		lend(data)
	}
	if vertices := device.BytesOf(p.vertices); p.Scene.Motion == nil {
		lend(vertices)
	} else {
		bytes += int64(len(vertices))
	}
	for i := range p.meshes {
		bytes += int64(len(p.meshes[i].triangles)) * listedMesh
	}
	bytes += int64(len(device.BytesOf(p.lightTree.clusters)) + len(device.BytesOf(p.lightTree.alias)))
	return bytes + int64(len(device.BytesOf(p.materials))+len(device.BytesOf(p.lights))+len(device.BytesOf(p.lightAlias)))
}

// Fill fills in all that the kernels read of the scene, through the BVH of a method where that is resident.
func (s *Scene) Fill(f *cuda.Frame, own *settings.Settings, bvh string) {
	f.Scene, f.Guides = s.frame.Scene, s.frame.Guides
	f.Scene.Radius, f.Scene.Reach = s.prepared.radius, max(s.prepared.reach, s.tlas.reach)
	f.Scene.LightScale = float32(own.LightScale)
	if own.LightChoice == "place" {
		f.Scene.LightTree.Share = s.prepared.lightTree.share
	}
	f.Scene.Environment.Strength = float32(own.EnvStrength)
	f.Scene.Environment.Rotation = float32(own.EnvRotation * math.Pi / 180)
	s.bvhs.choose(bvh).apply(f)
}

// Prepared is what the scene was uploaded from.
func (s *Scene) Prepared() *Prepared { return s.prepared }

// Instances is how many instances there are.
func (s *Scene) Instances() int { return int(s.frame.Scene.InstanceCount) }

// Bytes is the device memory of the scene with all of its BVHs.
func (s *Scene) Bytes() int {
	bytes := device.SizeOfAll(s.buffers) + device.SizeOfAll(s.tlas.buffers) + device.SizeOfAll(s.posing.buffers) + s.movement.Size
	for _, b := range s.bvhs.resident {
		bytes += device.SizeOfAll(b.buffers)
	}
	return bytes
}

// Free gives the memory back.
func (s *Scene) Free(d device.Device) {
	device.FreeAll(d, s.buffers)
	s.buffers = nil
	for _, b := range s.bvhs.resident {
		b.free(d)
	}
	s.bvhs.stopBuilding()
	s.bvhs = bvhSet{}
	device.FreeAll(d, s.tlas.buffers)
	s.tlas = tlas{}
	device.FreeAll(d, append(s.posing.buffers, s.movement))
	s.posing, s.movement = posing{}, device.Buffer{}
}

// upload copies what does not depend on the tree, with textures of up to longest pixels a side.
func (s *Scene) upload(d device.Device, p *Prepared, longest int) error {
	textures, err := s.uploadTextures(d, longest)
	if err != nil {
		return err
	}
	e := &p.environment
	s.frame.Scene.Environment.Constant = e.constant
	s.frame.Scene.Environment.Width, s.frame.Scene.Environment.Height = uint32(e.width), uint32(e.height)
	s.frame.Scene.Environment.Light = e.light
	s.frame.Scene.LightCount = uint32(len(p.lights))
	s.frame.Guides.ObjectCount = uint32(len(p.drawn.Objects))
	buffers, err := device.UploadAll(d, []device.Rows{
		{Address: &s.frame.Scene.Vertices, Data: device.BytesOf(p.vertices), Stays: p.Scene.Motion == nil},
		{Address: &s.frame.Scene.Materials, Data: device.BytesOf(p.materials)},
		{Address: &s.frame.Scene.Textures, Data: device.BytesOf(textures)},
		{Address: &s.frame.Guides.Objects, Data: device.BytesOf(p.drawn.Objects)},
		{Address: &s.frame.Scene.Lights, Data: device.BytesOf(p.lights)},
		{Address: &s.frame.Scene.LightAlias, Data: device.BytesOf(p.lightAlias)},
		{Address: &s.frame.Scene.LightTree.Clusters, Data: device.BytesOf(p.lightTree.clusters)},
		{Address: &s.frame.Scene.LightTree.Alias, Data: device.BytesOf(p.lightTree.alias)},
		{Address: &s.frame.Scene.Environment.Texels, Data: device.BytesOf(e.texels), Stays: true},
		{Address: &s.frame.Scene.Environment.Alias, Data: device.BytesOf(e.alias), Stays: true},
	})
	s.buffers = append(s.buffers, buffers...)
	if err == nil {
		s.vertices, s.materials, s.lights, s.lightAlias = buffers[0], buffers[1], buffers[4], buffers[5]
	}
	return err
}

// copiesShare of a device's memory is for geometry with every copy by itself; the rest is for textures, images and history.
const copiesShare = 0.25

// GeometryBudget is what geometry may take of a device with so much memory (bytes) before meshes that repeat should become
// instances (scene.Options.BakedBytes). It is 0, the scene package's default, where nothing is known of a GPU.
func GeometryBudget(deviceMemory uint64) int64 { return int64(copiesShare * float64(deviceMemory)) }
