package gpuscene

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/device"
	"glint/tracer/guard"
)

// BVH is one way to find what rays hit in a prepared scene. Every BVH gives the same images.
type BVH struct {
	Method string // choice of setting bvh
	Stats  bvh.Stats

	deferred  bool // to be built by the device that takes it; then the rest is empty
	nodes     []bvh.Node
	wideNodes []bvh.WideNode
	triangles []cuda.Triangle // in leaf order
	faces     []cuda.Face
	memory    *guard.Memory // a lease for these
}

// bvhMethods are the ways to build a BVH, by the choices of setting bvh; for fast where the device's builder will not do.
var bvhMethods = map[string]bvh.Method{"auto": bvh.Binned, "off": bvh.Every, "fast": bvh.Curve}

const (
	manyFaces  = 100_000 // from here on a ray that tests every triangle takes about a millisecond
	quickFaces = 50_000  // from here on one would wait for a BVH, so that a quick one is shown first
	hugeFaces  = 1 << 22 // from here on the host takes seconds for a BVH by which frames are a twentieth faster (docs/measurements.md)
)

// onDevice tells whether a GPU builds the first BVH itself, in milliseconds: fast, and auto where one would wait seconds for the host's.
func (p *Prepared) onDevice(method string) bool {
	return method == "fast" || method == "auto" && len(p.drawn.Faces) >= hugeFaces
}

// BuildBVH builds a BVH; on any goroutine. It ends early when ctx does.
func (p *Prepared) BuildBVH(ctx context.Context, method string) (*BVH, error) {
	how, known := bvhMethods[method]
	if !known {
		return nil, fmt.Errorf("no BVH is built by method %q", method)
	}
	building := p.memory.Lease()
	defer building.Release()
	what := fmt.Sprintf("a tree over %d triangles", len(p.drawn.Faces))
	if err := building.Take(what, bvh.BuildBytes(len(p.drawn.Faces))); err != nil {
		return nil, err
	}
	s := p.drawn
	built, err := bvh.Build(ctx, how, func(face int) [3]mgl32.Vec3 { return corners(s.Vertices, s.Faces[face]) }, len(s.Faces))
	if err != nil {
		return nil, err
	}
	t := &BVH{Method: method, Stats: built.Stats, nodes: built.Nodes, wideNodes: built.Wide, memory: p.memory.Lease()}
	building.Release() // for what stays
	if err := t.memory.Take(what, t.bytes(len(built.Order), len(p.faces))); err != nil {
		return nil, err
	}
	t.arrange(p, built.Order)
	return t, nil
}

// deferBVH is the BVH of a method, to be built by the device that takes it.
func (p *Prepared) deferBVH(method string) *BVH {
	return &BVH{Method: method, Stats: bvh.Stats{Faces: len(p.drawn.Faces)}, deferred: true}
}

// bytes is what a BVH of so many triangles in leaf order takes, with a list of all faces.
func (t *BVH) bytes(triangles, faces int) int64 {
	return int64(len(t.nodes))*int64(unsafe.Sizeof(bvh.Node{})) + int64(len(t.wideNodes))*int64(unsafe.Sizeof(bvh.WideNode{})) +
		int64(triangles)*int64(unsafe.Sizeof(cuda.Triangle{})) + int64(faces)*int64(unsafe.Sizeof(cuda.Face{}))
}

// arrange puts triangles in leaf order, and names them by it where others refer to them.
func (t *BVH) arrange(p *Prepared, order []uint32) {
	t.triangles = guard.MakeLarge[cuda.Triangle](len(order))
	parallel(len(order), func(i int) { t.triangles[i] = p.triangles[order[i]] })
	t.faces = guard.MakeLarge[cuda.Face](len(p.faces))
	copy(t.faces, p.faces)
	parallel(len(order), func(i int) { t.faces[order[i]].Triangle = uint32(i) })
}

// deviceBVH is a BVH in a device's memory.
type deviceBVH struct {
	method    string
	triangles int           // in leaf order
	leaves    device.Buffer // where they are
	buffers   []device.Buffer
	frame     cuda.Frame    // the addresses; everything else is zero
	memory    *guard.Memory // of the host, that it lends
}

// free gives its memory back.
func (b *deviceBVH) free(d device.Device) {
	device.FreeAll(d, b.buffers)
	b.memory.Release()
}

// apply fills in what depends on the BVH.
func (b *deviceBVH) apply(f *cuda.Frame) {
	f.Scene.Nodes, f.Scene.NodeCount, f.Scene.WideNodes, f.Scene.SpreadNodes = b.frame.Scene.Nodes, b.frame.Scene.NodeCount, b.frame.Scene.WideNodes, b.frame.Scene.SpreadNodes
	f.Scene.Triangles, f.Scene.Faces = b.frame.Scene.Triangles, b.frame.Scene.Faces
}

// bvhSet are the BVHs of a scene: those in the device's memory, and the one that is being built in the background.
type bvhSet struct {
	resident []*deviceBVH       // at least one, once a scene is uploaded
	building chan built         // nil: none is
	cancel   context.CancelFunc // of what is being built
	failed   []string           // methods
	wanted   map[any]string
}

// built is what came of a build in the background.
type built struct {
	method string
	bvh    *BVH
	err    error
}

// stopBuilding ends what the background does, and takes nothing of it.
func (s *bvhSet) stopBuilding() {
	if s.building != nil {
		s.cancel()
		s.building, s.cancel = nil, nil
	}
}

// find is the resident BVH of a method, or nil.
func (s *bvhSet) find(method string) *deviceBVH {
	for _, b := range s.resident {
		if b.method == method {
			return b
		}
	}
	return nil
}

// choose is the resident BVH of a method, or the first. There always is one.
func (s *bvhSet) choose(method string) *deviceBVH {
	if b := s.find(method); b != nil {
		return b
	}
	return s.resident[0]
}

// HasBVH tells whether the BVH of a method is resident.
func (s *Scene) HasBVH(method string) bool { return s.bvhs.find(method) != nil }

// EnsureBVH builds the BVH of a method unless it is resident.
func (s *Scene) EnsureBVH(d device.Device, method string) error {
	if s.HasBVH(method) {
		return nil
	}
	if method == "fast" {
		return s.addBVH(d, s.prepared.deferBVH(method))
	}
	b, err := s.prepared.BuildBVH(context.Background(), method)
	if err != nil {
		return err
	}
	return s.addBVH(d, b)
}

// RequestBVH has a BVH built in the background, for a window that goes on with what there is, and tells which is to be used
// now. BVHs that no user asks for any more are dropped once the one that is asked for is resident. A method that fails is told
// once, and not tried again.
func (s *Scene) RequestBVH(d device.Device, user any, method string) (now string, err error) {
	set := &s.bvhs
	if set.wanted == nil {
		set.wanted = map[any]string{}
	}
	set.wanted[user] = method
	err = s.receiveBVH(d)
	if set.find(method) == nil && set.building == nil && !slices.Contains(set.failed, method) {
		err = errors.Join(err, s.startBVH(d, method))
	}
	if set.find(method) != nil {
		s.dropUnwanted(d)
	}
	return set.choose(method).method, err
}

// BuildsBVH tells whether a BVH is being built in the background.
func (s *Scene) BuildsBVH() bool { return s.bvhs.building != nil }

// startBVH builds at once what a GPU builds in milliseconds, and anything else in the background.
func (s *Scene) startBVH(d device.Device, method string) error {
	if method == "fast" && d.Info().Kind == device.KindCUDA {
		return s.takeBVH(d, built{method: method, bvh: s.prepared.deferBVH(method)})
	}
	done := make(chan built, 1)
	ctx, cancel := context.WithCancel(context.Background())
	s.bvhs.building, s.bvhs.cancel = done, cancel
	b := built{method: method}
	guard.Go(func() (err error) {
		b.bvh, err = s.prepared.BuildBVH(ctx, method)
		return err
	}, func(err error) {
		b.err = err
		done <- b
	})
	return nil
}

// receiveBVH takes over what the background has built.
func (s *Scene) receiveBVH(d device.Device) error {
	select {
	case b := <-s.bvhs.building: // nil blocks
		s.bvhs.stopBuilding()
		return s.takeBVH(d, b)
	default:
		return nil
	}
}

func (s *Scene) takeBVH(d device.Device, b built) error {
	if b.err == nil {
		b.err = s.addBVH(d, b.bvh)
	}
	if b.err != nil {
		s.bvhs.failed = append(s.bvhs.failed, b.method)
		return fmt.Errorf("BVH %s: %w", b.method, b.err)
	}
	return nil
}

// dropUnwanted frees the BVHs that no user asks for.
func (s *Scene) dropUnwanted(d device.Device) {
	wanted := slices.Collect(maps.Values(s.bvhs.wanted))
	for _, old := range slices.Clone(s.bvhs.resident) {
		if !slices.Contains(wanted, old.method) {
			s.dropBVH(d, old.method)
		}
	}
}

// ForgetUser drops what a user has asked for.
func (s *Scene) ForgetUser(user any) { delete(s.bvhs.wanted, user) }

// addBVH brings a BVH to the device, all or nothing, in the place of one by the same method.
func (s *Scene) addBVH(d device.Device, b *BVH) error {
	bring := s.uploadBVH
	if b.deferred {
		bring = s.buildDeferred
	}
	resident, err := bring(d, b)
	if err != nil {
		return err
	}
	s.dropBVH(d, b.Method)
	s.bvhs.resident = append(s.bvhs.resident, resident)
	return nil
}

// OnDevice is the scene as a GPU takes it, which builds some BVHs itself, in more room than they then need.
func (p *Prepared) OnDevice() *Prepared {
	if !p.onDevice(p.first.Method) {
		return p
	}
	out := *p
	out.first = out.deferBVH(p.first.Method)
	return &out
}

// dropBVH frees a BVH, if it is there.
func (s *Scene) dropBVH(d device.Device, method string) {
	s.bvhs.resident = slices.DeleteFunc(s.bvhs.resident, func(b *deviceBVH) bool {
		if b.method == method {
			b.free(d)
		}
		return b.method == method
	})
}

// uploadBVH copies a BVH to a device that does not read it where it is. What the host holds of it is counted for as long as that is so.
func (s *Scene) uploadBVH(d device.Device, b *BVH) (*deviceBVH, error) {
	resident := &deviceBVH{method: b.Method, triangles: len(b.triangles)}
	f := &resident.frame
	f.Scene.NodeCount = uint32(len(b.nodes))
	var err error
	if resident.buffers, err = device.UploadAll(d, []device.Rows{
		{Address: &f.Scene.Triangles, Data: device.BytesOf(b.triangles), Stays: true},
		{Address: &f.Scene.Nodes, Data: device.BytesOf(b.nodes), Stays: true},
		{Address: &f.Scene.WideNodes, Data: device.BytesOf(b.wideNodes), Stays: true},
		{Address: &f.Scene.SpreadNodes, Data: device.BytesOf(spreadFor(d, b.wideNodes)), Stays: true},
		{Address: &f.Scene.Faces, Data: device.BytesOf(b.faces), Stays: true},
	}); err != nil {
		s.releaseBVH(b)
		return nil, err
	}
	resident.leaves = resident.buffers[0]
	if d.Info().Kind == device.KindCPU && b != s.prepared.first {
		resident.memory = b.memory
	} else {
		s.releaseBVH(b)
	}
	return resident, nil
}

// releaseBVH is for a BVH that the host no longer holds: the first one stays.
func (s *Scene) releaseBVH(b *BVH) {
	if b != s.prepared.first {
		b.memory.Release()
	}
}

// buildDeferred builds a BVH on a GPU, or on the host where that will not do or has no memory for it.
func (s *Scene) buildDeferred(d device.Device, b *BVH) (*deviceBVH, error) {
	start := time.Now()
	defer func() { b.Stats.Seconds = time.Since(start).Seconds() }()
	g, err := (*plocBuild)(nil), errUnsuitable
	if d.Info().Kind != device.KindCPU {
		g, err = runPLOC(d, s.prepared)
	}
	if errors.Is(err, errUnsuitable) || errors.Is(err, device.ErrOutOfMemory) {
		built, err := s.prepared.BuildBVH(context.Background(), b.Method)
		if err != nil {
			return nil, err
		}
		b.Stats = built.Stats
		return s.uploadBVH(d, built)
	}
	if err != nil {
		return nil, err
	}
	resident := &deviceBVH{method: b.Method, triangles: g.faces, leaves: g.made[madeTriangles], buffers: g.made, frame: g.frame}
	resident.frame.Scene.NodeCount = uint32(g.faces - 1)
	return resident, nil
}

// spreadFor unpacks wide nodes for a processor; a GPU reads them as they are.
func spreadFor(d device.Device, wide []bvh.WideNode) []bvh.SpreadNode {
	if d.Info().Kind != device.KindCPU {
		return nil
	}
	return bvh.Spread(wide)
}

// LeafTriangles reads back the triangles of a BVH.
func (s *Scene) LeafTriangles(d device.Device, method string) ([]cuda.Triangle, error) {
	b := s.bvhs.choose(method)
	if b.triangles == 0 {
		return nil, nil
	}
	triangles := make([]cuda.Triangle, b.triangles)
	return triangles, d.Download(b.leaves, device.BytesOf(triangles))
}
