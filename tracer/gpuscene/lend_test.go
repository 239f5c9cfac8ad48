package gpuscene

import (
	"hash/maphash"
	"testing"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/device"
)

// TestWhatIsLentIsNotCopied: a processor's kernels read the prepared scene where it is, and freeing the uploaded one leaves it whole.
func TestWhatIsLentIsNotCopied(t *testing.T) {
	s, err := builtin.Make("spheres", builtin.Options{Triangles: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Prepare(t.Context(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	seed := maphash.MakeSeed()
	sum := func() uint64 { return maphash.Bytes(seed, device.BytesOf(p.first.triangles)) }
	before := sum()
	d := device.NewCPU("")
	uploaded, err := Upload(d, p, 0)
	if err != nil {
		t.Fatal(err)
	}
	var f cuda.Frame
	uploaded.choose("").apply(&f)
	if want := cuda.Lend(device.BytesOf(p.first.triangles)).Address(); f.Scene.Triangles != want {
		t.Errorf("triangles are at %x, and were copied to %x", want, f.Scene.Triangles)
	}
	uploaded.Free(d)
	if sum() != before {
		t.Error("the prepared scene has changed")
	}
}
