package gpuscene

import (
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

// geometry is what is drawn as kernels read it. Triangle i of what is baked is face i: BVHs put them in order.
type geometry struct {
	scene     *scene.Scene // that it is of, with its floor where it has one
	triangles []cuda.Triangle
	faces     []cuda.Face
	vertices  []cuda.Vertex
	meshes    []preparedMesh
	baked     scene.Bounds
}

// What the host keeps of geometry in addition to the scene, bytes.
const (
	listedFace   = int64(unsafe.Sizeof(cuda.Triangle{}) + unsafe.Sizeof(cuda.Face{}))
	listedVertex = int64(unsafe.Sizeof(cuda.Vertex{}))
	listedMesh   = int64(unsafe.Sizeof(cuda.Triangle{})) + 40 // of an instance, a face: its triangle again, in leaf order, and its share of the tree
)

// geometryBytes is what the host keeps of geometry. The BVH counts itself.
func geometryBytes(s *scene.Scene) (what string, bytes int64) {
	faces, vertices := int64(s.StoredFaces()), int64(s.StoredVertices())
	bytes = faces*listedFace + (faces-int64(len(s.Faces)))*listedMesh + vertices*listedVertex
	return fmt.Sprintf("a scene of %d triangles with %d vertices", faces, vertices), bytes
}

// posingBytes is what the host takes for poses, at the most: copies of a mesh are made of the same.
func posingBytes(motion *scene.Motion) (bytes int64) {
	if motion == nil {
		return 0
	}
	meshes := motion.Deforming()
	bytes = int64(len(motion.Materials)) * int64(device.SizeOf[cuda.Material]())
	seen := map[*scene.Vertex]bool{}
	for i := range meshes {
		m := &meshes[i]
		own := int64(len(m.Vertices)) * 16 // where they were
		if !seen[&m.Vertices[0]] {
			seen[&m.Vertices[0]] = true
			own += int64(len(m.Vertices))*listedVertex + int64(len(m.Joints))*int64(device.SizeOf[cuda.Influence]())
			own += int64(len(m.Targets)) * int64(len(m.Vertices)) * int64(device.SizeOf[cuda.MorphDelta]())
		}
		bytes += 2 * own // once to be copied, and on a processor the copy
	}
	return bytes
}

func corners(vertices []scene.Vertex, f scene.Face) [3]mgl32.Vec3 {
	return [3]mgl32.Vec3{vertices[f.V[0]].Position, vertices[f.V[1]].Position, vertices[f.V[2]].Position}
}

// listGeometry writes triangles, faces and vertices in the file's order; those of instances' meshes come after what is baked.
func listGeometry(s *scene.Scene, m *materials) *geometry {
	g := &geometry{scene: s, baked: s.BakedBounds()}
	g.vertices, g.faces = guard.MakeLarge[cuda.Vertex](s.StoredVertices())[:0], guard.MakeLarge[cuda.Face](s.StoredFaces())[:0]
	g.triangles = g.listMesh(s.Vertices, s.Faces, m)
	g.meshes = make([]preparedMesh, len(s.Meshes))
	for i := range s.Meshes {
		of := &s.Meshes[i]
		mesh := preparedMesh{firstFace: uint32(len(g.faces)), firstVertex: uint32(len(g.vertices)), box: of.Bounds()}
		mesh.triangles = g.listMesh(of.Vertices, of.Faces, m)
		g.meshes[i] = mesh
	}
	return g
}

// listMesh adds the vertices and faces of a mesh, and returns its triangles.
func (g *geometry) listMesh(vertices []scene.Vertex, faces []scene.Face, m *materials) []cuda.Triangle {
	firstFace, firstVertex := uint32(len(g.faces)), uint32(len(g.vertices))
	triangles := guard.MakeLarge[cuda.Triangle](len(faces))
	g.faces, g.vertices = g.faces[:len(g.faces)+len(faces)], g.vertices[:len(g.vertices)+len(vertices)]
	guard.All(len(faces), func(i int) {
		f := faces[i]
		c := corners(vertices, f)
		material := f.Material
		if m.rows[material].AlphaMode != cuda.AlphaOpaque && !m.holes[material] {
			material |= cuda.AlphaBit
		}
		face := firstFace + uint32(i)
		triangles[i] = cuda.Triangle{V0: c[0], Face: face, E1: c[1].Sub(c[0]), Material: material, E2: c[2].Sub(c[0]), Light: cuda.NoLight}
		g.faces[face] = cuda.Face{V0: firstVertex + f.V[0], V1: firstVertex + f.V[1], V2: firstVertex + f.V[2], Triangle: uint32(i)}
	})
	guard.All(len(vertices), func(i int) {
		g.vertices[firstVertex+uint32(i)] = deviceVertex(&vertices[i])
	})
	return triangles
}

// tested tells whether rays must look up alpha anywhere.
func (g *geometry) tested() bool {
	tested := func(t cuda.Triangle) bool { return t.Material&cuda.AlphaBit != 0 }
	return slices.ContainsFunc(g.triangles, tested) ||
		slices.ContainsFunc(g.meshes, func(m preparedMesh) bool { return slices.ContainsFunc(m.triangles, tested) })
}

// colored tells whether some vertex is not white.
func (g *geometry) colored() bool {
	const white = 0xffffffff
	return slices.ContainsFunc(g.vertices, func(v cuda.Vertex) bool { return v.ColorRG != white || v.ColorBA&0xffff != 0xffff })
}

// preparedMesh is a mesh of instances, in its own space, with its tree.
type preparedMesh struct {
	triangles   []cuda.Triangle // in leaf order, once the tree has grown
	firstFace   uint32          // of all faces
	firstVertex uint32          // of all vertices
	box         scene.Bounds
	nodes       []bvh.Node
	wideNodes   []bvh.WideNode
}

// buildMeshes builds the trees of instances' meshes, which stay when setting bvh changes: quickly where a scene is opened with BVH fast,
// else as auto does, whatever the setting says.
func (g *geometry) buildMeshes(ctx context.Context, method string) error {
	how := bvh.Binned
	if method == "fast" {
		how = bvh.Curve
	}
	if ids := g.scene.Triangles() - len(g.scene.Faces); ids >= int(cuda.NoHit-cuda.FirstInstanced) {
		return fmt.Errorf("instances have %d triangles, more than kernels can tell apart: draw fewer of them", ids)
	}
	return guard.Each(ctx, len(g.meshes), func(i int) error {
		m, faces, vertices := &g.meshes[i], g.scene.Meshes[i].Faces, g.scene.Meshes[i].Vertices
		built, err := bvh.Build(ctx, how, func(face int) [3]mgl32.Vec3 { return corners(vertices, faces[face]) }, len(faces))
		if err != nil {
			return fmt.Errorf("mesh %d: %w", i, err)
		}
		m.nodes, m.wideNodes = built.Nodes, built.Wide
		listed := m.triangles
		m.triangles = make([]cuda.Triangle, len(built.Order))
		guard.All(len(built.Order), func(k int) { m.triangles[k] = listed[built.Order[k]] })
		return nil
	})
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
