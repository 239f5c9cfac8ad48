package scene

import (
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/guard"
)

// Options bound what Load may do.
type Options struct {
	Scene    int                                  // index of the glTF scene, -1 for the file's default
	Variant  string                               // of materials (KHR_materials_variants); empty for the file's default
	Progress func(stage string, fraction float64) // may be nil; called from the loading goroutine
	// Instancing says which repeated meshes become Scene.Instances; BakedBytes is what all copies may take on a device where
	// that is a matter of need, 0 for DefaultBakedBytes.
	Instancing Instancing
	BakedBytes int64
	Memory     *guard.Memory // counts what is taken; nil allows guard.DefaultMemory
	// Eyes are places, in the file's coordinates, that the scene will be seen from: what is around one of them is a room.
	Eyes     []mgl64.Vec3
	Animated bool  // keep what clips move separate, for Scene.Motion
	Edits    Edits // and what these move: their values are up to Motion.Pose
}

// Instancing says when meshes that are drawn more than once are kept once, with Instances.
type Instancing int

// On a GPU copies are faster to render, so instances are for scenes whose copies would take too much memory. A processor, whose caches
// hold more of what is there once, renders large meshes as fast by instances, and is ready sooner.
const (
	InstanceWhereNeeded  Instancing = iota // beyond Options.BakedBytes
	InstanceWhereItSaves                   // as well where copies would take much more memory, and instances are not crowded
	InstanceAlways
	InstanceNever
)

// DefaultBakedBytes is what geometry may take on a device before repeated meshes are instanced: a quarter of 8 GiB, which
// common GPUs have.
const DefaultBakedBytes = 2 << 30
