package scene

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

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
	*defects
	ctx          context.Context // of this one run
	doc          *gltf.Document
	buffers      []buffer
	decompressed map[int]*buffer // what compressed buffer views hold, by their index
	dracoData    map[int][]byte  // what Draco decoded, by the index of the accessor
	fetch        readFunc
	opts         Options
	warn         *warnings
	memory       *guard.Memory // of what stays when the load is done
	scratch      *guard.Memory // of what does not
	world        []mgl64.Mat4  // of each node
	instances    []instance
	where        *whereabouts
	shows        map[int][]subject    // the materials that each image of the file is on; nil until somebody asks
	unread       map[string]bool      // URIs of files that are missing or broken
	seats        []int                // nodes of cameras and lights, in their order
	skins        map[int]*skin        // in use
	joints       map[int][]mgl64.Mat4 // theirs, at rest
	motion       *Motion              // nil: nothing is to move
	textures     *textureTable
	given        int64              // bytes of all files, data URIs among them
	counted      map[*byte]bool     // files that are in given, by their first byte
	variant      int                // of materials that is drawn, −1 for the default
	uvSets       map[uint32]uvSets  // of materials whose vertices have others than sets 0 and 1
	slots        map[int]uint32     // index of a used material in the file (-1 is glTF's default) → in the scene
	dropped      [nonFinite + 1]int // triangles that are not drawn, by why not; of a mesh with instances once
	out          *Scene
}

// load builds the scene of one file's bytes; read finds its neighbours.
func load(ctx context.Context, data []byte, read readFunc, opts Options) (*Scene, error) {
	warn := newWarnings()
	memory := cmp.Or(opts.Memory, guard.NewMemory(guard.DefaultMemory))
	l := &loader{
		ctx: ctx, fetch: read, opts: opts, warn: warn, memory: memory, scratch: memory.Lease(),
		slots: map[int]uint32{}, uvSets: map[uint32]uvSets{}, unread: map[string]bool{}, skins: map[int]*skin{}, joints: map[int][]mgl64.Mat4{}, out: &Scene{}, given: int64(len(data)), counted: map[*byte]bool{},
	}
	defer l.scratch.Release()
	l.progress("reading", 0)
	c, err := openContainer(data, warn)
	if err != nil {
		return nil, err
	}
	if l.doc, l.defects, err = parse(c.json, l.scratch, warn); err != nil {
		return nil, err
	}
	l.reportFile()
	if err := l.chooseVariant(); err != nil {
		return nil, err
	}
	l.loadBuffers(c.bin)
	l.decompressViews()
	if opts.Animated {
		l.readClips()
	}
	if err := orElse(ctx.Err(), l.build()); err != nil {
		return nil, err
	}
	l.audit()
	l.out.Report.Notes = warn.list(l.where)
	l.placeExtensions()
	l.out.Report.Unread = slices.Sorted(maps.Keys(l.unread))
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
	if err := l.decompressMeshes(); err != nil {
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

func (l *loader) progress(stage string, fraction float64) {
	if l.opts.Progress != nil {
		l.opts.Progress(stage, fraction)
	}
}

// buffer is the bytes of a glTF buffer, or why they are missing: an error only when something needs them.
type buffer struct {
	data    []byte
	err     error
	standIn bool // nothing that is read is in it
}

func (l *loader) loadBuffers(bin []byte) {
	l.buffers = make([]buffer, len(l.doc.Buffers))
	l.findStandIns()
	for i, b := range l.doc.Buffers {
		data, err := bin, error(nil)
		switch {
		case l.buffers[i].standIn:
			err = errStandIn
		case b.URI != "":
			data, err = l.resolve(b.URI)
		case l.broken("buffers[%d]", i) != nil:
			err = l.broken("buffers[%d]", i)
		case i > 0 || bin == nil:
			err = errors.New("has no data")
		}
		if err == nil && len(data) < b.ByteLength {
			l.warn.about(label("buffer", i, b.Name), nil, "has %d bytes, byteLength promises %d", len(data), b.ByteLength)
			l.noteUnread(b.URI)
		}
		if err != nil {
			l.buffers[i].err = err
			l.noteUnread(b.URI)
			continue
		}
		l.buffers[i].data = data
	}
}

// audit reports broken objects that nothing drawn uses.
func (l *loader) audit() {
	for i, b := range l.buffers {
		if b.err != nil && !b.standIn {
			l.warn.about(label("buffer", i, l.doc.Buffers[i].Name), nil, "%v", b.err)
		}
	}
	for i := range l.doc.BufferViews {
		if l.broken("bufferViews[%d]", i) != nil {
			continue // has been said
		}
		if _, err := l.bufferView(i); err != nil {
			l.warn.addError(err)
		}
	}
	for i := range l.doc.Accessors {
		if l.broken("accessors[%d]", i) != nil {
			continue
		}
		if _, err := l.accessor(i); err != nil {
			l.warn.addError(err)
		}
	}
}
