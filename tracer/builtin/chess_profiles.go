package builtin

import "slices"

// The turned parts of the pieces in the manner of Staunton's set, in units of one square of the board.

// foot is the moulded base that all pieces but the pawns share, of radius r; it ends at height 0.27 r/0.3, radius 0.68 r.
func foot(r float64) []knot {
	k := r / 0.3
	return []knot{
		{0, 0, edge}, {0.29 * k, 0, edge}, {0.305 * k, 0.02 * k, soft}, {0.307 * k, 0.05 * k, soft}, {0.30 * k, 0.085 * k, edge},
		{0.272 * k, 0.09 * k, edge}, {0.283 * k, 0.115 * k, soft}, {0.268 * k, 0.145 * k, edge}, {0.25 * k, 0.15 * k, edge},
		{0.228 * k, 0.175 * k, soft}, {0.213 * k, 0.22 * k, edge},
	}
}

// collar is a ring of radius r between two stems of radius inner, from height y to y + h.
func collar(inner, r, y, h float64) []knot {
	return []knot{{inner, y, edge}, {r * 0.96, y + 0.12*h, edge}, {r, y + 0.4*h, soft}, {r * 0.93, y + 0.75*h, edge}, {inner, y + h, edge}}
}

// pawnProfile has a foot of one smooth sweep: in crystal each edge of a moulding would be a ring of broken refractions.
func pawnProfile() []knot {
	return slices.Concat([]knot{
		{0, 0, edge}, {0.285, 0, edge}, {0.302, 0.018, soft}, {0.305, 0.045, soft}, {0.29, 0.075, soft}, {0.25, 0.108, soft},
		{0.205, 0.155, soft}, {0.165, 0.23, soft}, {0.13, 0.34, soft}, {0.11, 0.47, soft},
		{0.112, 0.555, edge}, {0.165, 0.563, soft}, {0.187, 0.577, soft}, {0.195, 0.598, soft}, {0.187, 0.618, soft},
		{0.165, 0.631, soft}, {0.112, 0.638, edge},
	}, ballKnots(0.765, 0.155, 0.75))
}

func rookProfile() []knot {
	return slices.Concat(foot(0.35),
		[]knot{{0.215, 0.34, soft}, {0.187, 0.48, soft}, {0.178, 0.60, soft}}, collar(0.19, 0.262, 0.69, 0.07),
		[]knot{{0.20, 0.785, soft}, {0.225, 0.83, soft}, {0.272, 0.86, edge}, {0.272, 0.945, edge}, {0.19, 0.945, edge},
			{0.19, 0.89, edge}, {0, 0.89, edge}})
}

func knightProfile() []knot {
	return slices.Concat(foot(0.34), collar(0.235, 0.27, 0.255, 0.07),
		[]knot{{0.2, 0.345, edge}, {0, 0.36, edge}})
}

func bishopProfile() []knot {
	return slices.Concat(foot(0.335),
		[]knot{{0.185, 0.34, soft}, {0.138, 0.48, soft}, {0.118, 0.66, soft}}, collar(0.122, 0.215, 0.755, 0.07),
		collar(0.125, 0.165, 0.84, 0.045), []knot{{mitreFoot, mitreBottom, edge}})
}

func queenProfile() []knot {
	return slices.Concat(foot(0.375),
		[]knot{{0.215, 0.38, soft}, {0.16, 0.56, soft}, {0.132, 0.88, soft}}, collar(0.136, 0.245, 0.965, 0.075),
		collar(0.14, 0.19, 1.055, 0.05), []knot{{0.125, 1.12, edge}, {0.135, 1.2, soft}, {0.165, 1.3, soft}, {crownFoot, crownBottom, edge}})
}

func kingProfile() []knot {
	return slices.Concat(foot(0.39),
		[]knot{{0.225, 0.40, soft}, {0.17, 0.6, soft}, {0.142, 0.98, soft}}, collar(0.146, 0.262, 1.075, 0.08),
		collar(0.15, 0.2, 1.175, 0.055), []knot{
			{0.135, 1.245, edge}, {0.148, 1.32, soft}, {0.19, 1.44, soft}, {0.232, 1.515, edge}, {0.24, 1.53, edge}, {0.235, 1.555, edge},
			{0.19, 1.585, soft}, {0.1, 1.615, soft}, {0.055, 1.63, edge}, {0.045, 1.645, edge}, {0.05, 1.67, soft}, {0.03, 1.69, edge}, {0, 1.69, edge},
		})
}
