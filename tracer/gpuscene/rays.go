package gpuscene

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/scene"
)

// hardwareRays decides whether hardware traces the rays of a scene, and keeps what it needs for that.
type hardwareRays struct {
	trees  rayTrees
	failed error  // why it cannot, though it should
	slower string // why setting auto leaves them to software; empty: it does not, or nobody knows yet
	faster bool   // they were timed, and hardware has won
}

// fill has hardware trace the rays of a frame where setting rays wants it to: Scene.FillHardware. The scene lies within a box.
func (r *hardwareRays) fill(b rayTreeBuilder, box func() scene.Bounds, f *cuda.Frame, rays string) (by string, err error) {
	switch {
	case rays == "auto" && b.device.Info().Kind != device.KindCUDA: // nobody would expect it
		return "", nil
	case rays == "software" || r.failed != nil:
		return "software", nil
	case rays == "auto" && r.slower != "":
		return "software: " + r.slower, nil
	}
	err = r.prepare(b, box, f, rays == "auto")
	switch {
	case err == nil:
		return "hardware", nil
	case errors.Is(err, device.ErrCompiling):
		return "software, until the programs of hardware are compiled", nil
	}
	r.trees.free(b.device)
	if f.Scene.Hardware = 0; rays == "auto" {
		r.slower = err.Error()
		return "software: " + r.slower, nil
	}
	r.failed = fmt.Errorf("rays are traced in software: %w", err)
	return "software", r.failed
}

// Why setting auto leaves rays to software.
var (
	errNoRTCores = errors.New("this GPU has no RT cores")
	errDeforms   = errors.New("meshes deform, and hardware is not measured there yet")
)

// prepare builds what hardware needs and fills it in. Where it is to be chosen, it must have RT cores and be faster.
func (r *hardwareRays) prepare(b rayTreeBuilder, box func() scene.Bounds, f *cuda.Frame, choose bool) (err error) {
	if b.hardware, err = b.device.Hardware(); err != nil {
		return err
	}
	if choose {
		if cores, err := b.hardware.RTCores(); err != nil || cores == 0 {
			return errors.Join(errNoRTCores, err)
		}
		if len(b.posing.meshes) > 0 {
			return errDeforms
		}
	}
	if err := b.hardware.Prepare(f.Scene.Missing); err != nil {
		return err
	}
	if err := r.trees.ensure(b); err != nil {
		return err
	}
	if f.Scene.Hardware = r.trees.handle(); !choose || r.faster || f.Scene.Hardware == 0 {
		return nil
	}
	return r.race(b.device, box(), f)
}

const (
	racing    = 1 << 16 // rays
	raceTurns = 3       // of which the fastest counts
)

// race times software and hardware on rays between random points of a box. An error is that hardware is not faster.
func (r *hardwareRays) race(d device.Device, box scene.Bounds, f *cuda.Frame) error {
	rays := raysWithin(box, racing)
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
	r.faster = true
	return nil
}

// raysWithin are rays between random points of a box.
func raysWithin(box scene.Bounds, n int) []cuda.Ray {
	random := rand.New(rand.NewPCG(1, 2))
	point := func() (p mgl32.Vec3) {
		for a := range p {
			p[a] = box.Min[a] + (box.Max[a]-box.Min[a])*random.Float32()
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
