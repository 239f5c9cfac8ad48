package scene

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"glint/tracer/guard"
)

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
	doc.decompressViews()
	changes, err := readChanges(doc, opts)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return build(doc, opts, report, variant, changes)
}

// readChanges reads what changes of the file; nil for nothing.
func readChanges(doc *document, opts Options) (*changes, error) {
	c := newChanges(doc)
	if opts.Animated {
		c.readClips(doc)
	}
	if len(c.clips)+len(opts.Edits) == 0 {
		return nil, nil
	}
	return c, c.noteEdits(doc, opts.Edits)
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
	if err = cmp.Or(err, doc.ctx.Err()); err != nil {
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
		Edits: opts.Edits,
	}
	if opts.Animated || len(opts.Edits) > 0 {
		out.Editable = newEditable(doc, nodes, looks, placed.where, placed.by)
	}
	if out.Editable != nil {
		if out.Edits, err = out.Editable.CheckAll(opts.Edits); err != nil {
			return nil, err
		}
	}
	out.aimCameras()
	if out.Motion = newMotion(clips, nodes, looks, rig, placed); out.Motion != nil {
		out.Hidden = out.Motion.Pose(-1, 0).Hidden
	}
	doc.audit()
	out.Report.Repeats = placed.repeats
	out.Report.Notes = doc.warn.list(placed.where.of)
	out.Report.placeExtensions(doc, looks.slots, placed.where)
	out.Report.Unread = slices.Sorted(maps.Keys(doc.warn.unread))
	out.Report.HasLight = out.HasLight()
	doc.progress("done", 1)
	return out, nil
}
