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
	Motion *Motion // how it moves; nil when it does not, or was not asked to (Options.Animated)
	Hidden []bool  // Instances that are not drawn at rest, whose World need not have an inverse; nil: none
}

// Vertex is one corner of a face in world space.
type Vertex struct {
	Position mgl32.Vec3 // m
	Normal   mgl32.Vec3 // unit
	Tangent  mgl32.Vec4 // unit xyz, w is the handedness ±1
	UV       [2]mgl32.Vec2
	Color    mgl32.Vec4 // linear RGBA factor, white when the file has none
}

// Face is one triangle: three vertices in counter-clockwise order seen from the front, and its material.
type Face struct {
	V        [3]uint32
	Material uint32
}

// TextureRef is a use of a texture by a material: which UV set, and KHR_texture_transform.
type TextureRef struct {
	Texture   int // index into Scene.Textures, -1 for none
	UVSet     int // 0 or 1
	Transform UVTransform
}

// NoTexture is the use of none.
func NoTexture() TextureRef { return TextureRef{Texture: -1, Transform: IdentityTransform} }

// UVTransform maps (u, v) to (M[0]u + M[1]v + M[2], M[3]u + M[4]v + M[5]).
type UVTransform [6]float32

// IdentityTransform leaves texture coordinates as they are.
var IdentityTransform = UVTransform{1, 0, 0, 0, 1, 0}

// Wrap is a texture's behaviour outside [0, 1].
type Wrap uint32

// The wrap modes of glTF samplers.
const (
	WrapRepeat Wrap = iota
	WrapMirror
	WrapClamp
)

// Texture is an image with a sampler.
type Texture struct {
	Image   int // index into Scene.Images
	WrapS   Wrap
	WrapT   Wrap
	Nearest bool // magFilter NEAREST; else bilinear
}

// Image is a decoded picture, RGBA (not premultiplied) of 8 or 16 bits a channel, row 0 at v = 0 (the top, as glTF has it).
// SRGB is true when its colour channels must be decoded before filtering; an image used both ways appears twice.
type Image struct {
	Name          string
	Width, Height int
	SRGB          bool
	Deep          bool   // 16 bits, the lower byte first: the file's colours need them
	Pixels        []byte // TexelBytes()·Width·Height
}

// Camera is a camera of the file, or one chosen to frame the scene.
type Camera struct {
	Name         string
	Eye          mgl64.Vec3 // m
	Target       mgl64.Vec3 // m: a point straight ahead
	Up           mgl32.Vec3
	VFov         float32 // vertical field of view, degrees; 0 when orthographic
	Orthographic float32 // half of the height of the view, m; 0 when perspective
}

// LightKind is the form of a punctual light.
type LightKind uint32

// The kinds of KHR_lights_punctual.
const (
	LightPoint LightKind = iota
	LightSpot
	LightDirectional
)

// Light is a punctual light of KHR_lights_punctual, in world space.
type Light struct {
	Name      string
	Kind      LightKind
	Position  mgl32.Vec3 // m
	Direction mgl32.Vec3 // unit, the way light travels
	Intensity mgl32.Vec3 // colour × intensity: cd (W/sr) for point and spot, lux (W/m²) for directional
	Range     float32    // m, 0 for unlimited
	InnerCone float32    // radians, spot only
	OuterCone float32    // radians, spot only
}

// Support says how well glint renders one glTF extension.
type Support int

// The three answers.
const (
	Supported Support = iota
	Approximated
	Ignored
)

// String is the answer in a word.
func (s Support) String() string { return [...]string{"supported", "approximated", "ignored"}[s] }

// Report is what the loader has to say about a file: shown by `glint info`, the HUD and the log.
type Report struct {
	Path       string   // empty where several files were merged
	Merged     []string // their paths; nil where there was one
	Files      []File   // that it was read from: first the scene's own, then what that names, found or not
	Unread     []string // URIs of those of them that are missing or broken
	Generator  string
	Extensions []ExtensionReport // sorted by name
	Notes      []Note            // sorted
	Nodes      int
	Meshes     int
	Animations int
	Clips      []ClipReport
	Skins      int
	Variants   []string // of materials
	Repeats    Repeats
	HasLight   bool // false when nothing in the file emits: the renderer then adds a soft environment
}

// ClipReport is an animation that the file has.
type ClipReport struct {
	Name    string
	Seconds float64 // its length, as the file says it
}

// ExtensionReport is one extension that the file uses.
type ExtensionReport struct {
	Name     string
	Required bool
	Support  Support
	Note     string
	Places   []Place // materials of the scene that have it; none where it is supported
}

// Bounds is an axis-aligned box.
type Bounds struct{ Min, Max mgl32.Vec3 }

// Radius is half of the box's diagonal, m.
func (b Bounds) Radius() float32 { return b.Max.Sub(b.Min).Len() / 2 }

// Center is the middle of the box.
func (b Bounds) Center() mgl32.Vec3 { return b.Min.Add(b.Max).Mul(0.5) }

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
