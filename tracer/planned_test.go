package tracer_test

import (
	"context"
	"testing"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/denoise"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestMemoryOfPicturesIsPlanned, before a scene is there.
func TestMemoryOfPicturesIsPlanned(t *testing.T) {
	gpu := device.Info{Kind: device.KindCUDA, Memory: 8 << 30}
	for _, name := range []string{"chess", "media", "thousand-lamps"} {
		s, err := builtin.Make(name, builtin.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := gpuscene.Prepare(context.Background(), s, gpuscene.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range []func(s *settings.Settings){
			func(s *settings.Settings) { s.Integrator = "path" },
			func(s *settings.Settings) { s.Integrator, s.Denoise = "restir", "atrous" },
			func(s *settings.Settings) { s.Integrator, s.Denoise = "path", "learned" },
		} {
			own := settings.Defaults()
			change(&own)
			v := schedule.Request{View: view.View{Width: 640, Height: 360}}
			planned, err := tracer.PictureBytes(gpu, v, own, p.HasGlass())
			if err != nil {
				t.Fatal(err)
			}
			v.Camera = s.DefaultCamera(16. / 9)
			memory, err := tracer.PlannedMemory(device.NewPlanner(gpu.Kind, gpu.Memory), p, v, own)
			if err != nil {
				t.Fatal(err)
			}
			held := int64(memory.Device() - memory.Scene)
			const objects = 1 << 10 // bytes, more or less
			if planned > held+objects || planned < held-objects {
				t.Errorf("%s by %s: %d bytes are planned, and %d held: %+v", name, own.Integrator, planned, held, memory)
			}
		}
	}
}

// TestMemoryOfAWindowIsPlanned: what auto stands for there is known.
func TestMemoryOfAWindowIsPlanned(t *testing.T) {
	for _, kind := range []string{device.KindCUDA, device.KindCPU} {
		bytes, err := tracer.PictureBytes(device.Info{Kind: kind, Memory: 8 << 30}, schedule.Request{View: view.View{Width: 640, Height: 360}, Live: true, Window: true}, settings.Defaults(), true)
		if err != nil || bytes < 16*640*360 {
			t.Errorf("%s: %d bytes, %v", kind, bytes, err)
		}
	}
}

// TestMemoryOfTheLearnedFilterIsKnown: by that auto chooses whether to take it.
func TestMemoryOfTheLearnedFilterIsKnown(t *testing.T) {
	const pixels = 1280 * 720
	bytes := func(denoiser string) int64 {
		s := settings.Defaults()
		s.Integrator, s.Denoise = "path", denoiser
		of := device.Info{Kind: device.KindCUDA, Memory: 8 << 30}
		n, err := tracer.PictureBytes(of, schedule.Request{View: view.View{Width: 1280, Height: 720}, Live: true, Window: true}, s, false)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if more := float64(bytes("learned")-bytes("off")) / pixels; more > denoise.LearnedBytes || more < 0.8*denoise.LearnedBytes {
		t.Errorf("%.0f bytes a pixel more than without, where auto reckons with %d", more, denoise.LearnedBytes)
	}
}

// TestMemoryWithOIDNIsPlanned: the addresses of a planned device do not exist, so the library itself does no work there.
func TestMemoryWithOIDNIsPlanned(t *testing.T) {
	tracertest.NeedsOIDN(t)
	own := settings.Defaults()
	own.Denoise = "oidn"
	for _, kind := range []string{device.KindCUDA, device.KindCPU} {
		for _, v := range []schedule.Request{{}, {Layers: true}, {Live: true}, {Live: true, Window: true}} {
			v.Width, v.Height = 64, 64
			bytes, err := tracer.PictureBytes(device.Info{Kind: kind, Memory: 8 << 30}, v, own, true)
			if err != nil || bytes < 16*64*64 {
				t.Errorf("%s, %+v: %d bytes, %v", kind, v, bytes, err)
			}
		}
	}
}
