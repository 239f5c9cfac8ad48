// Package scene holds the flat scene that the renderer draws and loads it from glTF 2.0 files.
//
//	s, err := scene.Load(ctx, "duck.glb", scene.Options{})
//	fmt.Println(len(s.Faces), "triangles", s.Bounds())
//
// Everything is in world space, metres, right-handed, +Y up, linear Rec.709, as glTF has it.
package scene

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// Scene is one flat, world-space scene: every node transform is already applied, but for meshes that are kept once and
// placed by Instances.
type Scene struct {
	Name      string // file name or procedural name, for the window title and reports
	Vertices  []Vertex
	Faces     []Face
	Meshes    []Mesh
	Instances []Instance // drawn beside Faces
	Objects   []uint32   // the first face of each thing that was placed, ascending; may be empty. Instances follow
	Materials []Material // at least one when there are faces
	Images    []Image
	Textures  []Texture
	Cameras   []Camera
	Lights    []Light // punctual lights (KHR_lights_punctual)
	// Environment is the built-in environment that lights the scene from around where the user chooses none, as --env takes it;
	// empty for none. glTF has no place for it.
	Environment string
	ImageLight  *ImageLight // lights it where the user chooses nothing else; nil for none
	// Origin is where the scene's origin lies in the coordinates of its file, m: 0 but for scenes that lie far from theirs.
	Origin mgl64.Vec3
	Report Report
	Motion *Motion // how it moves; nil when it does not, or was not asked to (Options)
	// Editable is what of its file can be edited, of merged scenes the first; nil where there is no file, or it
	// was not asked for (Options). Edits are those that it was read for.
	Editable *Editable
	Edits    Edits
	Hidden   []bool // Instances that are not drawn at rest, whose World need not have an inverse; nil: none
}

// Bounds is the box around every vertex that a face uses, and around instances; the unit box around the origin when there is none.
func (s *Scene) Bounds() Bounds {
	b := s.BakedBounds()
	if s.addInstances(&b); b.Empty() {
		return Bounds{mgl32.Vec3{-0.5, -0.5, -0.5}, mgl32.Vec3{0.5, 0.5, 0.5}}
	}
	return b
}

// BakedBounds is the box around Faces alone; Empty when there are none.
func (s *Scene) BakedBounds() Bounds { return (&Mesh{Vertices: s.Vertices, Faces: s.Faces}).Bounds() }

// Triangles is how many are drawn, those of every instance by themselves.
func (s *Scene) Triangles() int {
	n := len(s.Faces)
	for _, in := range s.Instances {
		n += len(s.Meshes[in.Mesh].Faces)
	}
	return n
}

// StoredVertices is how many there are, those of each mesh once.
func (s *Scene) StoredVertices() int {
	n := len(s.Vertices)
	for i := range s.Meshes {
		n += len(s.Meshes[i].Vertices)
	}
	return n
}

// StoredFaces is how many there are, those of each mesh once.
func (s *Scene) StoredFaces() int {
	n := len(s.Faces)
	for i := range s.Meshes {
		n += len(s.Meshes[i].Faces)
	}
	return n
}

// GeometryBytes is what the scene's vertices and faces take on the host.
func (s *Scene) GeometryBytes() int64 {
	return int64(s.StoredVertices())*vertexBytes + int64(s.StoredFaces())*faceBytes
}

// eachInstance visits the instances that are drawn, with the boxes of their meshes.
func (s *Scene) eachInstance(visit func(in Instance, mesh Bounds)) {
	boxes := make([]Bounds, len(s.Meshes))
	for i := range s.Meshes {
		boxes[i] = s.Meshes[i].Bounds()
	}
	for i, in := range s.Instances {
		if s.Hidden == nil || !s.Hidden[i] {
			visit(in, boxes[in.Mesh])
		}
	}
}

// addInstances widens a box to hold all instances that are drawn: as tightly as copies, unless looking at each of their vertices took
// long. Then it holds the boxes around their meshes, moved.
func (s *Scene) addInstances(b *Bounds) {
	const quick = 1 << 22 // triangles, a tenth of a second
	seen := 0
	s.eachInstance(func(in Instance, mesh Bounds) {
		box, m := mesh.Moved(in.World), &s.Meshes[in.Mesh]
		if b.holds(box) {
			return
		}
		if seen += len(m.Faces); seen <= quick {
			box = m.boundsIn(&in.World)
		}
		b.join(box)
	})
}

// ToFile is a point of the scene in the coordinates of its file.
func (s *Scene) ToFile(p mgl64.Vec3) mgl64.Vec3 { return p.Add(s.Origin) }

// FromFile is a point of the scene, given in the coordinates of its file.
func (s *Scene) FromFile(p mgl64.Vec3) mgl64.Vec3 { return p.Sub(s.Origin) }

// CameraToFile is a camera of the scene in the coordinates of its file, which records of a picture have.
func (s *Scene) CameraToFile(c Camera) Camera {
	c.Eye, c.Target = s.ToFile(c.Eye), s.ToFile(c.Target)
	return c
}

// CameraFromFile is the camera that CameraToFile was given.
func (s *Scene) CameraFromFile(c Camera) Camera {
	c.Eye, c.Target = s.FromFile(c.Eye), s.FromFile(c.Target)
	return c
}
