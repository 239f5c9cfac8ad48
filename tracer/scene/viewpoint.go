package scene

import (
	"cmp"
	"fmt"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/lightspunctual"
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
	c := Camera{Name: cmp.Or(src.Name, n.Name)}
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
	if err = cmp.Or(doc.broken("extensions.KHR_lights_punctual.lights[%d]", at), err); err != nil {
		return false, fmt.Errorf("%s: %w", label("light", at, lights[at].Name), err)
	}
	light := Light{Name: cmp.Or(lights[at].Name, n.Name), Kind: source.kind}
	source.fit(&light)
	light.stand(world)
	v.lights = append(v.lights, light)
	return true, nil
}
