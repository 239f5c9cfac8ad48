package tracer_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

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

// stopping is a processor on which somebody closes stop as soon as a launch has begun.
type stopping struct {
	device.Device
	stop func()
}

func (s stopping) RunUntil(l device.Launch, from int, deadline time.Time) (int, error) {
	s.stop()
	return s.Device.RunUntil(l, from, deadline)
}

// TestStopWithinASample: a call ends within a sample, which later calls complete to the bits that it would have had.
func TestStopWithinASample(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	prepared, err := gpuscene.Prepare(t.Context(), s, gpuscene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, integrator := range []string{"path", "restir"} {
		own := settings.Defaults()
		own.Integrator = integrator
		images := map[bool][]float32{}
		for _, stops := range []bool{false, true} {
			stop := make(chan struct{})
			var once sync.Once
			r, err := tracer.OpenOn(stopping{device.NewCPU(""), func() { once.Do(func() { close(stop) }) }}, profile.Policy{})
			if err != nil {
				t.Fatal(err)
			}
			v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 320, Height: 240}}
			if err := r.Engine().Use(prepared); err != nil {
				t.Fatal(err)
			}
			if stops {
				v.Stop = stop
				stats, err := r.Render(v, own, view.Target{})
				if !errors.Is(err, view.ErrStopped) || !errors.Is(err, context.Canceled) || stats.Samples != 0 {
					t.Errorf("%s: %d samples, %v", integrator, stats.Samples, err)
				}
				v.Stop = nil
			}
			for n := 1; n <= 2; n++ {
				if stats, err := r.Render(v, own, view.Target{}); err != nil || stats.Samples != n {
					t.Fatalf("%s: %d samples, not %d, %v", integrator, stats.Samples, n, err)
				}
			}
			img, err := r.Image().Radiance()
			if err != nil {
				t.Fatal(err)
			}
			images[stops] = img.Pix
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		if !slices.Equal(images[false], images[true]) {
			t.Errorf("%s: a sample that was stopped and completed is another one", integrator)
		}
	}
}
