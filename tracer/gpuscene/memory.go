package gpuscene

import (
	"fmt"

	"glint/tracer/bvh"
	"glint/tracer/device"
	"glint/tracer/guard"
)

// driverSpare is about how much more a GPU's driver takes than it is asked to allocate: it rounds up, and loads kernels later.
const driverSpare = 48 << 20

// checkRoom refuses a scene for which the device has no memory, before any of it is copied, and says how long the sides of textures may
// be. On a processor the copy is made in the host's memory, and counts as part of the load.
func (p *Prepared) checkRoom(d device.Device) (longest int, err error) {
	need := p.copied(d)
	if d.Info().Kind == device.KindCPU {
		spread := int64(len(p.first.wideNodes)) * int64(device.SizeOf[bvh.SpreadNode]())
		return p.textures.longest(), p.memory.Check("the scene as the processor renders it", need.Geometry+need.Textures+spread)
	}
	free, known := d.FreeMemory()
	if !known {
		return p.textures.longest(), nil
	}
	room := int64(free) - need.Geometry - p.reserve
	for _, spare := range []int64{driverSpare, 0} {
		if longest = p.textures.fit(d, room-spare); longest > 0 {
			return longest, nil
		}
	}
	pictures := ""
	if p.reserve > 0 {
		pictures = fmt.Sprintf(", and pictures of this size %s", guard.Size(p.reserve))
	}
	return 0, fmt.Errorf("the scene takes %s of the GPU's memory, %s of it textures (%s if they are scaled to %d pixels a side)%s; %s are free: close other programs that use it, simplify the scene, or render with --backend cpu",
		guard.Size(need.Geometry+need.Textures), guard.Size(need.Textures), guard.Size(p.textures.bytes(d, smallestTexture)), smallestTexture, pictures, guard.Size(int64(free)))
}

// Needs is what a scene takes of memory with its first tree, bytes.
type Needs struct{ Geometry, Textures int64 }

// Needs tells what kernels read, wherever it lies.
func (p *Prepared) Needs() Needs { return p.copied(device.NewPlanner(device.KindCUDA, 0)) }

// copied tells what Upload copies to a device, at the least: all that it cannot be lent.
func (p *Prepared) copied(d device.Memory) Needs {
	return Needs{Geometry: p.geometryBytes(d), Textures: p.textures.bytes(d, p.textures.longest())}
}

// geometryBytes is what Upload copies excluding textures, at the least.
func (p *Prepared) geometryBytes(d device.Memory) (bytes int64) {
	lend := func(data []byte) {
		if !lends(d, data) {
			bytes += int64(len(data))
		}
	}
	if p.first.deferred {
		bytes += builtBytes(len(p.geometry.triangles))
	}
	for _, data := range [][]byte{
		device.BytesOf(p.first.triangles), device.BytesOf(p.first.nodes), device.BytesOf(p.first.wideNodes), device.BytesOf(p.first.faces),
		device.BytesOf(p.environment.texels), device.BytesOf(p.environment.alias),
	} {
		lend(data)
	}
	if vertices := device.BytesOf(p.geometry.vertices); p.Scene.Motion == nil {
		lend(vertices)
	} else {
		bytes += int64(len(vertices))
	}
	for i := range p.geometry.meshes {
		bytes += int64(len(p.geometry.meshes[i].triangles)) * listedMesh
	}
	bytes += int64(len(device.BytesOf(p.lights.tree.clusters)) + len(device.BytesOf(p.lights.tree.alias)))
	return bytes + int64(len(device.BytesOf(p.materials.rows))+len(device.BytesOf(p.lights.table))+len(device.BytesOf(p.lights.alias)))
}

// copiesShare is the share of a device's memory for geometry with a copy for each instance; the rest is for textures, images and history.
const copiesShare = 0.25

// GeometryBudget is what geometry may take of a device with so much memory (bytes) before meshes that repeat should become
// instances (scene.Options.BakedBytes). It is 0, the scene package's default, where nothing is known of a GPU.
func GeometryBudget(deviceMemory uint64) int64 { return int64(copiesShare * float64(deviceMemory)) }
