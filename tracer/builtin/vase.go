package builtin

import "slices"

// vase is a slender turned vase of the given height, m, that stands on the origin.
func vase(height float64, segments int) mesh {
	return turn([]knot{
		{0, 0, edge}, {0.13, 0, edge}, {0.15, 0.02, edge}, {0.2, 0.16, soft}, {0.25, 0.36, soft}, {0.22, 0.56, soft}, {0.11, 0.74, soft},
		{0.075, 0.84, soft}, {0.09, 0.93, soft}, {0.125, 0.99, edge}, {0.118, 1, edge}, {0.1, 1, edge}, {0.055, 0.86, soft}, {0, 0.8, edge},
	}, height, segments)
}

// bowl is a wide turned bowl of the given height, m, that stands on the origin.
func bowl(height float64, segments int) mesh {
	return turn([]knot{
		{0, 0, edge}, {0.42, 0, edge}, {0.44, 0.08, edge}, {0.75, 0.25, soft}, {1.02, 0.6, soft}, {1.15, 1, edge}, {1.09, 1, edge},
		{0.93, 0.55, soft}, {0.6, 0.25, soft}, {0, 0.16, edge},
	}, height, segments)
}

// turn is the lathe's work on an outline in units of scale metres; spans of the outline take a sixth as many steps as there
// are segments around.
func turn(outline []knot, scale float64, segments int) mesh {
	k := slices.Clone(outline)
	for i := range k {
		k[i].r *= scale
		k[i].y *= scale
	}
	return lathe(sample(k, max(2, segments/6)), segments)
}
