package bvh_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
)

// BenchmarkBuild builds a wavy sphere of 1.5 million triangles.
func BenchmarkBuild(b *testing.B) {
	m := sphere(613, 0.1)
	for b.Loop() {
		tree, err := m.build()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(tree.Stats.SAH, "SAH")
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
	primary(batch.Rays())
	first := append([]cuda.Ray(nil), batch.Rays()...)
	hits := append([]cuda.Hit(nil), caster.run(cuda.BestVariant(), cuda.TraceRaysClosest, batch)...)
	for _, kind := range []struct {
		name   string
		kernel cuda.Kernel
		leave  func(point, normal mgl32.Vec3, random *rand.Rand) cuda.Ray
	}{
		{"primary", cuda.TraceRaysClosest, nil},
		{"bounce", cuda.TraceRaysClosest, cosineBounce},
		{"shadow", cuda.TraceRaysAny, towardsCeiling},
	} {
		random := rand.New(rand.NewPCG(7, 8))
		for i, ray := range first {
			if hits[i].Triangle != cuda.NoHit && kind.leave != nil {
				point, normal := surface(ray, hits[i], m[caster.tree.Order[hits[i].Triangle]])
				ray = kind.leave(point, normal, random)
			}
			batch.Rays()[i] = ray
		}
		if err := os.WriteFile(path+"."+kind.name+".rays", batch.rays.Bytes(), 0o644); err != nil {
			b.Fatal(err)
		}
		b.Run(kind.name, func(b *testing.B) {
			for b.Loop() {
				caster.run(cuda.BestVariant(), kind.kernel, batch)
			}
			rays := float64(len(batch.Rays())) * float64(b.N)
			b.ReportMetric(rays/b.Elapsed().Seconds()/1e6, "Mrays/s")
		})
	}
}

const benchWidth, benchHeight = 960, 540

// primary fills rays of the scenes' camera in tiles of 8×4 pixels.
func primary(rays []cuda.Ray) {
	eye := mgl32.Vec3{0, 1.15, 1.42}
	forward := mgl32.Vec3{0, 0.75, 0}.Sub(eye).Normalize()
	right := forward.Cross(mgl32.Vec3{0, 1, 0}).Normalize()
	up := right.Cross(forward)
	for i := range rays {
		tile, in := i/32, i%32
		x := float32(tile%(benchWidth/8)*8+in%8) + 0.5
		y := float32(tile/(benchWidth/8)*4+in/8) + 0.5
		direction := forward.Mul(1.3).Add(right.Mul((2*x - benchWidth) / benchHeight)).Add(up.Mul(1 - 2*y/benchHeight))
		rays[i] = cuda.Ray{Origin: eye, Direction: direction.Normalize(), TMax: far}
	}
}

// surface is the point of a hit, moved off the triangle, and the normal on the ray's side.
func surface(ray cuda.Ray, hit cuda.Hit, triangle [3]mgl32.Vec3) (point, normal mgl32.Vec3) {
	normal = triangle[1].Sub(triangle[0]).Cross(triangle[2].Sub(triangle[0])).Normalize()
	if normal.Dot(ray.Direction) > 0 {
		normal = normal.Mul(-1)
	}
	return mgl32.Vec3(ray.Origin).Add(mgl32.Vec3(ray.Direction).Mul(hit.T)).Add(normal.Mul(1e-4)), normal
}

// cosineBounce leaves along the sum of the normal and a random unit vector, which is cosine-weighted.
func cosineBounce(point, normal mgl32.Vec3, random *rand.Rand) cuda.Ray {
	z, phi := 2*random.Float64()-1, 2*math.Pi*random.Float64()
	r := math.Sqrt(1 - z*z)
	unit := mgl32.Vec3{float32(r * math.Cos(phi)), float32(r * math.Sin(phi)), float32(0.999 * z)}
	return cuda.Ray{Origin: point, Direction: normal.Add(unit).Normalize(), TMax: far}
}

// towardsCeiling ends in a square light under the ceiling.
func towardsCeiling(point, _ mgl32.Vec3, random *rand.Rand) cuda.Ray {
	way := mgl32.Vec3{random.Float32() - 0.5, 1.95, random.Float32() - 0.5}.Sub(point)
	return cuda.Ray{Origin: point, Direction: way.Normalize(), TMax: way.Len()}
}
