package tracer

import (
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/scene"
)

// Prepared is a scene made ready for a device: tree, lights, tables. Made by Prepare, taken by Use.
type Prepared struct {
	Scene *scene.Scene
	Notes []string // what the user should know, e.g. that a soft environment was added to a scene without lights
	Tree  bvh.Stats

	nodes       []bvh.Node
	wideNodes   []bvh.WideNode
	triangles   []cuda.Triangle
	faces       []cuda.Face
	vertices    []cuda.Vertex
	materials   []cuda.Material
	lights      []cuda.Light
	lightAlias  []cuda.AliasEntry
	environment preparedEnvironment
}

// Prepare builds what rendering needs of a scene. env may be nil: the scene is then lit by its own lights, or by a soft
// default environment when it has none. progress may be nil.
func Prepare(s *scene.Scene, env *Environment, progress func(stage string, fraction float64)) (*Prepared, error) {
	if progress == nil {
		progress = func(string, float64) {}
	}
	p := &Prepared{Scene: s}
	if env == nil && !s.HasLight() {
		env = softSky()
		p.Notes = append(p.Notes, "nothing in the scene lights it: a soft sky was added (--env none turns it off)")
	}
	progress("building the tree", 0)
	tree, err := bvh.Build(func(face int) [3]mgl32.Vec3 { return corners(s, face) }, len(s.Faces))
	if err != nil {
		return nil, fmt.Errorf("prepare %s: %w", s.Name, err)
	}
	p.Tree = tree.Stats
	p.nodes, p.wideNodes = tree.Nodes, tree.Wide
	progress("arranging triangles", 0.7)
	p.materials = deviceMaterials(s.Materials)
	if p.scatters() {
		p.Notes = append(p.Notes, "light scatters inside volumes: where they look too dark, raise --bounces (128 is enough for most)")
	}
	p.arrange(tree.Order)
	progress("weighing lights", 0.9)
	p.environment = prepareEnvironment(env)
	p.gatherLights()
	progress("ready", 1)
	return p, nil
}

func corners(s *scene.Scene, face int) [3]mgl32.Vec3 {
	f := s.Faces[face]
	return [3]mgl32.Vec3{s.Vertices[f.V[0]].Position, s.Vertices[f.V[1]].Position, s.Vertices[f.V[2]].Position}
}

// arrange writes triangles in leaf order, faces and vertices in the file's.
func (p *Prepared) arrange(order []uint32) {
	s := p.Scene
	p.triangles = make([]cuda.Triangle, len(order))
	p.faces = make([]cuda.Face, len(s.Faces))
	p.vertices = make([]cuda.Vertex, len(s.Vertices))
	parallel(len(order), func(i int) {
		face := order[i]
		f := s.Faces[face]
		c := corners(s, int(face))
		material := f.Material
		if p.materials[material].AlphaMode != cuda.AlphaOpaque {
			material |= cuda.AlphaBit
		}
		p.triangles[i] = cuda.Triangle{V0: c[0], Face: face, E1: c[1].Sub(c[0]), Material: material,
			E2: c[2].Sub(c[0]), Light: cuda.NoLight}
		p.faces[face] = cuda.Face{V0: f.V[0], V1: f.V[1], V2: f.V[2], Triangle: uint32(i)}
	})
	parallel(len(s.Vertices), func(i int) {
		v := &s.Vertices[i]
		p.vertices[i] = cuda.Vertex{Position: v.Position, Normal: v.Normal, Tangent: v.Tangent, Uv0: v.UV[0], Uv1: v.UV[1],
			ColorRG: unorm16(v.Color[0]) | unorm16(v.Color[1])<<16, ColorBA: unorm16(v.Color[2]) | unorm16(v.Color[3])<<16}
	})
}

// tested tells whether rays must look up alpha anywhere.
func (p *Prepared) tested() bool {
	return slices.ContainsFunc(p.triangles, func(t cuda.Triangle) bool { return t.Material&cuda.AlphaBit != 0 })
}

// scatters tells whether paths may be scattered inside some volume.
func (p *Prepared) scatters() bool {
	return slices.ContainsFunc(p.materials, func(m cuda.Material) bool { return m.Scattering != [3]float32{} })
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
