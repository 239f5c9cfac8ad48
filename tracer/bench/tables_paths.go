package bench

import "fmt"

// restirTable: both render 10 bounces as reference 000 does; its naive is next-event estimation without reuse.
func restirTable() Table {
	const denoised = "--denoise oidn"
	half := between(1/1.16, 1/1.07)
	return Table{
		Name: "restir", Title: "Cost of ReSTIR GI over plain path tracing",
		Reference: "000: CornellChess at 1200×1200, bright and dim, raw and denoised",
		Found:     "naive is 7–16 % faster than ReSTIR GI",
		Meaning:   "Reuse adds passes over every pixel, whatever the scene: the cheaper a path is, the more of the frame they are. What they buy is less noise in each frame, which this table does not show (docs/restir-gi.md has it).",
		Flags:     "--bounces 10", Size: 1200, Live: true,
		Sides: []Side{{Name: "path", Flags: "--integrator path"}, {Name: "restir-gi", Flags: "--integrator restir-gi"}},
		Rows: []Row{
			{Name: "bright", Scene: "chess", Flags: "--light-scale 4", Seen: half},
			{Name: "dim", Scene: "chess", Flags: "--light-scale 0.25", Seen: half},
			{Name: "bright, denoised", Scene: "chess", Flags: "--light-scale 4 " + denoised, Seen: half},
			{Name: "dim, denoised", Scene: "chess", Flags: "--light-scale 0.25 " + denoised, Seen: half},
		},
	}
}

func firstHitTable() Table {
	return Table{
		Name: "first-hit", Title: "Cache of first hits",
		Reference: "001: Cornell box, the first intersection kept from sample to sample",
		Found:     "marginally faster; more is expected of complex scenes",
		Meaning:   "What is saved is one closest-hit ray of each path, the most coherent one; what is paid is reading the hit back.",
		Sides:     []Side{{Name: "off", Flags: "--first-hit-cache off"}, {Name: "on", Flags: "--first-hit-cache on"}},
		Rows: []Row{
			{Name: "box, pixel centres", Scene: "cornell", Flags: "--antialias off"},
			{Name: "box, cyclic jitter", Scene: "cornell", Flags: "--antialias on"},
			{Name: "statue, pixel centres", Scene: "statue", Flags: "--antialias off"},
			{Name: "statue, cyclic jitter", Scene: "statue", Flags: "--antialias on"},
		},
	}
}

func cameraTable() Table {
	return Table{
		Name: "camera", Title: "Antialiasing and depth of field",
		Reference: "001 and 002: a sample with and without, open and closed scenes",
		Found:     "both next to free: below 1 %",
		Meaning:   "Both change the camera ray alone; what they can cost is coherence of the first rays.",
		Sides: []Side{
			{Name: "neither", Flags: "--antialias off --dof off"},
			{Name: "antialiasing", Flags: "--antialias on --dof off"},
			{Name: "depth of field", Flags: "--antialias off --dof on --aperture 0.05"},
		},
		Rows: []Row{
			{Name: "box", Scene: "cornell", Seen: seen(1, 1)},
			{Name: "balls, open", Scene: "multiball-open", Seen: seen(1, 1)},
			{Name: "balls, closed", Scene: "multiball-closed", Seen: seen(1, 1)},
		},
	}
}

// subsurfaceTable compares scenes: a sphere that scatters inside beside its Lambert twin.
func subsurfaceTable() Table {
	t := Table{
		Name: "subsurface", Title: "Subsurface scattering",
		Reference: "001: a sphere before the only light, 800×800, scattering coefficients 100, 200, 300",
		Found:     "3 ms more in each sample, where a plain sample takes 19 ms",
		Meaning:   "Every path that enters the sphere scatters there many times, so it costs more rays, not only more arithmetic.",
		Sides:     []Side{{Name: "Lambert", Scene: "subsurface-lambert"}},
		Rows:      []Row{{Name: "sphere lit from behind", Scene: "subsurface-lambert", Seen: seen(19./22, 19./22, 19./22)}},
	}
	for _, coefficient := range []int{100, 200, 300} {
		t.Sides = append(t.Sides, Side{Name: fmt.Sprintf("coefficient %d", coefficient), Scene: fmt.Sprintf("subsurface-%d", coefficient)})
	}
	return t
}

// treeTable has small images of large scenes, on both sides: without a tree a ray costs time in proportion to the triangles.
func treeTable() Table {
	return Table{
		Name: "tree", Title: "Tree over the triangles",
		Reference: "002: balls, a cube, a bunny of 69,451 and a statue of 1,013,600 triangles, each open and closed",
		Found:     "57–80× on the bunny, more than 150× on the statue, nothing on 12 triangles",
		Meaning:   "A ray that tests every triangle costs in proportion to their number, one through a tree to its logarithm. The reference's balls are spheres by formula, here they are triangles.",
		Exhaust:   true,
		Sides:     []Side{{Name: "every triangle", Flags: "--bvh off"}, {Name: "tree", Flags: "--bvh auto"}},
		Rows: []Row{
			{Name: "cube, open", Scene: "box-open", Seen: seen(1)},
			{Name: "cube, closed", Scene: "box-closed", Seen: seen(1)},
			{Name: "balls, open", Scene: "multiball-open", Seen: seen(55. / 40)},
			{Name: "balls, closed", Scene: "multiball-closed", Seen: seen(19. / 10)},
			{Name: "70 k triangles, open", Scene: "statue", Seen: seen(80)},
			{Name: "70 k triangles, closed", Scene: "statue-closed", Seen: seen(57)},
			{Name: "1 M triangles, open", Scene: "statue-large", Seen: seen(150)},
			{Name: "1 M triangles, closed", Scene: "statue-large-closed", Seen: seen(370)},
		},
	}
}

func rouletteTable() Table {
	t := Table{
		Name: "roulette", Title: "Russian roulette",
		Reference: "002: none, from the first bounce, from the third",
		Found:     "open: −1…0 %, closed: +13…+16 %",
		Meaning:   "It ends paths that carry little; there is much to end where few escape by themselves.",
		Sides: []Side{
			{Name: "none", Flags: "--rr off"}, {Name: "from 1", Flags: "--rr on --rr-min-depth 1"}, {Name: "from 3", Flags: "--rr on --rr-min-depth 3"},
		},
	}
	for _, s := range []struct{ name, scene string }{{"box", "box-"}, {"balls", "multiball-"}} {
		t.Rows = append(t.Rows,
			Row{Name: s.name + ", open", Scene: s.scene + "open", Seen: seen(1, 91./92)},
			Row{Name: s.name + ", closed", Scene: s.scene + "closed", Seen: seen(37./32, 36./32)})
	}
	return t
}

// aliveTable follows paths that end on lamps, outside and after eight segments alone, as the reference's do. It does not say
// whether roulette was on; its paths dwindle as if it were.
func aliveTable() Table {
	const all, some = "--rr off", "--rr on --rr-min-depth 1"
	return Table{
		Name: "alive", Title: "Paths alive after each bounce",
		Reference: "002: an open and a closed scene, eight segments a path",
		Found:     "open 54, 25, 15, 8, 4, 2, 1, 0 %; closed 82, 57, 45, 36, 30, 24, 20, 0 %",
		Flags:     "--integrator naive --bounces 7", Alive: true,
		Sides: []Side{{Name: "paths"}},
		Rows: []Row{
			{Name: "open, roulette", Scene: "box-open", Flags: some, Alive: []float64{53.9, 25.5, 14.7, 8.2, 3.6, 1.8, 1.0}},
			{Name: "closed, roulette", Scene: "box-closed", Flags: some, Alive: []float64{81.7, 56.7, 44.6, 36.3, 29.8, 24.4, 20.2}},
			{Name: "open, no roulette", Scene: "box-open", Flags: all},
			{Name: "closed, no roulette", Scene: "box-closed", Flags: all},
		},
	}
}

// fusionTable: weights are basic, which need no visibility rays between finding partners and sharing with them.
func fusionTable() Table {
	return Table{
		Name: "fusion", Title: "Passes of reuse, split and fused",
		Reference: "000: traces and shares with history in one kernel, with neighbours in another",
		Found:     "nothing yet: it means to investigate which kernels to fuse",
		Meaning:   "A fused pass fetches a pixel's surface and sample once instead of twice, and needs a launch less; what it pays is registers.",
		Flags:     "--bounces 10 --integrator restir-gi --restir-mis basic", Size: 1200, Live: true, Kernels: true,
		Sides: []Side{{Name: "split", Flags: "--restir-fuse off"}, {Name: "fused", Flags: "--restir-fuse on"}},
		Rows: []Row{
			{Name: "chess", Scene: "chess"},
			{Name: "Cornell box", Scene: "cornell"},
		},
	}
}
