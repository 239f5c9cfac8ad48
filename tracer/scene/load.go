package scene

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

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
	Animated bool // keep what moves apart from what does not, for Scene.Motion
}

// Load reads a .glb or .gltf file (glTF 2.0) with its buffers and images, which must lie in the file's folder or below. It ends
// early when ctx does. The error names the file, the object and the reason; what is merely unsupported is left out and listed
// in Scene.Report.
func Load(ctx context.Context, path string, opts Options) (s *Scene, err error) {
	err = guard.Safely(func() (err error) {
		s, err = loadFile(ctx, path, opts)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", path, err)
	}
	return s, nil
}

func loadFile(ctx context.Context, path string, opts Options) (*Scene, error) {
	opts.Memory = cmp.Or(opts.Memory, guard.NewMemory(guard.DefaultMemory))
	scratch := opts.Memory.Lease()
	defer scratch.Release()
	data, info, err := readFile(ctx, path, scratch)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // only read from
	beside := newFolder(ctx, root, scratch)
	s, err := load(ctx, data, beside.read, opts)
	if err != nil {
		return nil, err
	}
	s.Name = filepath.Base(path)
	s.Report.Path = path
	s.Report.Files = append([]File{{path, stateOf(info)}}, beside.list()...)
	return s, nil
}

// loader is one run of load.
type loader struct {
	*document
	opts      Options
	world     []mgl64.Mat4 // of each node
	instances []instance
	where     *whereabouts
	shows     map[int][]subject    // the materials that each image of the file is on; nil until somebody asks
	seats     []int                // nodes of cameras and lights, in their order
	skins     map[int]*skin        // in use
	joints    map[int][]mgl64.Mat4 // theirs, at rest
	motion    *Motion              // nil: nothing is to move
	textures  *textureTable
	variant   int                // of materials that is drawn, −1 for the default
	uvSets    map[uint32]uvSets  // of materials whose vertices have others than sets 0 and 1
	slots     map[int]uint32     // index of a used material in the file (-1 is glTF's default) → in the scene
	dropped   [nonFinite + 1]int // triangles that are not drawn, by why not; of a mesh with instances once
	out       *Scene
}

// load builds the scene of one file's bytes; read finds its neighbours.
func load(ctx context.Context, data []byte, read readFunc, opts Options) (*Scene, error) {
	memory := cmp.Or(opts.Memory, guard.NewMemory(guard.DefaultMemory))
	j := &job{ctx: ctx, memory: memory, scratch: memory.Lease(), warn: newWarnings(), onProgress: opts.Progress}
	defer j.scratch.Release()
	j.progress("reading", 0)
	doc, err := readDocument(j, data, read, checkRequired)
	if err != nil {
		return nil, err
	}
	l := &loader{
		document: doc, opts: opts,
		slots: map[int]uint32{}, uvSets: map[uint32]uvSets{}, skins: map[int]*skin{}, joints: map[int][]mgl64.Mat4{}, out: &Scene{},
	}
	l.reportFile()
	if err := l.chooseVariant(); err != nil {
		return nil, err
	}
	l.loadBuffers()
	if opts.Animated {
		l.readClips()
	}
	if err := orElse(ctx.Err(), l.build()); err != nil {
		return nil, err
	}
	l.audit()
	l.out.Report.Notes = l.warn.list(l.where)
	l.placeExtensions()
	l.out.Report.Unread = slices.Sorted(maps.Keys(l.warn.unread))
	l.out.Report.HasLight = l.out.HasLight()
	l.progress("done", 1)
	return l.out, nil
}

// build runs the stages; images are decoded beside the geometry.
func (l *loader) build() error {
	l.progress("nodes", 0.1)
	if err := l.placeNodes(); err != nil {
		return err
	}
	if err := l.readSkins(); err != nil {
		return err
	}
	if err := l.decompressMeshes(drawnMeshes(l.instances)); err != nil {
		return err
	}
	if err := l.loadMaterials(); err != nil {
		return err
	}
	l.loadImageLight()
	pictures := l.planImages(l.allImages())
	var images guard.Group
	images.Go(func() { l.decodeImages(pictures) })
	err := guard.Safely(func() error {
		l.progress("geometry", 0.2)
		shapes, err := l.buildShapes()
		if err != nil {
			return err
		}
		if err := l.checkRoom(shapes); err != nil {
			return err
		}
		if l.where, err = l.findWhereabouts(shapes); err != nil {
			return err
		}
		l.recentre()
		if err := l.seat(); err != nil {
			return err
		}
		if err := l.turnOutward(shapes); err != nil {
			return err
		}
		return l.loadGeometry(shapes)
	})
	l.progress("images", 0.6)
	images.Wait() // also after an error: nothing may go on in the background
	if err = orElse(err, l.ctx.Err()); err != nil {
		return err
	}
	l.takeFallbacks(pictures.failed)
	l.dropTextures(pictures.failed)
	l.aimCameras()
	l.finishMotion()
	return nil
}

// checkDrawn refuses a file of which nothing is left.
func (l *loader) checkDrawn() error {
	if l.out.Triangles() > 0 {
		return nil
	}
	if l.warn.lost != nil && l.out.ImageLight == nil { // which is seen, too
		return fmt.Errorf("nothing of it can be drawn: %w", l.warn.lost)
	}
	l.warn.addf("the scene has no triangles")
	return nil
}

// drawnMeshes are those of instances, each once.
func drawnMeshes(instances []instance) (out []int) {
	seen := map[int]bool{}
	for _, in := range instances {
		if !seen[in.mesh] {
			seen[in.mesh] = true
			out = append(out, in.mesh)
		}
	}
	return out
}
