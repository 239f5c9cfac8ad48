package gpuscene

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/device"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// Prepared is a scene made ready for a device: triangles, lights, tables, and a first BVH. Made by Prepare, taken by Upload.
type Prepared struct {
	Scene *scene.Scene // as it was opened
	Added string       // the environment that was added since nothing in the scene lights it, and why; empty: none was
	Notes []string     // what the user should know, e.g. that a soft environment was added to a scene without lights
	BVH   bvh.Stats    // of the first BVH
	Dark  bool         // nothing lights the scene, in any pose

	drawn      *scene.Scene // Scene, with its floor where it has one
	first      *BVH
	triangles  []cuda.Triangle // here and in faces and lights, triangle i is face i: BVHs put them in order
	faces      []cuda.Face
	vertices   []cuda.Vertex
	meshes     []preparedMesh
	baked      scene.Bounds
	radius     float32 // of the scene, m
	reach      float32 // of all that is drawn, m
	materials  []cuda.Material
	holes      []bool // by material: see holes()
	lights     []cuda.Light
	lightAlias []cuda.AliasEntry
	// What each light but the environment's sends out, and which emitters clips change; nil where no clip changes any.
	powers []float64
	relit  []relit
	// Where in lights those of Scene.Lights begin; triangles that emit come before them, first those that stand still.
	firstPunctual, fixedEmitters int
	lightTree                    lightTree
	environment                  preparedEnvironment
	mipmapped                    map[*byte]bool // images that are to have mipmaps: mipmapped(); nil where nobody asked for them
	memory                       *guard.Memory  // that other BVHs must fit in as well
	reserve                      int64
}

// Options say how a scene is prepared; the zero value will do.
type Options struct {
	Environment *Environment // nil: the scene's own environment and lights, or a soft default environment when it has none
	Floor       bool         // stand the scene on a floor that it does not have itself
	Mipmaps     bool         // give textures mipmaps
	BVH         string       // of the choices of setting bvh; empty is auto
	// OnDevice leaves to Upload the BVHs that a GPU builds itself, in milliseconds: fast, and auto of a huge scene.
	OnDevice bool
	// Quick says that somebody waits: a large scene gets BVH fast in place of auto, which can follow.
	Quick    bool
	Progress func(stage string, fraction float64)
	Memory   *guard.Memory // counts what is taken of the host's memory; nil has no bound
	// Reserve is what pictures will take of the GPU's memory, bytes. Where that is short, Upload scales textures.
	Reserve int64
}

// Prepare builds what rendering needs of a scene. It ends early when ctx does.
func Prepare(ctx context.Context, s *scene.Scene, o Options) (p *Prepared, err error) {
	err = guard.Safely(func() (err error) {
		p, err = prepare(ctx, s, o)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("prepare %s: %w", guard.Name(s.Name), err)
	}
	return p, nil
}

func prepare(ctx context.Context, s *scene.Scene, o Options) (*Prepared, error) {
	progress := o.Progress
	if progress == nil {
		progress = func(string, float64) {}
	}
	p := &Prepared{Scene: s, drawn: s, memory: o.Memory, reserve: o.Reserve}
	env, err := p.chooseEnvironment(ctx, o)
	if err != nil {
		return nil, err
	}
	progress("weighing the environment", 0)
	if p.environment, err = prepareEnvironment(ctx, env, o.Memory); err != nil {
		return nil, err
	}
	if o.Floor {
		p.drawn = withFloor(s, &p.environment)
	}
	if o.Mipmaps {
		p.mipmapped = mipmapped(p.drawn)
	}
	progress("arranging triangles", 0.1)
	p.materials = p.deviceMaterials(p.drawn.Materials)
	if p.scatters() {
		p.Notes = append(p.Notes, "light scatters inside volumes: where they look too dark, raise --bounces (128 is enough for most)")
	}
	if err := p.takeGeometry(); err != nil {
		return nil, err
	}
	p.list()
	if err := p.buildMeshes(ctx, o.BVH); err != nil {
		return nil, err
	}
	progress("weighing lights", 0.2)
	if err := p.collectLights(ctx); err != nil {
		return nil, err
	}
	unlit := slices.ContainsFunc(p.drawn.Materials, func(m scene.Material) bool { return m.Unlit }) // seen without light
	if p.Dark = len(p.lights) == 0 && !unlit; p.Dark {
		p.Notes = append(p.Notes, "nothing lights this scene: it has no lamps, and no environment around it (--env studio or --env sky gives it one)")
	}
	progress("building the tree", 0.3)
	method := cmp.Or(o.BVH, "auto")
	if method == "auto" && o.Quick && len(p.drawn.Faces) >= quickFaces {
		method = "fast"
	}
	if o.OnDevice && p.onDevice(method) {
		p.first = p.deferBVH(method)
	} else if p.first, err = p.BuildBVH(ctx, method); err != nil {
		return nil, err
	}
	p.BVH = p.first.Stats
	if o.BVH == "off" && len(p.drawn.Faces) > manyFaces {
		p.Notes = append(p.Notes, fmt.Sprintf("without a tree each ray tests %d triangles: expect seconds a frame (--bvh off)", len(p.drawn.Faces)))
	}
	progress("ready", 1)
	return p, nil
}

// chooseEnvironment is what the user chose, else the scene's own, else a studio where nothing lights the scene; nil for none.
func (p *Prepared) chooseEnvironment(ctx context.Context, o Options) (*Environment, error) {
	s := p.Scene
	switch {
	case o.Environment != nil:
		return o.Environment, nil
	case s.Environment != "":
		return LoadEnvironment(s.Environment, o.Memory)
	case s.ImageLight != nil:
		return imageEnvironment(ctx, s, o.Memory)
	case !s.HasLight():
		p.Added = "nothing in the scene lights it: a studio was added (--env none turns it off, --env sky takes daylight)"
		p.Notes = append(p.Notes, p.Added)
		return studioEnvironment(), nil
	}
	return nil, nil
}

// Method is the choice of setting bvh that the first BVH was built by.
func (p *Prepared) Method() string { return p.first.Method }

// What the host keeps of geometry beside the scene, bytes.
const (
	listedFace   = int64(unsafe.Sizeof(cuda.Triangle{}) + unsafe.Sizeof(cuda.Face{}))
	listedVertex = int64(unsafe.Sizeof(cuda.Vertex{}))
	listedMesh   = int64(unsafe.Sizeof(cuda.Triangle{})) + 40 // of an instance, a face: its triangle again, in leaf order, and its share of the tree
)

// takeGeometry counts what list and buildMeshes will keep. The BVH counts itself.
func (p *Prepared) takeGeometry() error {
	faces, vertices, inMeshes := int64(len(p.drawn.Faces)), int64(len(p.drawn.Vertices)), int64(0)
	for i := range p.drawn.Meshes {
		inMeshes += int64(len(p.drawn.Meshes[i].Faces))
		vertices += int64(len(p.drawn.Meshes[i].Vertices))
	}
	what := fmt.Sprintf("a scene of %d triangles with %d vertices", faces+inMeshes, vertices)
	bytes := (faces+inMeshes)*listedFace + inMeshes*listedMesh + vertices*listedVertex
	if motion := p.Scene.Motion; motion != nil {
		bytes += posingBytes(motion.Deforming()) + int64(len(motion.Materials))*int64(device.SizeOf[cuda.Material]())
	}
	return p.memory.Take(what, bytes)
}

func corners(vertices []scene.Vertex, f scene.Face) [3]mgl32.Vec3 {
	return [3]mgl32.Vec3{vertices[f.V[0]].Position, vertices[f.V[1]].Position, vertices[f.V[2]].Position}
}

// list writes triangles, faces and vertices in the file's order; those of instances' meshes come after what is baked.
func (p *Prepared) list() {
	s := p.drawn
	vertices, faces := len(s.Vertices), len(s.Faces)
	for i := range s.Meshes {
		vertices, faces = vertices+len(s.Meshes[i].Vertices), faces+len(s.Meshes[i].Faces)
	}
	p.vertices, p.faces = guard.MakeLarge[cuda.Vertex](vertices)[:0], guard.MakeLarge[cuda.Face](faces)[:0]
	p.triangles, p.baked = p.listMesh(s.Vertices, s.Faces), s.BakedBounds()
	p.radius = p.Scene.Bounds().Radius()
	if p.reach = p.radius; p.drawn != p.Scene {
		p.reach = p.drawn.Bounds().Radius()
	}
	p.meshes = make([]preparedMesh, len(s.Meshes))
	for i := range s.Meshes {
		m := &s.Meshes[i]
		first := preparedMesh{firstFace: uint32(len(p.faces)), firstVertex: uint32(len(p.vertices)), box: m.Bounds()}
		first.triangles = p.listMesh(m.Vertices, m.Faces)
		p.meshes[i] = first
	}
}

// listMesh adds the vertices and faces of a mesh, and returns its triangles.
func (p *Prepared) listMesh(vertices []scene.Vertex, faces []scene.Face) []cuda.Triangle {
	firstFace, firstVertex := uint32(len(p.faces)), uint32(len(p.vertices))
	triangles := guard.MakeLarge[cuda.Triangle](len(faces))
	p.faces, p.vertices = p.faces[:len(p.faces)+len(faces)], p.vertices[:len(p.vertices)+len(vertices)]
	parallel(len(faces), func(i int) {
		f := faces[i]
		c := corners(vertices, f)
		material := f.Material
		if p.materials[material].AlphaMode != cuda.AlphaOpaque && !p.holes[material] {
			material |= cuda.AlphaBit
		}
		face := firstFace + uint32(i)
		triangles[i] = cuda.Triangle{V0: c[0], Face: face, E1: c[1].Sub(c[0]), Material: material, E2: c[2].Sub(c[0]), Light: cuda.NoLight}
		p.faces[face] = cuda.Face{V0: firstVertex + f.V[0], V1: firstVertex + f.V[1], V2: firstVertex + f.V[2], Triangle: uint32(i)}
	})
	parallel(len(vertices), func(i int) {
		p.vertices[firstVertex+uint32(i)] = deviceVertex(&vertices[i])
	})
	return triangles
}

func deviceVertex(v *scene.Vertex) cuda.Vertex {
	return cuda.Vertex{Position: v.Position, Normal: v.Normal, Tangent: v.Tangent, Uv0: v.UV[0], Uv1: v.UV[1],
		ColorRG: unorm16(v.Color[0]) | unorm16(v.Color[1])<<16, ColorBA: unorm16(v.Color[2]) | alpha16(v.Color[3])<<16}
}

func unorm16(x float32) uint32 { return uint32(min(max(x, 0), 1)*65535 + 0.5) }

// alpha16 rounds up, so that an alpha that equals its material's cutoff is still no less.
func alpha16(x float32) uint32 {
	n := unorm16(x)
	if float32(n)/65535 < min(x, 1) {
		n++
	}
	return n
}

// parallel runs f for every index below n, on all cores.
func parallel(n int, f func(i int)) {
	guard.InChunks(n, func(_, begin, end int) {
		for i := begin; i < end; i++ {
			f(i)
		}
	})
}
