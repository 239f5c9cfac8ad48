package cuda_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

const lightSamples = 1 << 18

// pairedAlias is an alias table whose entries 2k and 2k+1 share two columns: the even one keeps kept[k] of its own.
func pairedAlias(kept []float32) []cuda.AliasEntry {
	n := 2 * len(kept)
	table := make([]cuda.AliasEntry, n)
	for k, t := range kept {
		table[2*k] = cuda.AliasEntry{Threshold: t, Alias: uint32(2*k + 1), Pdf: t / float32(n)}
		table[2*k+1] = cuda.AliasEntry{Threshold: 1, Alias: uint32(2*k + 1), Pdf: (2 - t) / float32(n)}
	}
	return table
}

func TestDiskIsUniform(t *testing.T) {
	const rings, sectors = 8, 16
	r := newRandom(5)
	in := make([]float32, 2*lightSamples)
	for i := range in {
		in[i] = unit(r)
	}
	observed := make([]float64, rings*sectors)
	expected := make([]float64, rings*sectors)
	out := probe.Disk.Map(&cuda.Frame{}, in)
	for i := 0; i < len(out); i += 2 {
		x, y := float64(out[i]), float64(out[i+1])
		ring := min(int((x*x+y*y)*rings), rings-1)
		sector := min(int((math.Atan2(y, x)/(2*math.Pi)+0.5)*sectors), sectors-1)
		observed[ring*sectors+sector]++
	}
	for i := range expected {
		expected[i] = lightSamples / float64(len(expected))
	}
	var f family
	f.add(t, "disk", observed, expected)
	f.judge(t)
	if center := probe.Disk.Map(&cuda.Frame{}, []float32{0.5, 0.5}); center[0] != 0 || center[1] != 0 {
		t.Errorf("the square's centre maps to %v", center)
	}
}

// TestPolygonsAreUniform: each triangle between the middle and two corners has as many points, spread evenly over strips along its edge
// and across.
func TestPolygonsAreUniform(t *testing.T) {
	const rings, along = 6, 6
	r := newRandom(6)
	var f family
	for _, corners := range []int{3, 5, 6, 9, 16} {
		in := make([]float32, 0, 3*lightSamples)
		for range lightSamples {
			in = append(in, unit(r), unit(r), float32(corners))
		}
		observed := make([]float64, corners*rings*along)
		expected := slices.Repeat([]float64{lightSamples / float64(len(observed))}, len(observed))
		out, step := probe.Polygon.Map(&cuda.Frame{}, in), 2*math.Pi/float64(corners)
		for i := 0; i < len(out); i += 2 {
			x, y := float64(out[i]), float64(out[i+1])
			turn := math.Mod(math.Atan2(x, y)+2*math.Pi, 2*math.Pi) / step // from the corner that points up
			edge := min(int(turn), corners-1)
			sin, cos := math.Sincos((float64(edge) + 0.5) * step)
			apart, side := x*sin+y*cos, x*cos-y*sin // from the middle towards the edge, and along it
			ring := apart / math.Cos(step/2)
			if ring > 1+1e-5 {
				t.Fatalf("(%v, %v) is outside of the polygon of %d corners", x, y, corners)
			}
			place := side/(2*ring*math.Sin(step/2)) + 0.5
			bin := min(int(ring*ring*rings), rings-1)*along + min(max(int(place*along), 0), along-1)
			observed[edge*rings*along+bin]++
		}
		f.add(t, fmt.Sprintf("polygon of %d corners", corners), observed, expected)
	}
	f.judge(t)
}

func TestVisibleNormalsFollowPdf(t *testing.T) {
	var f family
	for _, alpha := range []float32{0.09, 1} {
		for _, cos := range []float64{0.1, 0.9} {
			wo := toward(cos, 0.7)
			f.add(t, "visible normals", visibleNormals(wo, alpha), visibleNormalsExpected(t, wo, alpha))
		}
	}
	f.judge(t)
}

// visibleNormals counts sampled normals in an even grid over the projected disk, the square [−1, 1]².
func visibleNormals(wo [3]float32, alpha float32) []float64 {
	r := newRandom(6)
	in := make([]float32, 0, 6*lightSamples)
	for range lightSamples {
		in = append(in, wo[0], wo[1], wo[2], alpha, unit(r), unit(r))
	}
	counts := make([]float64, diskGrid*diskGrid)
	h := probe.GgxVisible.Map(&cuda.Frame{}, in)
	for i := 0; i < len(h); i += 3 {
		x, y := slope(h[i], alpha), slope(h[i+1], alpha)
		counts[y*diskGrid+x]++
	}
	return counts
}

const diskGrid = 12

// slope is the bin of a normal's x or y, bins being narrow where alpha is.
func slope(x, alpha float32) int {
	return max(0, min(diskGrid-1, int((math.Asinh(float64(x/alpha))/math.Asinh(float64(1/alpha))+1)*diskGrid/2)))
}

// visibleNormalsExpected integrates the pdf over the same grid: dω = dx dy / cos θ, in steps even in the bins.
func visibleNormalsExpected(t *testing.T, wo [3]float32, alpha float32) []float64 {
	const sub = 40
	const steps = diskGrid * sub
	scale := math.Asinh(float64(1 / alpha))
	at := func(k int) (x, dx float64) {
		s := ((float64(k)+0.5)/steps*2 - 1) * scale
		return math.Sinh(s) * float64(alpha), math.Cosh(s) * float64(alpha) * 2 * scale / steps
	}
	var in []float32
	var weights []float64
	var bins []int
	for i := range steps {
		y, dy := at(i)
		for j := range steps {
			x, dx := at(j)
			if z2 := 1 - x*x - y*y; z2 > 0 {
				z := math.Sqrt(z2)
				in = append(in, wo[0], wo[1], wo[2], float32(x), float32(y), float32(z), alpha)
				weights = append(weights, dx*dy/z)
				bins = append(bins, i/sub*diskGrid+j/sub)
			}
		}
	}
	expected := make([]float64, diskGrid*diskGrid)
	sum := 0.0
	for i, pdf := range probe.GgxVisiblePdf.Map(&cuda.Frame{}, in) {
		expected[bins[i]] += float64(pdf) * weights[i]
		sum += float64(pdf) * weights[i]
	}
	if math.Abs(sum-1) > 0.003 { // the rim of the disk is rough ground for a grid
		t.Errorf("alpha %g: the pdf of visible normals integrates to %.4f, want 1", alpha, sum)
	}
	for i := range expected {
		expected[i] *= lightSamples / sum
	}
	return expected
}

// A triangle light's points are uniform over its area, and 1/pdf is an estimate of the solid angle it fills.
func TestTriangleLightIsUniformOverArea(t *testing.T) {
	corners := [3][3]float64{{1, 2, 0.5}, {3, 2.5, 0}, {1.5, 2.2, 2}}
	frame, from := triangleFrame(t, corners), [3]float64{0.5, -0.3, 0.2}
	r := newRandom(7)
	in := make([]float32, 0, 9*lightSamples)
	for range lightSamples {
		in = append(in, float32(from[0]), float32(from[1]), float32(from[2]), 0, 1, 0, 1e-6, unit(r), unit(r))
	}
	out := probe.TriangleLight.Map(frame, in)
	const strips = 8
	observed, expected := make([]float64, strips*strips), make([]float64, strips*strips)
	solid := 0.0
	for i := 0; i < len(out); i += 5 {
		if out[i+4] <= 0 {
			t.Fatalf("sample %d failed", i/5)
		}
		solid += 1 / float64(out[i+4]) / lightSamples
		var p [3]float64
		for c := range 3 {
			p[c] = from[c] + float64(out[i+c])*float64(out[i+3])
		}
		b1, b2 := barycentric(corners, p)
		// Strips of equal area from corner 0 outwards, cut evenly across.
		across := min(int(b2/(b1+b2)*strips), strips-1)
		out := min(int((b1+b2)*(b1+b2)*strips), strips-1)
		observed[max(out, 0)*strips+max(across, 0)]++
	}
	for i := range expected {
		expected[i] = lightSamples / float64(len(expected))
	}
	var f family
	f.add(t, "triangle light", observed, expected)
	f.judge(t)
	if want := solidAngle(corners, from); math.Abs(solid/want-1) > 0.005 {
		t.Errorf("mean of 1/pdf is %.5f sr, the triangle fills %.5f sr", solid, want)
	}
}

// triangleFrame holds one double-sided emissive triangle as light 0.
func triangleFrame(t *testing.T, corners [3][3]float64) *cuda.Frame {
	var k [3][3]float32
	for i := range 3 {
		for c := range 3 {
			k[i][c] = float32(corners[i][c])
		}
	}
	minus := func(a, b [3]float32) [3]float32 { return [3]float32{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
	f := tableFrame(t, 0)
	f.Scene.Triangles = upload(t, []cuda.Triangle{{V0: k[0], E1: minus(k[1], k[0]), E2: minus(k[2], k[0])}})
	f.Scene.Faces = upload(t, []cuda.Face{{V0: 0, V1: 1, V2: 2}})
	f.Scene.Vertices = upload(t, make([]cuda.Vertex, 3))
	f.Scene.Materials = upload(t, []cuda.Material{material(1, func(m *cuda.Material) {
		m.Emission, m.Flags = [3]float32{1, 1, 1}, cuda.MaterialDoubleSided
	})})
	e1, e2 := sub64(corners[1], corners[0]), sub64(corners[2], corners[0])
	f.Scene.Lights = upload(t, []cuda.Light{{Kind: cuda.LightTriangle, Position: k[0], Direction: minus(k[1], k[0]), Intensity: minus(k[2], k[0]),
		Emission: [3]float32{1, 1, 1}, Material: cuda.TwoSidedBit, Selection: 1, Area: float32(norm(crossOf(e1, e2)) / 2)}})
	f.Scene.LightCount = 1
	return f
}

func sub64(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func dotOf(a, b [3]float64) float64    { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func norm(a [3]float64) float64        { return math.Sqrt(dotOf(a, a)) }
func crossOf(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// barycentric weights of corners 1 and 2 of a point in the triangle's plane.
func barycentric(k [3][3]float64, p [3]float64) (b1, b2 float64) {
	e1, e2, d := sub64(k[1], k[0]), sub64(k[2], k[0]), sub64(p, k[0])
	n := crossOf(e1, e2)
	return dotOf(crossOf(d, e2), n) / dotOf(n, n), dotOf(crossOf(e1, d), n) / dotOf(n, n)
}

// solidAngle of a triangle (Van Oosterom and Strackee 1983).
func solidAngle(k [3][3]float64, from [3]float64) float64 {
	a, b, c := sub64(k[0], from), sub64(k[1], from), sub64(k[2], from)
	triple := math.Abs(dotOf(a, crossOf(b, c)))
	la, lb, lc := norm(a), norm(b), norm(c)
	return 2 * math.Atan2(triple, la*lb*lc+dotOf(a, b)*lc+dotOf(a, c)*lb+dotOf(b, c)*la)
}
