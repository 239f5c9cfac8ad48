package tracer

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"glint/cuda"
	"glint/tracer/bvh"
)

// errNoQuickTree says that a scene does not suit the builder on the device: it has few triangles, or is of extreme size, or
// would make too deep a tree. The tree is then built as for auto.
var errNoQuickTree = errors.New("the scene does not suit the quick builder")

const (
	fewFaces     = 64    // below, the quick builder has nothing to gain
	largeExtent  = 1e30  // m: beyond, areas overflow
	gridCells    = 65535 // of the keys along an axis
	firstRounds  = 16    // of merging before the device is asked how far it is
	moreRounds   = 4
	levelsAtOnce = 4
)

// growing is a tree that is being built on a device by the kernels of cuda/kernels/bvh/build_*.cuh.
type growing struct {
	device  device
	faces   int
	frame   cuda.Frame
	build   cuda.TreeBuild
	scratch []buffer
	made    []buffer // nodes, wide nodes, triangles, faces
	state   buffer
	nodes   int                // wide ones
	spent   map[string]float64 // ms by kernel
}

// Places in growing.made.
const (
	madeNodes = iota
	madeWide
	madeTriangles
	madeFaces
)

// grow builds a tree on the device. The caller frees what was made.
func grow(d device, p *Prepared) (*growing, error) {
	bounds := p.baked
	extent := bounds.Max.Sub(bounds.Min)
	g := &growing{device: d, faces: len(p.triangles)}
	largest := max(extent[0], extent[1], extent[2])
	if g.faces < fewFaces || g.faces > bvh.MaxFaces || !(largest > 0 && largest < largeExtent) {
		return nil, errNoQuickTree
	}
	g.build.Lo, g.build.Faces = bounds.Min, uint32(g.faces)
	g.build.WideRoom = uint32(g.faces/3 + 64)
	for a := range 3 {
		g.build.Scale[a] = gridCells / max(extent[a], largest/gridCells)
	}
	err := g.claim(p)
	if err == nil {
		err = g.run()
	}
	freeAll(d, g.scratch)
	if err != nil {
		freeAll(d, g.made)
		return nil, err
	}
	return g, nil
}

// claim takes the memory and uploads what is built from.
func (g *growing) claim(p *Prepared) error {
	n := g.faces
	f, b := &g.frame, &g.build
	var err error
	if g.made, err = putAll(g.device, []put{
		{address: &f.Scene.Nodes, size: (n - 1) * int(unsafe.Sizeof(cuda.BvhNode{}))},
		{address: &f.Scene.WideNodes, size: int(b.WideRoom) * int(unsafe.Sizeof(cuda.WideNode{}))},
		{address: &f.Scene.Triangles, size: n * int(unsafe.Sizeof(cuda.Triangle{}))},
		{address: &f.Scene.Faces, data: bytesOf(p.faces)},
	}); err != nil {
		return err
	}
	blocks := max(int(cuda.BuildDigits)*((n-1)/int(cuda.BuildSorted)+1), 2*((n-1)/cuda.FindMerges.Threads()+1))
	if g.scratch, err = putAll(g.device, []put{
		{address: &b.State, size: 4 * int(cuda.StateCount)},
		{address: &b.Source, data: bytesOf(p.triangles)},
		{address: &b.Keys, size: 2 * 8 * n},
		{address: &b.Values, size: 2 * 4 * n},
		{address: &b.Counts, size: 4 * blocks},
		{address: &b.Nodes, size: (2*n - 1) * int(unsafe.Sizeof(cuda.BuildNode{}))},
		{address: &b.Forests, size: (n - 1) * int(unsafe.Sizeof(cuda.BuildForest{}))},
		{address: &b.Clusters, size: 2 * 4 * n},
		{address: &b.Links, size: 4 * n},
	}); err != nil {
		return err
	}
	g.state = g.scratch[0]
	more, err := putAll(g.device, []put{{address: &f.Build.Tree, data: bytesOf([]cuda.TreeBuild{*b})}})
	g.scratch = append(g.scratch, more...)
	if err != nil {
		return err
	}
	return g.device.setFrame(f)
}

// run launches the steps.
func (g *growing) run() error {
	g.spent = map[string]float64{}
	var times sheet // of no frame
	g.device.time(&times)
	defer g.device.time(nil)
	if err := g.sort(); err != nil {
		return err
	}
	if err := g.merge(); err != nil {
		return err
	}
	if err := g.widen(); err != nil {
		return err
	}
	if err := g.launchAll([]pass{{kernel: cuda.EmitNodes}, {kernel: cuda.PlaceTriangles}}, g.faces); err != nil {
		return err
	}
	if err := g.device.sync(); err != nil {
		return fmt.Errorf("build a tree: %w", err)
	}
	for e, ms := range times.ms {
		if ms > 0 {
			g.spent[entry(e).String()] = ms
		}
	}
	return nil
}

func (g *growing) sort() error {
	whole := ((g.faces-1)/int(cuda.BuildSorted) + 1) * cuda.SortScatter.Threads()
	if err := g.launch(cuda.BuildKeys, 0, max(g.faces, int(cuda.StateCount))); err != nil {
		return err
	}
	for turn := range cuda.BuildTurns {
		for _, step := range []struct {
			kernel  cuda.Kernel
			indices int
		}{{cuda.SortCount, whole}, {cuda.SortScan, cuda.SortScan.Threads()}, {cuda.SortScatter, whole}} {
			if err := g.launch(step.kernel, turn, step.indices); err != nil {
				return err
			}
		}
	}
	return g.launch(cuda.BuildLeaves, 0, g.faces)
}

// merge runs rounds until one cluster is left. A tree is no deeper than there were rounds, which bounds it.
func (g *growing) merge() error {
	left, until := g.faces, uint32(firstRounds)
	for round := uint32(0); left > 1; until = min(until+moreRounds, cuda.BuildRounds) {
		if round == cuda.BuildRounds {
			return errNoQuickTree
		}
		whole := ((left-1)/cuda.FindMerges.Threads() + 1) * cuda.FindMerges.Threads()
		for ; round < until; round++ {
			table := []pass{{kernel: cuda.FindMerges, turn: round}, {kernel: cuda.ScanMerges, turn: round, indices: oneBlock(cuda.ScanMerges)}, {kernel: cuda.MergeClusters, turn: round}}
			if err := g.launchAll(table, whole); err != nil {
				return err
			}
		}
		state, err := g.counts()
		if err != nil {
			return err
		}
		left = int(state[cuda.StateClusters+round])
	}
	return nil
}

// widen makes the wide tree level by level.
func (g *growing) widen() error {
	most := 1 // nodes of the level
	for level := range cuda.BuildLevels {
		if err := g.launch(cuda.WidenNodes, level, most); err != nil {
			return err
		}
		most = min(8*most, g.faces)
		if level%levelsAtOnce != levelsAtOnce-1 {
			continue
		}
		state, err := g.counts()
		if err != nil {
			return err
		}
		g.nodes = 1 + int(state[cuda.StateWide])
		if g.nodes > int(g.build.WideRoom) {
			return errNoQuickTree
		}
		if most = int(state[cuda.StateTasks+level+1]); most == 0 {
			return nil
		}
	}
	return errNoQuickTree
}

func (g *growing) launchAll(table []pass, indices int) error {
	for _, p := range table {
		n := indices
		if p.indices != nil {
			n = p.indices(&g.frame)
		}
		if err := g.launch(p.kernel, p.turn, n); err != nil {
			return err
		}
	}
	return nil
}

func (g *growing) launch(k cuda.Kernel, turn uint32, indices int) error {
	_, err := g.device.launch(k, turn, 0, indices, time.Time{})
	return err
}

// counts waits for the device and reads how far it has come.
func (g *growing) counts() ([]uint32, error) {
	if err := g.device.sync(); err != nil {
		return nil, fmt.Errorf("build a tree: %w", err)
	}
	state := make([]uint32, cuda.StateCount)
	return state, g.device.download(g.state, bytesOf(state))
}
