package bench

import "fmt"

const waves = "--exec wavefront"

// depthTable sweeps the depth without roulette, so that every path lives until it leaves the box or its depth is reached.
func depthTable() Table {
	t := Table{
		Name: "depth", Title: "Compaction against depth",
		Reference: "001: Cornell box, depths 1 to 64",
		Found:     "slower below depth 8, more than 3 times as fast at 64",
		Meaning:   "Without compaction every depth launches all slots; with it a depth costs what is left alive.",
		Flags:     joined(waves, "--rr off"),
		Sides:     compactionSides(),
	}
	for _, depth := range []int{1, 2, 4, 8, 16, 32, 64} {
		r := Row{Name: fmt.Sprintf("depth %d", depth), Scene: "cornell", Flags: fmt.Sprintf("--bounces %d", depth)}
		switch depth {
		case 8:
			r.Seen = seen(1)
		case 64:
			r.Seen = seen(3)
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

func compactionSides() []Side {
	return []Side{{Name: "off", Flags: "--compaction off"}, {Name: "scan", Flags: "--compaction scan"}, {Name: "atomic", Flags: "--compaction atomic"}}
}

// compactionTable: the references compact by a scan.
func compactionTable() Table {
	return Table{
		Name: "compaction", Title: "Compaction of living paths",
		Reference: "002: Cornell box, box with bunny, open scene of many materials; 004: 25 spheres open and closed",
		Found:     "002: +18, +7, +269 %; 004: +67 % open, +42 % closed",
		Meaning:   "It saves the launches of paths that have ended: much in open scenes, nothing where all live.",
		Flags:     joined(waves, "--rr off"),
		Sides:     compactionSides(),
		Rows: []Row{
			{Name: "box, closed", Scene: "box-closed", Seen: seen(52. / 44)},
			{Name: "box with 70 k triangles", Scene: "statue-closed", Seen: seen(32. / 30)},
			{Name: "many materials, open", Scene: "multiball-open", Seen: seen(48. / 13)},
			{Name: "25 spheres, open", Scene: "spheres-open", Seen: seen(1.673)},
			{Name: "25 spheres, closed", Scene: "spheres", Seen: seen(1.419)},
		},
	}
}

func sortTable() Table {
	return Table{
		Name: "sort", Title: "Shading in the order of materials",
		Reference: "001: Cornell box; 002: Cornell box, with bunny, open scene of 20 materials; 004: Cornell box",
		Found:     "001: 6 times slower; 002: −34, −25, −18 %; 004: shading 10 % faster, all of it 2 % slower",
		Meaning:   "Order costs a pass over all paths; it pays when neighbours in a warp would otherwise run different shading code.",
		Flags:     waves,
		Sides:     []Side{{Name: "none", Flags: "--sort none"}, {Name: "by key", Flags: "--sort key"}, {Name: "by class", Flags: "--sort class"}},
		Rows: []Row{
			{Name: "Cornell box (001)", Scene: "cornell", Seen: seen(1. / 6)},
			{Name: "box, closed (002)", Scene: "box-closed", Seen: seen(29. / 44)},
			{Name: "with 70 k triangles (002)", Scene: "statue-closed", Seen: seen(32. / 43)},
			{Name: "many materials, open (002)", Scene: "multiball-open", Seen: seen(42. / 51)},
			{Name: "25 spheres (004)", Scene: "spheres", Seen: seen(6.115 / 6.267)},
			{Name: "interior", Scene: "interior"},
			{Name: "city", Scene: "city"},
		},
	}
}

func engineTable() Table {
	return Table{
		Name: "engine", Title: "Waves against a megakernel",
		Reference: "003: Carpaint, City, Conference; its megakernel begins new paths as others end",
		Found:     "+36, +79 and +221 %",
		Meaning:   "Waves pay for keeping paths in memory and gain warps that do one thing; processors have no warps to fill.",
		Segments:  true,
		Sides: []Side{
			{Name: "regeneration", Flags: "--exec regeneration"}, {Name: "megakernel", Flags: "--exec megakernel"}, {Name: "waves", Flags: waves},
			{Name: "waves by class", Flags: joined(waves, "--sort class")},
		},
		Rows: []Row{
			{Name: "car paint", Scene: "carpaint", Seen: seen(0, 1.36, 1.36)},
			{Name: "city", Scene: "city", Seen: seen(0, 1.79, 1.79)},
			{Name: "conference room", Scene: "interior", Seen: seen(0, 3.21, 3.21)},
		},
	}
}

// kernelTable shows what each kind of kernel takes, as reference 004 lists it.
func kernelTable() Table {
	return Table{
		Name: "kernels", Title: "Milliseconds by kind of kernel",
		Reference: "004: generation, intersection and shading; Cornell box with sorting and compaction on and off",
		Found: "1.0, 4.6, 0.6 ms; unsorted 0.9, 4.5, 0.7 ms; without compaction 1.0, 10.5, 0.8 ms; 25 spheres 1.0, 24.1, 0.9 ms open and " +
			"1.0, 30.0, 1.1 ms closed, without compaction 1.1, 40.3, 1.0 and 1.0, 42.6, 1.4 ms",
		Flags: joined(waves, "--rr off"), Kernels: true,
		Sides: []Side{
			{Name: "without compaction", Flags: "--compaction off"}, {Name: "with compaction", Flags: "--compaction atomic"},
			{Name: "and sorted", Flags: "--compaction atomic --sort key"},
		},
		Rows: []Row{
			{Name: "Cornell box", Scene: "cornell", Seen: seen(12.304/6.115, 12.304/6.267)},
			{Name: "25 spheres, open", Scene: "spheres-open", Seen: []Range{{}, {42.41 / 25.983, 42.41 / 25.983}}},
			{Name: "25 spheres, closed", Scene: "spheres", Seen: []Range{{}, {44.953 / 32.176, 44.953 / 32.176}}},
		},
	}
}
