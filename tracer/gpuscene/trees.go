package gpuscene

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"glint/cuda"
	"glint/tracer/bvh"
	"glint/tracer/device"
	"glint/tracer/guard"
)

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
	of       *geometry
	first    *BVH               // which the host keeps
	memory   *guard.Memory      // that BVHs of the host must fit in
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

// free gives the memory of all back.
func (s *bvhSet) free(d device.Device) {
	s.stopBuilding()
	for _, b := range s.resident {
		b.free(d)
	}
	*s = bvhSet{}
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
func (s *bvhSet) HasBVH(method string) bool { return s.find(method) != nil }

// EnsureBVH builds the BVH of a method unless it is resident.
func (s *bvhSet) EnsureBVH(d device.Device, method string) error {
	if s.HasBVH(method) {
		return nil
	}
	if method == "fast" {
		return s.addBVH(d, deferredBVH(method, len(s.of.triangles)))
	}
	b, err := buildBVH(context.Background(), s.of, method, s.memory)
	if err != nil {
		return err
	}
	return s.addBVH(d, b)
}

// RequestBVH has a BVH built in the background, for a window that goes on with what there is, and tells which is to be used
// now. BVHs that no user wants any more are dropped once the wanted one is resident. A method that fails is reported
// once, and not tried again.
func (s *bvhSet) RequestBVH(d device.Device, user any, method string) (now string, err error) {
	if s.wanted == nil {
		s.wanted = map[any]string{}
	}
	s.wanted[user] = method
	err = s.receiveBVH(d)
	if s.find(method) == nil && s.building == nil && !slices.Contains(s.failed, method) {
		err = errors.Join(err, s.startBVH(d, method))
	}
	if s.find(method) != nil {
		s.dropUnwanted(d)
	}
	return s.choose(method).method, err
}

// BuildsBVH tells whether a BVH is being built in the background.
func (s *bvhSet) BuildsBVH() bool { return s.building != nil }

// startBVH builds at once what a GPU builds in milliseconds, and anything else in the background.
func (s *bvhSet) startBVH(d device.Device, method string) error {
	if method == "fast" && d.Info().Kind == device.KindCUDA {
		return s.takeBVH(d, built{method: method, bvh: deferredBVH(method, len(s.of.triangles))})
	}
	done := make(chan built, 1)
	ctx, cancel := context.WithCancel(context.Background())
	s.building, s.cancel = done, cancel
	b, of, memory := built{method: method}, s.of, s.memory // which free may take from s meanwhile
	guard.Go(func() (err error) {
		b.bvh, err = buildBVH(ctx, of, method, memory)
		return err
	}, func(err error) {
		b.err = err
		done <- b
	})
	return nil
}

// receiveBVH takes over what the background has built.
func (s *bvhSet) receiveBVH(d device.Device) error {
	select {
	case b := <-s.building: // nil blocks
		s.stopBuilding()
		return s.takeBVH(d, b)
	default:
		return nil
	}
}

func (s *bvhSet) takeBVH(d device.Device, b built) error {
	if b.err == nil {
		b.err = s.addBVH(d, b.bvh)
	}
	if b.err != nil {
		s.failed = append(s.failed, b.method)
		return fmt.Errorf("BVH %s: %w", b.method, b.err)
	}
	return nil
}

// dropUnwanted frees the BVHs that no user wants.
func (s *bvhSet) dropUnwanted(d device.Device) {
	wanted := slices.Collect(maps.Values(s.wanted))
	for _, old := range slices.Clone(s.resident) {
		if !slices.Contains(wanted, old.method) {
			s.dropBVH(d, old.method)
		}
	}
}

// ForgetUser drops what a user has requested.
func (s *bvhSet) ForgetUser(user any) { delete(s.wanted, user) }

// addBVH brings a BVH to the device, all or nothing, in the place of one by the same method.
func (s *bvhSet) addBVH(d device.Device, b *BVH) error {
	bring := s.uploadBVH
	if b.deferred {
		bring = s.buildDeferred
	}
	resident, err := bring(d, b)
	if err != nil {
		return err
	}
	s.dropBVH(d, b.Method)
	s.resident = append(s.resident, resident)
	return nil
}

// dropBVH frees a BVH, if it is there.
func (s *bvhSet) dropBVH(d device.Device, method string) {
	s.resident = slices.DeleteFunc(s.resident, func(b *deviceBVH) bool {
		if b.method == method {
			b.free(d)
		}
		return b.method == method
	})
}

// uploadBVH copies a BVH to a device that does not read it where it is. What the host holds of it is counted for as long as that is so.
func (s *bvhSet) uploadBVH(d device.Device, b *BVH) (*deviceBVH, error) {
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
	if d.Info().Kind == device.KindCPU && b != s.first {
		resident.memory = b.memory
	} else {
		s.releaseBVH(b)
	}
	return resident, nil
}

// releaseBVH is for a BVH that the host no longer holds: the first one stays.
func (s *bvhSet) releaseBVH(b *BVH) {
	if b != s.first {
		b.memory.Release()
	}
}

// buildDeferred builds a BVH on a GPU, or on the host where that will not do or has no memory for it.
func (s *bvhSet) buildDeferred(d device.Device, b *BVH) (*deviceBVH, error) {
	start := time.Now()
	defer func() { b.Stats.Seconds = time.Since(start).Seconds() }()
	g, err := (*plocBuild)(nil), errUnsuitable
	if d.Info().Kind != device.KindCPU {
		g, err = runPLOC(d, s.of)
	}
	if errors.Is(err, errUnsuitable) || errors.Is(err, device.ErrOutOfMemory) {
		built, err := buildBVH(context.Background(), s.of, b.Method, s.memory)
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
func (s *bvhSet) LeafTriangles(d device.Device, method string) ([]cuda.Triangle, error) {
	b := s.choose(method)
	if b.triangles == 0 {
		return nil, nil
	}
	triangles := make([]cuda.Triangle, b.triangles)
	return triangles, d.Download(b.leaves, device.BytesOf(triangles))
}
