package integrator_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"glint/cuda"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// guidesAfter are the planes of guides (float4 a pixel) after so many samples of a small view of the Cornell box.
func guidesAfter(t *testing.T, samples int, change func(*schedule.Request)) (planes [][4]float32, pixels int) {
	t.Helper()
	fx := tracertest.OnCPU(t)
	shot := smallShot(t, fx, "cornell")
	v := schedule.Request{View: view.View{Camera: shot.Camera, Width: shot.Width, Height: shot.Height}}
	change(&v)
	own := tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Denoise, s.Bounces = "path", "atrous", 1 })
	for n := 0; n < samples; {
		n = fx.Frame(v, own, view.Target{}).Samples
	}
	address := fx.Device.FrameOf(cuda.Guides).Film.Aovs
	return tracertest.ReadBuffer[[4]float32](t, fx.Device, address), v.Width * v.Height
}

// TestGuidesSettle: 23 of the first 63 samples add to the guides of a pixel, and all of them where a lamp is seen, so that the
// noise of its edge is the same in light and guides. Where the first one saw nothing, it is the only one. Guides that are looked at are
// means of all samples.
func TestGuidesSettle(t *testing.T) {
	const samples = 63
	planes, pixels := guidesAfter(t, samples, func(*schedule.Request) {})
	lit, plain, sky := 0, 0, 0
	for i, albedo := range planes[:pixels] {
		sight := math.Float32bits(planes[int(cuda.AovVirtualHit)*pixels+i][3])
		switch emissive := planes[int(cuda.AovEmissive)*pixels+i]; {
		case sight&0xff == cuda.SeenNothing:
			sky++
			if albedo[3] != 1 {
				t.Fatalf("pixel %d shows nothing, and has guides of %v samples", i, albedo[3])
			}
		case emissive[0] == 0 && albedo[3] != 23:
			t.Fatalf("pixel %d shows no lamp, and has guides of %v samples", i, albedo[3])
		case emissive[0] == 0:
			plain++
		case albedo[3] == samples:
			lit++
		}
	}
	if plain < pixels/2 || lit < 10 || sky < 10 {
		t.Errorf("%d pixels without a lamp, %d with one that have guides of every sample, %d that show nothing", plain, lit, sky)
	}
	planes, pixels = guidesAfter(t, samples, func(v *schedule.Request) { v.Layers = true })
	for i, albedo := range planes[:pixels] {
		if albedo[3] != samples {
			t.Fatalf("pixel %d: the albedo layer is of %v samples", i, albedo[3])
		}
	}
}

// TestGuidesInPieces: a sample in pieces adds the same bits to guides as one at once.
func TestGuidesInPieces(t *testing.T) {
	whole, _ := guidesAfter(t, 34, func(*schedule.Request) {})
	pieces, _ := guidesAfter(t, 34, func(v *schedule.Request) { v.Budget = time.Nanosecond })
	if !slices.Equal(whole, pieces) {
		t.Error("rendering in pieces changed the guides")
	}
}
