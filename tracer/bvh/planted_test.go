package bvh_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/cuda/probe"
	"glint/tracer/bvh"
)

// Wide boxes without their padding let rays escape: what TestClosedMeshesAreWatertight would see.
func TestUnpaddedBoxesAreCaught(t *testing.T) {
	m := sphere(71, 0)
	caster, batch := newRayCaster(t, m), newRayBatch(t, 20_000)
	aimInside(batch.Rays(), m, 1)
	nodes := view[bvh.WideNode](caster.wide)
	for i := range nodes {
		n := &nodes[i]
		for _, row := range []*[8]uint8{&n.HiX, &n.HiY, &n.HiZ} {
			for slot := range row {
				row[slot] = max(row[slot], 1) - 1
			}
		}
	}
	copy(view[bvh.SpreadNode](caster.spread), bvh.Spread(nodes))
	for how, trace := range map[string]tracer{"GPU's queue": probe.Walk, "queue": bestQueue()} {
		leaks := count(caster.run(trace, batch, false), func(h cuda.Hit) bool { return h.Triangle == cuda.NoHit })
		if leaks == 0 && (how != "queue" || cuda.BestVariant() == cuda.V3) { // the baseline's queue takes the binary tree
			t.Errorf("%s: no ray escaped from boxes a step too small", how)
		}
	}
}

func bestQueue() tracer {
	return kernels(cuda.BestVariant(), cuda.QueueRaysClosest, cuda.QueueRaysAny)
}

// Half of the rays pass a wall of alpha ½, the same in all ways of tracing; none passes the one behind.
func TestAlphaIsTested(t *testing.T) {
	wall := func(z float32) mesh {
		return mesh{{{-1, -1, z}, {1, -1, z}, {1, 1, z}}, {{-1, -1, z}, {1, 1, z}, {-1, 1, z}}}
	}
	m := append(wall(1), wall(2)...)
	caster, batch := newRayCaster(t, m), newRayBatch(t, 4000)
	faces, vertices, materials := alloc(t, 4*16), alloc(t, 64), alloc(t, 1024)
	view[cuda.Vertex](vertices)[0].ColorBA = 0xffff << 16
	glass := &view[cuda.Material](materials)[0]
	glass.BaseColor, glass.AlphaMode, glass.Textures[cuda.TextureBaseColor].Texture = [4]float32{1, 1, 1, 0.5}, cuda.AlphaBlend, -1
	for i, triangle := range view[cuda.Triangle](caster.triangles) {
		if triangle.Face < 2 {
			view[cuda.Triangle](caster.triangles)[i].Material = cuda.AlphaBit
		}
	}
	caster.frame.Scene.Faces, caster.frame.Scene.Vertices, caster.frame.Scene.Materials = faces.Address(), vertices.Address(), materials.Address()
	for i := range batch.Rays() {
		x, y := float32(i%63)/70-0.43, float32(i%61)/70-0.44
		batch.Rays()[i] = cuda.Ray{Origin: mgl32.Vec3{x, y, 0}, Direction: mgl32.Vec3{0, 0, 1}, TMax: 1.5 + float32(i%2)}
	}
	want := append([]cuda.Hit(nil), caster.run(tracers()["binary"], batch, false)...)
	if passed := count(want, func(h cuda.Hit) bool { return h.T > 1.2 }); passed < 1900 || passed > 2100 {
		t.Errorf("%d of 4000 rays pass alpha ½", passed)
	}
	for how, trace := range tracers() {
		for i, got := range caster.run(trace, batch, false) {
			if got.Triangle != want[i].Triangle {
				t.Fatalf("%s, ray %d: %v, by the binary tree %v", how, i, got, want[i])
			}
		}
		for i, got := range caster.run(trace, batch, true) {
			if (got.Triangle == cuda.NoHit) != (want[i].Triangle == cuda.NoHit) {
				t.Fatalf("%s, ray %d: any hit %v, closest %v", how, i, got, want[i])
			}
		}
	}
}

// FuzzTrees builds both trees over arbitrary triangles, NaN and infinity among them, and sends rays through.
func FuzzTrees(f *testing.F) {
	seed := make([]byte, 0, 36*40)
	for _, triangle := range soup(40) {
		for _, p := range triangle {
			for _, x := range p {
				seed = binary.LittleEndian.AppendUint32(seed, math.Float32bits(x))
			}
		}
	}
	f.Add(seed)
	f.Add(make([]byte, 36*20))
	f.Add(binary.LittleEndian.AppendUint32(seed[:72], 0x7f800000))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := make(mesh, min(len(data)/36, 500))
		for i := range m {
			for j := range 9 {
				m[i][j/3][j%3] = math.Float32frombits(binary.LittleEndian.Uint32(data[36*i+4*j:]))
			}
		}
		caster := newCasterOf(t, m, bvh.Binned)
		checkTree(t, m, caster.tree)
		checkWide(t, m, caster.tree)
		batch := newRayBatch(t, 64)
		for i := range batch.Rays() {
			direction := mgl32.Vec3{float32(i%3) - 1, float32(i/3%3) - 1, float32(i/9%3) - 0.5}.Normalize()
			batch.Rays()[i] = cuda.Ray{Origin: mgl32.Vec3{0.5, 0.5, 0.5}, Direction: direction, TMax: far}
		}
		for how, trace := range tracers() {
			for i, h := range caster.run(trace, batch, false) {
				if h.Triangle != cuda.NoHit && int(h.Triangle) >= len(caster.tree.Order) {
					t.Fatalf("%s, ray %d: %v of %d triangles", how, i, h, len(caster.tree.Order))
				}
			}
		}
	})
}
