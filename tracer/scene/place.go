package scene

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
)

// placedScene is what is where in the world.
type placedScene struct {
	*geometry
	*viewpoints
	where  *whereabouts
	origin mgl64.Vec3
}

// placeScene finds where the scene's origin is, and places all that is in it.
func placeScene(doc *document, opts Options, nodes *placedNodes, rig *rig, looks *looks, clips *changes, shapes map[meshKey][]*shape) (*placedScene, error) {
	if err := checkRoom(doc.memory, nodes.instances, shapes); err != nil {
		return nil, err
	}
	where, err := findWhereabouts(doc, rig, nodes.instances, shapes, len(looks.materials))
	if err != nil {
		return nil, err
	}
	origin := recenter(doc, where, nodes, rig)
	seen, err := placeViewpoints(doc, nodes)
	if err != nil {
		return nil, err
	}
	points := eyesAndLamps(seen, opts.Eyes, clips, nodes, origin)
	if err := turnOutward(doc, nodes.instances, shapes, rig, looks.materials, points); err != nil {
		return nil, err
	}
	drawn, err := (&assembly{doc: doc, nodes: nodes, looks: looks, rig: rig, changes: clips, opts: opts}).place(shapes)
	return &placedScene{drawn, seen, where, origin}, err
}

// check refuses a scene of which nothing is left, or in which there is too much.
func (p *placedScene) check(warn *warnings, light *ImageLight) error {
	repeated := 0 // triangles
	for _, in := range p.instances {
		repeated += len(p.meshes[in.Mesh].Faces)
	}
	switch {
	case len(p.world.Faces)+repeated > 0:
	case warn.lost != nil && light == nil: // which is seen, too
		return fmt.Errorf("nothing of it can be drawn: %w", warn.lost)
	default:
		warn.addf("the scene has no triangles")
	}
	return checkIDs(repeated)
}

// newMotion is how a scene moves; nil where nothing of it does.
func newMotion(c *changes, nodes *placedNodes, l *looks, r *rig, placed *placedScene) *Motion {
	if c == nil || len(placed.parts)+len(placed.cameras)+len(placed.lights)+len(l.changing.files) == 0 {
		return nil
	}
	m := &Motion{
		Clips: c.clips, Materials: l.changing.slots,
		start:  moment{nodes: nodes.tree, hidden: nodes.hidden, materials: map[int]*materialSource{}, lights: c.lights, cameras: c.cameras},
		origin: placed.origin, relights: c.relights, skins: r.skins, parts: placed.parts, changing: l.changing.files, bounds: l.changing.bounds,
		rest:    Pose{Instances: placed.instances, Cameras: placed.cameras, Lights: placed.lights},
		cameras: placed.cameraSeats, lights: placed.lightSeats,
	}
	for at := range c.materials {
		m.start.materials[at] = l.changing.sources[at] // nil where nothing is drawn with it
	}
	for i, at := range m.changing { // textures that cannot be read have been dropped since
		m.start.materials[at].Textures = l.materials[m.Materials[i]].Textures
	}
	return m
}
