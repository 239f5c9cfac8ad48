package scene

// objects finds where the faces of each instance begin once marked faces are dropped.
func objects(placements []placement, faces []Face) []uint32 {
	var first []uint32
	kept, face := uint32(0), 0
	for i, p := range placements {
		if i == 0 || p.instance != placements[i-1].instance {
			first = append(first, kept)
		}
		for ; face < p.firstFace+len(p.shape.faces); face++ {
			if faces[face].Material != noMaterial {
				kept++
			}
		}
	}
	return first
}
