package builtin

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"glint/tracer/scene"
)

// Clip planes of the cameras written, m: glTF demands them, glint ignores them.
const zNear, zFar = 0.01, 1000

func (w *glbWriter) cameras() error {
	for i, c := range w.s.Cameras {
		camera := &gltf.Camera{Name: c.Name}
		if half := float64(c.Orthographic); half > 0 {
			camera.Orthographic = &gltf.Orthographic{Xmag: half, Ymag: half, Znear: zNear, Zfar: zFar}
		} else {
			camera.Perspective = &gltf.Perspective{Yfov: float64(mgl32.DegToRad(c.VFov)), Znear: zNear}
		}
		w.doc.Cameras = append(w.doc.Cameras, camera)
		w.node(&gltf.Node{Name: c.Name, Camera: gltf.Index(i), Matrix: facing(w.s.ToFile(c.Eye), c.Sight(), c.Up)})
	}
	return nil
}

// facing is the matrix of a node at eye whose −Z points forward, column by column.
func facing(eye mgl64.Vec3, forward, up mgl32.Vec3) [16]float64 {
	z := forward.Mul(-1).Normalize()
	x := tangentAlong(z, up.Cross(z)) // any direction across when up is parallel
	y := z.Cross(x)
	var m [16]float64
	for column, v := range []mgl64.Vec4{scene.Wide(x).Vec4(0), scene.Wide(y).Vec4(0), scene.Wide(z).Vec4(0), eye.Vec4(1)} {
		copy(m[4*column:], v[:])
	}
	return m
}

// lights writes KHR_lights_punctual.
func (w *glbWriter) lights() error {
	if len(w.s.Lights) == 0 {
		return nil
	}
	kinds := map[scene.LightKind]string{scene.LightPoint: "point", scene.LightSpot: "spot", scene.LightDirectional: "directional"}
	name := w.extension("KHR_lights_punctual")
	var list []map[string]any
	for i, l := range w.s.Lights {
		intensity := max(l.Intensity[0], l.Intensity[1], l.Intensity[2])
		color := mgl32.Vec3{1, 1, 1}
		if intensity > 0 {
			color = l.Intensity.Mul(1 / intensity)
		}
		light := map[string]any{"name": l.Name, "type": kinds[l.Kind], "color": color, "intensity": intensity}
		if l.Range > 0 && l.Kind != scene.LightDirectional {
			light["range"] = l.Range
		}
		node := &gltf.Node{Name: l.Name, Extensions: gltf.Extensions{name: map[string]any{"light": i}}}
		node.Matrix = facing(w.s.ToFile(scene.Wide(l.Position)), mgl32.Vec3{0, 0, -1}, mgl32.Vec3{0, 1, 0})
		if l.Kind != scene.LightPoint {
			node.Matrix = facing(w.s.ToFile(scene.Wide(l.Position)), l.Direction, mgl32.Vec3{0, 1, 0})
		}
		if l.Kind == scene.LightSpot {
			light["spot"] = map[string]any{"innerConeAngle": l.InnerCone, "outerConeAngle": l.OuterCone}
		}
		list = append(list, light)
		w.node(node)
	}
	w.doc.Extensions = gltf.Extensions{name: map[string]any{"lights": list}}
	return nil
}
