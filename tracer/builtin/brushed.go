package builtin

// brush is noise drawn out along u, as a wire brush or a lathe tool leaves it, about −1…1.
func brush(u, v float64) float64 {
	return 0.6*noise(3*u, 120*v, 3, 120, 401) + 0.5*noise(7*u, 250*v, 7, 250, 402) + 0.4*noise(u, 40*v, 1, 40, 403)
}

// brushedPolish is the roughness of brushed metal, a factor of the material's own.
func brushedPolish(u, v float64) float64 {
	return 0.72 + 0.28*brush(u, v) + 0.15*fbm(4*u, 4*v, 4, 4, 4, 404)
}

// brushedRelief is the height of brushed metal, tiles.
func brushedRelief(u, v float64) float64 { return 0.0003 * brush(u, v) }
