package scene

import (
	"errors"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"

	"glint/tracer/guard"
)

// addCamera places a camera of the file: it looks along its node's −Z (glTF 2.0 §3.10).
func (l *loader) addCamera(n *gltf.Node, world mgl64.Mat4) {
	src := l.doc.Cameras[*n.Camera]
	if !placeable(world) {
		l.warn.about(label("camera", *n.Camera, src.Name), nil, "stands where numbers overflow (beyond %g m): left out", float64(largest))
		return
	}
	c := Camera{Name: src.Name}
	if c.Name == "" {
		c.Name = n.Name
	}
	c.stand(world)
	switch {
	case src.Perspective != nil && src.Perspective.Yfov > 0 && src.Perspective.Yfov < math.Pi:
		c.VFov = float32(src.Perspective.Yfov * 180 / math.Pi)
	case src.Orthographic != nil && src.Orthographic.Ymag != 0:
		c.Orthographic = finite32(math.Abs(src.Orthographic.Ymag))
	}
	if c.Check() != nil {
		l.warn.about(label("camera", *n.Camera, src.Name), nil, "has no usable projection: left out")
		return
	}
	l.out.Cameras = append(l.out.Cameras, c)
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
func (l *loader) aimCameras() {
	if len(l.out.Cameras) == 0 {
		return // spare looking at all corners
	}
	bounds := l.out.Bounds()
	for i := range l.out.Cameras {
		c := &l.out.Cameras[i]
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

// addLight places a light of KHR_lights_punctual: it shines along its node's −Z, unscaled by the node.
func (l *loader) addLight(n *gltf.Node, world mgl64.Mat4) error {
	at, ok := n.Extensions[lightspunctual.ExtensionName].(lightspunctual.LightIndex)
	if !ok {
		return nil
	}
	lights, _ := l.doc.Extensions[lightspunctual.ExtensionName].(lightspunctual.Lights)
	if at < 0 || int(at) >= len(lights) || lights[at] == nil {
		return fmt.Errorf("light %d does not exist: the file has %d", at, len(lights))
	}
	if !placeable(world) {
		l.warn.about(label("light", int(at), lights[at].Name), nil, "stands where numbers overflow (beyond %g m): left out", float64(largest))
		return nil
	}
	light, err := convertLight(lights[at])
	if err != nil {
		return fmt.Errorf("%s: %w", label("light", int(at), lights[at].Name), err)
	}
	if light.Name == "" {
		light.Name = n.Name
	}
	light.stand(world)
	l.out.Lights = append(l.out.Lights, light)
	return nil
}

// stand places a light in the world.
func (l *Light) stand(world mgl64.Mat4) {
	if !placeable(world) {
		return
	}
	l.Position = position(world)
	l.Direction = unitOr(narrow(world.Col(2).Vec3().Mul(-1)), mgl32.Vec3{0, 0, -1})
}

func convertLight(src *lightspunctual.Light) (Light, error) {
	light := Light{Name: src.Name}
	intensity := src.IntensityOrDefault()
	for i, v := range src.ColorOrDefault() {
		if v < 0 || intensity < 0 {
			return light, errors.New("colour and intensity must not be negative")
		}
		light.Intensity[i] = finite32(v * intensity)
	}
	if r := src.Range; r != nil && !math.IsInf(*r, 0) {
		if *r <= 0 {
			return light, fmt.Errorf("range %v must be above zero", *r)
		}
		light.Range = finite32(*r)
	}
	switch src.Type {
	case lightspunctual.TypePoint:
		light.Kind = LightPoint
	case lightspunctual.TypeDirectional:
		light.Kind = LightDirectional
	case lightspunctual.TypeSpot:
		light.Kind = LightSpot
		return light, setCone(&light, src.Spot)
	default:
		return light, fmt.Errorf("type %s is none of point, spot, directional", guard.Quoted(src.Type))
	}
	return light, nil
}

func setCone(light *Light, spot *lightspunctual.Spot) error {
	inner, outer := 0.0, math.Pi/4
	if spot != nil {
		inner, outer = spot.InnerConeAngle, spot.OuterConeAngleOrDefault()
	}
	if inner < 0 || inner >= outer || outer > math.Pi/2+1e-6 {
		return fmt.Errorf("cone angles %v and %v do not keep 0 ≤ inner < outer ≤ π/2", inner, outer)
	}
	light.InnerCone, light.OuterCone = float32(inner), float32(outer)
	return nil
}
