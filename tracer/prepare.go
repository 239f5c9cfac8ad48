package tracer

import (
	"cmp"
	"fmt"
	"runtime"
	"sync"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/scene"
)

// Prepared is a scene made ready for a device: triangles, lights, tables, and a first tree. Made by Prepare, taken by Use.
type Prepared struct {
	Scene *scene.Scene
	Notes []string  // what the user should know, e.g. that a soft environment was added to a scene without lights
	Tree  bvh.Stats // of the first tree

	first       *Tree
	triangles   []cuda.Triangle // here and in faces and lights, triangle i is face i: trees put them in order
	faces       []cuda.Face
	vertices    []cuda.Vertex
	materials   []cuda.Material
	lights      []cuda.Light
	lightAlias  []cuda.AliasEntry
	environment preparedEnvironment
}

// PrepareOptions say how a scene is prepared; the zero value will do.
type PrepareOptions struct {
	Environment *Environment // nil: the scene's own lights, or a soft default environment when it has none
	Tree        string       // of the choices of setting bvh; empty is auto
	// OnDevice leaves tree fast to the device, which builds it in Use: in milliseconds on a GPU.
	OnDevice bool
	Progress func(stage string, fraction float64)
}

// Prepare is PrepareWith for the tree that suits most. env and progress may be nil.
func Prepare(s *scene.Scene, env *Environment, progress func(stage string, fraction float64)) (*Prepared, error) {
	return PrepareWith(s, PrepareOptions{Environment: env, Progress: progress})
}

// PrepareWith builds what rendering needs of a scene.
func PrepareWith(s *scene.Scene, o PrepareOptions) (*Prepared, error) {
	progress := o.Progress
	if progress == nil {
		progress = func(string, float64) {}
	}
	p := &Prepared{Scene: s}
	env := o.Environment
	if env == nil && !s.HasLight() {
		env = softSky()
		p.Notes = append(p.Notes, "nothing in the scene lights it: a soft sky was added (--env none turns it off)")
	}
	progress("arranging triangles", 0)
	p.materials = deviceMaterials(s.Materials)
	if p.scatters() {
		p.Notes = append(p.Notes, "light scatters inside volumes: where they look too dark, raise --bounces (128 is enough for most)")
	}
	p.list()
	progress("weighing lights", 0.2)
	p.environment = prepareEnvironment(env)
	p.gatherLights()
	progress("building the tree", 0.3)
	if o.OnDevice && o.Tree == "fast" {
		p.first = p.Promise()
	} else {
		var err error
		if p.first, err = p.Grow(cmp.Or(o.Tree, "auto")); err != nil {
			return nil, fmt.Errorf("prepare %s: %w", s.Name, err)
		}
	}
	p.Tree = p.first.Stats
	if o.Tree == "off" && len(s.Faces) > manyFaces {
		p.Notes = append(p.Notes, fmt.Sprintf("without a tree each ray tests %d triangles: expect seconds a frame (--bvh off)", len(s.Faces)))
	}
	progress("ready", 1)
	return p, nil
}

// Method is the choice of setting bvh that the first tree was built by.
func (p *Prepared) Method() string { return p.first.Method }

func corners(s *scene.Scene, face int) [3]mgl32.Vec3 {
	f := s.Faces[face]
	return [3]mgl32.Vec3{s.Vertices[f.V[0]].Position, s.Vertices[f.V[1]].Position, s.Vertices[f.V[2]].Position}
}

// list writes triangles, faces and vertices in the file's order.
func (p *Prepared) list() {
	s := p.Scene
	p.triangles = make([]cuda.Triangle, len(s.Faces))
	p.faces = make([]cuda.Face, len(s.Faces))
	p.vertices = make([]cuda.Vertex, len(s.Vertices))
	parallel(len(s.Faces), func(i int) {
		f := s.Faces[i]
		c := corners(s, i)
		material := f.Material
		if p.materials[material].AlphaMode != cuda.AlphaOpaque {
			material |= cuda.AlphaBit
		}
		p.triangles[i] = cuda.Triangle{V0: c[0], Face: uint32(i), E1: c[1].Sub(c[0]), Material: material,
			E2: c[2].Sub(c[0]), Light: cuda.NoLight}
		p.faces[i] = cuda.Face{V0: f.V[0], V1: f.V[1], V2: f.V[2], Triangle: uint32(i)}
	})
	parallel(len(s.Vertices), func(i int) {
		v := &s.Vertices[i]
		p.vertices[i] = cuda.Vertex{Position: v.Position, Normal: v.Normal, Tangent: v.Tangent, Uv0: v.UV[0], Uv1: v.UV[1],
			ColorRG: unorm16(v.Color[0]) | unorm16(v.Color[1])<<16, ColorBA: unorm16(v.Color[2]) | unorm16(v.Color[3])<<16}
	})
}

func unorm16(x float32) uint32 { return uint32(min(max(x, 0), 1)*65535 + 0.5) }

// parallel runs f for every index below n, on all cores.
func parallel(n int, f func(i int)) {
	parts := runtime.GOMAXPROCS(0)
	var workers sync.WaitGroup
	for k := range parts {
		workers.Go(func() {
			for i := n * k / parts; i < n*(k+1)/parts; i++ {
				f(i)
			}
		})
	}
	workers.Wait()
}
