package tracer_test

import (
	"context"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
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

// pictureOfAnother names the file into which the test below, in another process, writes its picture.
const pictureOfAnother = "GLINT_TEST_PICTURE"

// TestALostGPUIsThereForAnotherProcess: after a kernel has broken its context, a device is lost and can be closed, and another process renders as
// this one did before.
func TestALostGPUIsThereForAnotherProcess(t *testing.T) {
	runtime.LockOSThread() // whose context it is
	defer runtime.UnlockOSThread()
	first, err := device.Open(device.Options{Backend: device.KindCUDA})
	if file := os.Getenv(pictureOfAnother); err != nil && file != "" {
		t.Fatalf("another process has no GPU: %v", err)
	} else if err != nil {
		t.Skipf("no GPU: %v", err)
	}
	model := tracertest.Builtin(t, "cornell", builtin.Options{})
	p, err := gpuscene.Prepare(context.Background(), model, gpuscene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := schedule.Request{View: view.View{Camera: model.Cameras[0], Width: 64, Height: 48}}
	d := &breaking{Device: first}
	r, err := tracer.OpenOn(d, profile.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	render := func() (picture string, err error) {
		if err := r.Engine().Use(p); err != nil {
			return "", err
		}
		if _, err := r.Render(v, settings.Defaults(), view.Target{}); err != nil {
			return "", err
		}
		img, err := r.Image().Radiance()
		if err != nil {
			return "", err
		}
		return hex.EncodeToString(device.BytesOf(img.Pix)), nil
	}
	want, err := render()
	if err != nil {
		t.Fatal(err)
	}
	if file := os.Getenv(pictureOfAnother); file != "" {
		if err := errors.Join(r.Close(), os.WriteFile(file, []byte(want), 0o644)); err != nil {
			t.Fatal(err)
		}
		return
	}
	d.broken = true
	if _, err := render(); !errors.Is(err, device.ErrLost) {
		t.Fatalf("the fault went unnoticed: %v", err)
	}
	t.Logf("closing what is lost: %v", r.Close()) // which ends, whatever it says
	file := filepath.Join(t.TempDir(), "picture")
	another := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	another.Env = append(os.Environ(), pictureOfAnother+"="+file)
	if out, err := another.CombinedOutput(); err != nil {
		t.Fatalf("another process: %v\n%s", err, out)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error("another process renders another picture")
	}
}
