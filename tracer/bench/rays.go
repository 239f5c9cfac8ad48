package bench

import (
	"context"
	"errors"
	"fmt"
	"math"

	"glint/cuda"
	"glint/tracer"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/rays"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// RayRate is how fast one kind of rays goes through one encoding of the tree.
type RayRate struct {
	Rays     string  `json:"rays"`     // primary, bounce or shadow
	Encoding string  `json:"encoding"` // binary: one ray a thread; wide: a queue of rays through 8-wide nodes; hardware: OptiX
	Count    int     `json:"count"`    // rays a launch
	Hits     int     `json:"hits"`     // of them
	Differ   int     `json:"differ"`   // answers unlike those of the binary tree
	Launches int     `json:"launches"`
	Ms       float64 `json:"ms"` // of a launch, median
	Mrays    float64 `json:"mrays_per_s"`
}

// rayEncodings are the ways to trace rays that are measured.
var rayEncodings = []struct {
	name         string
	closest, any cuda.Kernel
	hardware     bool
}{
	{"binary", cuda.TraceRaysClosest, cuda.TraceRaysAny, false},
	{"wide", cuda.QueueRaysClosest, cuda.QueueRaysAny, false},
	{"hardware", cuda.QueueRaysClosest, cuda.QueueRaysAny, true},
}

// rayBench is one measurement under way, with buffers of its own.
type rayBench struct {
	device     device.Device
	frame      cuda.Frame
	byHardware *cuda.Frame     // the same for hardware; nil: there is none
	triangles  []cuda.Triangle // in leaf order
	rays, hits device.Buffer
	count      int
	launches   int
}

// Rays measures the ray kernels: rays of the view's pixels, and what leaves the points that they find. Times are of the
// device's clock. Each figure is the median of so many launches, after two that warm up.
func Rays(ctx context.Context, e *tracer.Engine, v schedule.Request, launches int) ([]RayRate, error) {
	scene := e.Scene()
	if scene == nil {
		return nil, errors.New("bench rays: no scene in use")
	}
	if err := v.Check(view.Target{}); err != nil {
		return nil, fmt.Errorf("bench rays: %w", err)
	}
	if scene.Instances() > 0 {
		return nil, errors.New("bench rays: the scene has instances, and ray kernels are measured by one tree: take a smaller scene")
	}
	b, s := &rayBench{device: e.Device(), launches: launches}, settings.Defaults()
	scene.Fill(&b.frame, &s, s.BVH)
	v.Fill(&b.frame, &s)
	var err error
	if b.triangles, err = scene.LeafTriangles(b.device, s.BVH); err != nil {
		return nil, fmt.Errorf("bench rays: %w", err)
	}
	first := rays.Primary(v.Width, v.Height, func(x, y float32) cuda.Ray {
		return view.Ray(b.frame.Camera, x/float32(v.Width), y/float32(v.Height))
	})
	err = b.open(len(first))
	var rates []RayRate
	if err == nil {
		b.openHardware(e, s)
		rates, err = b.measureAll(ctx, scene.Prepared(), first)
	}
	b.close()
	if err != nil {
		return nil, fmt.Errorf("bench rays: %w", err)
	}
	return rates, nil
}

// openHardware builds the tree of hardware where there is some.
func (b *rayBench) openHardware(e *tracer.Engine, s settings.Settings) {
	s.Rays = "hardware"
	if e.EnsureRays(s) != nil {
		return
	}
	f := b.frame
	if _, err := e.Scene().FillHardware(b.device, &f, s.Rays, s.BVH); err == nil {
		b.byHardware = &f
	}
}

func (b *rayBench) open(count int) error {
	if count == 0 {
		return errors.New("the image is smaller than a tile of 8×4 pixels")
	}
	b.count = count
	var err error
	if b.rays, err = b.device.Alloc(32 * count); err != nil {
		return err
	}
	if b.hits, err = b.device.Alloc(16 * count); err != nil {
		return err
	}
	b.frame.Rays.Rays, b.frame.Rays.Hits, b.frame.Rays.Count = b.rays.Address, b.hits.Address, uint32(count)
	return nil
}

func (b *rayBench) close() {
	b.device.Free(b.rays)
	b.device.Free(b.hits)
}

func (b *rayBench) measureAll(ctx context.Context, p *gpuscene.Prepared, first []cuda.Ray) ([]RayRate, error) {
	hits := make([]cuda.Hit, b.count)
	if err := errors.Join(b.device.SetFrame(&b.frame), b.device.Upload(b.rays, device.BytesOf(first))); err != nil {
		return nil, err
	}
	if _, err := b.time(cuda.TraceRaysClosest); err != nil {
		return nil, err
	}
	if err := b.device.Download(b.hits, device.BytesOf(hits)); err != nil {
		return nil, err
	}
	bounds := p.Scene.Bounds()
	around := rays.Room{Min: bounds.Min, Max: bounds.Max}
	var rates []RayRate
	for _, kind := range rays.Kinds() {
		if err := b.device.Upload(b.rays, device.BytesOf(around.Leave(kind, first, hits, b.triangles, 7))); err != nil {
			return nil, err
		}
		of, err := b.measureKind(ctx, kind)
		if err != nil {
			return nil, err
		}
		rates = append(rates, of...)
	}
	return rates, nil
}

// measureKind sends the rays that are uploaded through each encoding.
func (b *rayBench) measureKind(ctx context.Context, kind rays.Kind) ([]RayRate, error) {
	var rates []RayRate
	var want []cuda.Hit
	for _, e := range rayEncodings {
		f := &b.frame
		if e.hardware {
			f = b.byHardware
		}
		if f == nil {
			continue
		}
		if err := b.device.SetFrame(f); err != nil {
			return nil, err
		}
		kernel := e.closest
		if kind.AnyHit {
			kernel = e.any
		}
		ms, err := b.measure(ctx, kernel)
		if err != nil {
			return nil, err
		}
		if _, err := b.device.Hardware(); e.hardware && err != nil {
			continue // it was refused, and kernels have traced
		}
		hits := make([]cuda.Hit, b.count)
		if err := b.device.Download(b.hits, device.BytesOf(hits)); err != nil {
			return nil, err
		}
		if want == nil {
			want = hits
		}
		rate := RayRate{Rays: kind.Name, Encoding: e.name, Count: b.count, Launches: b.launches,
			Ms: ms, Mrays: math.Round(float64(b.count)/ms/10) / 100}
		for i, h := range hits {
			if h.Triangle != cuda.NoHit {
				rate.Hits++
			}
			if b.differ(h, want[i]) {
				rate.Differ++
			}
		}
		rates = append(rates, rate)
	}
	return rates, nil
}

// differ tells whether two answers are more than two triangles of one face.
func (b *rayBench) differ(x, y cuda.Hit) bool {
	if x.Triangle != cuda.NoHit && y.Triangle != cuda.NoHit && b.triangles[x.Triangle].Face == b.triangles[y.Triangle].Face {
		x.Triangle = y.Triangle
	}
	return x != y
}

// measure is the median milliseconds of many launches over the rays that are uploaded.
func (b *rayBench) measure(ctx context.Context, k cuda.Kernel) (float64, error) {
	for range 2 {
		if _, err := b.time(k); err != nil {
			return 0, err
		}
	}
	ms := make([]float64, b.launches)
	for i := range ms {
		err := ctx.Err()
		if err != nil {
			return 0, err
		}
		if ms[i], err = b.time(k); err != nil {
			return 0, err
		}
	}
	return spreadOf(ms).median, nil
}

// time is the milliseconds of one launch.
func (b *rayBench) time(k cuda.Kernel) (float64, error) {
	var taken device.Timings
	b.device.Time(&taken)
	defer b.device.Time(nil)
	if err := device.Run(b.device, device.Launch{Kernel: k, Indices: b.count}); err != nil {
		return 0, err
	}
	if err := b.device.Sync(); err != nil {
		return 0, fmt.Errorf("kernel %s: %w", k, err)
	}
	return taken.Ms[k], nil
}
