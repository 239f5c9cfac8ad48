package gpuscene

import (
	"errors"
	"fmt"
	"unsafe"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/device"
)

// errUnsuitable says that a scene does not suit the builder on the device: it has few triangles, or is of extreme size, or
// would make too deep a wide tree. Then the host builds one.
var errUnsuitable = errors.New("the scene does not suit the quick builder")

const (
	fewFaces     = 64    // below, the quick builder has nothing to gain
	largeExtent  = 1e30  // m: beyond, areas overflow
	gridCells    = 65535 // of the keys along an axis
	firstRounds  = 16    // of merging before the device is asked how far it is
	moreRounds   = 4
	levelsAtOnce = 4
)

// plocBuild is a tree that is being built on a device by the kernels of cuda/kernels/bvh/build_*.cuh.
type plocBuild struct {
	device  device.Device
	faces   int
	frame   cuda.Frame
	build   cuda.TreeBuild
	scratch []device.Buffer
	made    []device.Buffer // nodes, wide nodes, triangles, faces
	state   device.Buffer
	nodes   int                // wide ones
	spent   map[string]float64 // ms by kernel
}

// Places in plocBuild.made.
const (
	madeNodes = iota
	madeWide
	madeTriangles
	madeFaces
)

// runPLOC builds a BVH on the device. The caller frees what was made.
func runPLOC(d device.Device, of *geometry) (*plocBuild, error) {
	g, err := newPLOC(d, of)
	if err != nil {
		return nil, err
	}
	if err = g.allocate(of); err == nil {
		err = g.run()
	}
	device.FreeAll(d, g.scratch)
	if err != nil {
		device.FreeAll(d, g.made)
		return nil, err
	}
	return g, nil
}

func newPLOC(d device.Device, of *geometry) (*plocBuild, error) {
	bounds := of.baked
	extent := bounds.Max.Sub(bounds.Min)
	g := &plocBuild{device: d, faces: len(of.triangles)}
	largest := max(extent[0], extent[1], extent[2])
	if g.faces < fewFaces || g.faces > bvh.MaxFaces || !(largest > 0 && largest < largeExtent) {
		return nil, errUnsuitable
	}
	g.build.Lo, g.build.Faces = bounds.Min, uint32(g.faces)
	g.build.WideRoom = uint32(wideRoom(g.faces))
	for a := range 3 {
		g.build.Scale[a] = gridCells / max(extent[a], largest/gridCells)
	}
	return g, nil
}

// wideRoom is how many wide nodes a tree may have.
func wideRoom(faces int) int { return faces/3 + 64 }

// builtBytes is what a tree takes that was built on the device, with its triangles.
func builtBytes(faces int) int64 {
	n := int64(faces)
	return n*int64(unsafe.Sizeof(cuda.BvhNode{})) + int64(wideRoom(faces))*int64(unsafe.Sizeof(cuda.WideNode{})) + n*listedFace
}

// allocate takes the memory and uploads what is built from.
func (g *plocBuild) allocate(of *geometry) error {
	n := g.faces
	f, b := &g.frame, &g.build
	var err error
	if g.made, err = device.UploadAll(g.device, []device.Rows{
		{Address: &f.Scene.Nodes, Bytes: (n - 1) * int(unsafe.Sizeof(cuda.BvhNode{}))},
		{Address: &f.Scene.WideNodes, Bytes: int(b.WideRoom) * int(unsafe.Sizeof(cuda.WideNode{}))},
		{Address: &f.Scene.Triangles, Bytes: n * int(unsafe.Sizeof(cuda.Triangle{}))},
		{Address: &f.Scene.Faces, Data: device.BytesOf(of.faces)},
	}); err != nil {
		return err
	}
	blocks := max(int(cuda.BuildDigits)*((n-1)/int(cuda.BuildSorted)+1), 2*((n-1)/cuda.FindMerges.Threads()+1))
	if g.scratch, err = device.UploadAll(g.device, []device.Rows{
		{Address: &b.State, Bytes: 4 * int(cuda.StateCount)},
		{Address: &b.Source, Data: device.BytesOf(of.triangles)},
		{Address: &b.Keys, Bytes: 2 * 8 * n},
		{Address: &b.Values, Bytes: 2 * 4 * n},
		{Address: &b.Counts, Bytes: 4 * blocks},
		{Address: &b.Nodes, Bytes: (2*n - 1) * int(unsafe.Sizeof(cuda.BuildNode{}))},
		{Address: &b.Forests, Bytes: (n - 1) * int(unsafe.Sizeof(cuda.BuildForest{}))},
		{Address: &b.Clusters, Bytes: 2 * 4 * n},
		{Address: &b.Links, Bytes: 4 * n},
	}); err != nil {
		return err
	}
	g.state = g.scratch[0]
	more, err := device.UploadAll(g.device, []device.Rows{{Address: &f.Build.Tree, Data: device.BytesOf([]cuda.TreeBuild{*b})}})
	g.scratch = append(g.scratch, more...)
	if err != nil {
		return err
	}
	return g.device.SetFrame(f)
}

// run launches the steps.
func (g *plocBuild) run() error {
	g.spent = map[string]float64{}
	var times device.Timings // of no frame
	g.device.Time(&times)
	defer g.device.Time(nil)
	if err := g.sort(); err != nil {
		return err
	}
	if err := g.merge(); err != nil {
		return err
	}
	if err := g.widen(); err != nil {
		return err
	}
	err := device.RunAll(g.device, device.Launch{Kernel: cuda.EmitNodes, Indices: g.faces},
		device.Launch{Kernel: cuda.PlaceTriangles, Indices: g.faces})
	if err != nil {
		return err
	}
	if err := g.device.Sync(); err != nil {
		return fmt.Errorf("build a BVH: %w", err)
	}
	for e, ms := range times.Ms {
		if ms > 0 {
			g.spent[device.Slot(e).String()] = ms
		}
	}
	return nil
}

func (g *plocBuild) sort() error {
	whole := ((g.faces-1)/int(cuda.BuildSorted) + 1) * cuda.SortScatter.Threads()
	steps := []device.Launch{{Kernel: cuda.BuildKeys, Indices: max(g.faces, int(cuda.StateCount))}}
	for turn := range cuda.BuildTurns {
		steps = append(steps, device.Launch{Kernel: cuda.SortCount, Arg: turn, Indices: whole},
			device.Launch{Kernel: cuda.SortScan, Arg: turn, Indices: cuda.SortScan.Threads()},
			device.Launch{Kernel: cuda.SortScatter, Arg: turn, Indices: whole})
	}
	return device.RunAll(g.device, append(steps, device.Launch{Kernel: cuda.BuildLeaves, Indices: g.faces})...)
}

// merge runs rounds until one cluster is left. A tree is no deeper than there were rounds, which bounds it.
func (g *plocBuild) merge() error {
	left, until := g.faces, uint32(firstRounds)
	for round := uint32(0); left > 1; until = min(until+moreRounds, cuda.BuildRounds) {
		if round == cuda.BuildRounds {
			return errUnsuitable
		}
		whole := ((left-1)/cuda.FindMerges.Threads() + 1) * cuda.FindMerges.Threads()
		for ; round < until; round++ {
			if err := device.RunAll(g.device, device.Launch{Kernel: cuda.FindMerges, Arg: round, Indices: whole},
				device.Launch{Kernel: cuda.ScanMerges, Arg: round, Indices: cuda.ScanMerges.Threads()},
				device.Launch{Kernel: cuda.MergeClusters, Arg: round, Indices: whole}); err != nil {
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
func (g *plocBuild) widen() error {
	most := 1 // nodes of the level
	for level := range cuda.BuildLevels {
		if err := device.Run(g.device, device.Launch{Kernel: cuda.WidenNodes, Arg: level, Indices: most}); err != nil {
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
			return errUnsuitable
		}
		if most = int(state[cuda.StateTasks+level+1]); most == 0 {
			return nil
		}
	}
	return errUnsuitable
}

// counts waits for the device and reads how far it has come.
func (g *plocBuild) counts() ([]uint32, error) {
	if err := g.device.Sync(); err != nil {
		return nil, fmt.Errorf("build a BVH: %w", err)
	}
	state := make([]uint32, cuda.StateCount)
	return state, g.device.Download(g.state, device.BytesOf(state))
}
