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
	report := reportFile(doc)
	variant, err := chooseVariant(doc.Document, opts.Variant)
	if err != nil {
		return nil, err
	}
	report.Variants = variant.names
	doc.loadBuffers()
	var clips *changes
	if opts.Animated {
		clips = readClips(doc)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return build(doc, opts, report, variant, clips)
}

// build runs the passes, each on what those before it made. Images are decoded beside the geometry.
func build(doc *document, opts Options, report Report, variant variants, clips *changes) (*Scene, error) {
	doc.progress("nodes", 0.1)
	chosen := chosenScene(doc.Document, opts.Scene)
	nodes, err := placeNodes(doc, chosen, opts.Scene > 0, clips)
	if err != nil {
		return nil, err
	}
	rig, err := readRig(doc, nodes)
	if err != nil {
		return nil, err
	}
	meshes := nodes.meshes()
	if err := doc.decompressMeshes(meshes); err != nil {
		return nil, err
	}
	looks, err := readMaterials(doc, meshes, variant, clips)
	if err != nil {
		return nil, err
	}
	light := readImageLight(doc, chosen, looks.textures)

	images := newImagePass(doc, looks.textures, looks.materials)
	planned := images.planAll()
	var decoding guard.Group
	decoding.Go(func() { images.decode(planned) })
	var placed *placedScene
	err = guard.Safely(func() error {
		doc.progress("geometry", 0.2)
		shapes, err := (&shapeBuilder{doc, nodes, looks, variant, clips}).build()
		if err != nil {
			return err
		}
		if placed, err = placeScene(doc, opts, nodes, rig, looks, clips, shapes); err != nil {
			return err
		}
		return placed.check(doc.warn, light)
	})
	doc.progress("images", 0.6)
	decoding.Wait() // also after an error: nothing may go on in the background
	if err = orElse(err, doc.ctx.Err()); err != nil {
		return nil, err
	}
	images.takeFallbacks()
	if len(images.failed) > 0 {
		indices := looks.dropImages(images.failed)
		if light != nil {
			if light = light.follow(indices); light == nil {
				doc.warn.about("extension "+imageLights, nil, "left out, since not all of its images can be read")
			}
		}
	}

	out := &Scene{
		Vertices: placed.world.Vertices, Faces: placed.world.Faces, Objects: placed.world.objects,
		Meshes: placed.meshes, Instances: placed.instances, Cameras: placed.cameras, Lights: placed.lights, Origin: placed.origin,
		Materials: looks.materials, Images: looks.textures.images, Textures: looks.textures.textures, ImageLight: light, Report: report,
	}
	out.aimCameras()
	if out.Motion = newMotion(clips, nodes, looks, rig, placed); out.Motion != nil {
		out.Hidden = out.Motion.Pose(-1, 0).Hidden
	}
	doc.audit()
	out.Report.Repeats = placed.repeats
	out.Report.Notes = doc.warn.list(placed.where)
	out.Report.placeExtensions(doc, looks.slots, placed.where)
	out.Report.Unread = slices.Sorted(maps.Keys(doc.warn.unread))
	out.Report.HasLight = out.HasLight()
	doc.progress("done", 1)
	return out, nil
}

// placedScene is what is where in the world.
type placedScene struct {
	*geometry
	*viewpoints
	where  *whereabouts
	origin mgl64.Vec3
}

// placeScene finds where the scene's origin is, and places all that is in it.
func placeScene(doc *document, opts Options, nodes *placedNodes, rig *rig, looks *looks, clips *changes, shapes map[meshKey][]*shape) (*placedScene, error) {
	if err := checkRoom(doc.memory, nodes.instances, shapes); err != nil {
		return nil, err
	}
	where, err := findWhereabouts(doc, rig, nodes.instances, shapes, len(looks.materials))
	if err != nil {
		return nil, err
	}
	origin := recentre(doc, where, nodes, rig)
	seen, err := placeViewpoints(doc, nodes)
	if err != nil {
		return nil, err
	}
	points := eyesAndLamps(seen, opts.Eyes, clips, nodes, origin)
	if err := turnOutward(doc, nodes.instances, shapes, rig, looks.materials, points); err != nil {
		return nil, err
	}
	drawn, err := (&assembly{doc: doc, nodes: nodes, looks: looks, rig: rig, changes: clips, opts: opts}).place(shapes)
	return &placedScene{drawn, seen, where, origin}, err
}

// check refuses a scene of which nothing is left, or in which there is too much.
func (p *placedScene) check(warn *warnings, light *ImageLight) error {
	repeated := 0 // triangles
	for _, in := range p.geometry.instances {
		repeated += len(p.meshes[in.Mesh].Faces)
	}
	switch {
	case len(p.world.Faces)+repeated > 0:
	case warn.lost != nil && light == nil: // which is seen, too
		return fmt.Errorf("nothing of it can be drawn: %w", warn.lost)
	default:
		warn.addf("the scene has no triangles")
	}
	return checkIDs(repeated)
}
