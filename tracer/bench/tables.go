package bench

import (
	"fmt"
	"slices"
	"strings"
)

// Table is a comparison that someone has published, and how it is repeated here.
type Table struct {
	Name      string // for --tables
	Title     string
	Reference string // its number, and what it compared
	Found     string // its result, in its own words as far as they are figures
	Meaning   string // why one may expect an effect, in a sentence; may be empty
	Flags     string // settings of all sides
	Size      int    // side of the square image where the reference says one, pixels; 0 takes 800
	Live      bool   // frames follow each other in time, so that history counts
	Kernels   bool   // show what kinds of kernels take
	Segments  bool   // show that for each million rays
	Alive     bool   // count living paths instead of timing
	Exhaust   bool   // a side tests every triangle: images are small enough for that
	Sides     []Side // the first is what the others are measured against
	Rows      []Row
}

// Side is one way to render.
type Side struct {
	Name  string
	Flags string
	Scene string // where it is the scene that differs; empty takes the row's
}

// Row is one situation in which the sides are compared.
type Row struct {
	Name  string
	Scene string
	Flags string
	// Seen is how many times as fast as the first side each of the others was in the reference. Empty ranges are unknown.
	Seen []Range
	// Alive is the share of paths, %, that the reference saw go on after 1, 2, … bounces.
	Alive []float64
}

// Range is what a reference published: one figure, or from one to another.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// seen is one figure for each of the sides after the first.
func seen(ratios ...float64) []Range {
	out := make([]Range, len(ratios))
	for i, r := range ratios {
		out[i] = Range{r, r}
	}
	return out
}

// between is a range for the one other side.
func between(low, high float64) []Range { return []Range{{low, high}} }

// squareSize is the side of an image, pixels, where no reference says another.
const squareSize = 800

// Tables lists all tables in the order of a report. A new one is a function and a row here.
func Tables() []Table {
	return []Table{
		restirTable(), depthTable(), firstHitTable(), cameraTable(), subsurfaceTable(),
		treeTable(), rouletteTable(), sortTable(), compactionTable(), aliveTable(),
		engineTable(), kernelTable(),
	}
}

// Choose picks tables by name; none takes all.
func Choose(names []string) ([]Table, error) {
	all := Tables()
	if len(names) == 0 {
		return all, nil
	}
	var chosen []Table
	for _, name := range names {
		i := slices.IndexFunc(all, func(t Table) bool { return t.Name == name })
		if i < 0 {
			var known []string
			for _, t := range all {
				known = append(known, t.Name)
			}
			return nil, fmt.Errorf("no table is called %q; choose from %s", name, strings.Join(known, ","))
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// Omitted says what the references measured that is left out here, and why.
const Omitted = "Reference 000 also compared single with double precision (single about 50 % faster). The kernels here have single " +
	"precision alone: the scenes are given in it, and no image test asks for more."

// restirTable: both render 10 bounces as reference 000 does; its naive is next-event estimation without reuse.
func restirTable() Table {
	const denoised = "--denoise oidn"
	half := between(1/1.16, 1/1.07)
	return Table{
		Name: "restir", Title: "Cost of ReSTIR GI over plain path tracing",
		Reference: "000: CornellChess at 1200×1200, bright and dim, raw and denoised",
		Found:     "naive is 7–16 % faster than ReSTIR GI",
		Meaning:   "Reuse adds passes over every pixel, whatever the scene: the cheaper a path is, the more of the frame they are. What they buy is less noise in each frame, which this table does not show (docs/measurements.md has it).",
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

// subsurfaceTable compares scenes: a sphere that scatters inside, and a Lambertian one.
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

// treeTable renders small images of large scenes on both sides: without a BVH the time of a ray grows with the triangles.
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

// joined puts flags behind each other.
func joined(flags ...string) string {
	return strings.Join(slices.DeleteFunc(flags, func(f string) bool { return f == "" }), " ")
}

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
