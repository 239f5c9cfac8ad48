package gpuscene

import (
	"cmp"
	"slices"

	"glint/tracer/scene"
)

// mostBodies bounds the pairs of volumes that nests looks at: of more, some are taken to meet.
const mostBodies = 1 << 13

// nests tells whether volumes may stand in each other, now or in another pose: the boxes around two of them meet. What has one
// material within an object is one volume.
func nests(s *scene.Scene) bool {
	boxes := volumeBoxes(s)
	if s.Motion != nil || len(boxes) > mostBodies {
		return len(boxes) > 1
	}
	slices.SortFunc(boxes, func(a, b scene.Bounds) int { return cmp.Compare(a.Min[0], b.Min[0]) })
	for i, a := range boxes {
		for _, b := range boxes[i+1:] {
			if b.Min[0] > a.Max[0] {
				break
			}
			if meet(a, b) {
				return true
			}
		}
	}
	return false
}

func meet(a, b scene.Bounds) bool {
	for axis := range 3 {
		if a.Min[axis] > b.Max[axis] || b.Min[axis] > a.Max[axis] {
			return false
		}
	}
	return true
}

// volumeBoxes are the boxes around the volumes of a scene.
func volumeBoxes(s *scene.Scene) []scene.Bounds {
	volumes := make([]bool, len(s.Materials))
	for i := range volumes {
		inSomePose := s.Features(uint32(i))&(scene.FeatureGlass|scene.FeatureVolumes) != 0
		volumes[i] = s.Materials[i].IsVolume() || inSomePose
	}
	if !slices.Contains(volumes, true) {
		return nil
	}
	boxes := boxesOf(s.Vertices, s.Faces, s.Objects, volumes)
	ofMesh := make([][]scene.Bounds, len(s.Meshes))
	for i := range s.Meshes {
		ofMesh[i] = boxesOf(s.Meshes[i].Vertices, s.Meshes[i].Faces, nil, volumes)
	}
	for _, in := range s.Instances {
		for _, box := range ofMesh[in.Mesh] {
			boxes = append(boxes, box.Moved(in.World))
		}
	}
	return boxes
}

// boxesOf are the boxes around what has the same volume for its material, by object; objects are their first faces.
func boxesOf(vertices []scene.Vertex, faces []scene.Face, objects []uint32, volumes []bool) (boxes []scene.Bounds) {
	at := map[uint32]int{} // of a material in boxes, within the object
	for i, f := range faces {
		if len(objects) > 0 && uint32(i) >= objects[0] {
			objects = objects[1:]
			clear(at)
		}
		if !volumes[f.Material] {
			continue
		}
		k, known := at[f.Material]
		if !known {
			k = len(boxes)
			at[f.Material] = k
			boxes = append(boxes, scene.NoBounds())
		}
		for _, v := range f.V {
			boxes[k].Add(vertices[v].Position)
		}
	}
	return boxes
}
