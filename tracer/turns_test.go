package tracer_test

import (
	"slices"
	"testing"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/device"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestPathsAndDenoiserTakeTurns: where pictures are made in order, as on a GPU, paths and the denoiser have the same memory, and that
// changes no picture. That of a still gives way to paths, too.
func TestPathsAndDenoiserTakeTurns(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	pictures := func(kind, exec string, live bool) (shown []float32, turns int) {
		d := tracertest.NewDevice()
		d.Kind = kind // as the renderer is opened; kernels are the processor's
		fx := d.Open(t)
		d.Kind = ""
		fx.Use(s, nil)
		own := tracertest.Settings(func(o *settings.Settings) { o.Denoise, o.Exec = "atrous", exec })
		v := schedule.Request{View: view.View{Width: 48, Height: 32, Camera: s.Cameras[0]}, Live: live, Moving: live}
		for frame := range 4 {
			v.Frame = frame
			if live {
				v.Camera.Eye[0] += 0.02
			}
			fx.Frame(v, own, view.Target{})
			img, err := fx.Renderer.Image().Denoised(v, own)
			if err != nil {
				t.Fatal(err)
			}
			shown = append(shown, img.Pix...)
			again, err := fx.Renderer.Image().Denoised(v, own)
			if err != nil || !slices.Equal(again.Pix, img.Pix) {
				t.Errorf("%s, %s: another picture of the same samples, %v", kind, exec, err)
			}
		}
		pick := device.SizeOf[cuda.Ray]() + device.SizeOf[cuda.Hit]() // the engine's
		m := fx.Statistics().Memory
		if m.Device()+pick != d.Held {
			t.Errorf("%s, %s: %d bytes are held, and told %+v", kind, exec, d.Held, m)
		}
		return shown, m.Scratch
	}
	for _, row := range []struct {
		kind string
		live bool
		less int // bytes a pixel
	}{{device.KindCUDA, true, 48 + 32}, {device.KindCUDA, false, 48 + 32 + 16}, {device.KindCPU, true, 0}} {
		alone, _ := pictures(device.KindCUDA, "megakernel", row.live)
		shown, turns := pictures(row.kind, "wavefront", row.live)
		if row.kind == device.KindCUDA && !slices.Equal(shown, alone) {
			t.Errorf("%s, live %v: turns change the pictures", row.kind, row.live)
		}
		if turns < row.less*48*32 || row.less == 0 && turns != 0 {
			t.Errorf("%s, live %v: turns save %d bytes, want %d a pixel", row.kind, row.live, turns, row.less)
		}
	}
}
