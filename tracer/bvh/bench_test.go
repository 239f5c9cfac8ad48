package bvh_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/rays"
)

// BenchmarkBuild builds a wavy sphere of 1.5 million triangles.
func BenchmarkBuild(b *testing.B) {
	m := sphere(613, 0.1)
	for how, method := range methods() {
		b.Run(how, func(b *testing.B) {
			for b.Loop() {
				tree, err := m.build(method)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(tree.Stats.SAH, "SAH")
			}
		})
	}
}

// BenchmarkTrace measures single rays on one thread over the triangles of each NAME.tri (nine float32 a triangle) in the
// folder $GLINT_RAYS, and leaves the rays there as NAME.KIND.rays for embree/compare.py, which calls it.
func BenchmarkTrace(b *testing.B) {
	files, err := filepath.Glob(filepath.Join(os.Getenv("GLINT_RAYS"), "*.tri"))
	if err != nil || len(files) == 0 || os.Getenv("GLINT_RAYS") == "" {
		b.Skip("no NAME.tri in $GLINT_RAYS; see embree/compare.py")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		m := mesh(unsafe.Slice((*[3]mgl32.Vec3)(unsafe.Pointer(&data[0])), len(data)/36))
		name := strings.TrimSuffix(filepath.Base(file), ".tri")
		b.Run(name, func(b *testing.B) { benchmarkScene(b, strings.TrimSuffix(file, ".tri"), m) })
	}
}

func benchmarkScene(b *testing.B, path string, m mesh) {
	caster, batch := newRayCaster(b, m), newRayBatch(b, benchWidth*benchHeight)
	first := rays.Primary(benchWidth, benchHeight, primary)
	copy(batch.Rays(), first)
	binary := kernels(cuda.BestVariant(), cuda.TraceRaysClosest, cuda.TraceRaysAny)
	queue := kernels(cuda.BestVariant(), cuda.QueueRaysClosest, cuda.QueueRaysAny)
	hits := append([]cuda.Hit(nil), caster.run(binary, batch, false)...)
	box := boundsOf(m)
	for _, kind := range rays.Kinds() {
		copy(batch.Rays(), rays.Room{Min: box.lo, Max: box.hi}.Leave(kind, first, hits, view[cuda.Triangle](caster.triangles), 7))
		if err := os.WriteFile(path+"."+kind.Name+".rays", batch.rays.Bytes(), 0o644); err != nil {
			b.Fatal(err)
		}
		for name, trace := range map[string]tracer{"binary": binary, "queue": queue} {
			b.Run(kind.Name+"/"+name, func(b *testing.B) {
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				best := time.Hour
				for b.Loop() {
					start := threadTime()
					caster.run(trace, batch, kind.AnyHit)
					best = min(best, threadTime()-start)
				}
				b.ReportMetric(float64(len(batch.Rays()))/best.Seconds()/1e6, "Mrays/s")
			})
		}
	}
}

const benchWidth, benchHeight = 960, 540

// primary is the ray of the scenes' camera through a point of the image.
func primary(x, y float32) cuda.Ray {
	eye := mgl32.Vec3{0, 1.15, 1.42}
	forward := mgl32.Vec3{0, 0.75, 0}.Sub(eye).Normalize()
	right := forward.Cross(mgl32.Vec3{0, 1, 0}).Normalize()
	up := right.Cross(forward)
	direction := forward.Mul(1.3).Add(right.Mul((2*x - benchWidth) / benchHeight)).Add(up.Mul(1 - 2*y/benchHeight))
	return cuda.Ray{Origin: eye, Direction: direction.Normalize(), TMax: far}
}
