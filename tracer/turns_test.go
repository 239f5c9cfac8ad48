package tracer_test

import (
	"slices"
	"testing"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/device"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestPathsAndDenoiserTakeTurns: where pictures are made in order, as on a GPU, paths and the denoiser have the same memory, and that
// changes no picture.
func TestPathsAndDenoiserTakeTurns(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	v := view.View{Width: 48, Height: 32, Live: true, Moving: true}
	pictures := func(kind, exec string) (shown []float32, turns int) {
		d := tracertest.NewDevice()
		d.Kind = kind // as the renderer is opened; kernels are the processor's
		fx := d.Open(t)
		d.Kind = ""
		fx.Use(s, nil)
		own := tracertest.Settings(func(o *settings.Settings) { o.Denoise, o.Exec = "atrous", exec })
		for frame := range 4 {
			v.Camera, v.Frame = s.Cameras[0], frame
			v.Camera.Eye[0] += 0.02 * float64(frame)
			fx.Frame(v, own, view.Target{})
			img, err := fx.Renderer.Image().Denoised(v, own)
			if err != nil {
				t.Fatal(err)
			}
			shown = append(shown, img.Pix...)
		}
		pick := device.SizeOf[cuda.Ray]() + device.SizeOf[cuda.Hit]() // the engine's
		m := fx.Statistics().Memory
		if m.Device()+pick != d.Held {
			t.Errorf("%s, %s: %d bytes are held, and told %+v", kind, exec, d.Held, m)
		}
		return shown, m.Turns
	}
	alone, _ := pictures(device.KindCUDA, "megakernel")
	for _, row := range []struct {
		kind string
		less int // bytes a pixel
	}{{device.KindCUDA, 48 + 32}, {device.KindCPU, 0}} {
		shown, turns := pictures(row.kind, "wavefront")
		if row.kind == device.KindCUDA && !slices.Equal(shown, alone) {
			t.Errorf("%s: turns change the pictures", row.kind)
		}
		if turns < row.less*48*32 || row.less == 0 && turns != 0 {
			t.Errorf("%s: turns save %d bytes, want %d a pixel", row.kind, turns, row.less)
		}
	}
}
