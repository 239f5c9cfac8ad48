package scene

import "github.com/go-gl/mathgl/mgl64"

// wide is a size beyond which the squared areas of large triangles overflow, m.
const wide = 2e9

// recentre moves what lies far from the origin there, by its node transforms, which are in double precision. Scenes in
// coordinates of a country do.
func recenter(doc *document, where *whereabouts, nodes *placedNodes, r *rig) (origin mgl64.Vec3) {
	if size := where.all.max.Sub(where.all.min); max(size[0], size[1], size[2]) > wide {
		doc.warn.addf("the scene is %.2g m large: of what is larger than %.0e m parts may be missing, so scale it down", max(size[0], size[1], size[2]), wide)
	}
	origin = where.all.origin()
	where.origin = origin
	if origin == (mgl64.Vec3{}) {
		return origin
	}
	move := func(world *mgl64.Mat4) {
		for axis, by := range origin {
			world[12+axis] -= by
		}
	}
	for i := range nodes.world {
		move(&nodes.world[i])
	}
	for i := range nodes.instances {
		move(&nodes.instances[i].world)
	}
	for _, joints := range r.joints {
		for i := range joints {
			move(&joints[i])
		}
	}
	return origin
}
