package cuda_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"glint/cuda"
	"glint/cuda/probe"
	"glint/tracer/tracertest"
)

// upload puts values into memory that kernels can read, until the test ends.
func upload[T any](t testing.TB, values []T) uint64 {
	t.Helper()
	address, _ := exchange(t, values)
	return address
}

// exchange does the same, and shows what kernels make of the values.
func exchange[T any](t testing.TB, values []T) (address uint64, there []T) {
	t.Helper()
	var zero T
	size := int(unsafe.Sizeof(zero)) * len(values)
	m, err := cuda.Alloc(size)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Free)
	if size > 0 {
		there = unsafe.Slice((*T)(unsafe.Pointer(&m.Bytes()[0])), len(values))
		copy(there, values)
	}
	return m.Address(), there
}

// tableFrame is a frame with the product's tables.
func tableFrame(t testing.TB, flags uint32) *cuda.Frame {
	return &cuda.Frame{Scene: cuda.SceneParams{Tables: upload(t, cuda.Tables()), LightScale: 1}, Sampling: cuda.SamplingParams{Flags: flags}}
}

// newRandom is the tests' own generator, independent of the kernels' sampler.
func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)) }

// unit is uniform in [0, 1) with as many bits as the kernels' numbers have.
func unit(r *rand.Rand) float32 { return float32(r.Uint32()>>8) / (1 << 24) }

// noTexture is the identity transform without a texture.
func noTexture() cuda.TextureRef { return cuda.TextureRef{Texture: -1, M00: 1, M11: 1} }

// material is white, rough by r, with glTF's defaults elsewhere; change alters it.
func material(r float64, change func(*cuda.Material)) cuda.Material {
	m := cuda.Material{
		BaseColor: [4]float32{1, 1, 1, 1}, SpecularColor: [3]float32{1, 1, 1}, Specular: 1, Ior: 1.5, Roughness: float32(r),
	}
	for use := range m.Textures {
		m.Textures[use] = noTexture()
	}
	if change != nil {
		change(&m)
	}
	return m
}

func metal(m *cuda.Material)     { m.Metallic = 1 }
func lambert(m *cuda.Material)   { m.Specular = 0 }
func glass(m *cuda.Material)     { m.Transmission = 1 }
func thinGlass(m *cuda.Material) { m.Transmission, m.Flags = 1, cuda.MaterialThin }

// toward is the unit direction at an angle from +z whose cosine is given, turned by azimuth.
func toward(cos, azimuth float64) [3]float32 {
	sin := math.Sqrt(max(1-cos*cos, 0))
	return [3]float32{float32(sin * math.Cos(azimuth)), float32(sin * math.Sin(azimuth)), float32(cos)}
}

// family collects p-values of one test each, and fails those that Holm's procedure rejects.
type family struct {
	names []string
	p     []float64
}

func (f *family) add(t *testing.T, name string, observed, expected []float64) {
	t.Helper()
	r, err := tracertest.ChiSquare(observed, expected, 5)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	f.names = append(f.names, name)
	f.p = append(f.p, r.P)
}

// significance is the chance that a family of tests fails by bad luck, were its seeds drawn anew.
const significance = 1e-3

func (f *family) judge(t *testing.T) {
	t.Helper()
	for i, p := range tracertest.Holm(f.p) {
		if p < significance {
			t.Errorf("%s: samples do not follow their density: p = %.2g (of %d tests, by Holm)", f.names[i], p, len(f.p))
		}
	}
}

// drawn are samples of a BSDF in batches, from fresh uniform numbers.
func drawn(p *probe.Point, r *rand.Rand, n int, each func(probe.BsdfSample)) {
	const batch = 1 << 14
	u := make([][3]float32, batch)
	for ; n > 0; n -= batch {
		for i := range u {
			u[i] = [3]float32{unit(r), unit(r), unit(r)}
		}
		for _, s := range p.Sample(u[:min(n, batch)]) {
			each(s)
		}
	}
}
