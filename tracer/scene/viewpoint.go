package scene

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"

	"glint/tracer/guard"
)

// viewpoints are the cameras and the lights of the scene. Where clips are played, seats are their nodes.
type viewpoints struct {
	cameras                 []Camera
	lights                  []Light
	cameraSeats, lightSeats []seat
}

// placeViewpoints places the cameras and the lights that nodes hold.
func placeViewpoints(doc *document, nodes *placedNodes) (*viewpoints, error) {
	out := &viewpoints{}
	for _, i := range nodes.seats {
		n := doc.Nodes[i]
		if n.Camera != nil && out.addCamera(doc, n, nodes.world[i]) {
			out.cameraSeats = append(out.cameraSeats, seat{i, *n.Camera})
		}
		at, lit := n.Extensions[lightspunctual.ExtensionName].(lightspunctual.LightIndex)
		if !lit {
			continue
		}
		added, err := out.addLight(doc, n, int(at), nodes.world[i])
		if err != nil {
			if err := doc.leaveOut(doc.nodeLabel(i), nil, err); err != nil {
				return nil, err
			}
		}
		if added {
			out.lightSeats = append(out.lightSeats, seat{i, int(at)})
		}
	}
	return out, nil
}

// addCamera places a camera of the file, if it can be used: it looks along its node's −Z (glTF 2.0 §3.10).
func (v *viewpoints) addCamera(doc *document, n *gltf.Node, world mgl64.Mat4) (added bool) {
	src := doc.Cameras[*n.Camera]
	if !placeable(world) {
		doc.warn.about(label("camera", *n.Camera, src.Name), nil, "stands where numbers overflow (beyond %g m): left out", float64(largest))
		return false
	}
	c := Camera{Name: src.Name}
	if c.Name == "" {
		c.Name = n.Name
	}
	c.stand(world)
	lens := lensOf(src)
	lens.fit(&c)
	if c.Check() != nil {
		if doc.broken("cameras[%d].perspective", *n.Camera) == nil { // which has been said
			doc.warn.about(label("camera", *n.Camera, src.Name), nil, "has no usable projection: left out")
		}
		return false
	}
	v.cameras = append(v.cameras, c)
	return true
}

// lens is the projection of a camera of the file; both 0 for one that cannot be used.
type lens struct {
	yfov float64 // radians, of a perspective
	ymag float64 // m: half of the height of an orthographic view
}

func lensOf(src *gltf.Camera) (c lens) {
	switch {
	case src.Perspective != nil && src.Perspective.Yfov > 0 && src.Perspective.Yfov < math.Pi:
		c.yfov = src.Perspective.Yfov
	case src.Orthographic != nil:
		c.ymag = math.Abs(src.Orthographic.Ymag)
	}
	return c
}

// fit gives a camera the lens.
func (l *lens) fit(c *Camera) {
	if l.yfov > 0 {
		c.VFov = float32(l.yfov * 180 / math.Pi)
	} else {
		c.Orthographic = finite32(l.ymag)
	}
}

// stand places a camera in the world, and keeps how far its target is.
func (c *Camera) stand(world mgl64.Mat4) {
	if !placeable(world) {
		return
	}
	distance := c.Target.Sub(c.Eye).Len()
	c.Eye = world.Col(3).Vec3()
	forward := unitOr(narrow(world.Col(2).Vec3().Mul(-1)), mgl32.Vec3{0, 0, -1})
	c.Up = unitOr(narrow(world.Col(1).Vec3()), mgl32.Vec3{0, 1, 0})
	c.Target = c.Eye.Add(Wide(forward).Mul(max(distance, nearestTarget(c.Eye))))
}

// placeable tells whether something can stand at a place in the world: its transform is finite, and within largest.
func placeable(world mgl64.Mat4) bool {
	for _, v := range world {
		if !(math.Abs(v) < largest) {
			return false
		}
	}
	return true
}

// nearestSight is how far a target must be for single precision to know its direction, m.
const nearestSight = 1e-15

// aimCameras moves each target beside the middle of the scene, a good point to orbit about.
func (s *Scene) aimCameras() {
	if len(s.Cameras) == 0 {
		return // spare looking at all corners
	}
	bounds := s.Bounds()
	for i := range s.Cameras {
		c := &s.Cameras[i]
		forward := Wide(unitOr(c.Sight(), mgl32.Vec3{0, 0, -1}))
		distance := Wide(bounds.Center()).Sub(c.Eye).Dot(forward)
		if distance <= 0 {
			distance = float64(bounds.Radius())
		}
		if distance > nearestSight && distance < largest {
			aimed := *c
			aimed.Target = c.Eye.Add(forward.Mul(max(distance, nearestTarget(c.Eye)-1)))
			if aimed.Check() == nil {
				*c = aimed
			}
		}
	}
}

// nearestTarget is how far ahead of an eye a target must be for double precision to keep the direction, m: at least 1.
func nearestTarget(eye mgl64.Vec3) float64 {
	return max(1, 1e-9*max(math.Abs(eye[0]), math.Abs(eye[1]), math.Abs(eye[2])))
}

// addLight places a light of KHR_lights_punctual, if it can be: it shines along its node's −Z, unscaled by the node.
func (v *viewpoints) addLight(doc *document, n *gltf.Node, at int, world mgl64.Mat4) (added bool, err error) {
	lights := lightsOf(doc)
	if at < 0 || at >= len(lights) || lights[at] == nil {
		return false, fmt.Errorf("light %d does not exist: the file has %d", at, len(lights))
	}
	if !placeable(world) {
		doc.warn.about(label("light", at, lights[at].Name), nil, "stands where numbers overflow (beyond %g m): left out", float64(largest))
		return false, nil
	}
	source, err := sourceOf(lights[at])
	if why := doc.broken("extensions.KHR_lights_punctual.lights[%d]", at); why != nil {
		err = why
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", label("light", at, lights[at].Name), err)
	}
	light := Light{Name: lights[at].Name, Kind: source.kind}
	if light.Name == "" {
		light.Name = n.Name
	}
	source.fit(&light)
	light.stand(world)
	v.lights = append(v.lights, light)
	return true, nil
}

// stand places a light in the world.
func (l *Light) stand(world mgl64.Mat4) {
	if !placeable(world) {
		return
	}
	l.Position = position(world)
	l.Direction = unitOr(narrow(world.Col(2).Vec3().Mul(-1)), mgl32.Vec3{0, 0, -1})
}

// lightSource is a light as its file says it, in parts that clips change each by itself.
type lightSource struct {
	kind         LightKind
	color        [3]float64
	intensity    float64
	reach        float64 // m, 0 for unlimited
	inner, outer float64 // radians
}

// widestCone is half a sphere, with room for a file's decimals.
const widestCone = math.Pi/2 + 1e-6

func sourceOf(src *lightspunctual.Light) (lightSource, error) {
	s := lightSource{color: src.ColorOrDefault(), intensity: src.IntensityOrDefault()}
	if r := src.Range; r != nil && !math.IsInf(*r, 0) {
		s.reach = *r
	}
	switch src.Type {
	case lightspunctual.TypePoint:
		s.kind = LightPoint
	case lightspunctual.TypeDirectional:
		s.kind = LightDirectional
	case lightspunctual.TypeSpot:
		s.kind = LightSpot
		s.inner, s.outer = 0, math.Pi/4
		if src.Spot != nil {
			s.inner, s.outer = src.Spot.InnerConeAngle, src.Spot.OuterConeAngleOrDefault()
		}
	default:
		return s, fmt.Errorf("type %s is none of point, spot, directional", guard.Quoted(src.Type))
	}
	return s, nil
}

// fit gives a light what its source says, within the bounds of files.
func (s *lightSource) fit(l *Light) {
	for i, v := range s.color {
		l.Intensity[i] = finite32(max(0, v) * max(0, s.intensity))
	}
	l.Range = finite32(s.reach)
	if s.kind == LightSpot {
		outer := max(0, min(s.outer, widestCone))
		l.InnerCone, l.OuterCone = float32(max(0, min(s.inner, outer))), float32(outer)
	}
}
