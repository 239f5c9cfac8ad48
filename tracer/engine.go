package tracer

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/cuda/driver"
	"glint/tracer/denoise"
	"glint/tracer/device"
	"glint/tracer/display"
	"glint/tracer/film"
	"glint/tracer/gpuscene"
	"glint/tracer/integrator"
	"glint/tracer/replay"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Options choose the device.
type Options struct {
	Backend string       // auto, cuda or cpu
	Device  int          // ordinal of the GPU
	Log     *slog.Logger // may be nil
}

// Engine is a device with a scene on it, which renderers share. It closes with the last of them.
type Engine struct {
	device       device.Device
	scene        *gpuscene.Scene
	tables       device.Buffer // that depend on nothing
	pickRay      device.Buffer
	pickHit      device.Buffer
	autoExposure display.AutoExposure
	library      *denoise.Library
	replayer     *replay.Replayer
	renderers    int // that are open
}

func (e *Engine) allocations() []device.Allocation {
	return []device.Allocation{{Buffer: &e.tables, Bytes: len(cuda.Tables())},
		{Buffer: &e.pickRay, Bytes: device.SizeOf[cuda.Ray]()}, {Buffer: &e.pickHit, Bytes: device.SizeOf[cuda.Hit]()}}
}

func (e *Engine) open() error {
	if err := device.Allocate(e.device, e.allocations()); err != nil {
		return err
	}
	return e.device.Upload(e.tables, cuda.Tables())
}

// Backend tells what renders.
func (e *Engine) Backend() device.Info { return e.device.Info() }

// Device is what renders.
func (e *Engine) Device() device.Device { return e.device }

// Scene is the one in use, or nil.
func (e *Engine) Scene() *gpuscene.Scene { return e.scene }

// Use uploads a prepared scene and drops the one before, for all renderers. On an error the old scene stays.
func (e *Engine) Use(p *gpuscene.Prepared) error {
	next, err := gpuscene.Upload(e.device, p, e.tables.Address)
	if err != nil {
		return fmt.Errorf("upload %s: %w", p.Scene.Name, err)
	}
	if e.scene != nil {
		e.scene.Free(e.device)
	}
	e.scene = next
	e.autoExposure.Forget()
	return nil
}

// SceneNotes is what the user should know about how the scene fits the device.
func (e *Engine) SceneNotes() []string { return e.scene.Notes }

// Pose moves all that moves in the scene to one moment (scene.Motion): images begin anew with the next Render.
func (e *Engine) Pose(p *scene.Pose) error {
	return e.scene.Pose(e.device, p)
}

// WaitForKernels waits for kernels that are being made for the scene in use. Without it they are taken when they are ready,
// for the same image; measurements want to know which ones run.
func (e *Engine) WaitForKernels() error { return e.device.WaitForKernels() }

// EnsureBVH builds what setting bvh asks for beforehand, so that it does not count as time of the first sample.
func (e *Engine) EnsureBVH(s settings.Settings) error { return e.scene.EnsureBVH(e.device, s.BVH) }

// EnsureRays prepares what setting rays asks for beforehand. An error is why software traces them though hardware should, and is given once.
func (e *Engine) EnsureRays(s settings.Settings) error {
	var f cuda.Frame
	e.scene.Fill(&f, &s, s.BVH)
	by, err := e.scene.FillHardware(e.device, &f, s.Rays, s.BVH)
	if s.Rays != "hardware" || err != nil || by == "hardware" {
		return err
	}
	_ = e.device.WaitForKernels() // and programs; others ask for its error
	_, err = e.scene.FillHardware(e.device, &f, s.Rays, s.BVH)
	return err
}

// Attach registers a GL buffer object, so that the picture is written straight into it. An error means that interop is not to
// be had: give Render plain memory instead. Detach before the buffer is deleted or resized.
func (e *Engine) Attach(gl uint32) error { return e.device.Attach(gl) }

// Detach forgets an attached buffer.
func (e *Engine) Detach(gl uint32) error { return e.device.Detach(gl) }

// CheckDenoiser tells, before anything is rendered, why the denoiser that is asked for cannot be used.
func (e *Engine) CheckDenoiser(s settings.Settings) error {
	if s.Denoise != denoise.OIDN {
		return nil
	}
	if _, err := e.library.Open(); err != nil {
		return fmt.Errorf("--denoise oidn: %w; or take --denoise atrous, which is built in", err)
	}
	return nil
}

// Pick is the depth along the camera's axis (m) of what pixel (x, y), from the top left, shows. False when it is nothing.
func (e *Engine) Pick(v schedule.Request, s *settings.Settings, x, y int) (depth float32, hit bool, err error) {
	if e.scene == nil {
		return 0, false, nil
	}
	camera := v.Lens(s)
	ray := view.Ray(camera, (float32(x)+0.5)/float32(v.Width), (float32(y)+0.5)/float32(v.Height))
	var f cuda.Frame
	e.scene.Fill(&f, s, s.BVH)
	integrator.Fill(&f, &v, s)
	f.Rays.Rays, f.Rays.Hits, f.Rays.Count = e.pickRay.Address, e.pickHit.Address, 1
	hits := make([]cuda.Hit, 1)
	for _, step := range []func() error{
		func() error { return e.device.Upload(e.pickRay, device.BytesOf([]cuda.Ray{ray})) },
		func() error { return e.device.SetFrame(&f) },
		func() error {
			return device.Run(e.device, device.Launch{Kernel: cuda.TraceCameraRays, Indices: 1})
		},
		e.device.Sync,
		func() error { return e.device.Download(e.pickHit, device.BytesOf(hits)) },
	} {
		if err := step(); err != nil {
			return 0, false, fmt.Errorf("pick: %w", err)
		}
	}
	if hits[0].Triangle == cuda.NoHit {
		return 0, false, nil
	}
	return hits[0].T * mgl32.Vec3(ray.Direction).Dot(camera.Forward), true, nil
}

// leave gives everything back with the last renderer.
func (e *Engine) leave() error {
	e.renderers--
	if e.renderers > 0 {
		return nil
	}
	return e.close()
}

func (e *Engine) close() error {
	if e.scene != nil {
		e.scene.Free(e.device)
		e.scene = nil
	}
	device.Release(e.device, e.allocations())
	e.replayer.Free()
	e.autoExposure.Close(e.device)
	return errors.Join(e.library.Close(), e.device.Close())
}

// SettingsTable lists every setting with all the choices that there are.
func SettingsTable() []settings.Setting {
	return settings.Table(settings.Vocabulary{
		Integrators: integrator.Choices(), AOVs: film.Choices(), ReuseViews: integrator.ReuseChoices()})
}

// Repeats says how a scene is to keep what it repeats on the device that Open would choose (scene.Options.Instancing), and what all copies
// may take there, bytes (scene.Options.BakedBytes).
func Repeats(o Options) (how scene.Instancing, baked int64) {
	if gpu, found := GPU(o); found {
		return scene.InstanceWhereNeeded, gpuscene.GeometryBudget(gpu.TotalMemory)
	}
	if o.Backend == device.KindCUDA {
		return scene.InstanceWhereNeeded, 0
	}
	return scene.InstanceWhereItSaves, 0
}

// GPU is the one that Open would choose, if it would choose one.
func GPU(o Options) (gpu driver.Device, found bool) {
	if o.Backend == device.KindCPU {
		return gpu, false
	}
	gpus, err := driver.Devices(driver.Options{})
	if err != nil || o.Device < 0 || o.Device >= len(gpus) {
		return gpu, false
	}
	return gpus[o.Device], true
}
