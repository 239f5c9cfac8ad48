package tracer_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"glint/cuda"
	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// breaking has kernels write where no memory is.
type breaking struct {
	device.Device
	broken bool
}

func (d *breaking) SetFrame(f *cuda.Frame) error {
	own := *f
	if d.broken {
		own.Film.Accumulation = 1 << 60
	}
	return d.Device.SetFrame(&own)
}

// TestALostGPUIsOpenedAgain: after a kernel has broken the context, the same process can have another one, which renders as the first did.
func TestALostGPUIsOpenedAgain(t *testing.T) {
	runtime.LockOSThread() // whose context it is
	defer runtime.UnlockOSThread()
	first, err := device.Open(device.Options{Backend: device.KindCUDA})
	if err != nil {
		t.Skipf("no GPU: %v", err)
	}
	model := tracertest.Builtin(t, "cornell", builtin.Options{})
	p, err := gpuscene.Prepare(context.Background(), model, gpuscene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := schedule.Request{View: view.View{Camera: model.Cameras[0], Width: 64, Height: 48}}
	render := func(r *tracer.Renderer) ([]float32, error) {
		if err := r.Engine().Use(p); err != nil {
			return nil, err
		}
		if _, err := r.Render(v, settings.Defaults(), view.Target{}); err != nil {
			return nil, err
		}
		img, err := r.Image().Radiance()
		if err != nil {
			return nil, err
		}
		return img.Pix, nil
	}
	d := &breaking{Device: first}
	r, err := tracer.OpenOn(d, profile.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := render(r)
	if err != nil {
		t.Fatal(err)
	}
	d.broken = true
	if _, err := render(r); !errors.Is(err, device.ErrLost) {
		t.Fatalf("the fault went unnoticed: %v", err)
	}
	t.Logf("closing what is lost: %v", r.Close())
	again, err := tracer.Open(tracer.Options{Backend: device.KindCUDA}, profile.Policy{})
	if err != nil {
		t.Fatalf("open again: %v", err)
	}
	got, err := render(again)
	if err != nil {
		t.Fatalf("render again: %v", err)
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatal("it renders another picture")
		}
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}
