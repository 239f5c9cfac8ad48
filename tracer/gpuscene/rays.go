package gpuscene

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/device"
)

// hardwareRays decides whether hardware traces the rays of a scene, and keeps what it needs for that.
type hardwareRays struct {
	trees  rayTrees
	failed error  // why it cannot, though it should
	slower string // why setting auto leaves them to software; empty: it does not, or nobody knows yet
	faster bool   // they were timed, and hardware has won
}

// FillHardware has hardware trace the rays of a frame that Fill has filled in, with the same BVH, where setting rays wants it to. It says in
// words who traces them. An error is why hardware does not though it should, and is given once; software does.
func (s *Scene) FillHardware(d device.Device, f *cuda.Frame, rays, bvh string) (by string, err error) {
	r := &s.hardware
	switch {
	case rays == "auto" && d.Info().Kind != device.KindCUDA: // nobody would expect it
		return "", nil
	case rays == "software" || r.failed != nil:
		return "software", nil
	case rays == "auto" && r.slower != "":
		return "software: " + r.slower, nil
	}
	err = s.traceByHardware(d, f, rays == "auto", bvh)
	switch {
	case errors.Is(err, device.ErrCompiling):
		return "software, until its programs are compiled", nil
	case err != nil && rays == "auto":
		r.slower = err.Error()
	case err != nil:
		r.failed = fmt.Errorf("rays are traced in software: %w", err)
	}
	if err == nil {
		return "hardware", nil
	}
	r.trees.free(d)
	if f.Scene.Hardware = 0; r.failed == nil {
		return "software: " + r.slower, nil
	}
	return "software", r.failed
}

// errNoRTCores is why setting auto leaves rays to software.
var errNoRTCores = errors.New("this GPU has no RT cores")

// traceByHardware builds what hardware needs and fills it in. Where it is to be chosen, it must have RT cores and be faster.
func (s *Scene) traceByHardware(d device.Device, f *cuda.Frame, choose bool, bvh string) error {
	r := &s.hardware
	h, err := d.Hardware()
	if err != nil {
		return err
	}
	if choose {
		if cores, err := h.RTCores(); err != nil || cores == 0 {
			return errors.Join(errNoRTCores, err)
		}
	}
	if err := h.Prepare(f.Scene.Missing); err != nil {
		return err
	}
	b := rayTreeBuilder{d, h, &s.instances, &s.posing, s.choose(bvh), s.tables.vertices.Address}
	if err := r.trees.ensure(b); err != nil {
		return err
	}
	if f.Scene.Hardware = r.trees.handle(); !choose || r.faster || f.Scene.Hardware == 0 {
		return nil
	}
	return s.race(d, f)
}

const (
	racing    = 1 << 16 // rays
	raceTurns = 3       // of which the fastest counts
)

// race times software and hardware on rays between random points of the scene. An error is that hardware is not faster.
func (s *Scene) race(d device.Device, f *cuda.Frame) error {
	rays := raysWithin(s.prepared.drawn.Bounds().Min, s.prepared.drawn.Bounds().Max, racing)
	g := *f
	g.Rays.Count = racing
	buffers, err := device.UploadAll(d, []device.Rows{{Address: &g.Rays.Rays, Data: device.BytesOf(rays)}, {Address: &g.Rays.Hits, Bytes: racing * device.SizeOf[cuda.Hit]()}})
	if err != nil {
		return err
	}
	defer device.FreeAll(d, buffers)
	var best [2]time.Duration // of software, hardware
	for turn := range raceTurns {
		for by := range best {
			if g.Scene.Hardware = 0; by == 1 {
				g.Scene.Hardware = f.Scene.Hardware
			}
			if err := errors.Join(d.SetFrame(&g), d.Sync()); err != nil {
				return err
			}
			begun := time.Now()
			if err := errors.Join(device.Run(d, device.Launch{Kernel: cuda.QueueRaysClosest, Indices: racing}), d.Sync()); err != nil {
				return err
			}
			if took := time.Since(begun); turn == 0 || took < best[by] {
				best[by] = took
			}
		}
	}
	if best[1] >= best[0] {
		return fmt.Errorf("hardware takes %v for %d rays, software %v", best[1].Round(time.Microsecond), racing, best[0].Round(time.Microsecond))
	}
	s.hardware.faster = true
	return nil
}

// raysWithin are rays between random points of a box.
func raysWithin(low, high mgl32.Vec3, n int) []cuda.Ray {
	random := rand.New(rand.NewPCG(1, 2))
	point := func() (p mgl32.Vec3) {
		for a := range p {
			p[a] = low[a] + (high[a]-low[a])*random.Float32()
		}
		return p
	}
	rays := make([]cuda.Ray, n)
	for i := range rays {
		from, to := point(), point()
		toward := to.Sub(from)
		if toward.Len() == 0 {
			toward = mgl32.Vec3{0, 1, 0}
		}
		rays[i] = cuda.Ray{Origin: from, Direction: toward.Normalize(), TMax: 1e18}
	}
	return rays
}
