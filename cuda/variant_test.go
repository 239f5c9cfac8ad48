package cuda_test

import (
	"encoding/binary"
	"math"
	"testing"

	"glint/cuda"
)

// needV3 skips the test where the processor cannot run the second build.
func needV3(t *testing.T) {
	t.Helper()
	if cuda.BestVariant() != cuda.V3 {
		t.Skip("this processor has no AVX2 and FMA")
	}
}

// Both builds for CPUs sample and evaluate the lobes alike: they differ by the rounding of fused multiply-adds alone.
func TestBuildsAgreeOnLobes(t *testing.T) {
	needV3(t)
	baseline, v3 := albedos(t, cuda.Baseline, albedoStep), albedos(t, cuda.V3, albedoStep)
	for i := 0; i < albedoEntries; i += albedoStep {
		a := math.Float32frombits(binary.LittleEndian.Uint32(baseline[4*i:]))
		b := math.Float32frombits(binary.LittleEndian.Uint32(v3[4*i:]))
		if !(math.Abs(float64(a-b)) <= 2e-4) {
			t.Errorf("albedo entry %d: baseline %g, v3 %g", i, a, b)
		}
	}
}

// Both builds develop the film alike, to one step of eight bits.
func TestBuildsAgreeOnFilm(t *testing.T) {
	needV3(t)
	const side = 64
	sums := make([][4]float32, side*side)
	r := newRandom(14)
	for i := range sums {
		scale := float32(math.Exp2(float64(unit(r))*16 - 10))
		sums[i] = [4]float32{unit(r) * scale * 3, unit(r) * scale * 3, unit(r) * scale * 3, 3}
	}
	frame := cuda.Frame{Film: cuda.FilmParams{Accumulation: upload(t, sums), Width: side, Height: side}, Display: cuda.DisplayParams{Exposure: 1}}
	for _, c := range curves() {
		frame.Display.ToneMap = c.id
		var images [2][]byte
		for i, variant := range []cuda.Variant{cuda.Baseline, cuda.V3} {
			images[i] = develop(t, variant, frame, side*side)
		}
		for i := range images[0] {
			if d := int(images[0][i]) - int(images[1][i]); d < -1 || d > 1 {
				t.Fatalf("%s: byte %d is %d in one build and %d in the other", c.name, i, images[0][i], images[1][i])
			}
		}
		checkFilm(t, c, sums, images[0])
	}
}

// develop runs the film kernel into memory of its own.
func develop(t *testing.T, variant cuda.Variant, frame cuda.Frame, pixels int) []byte {
	t.Helper()
	target, err := cuda.Alloc(4 * pixels)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(target.Free)
	frame.Display.Target = target.Address()
	perLine := (int(frame.Film.Width) + cuda.Resolve.Threads() - 1) / cuda.Resolve.Threads() * cuda.Resolve.Threads()
	cuda.Run(variant, cuda.Resolve, &frame, 0, perLine*int(frame.Film.Height), 0)
	return target.Bytes()
}

// checkFilm compares the developed image with the tone curve of each pixel's mean.
func checkFilm(t *testing.T, c curve, sums [][4]float32, image []byte) {
	t.Helper()
	for i, s := range sums {
		want := c.reference(rgb{float64(s[0]) / 3, float64(s[1]) / 3, float64(s[2]) / 3})
		for k := range 3 {
			if d := float64(image[4*i+k]) - 255*want[k]; math.Abs(d) > 0.51+255*c.tolerance {
				t.Fatalf("%s: pixel %d channel %d is %d, want %.2f", c.name, i, k, image[4*i+k], 255*want[k])
			}
		}
	}
}
