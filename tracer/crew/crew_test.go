package crew

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"glint/cuda/driver"
	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// lostAfter is a processor that fails as a GPU does that was lost, once it has been waited for so many times.
type lostAfter struct {
	device.Device
	left *atomic.Int32
}

func (d lostAfter) Sync() error {
	if d.left.Add(-1) < 0 {
		return fmt.Errorf("injected: %w", driver.ErrDeviceLost)
	}
	return d.Device.Sync()
}

func onProcessor() (*tracer.Renderer, error) {
	return tracer.OpenOn(device.NewCPU(""), profile.Policy{})
}

// crewed is a renderer that others help, as a window has it.
type crewed struct {
	*tracer.Renderer
	crew Crew
}

func (r *crewed) use(p *gpuscene.Prepared) error {
	err := r.Engine().Use(p)
	r.crew.Use(p)
	return err
}

func (r *crewed) Render(v schedule.Request, s settings.Settings, t view.Target) (view.Stats, error) {
	stats, err := r.Renderer.Render(v, s, t)
	if err == nil {
		err = r.crew.Help(r.Renderer, v, s, &stats)
	}
	return stats, err
}

// helped is a renderer with helpers.
func helped(t *testing.T, sceneName string, helpers ...func() (*tracer.Renderer, error)) (*crewed, schedule.Request) {
	t.Helper()
	return helpedOn(t, onProcessor, sceneName, helpers...)
}

func helpedOn(t *testing.T, first func() (*tracer.Renderer, error), sceneName string, helpers ...func() (*tracer.Renderer, error)) (*crewed, schedule.Request) {
	t.Helper()
	runtime.LockOSThread() // a GPU's context belongs to it
	t.Cleanup(runtime.UnlockOSThread)
	own, err := first()
	if err != nil {
		t.Fatal(err)
	}
	r := &crewed{Renderer: own}
	t.Cleanup(func() {
		r.crew.Close()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	for i, open := range helpers {
		if err := r.crew.Add(fmt.Sprintf("helper %d", i), open); err != nil {
			t.Fatal(err)
		}
	}
	s, err := builtin.Make(sceneName, builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := gpuscene.Prepare(context.Background(), s, gpuscene.Options{})
	if err == nil {
		err = r.use(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r, schedule.Request{View: view.View{Camera: s.DefaultCamera(1.5), Width: 48, Height: 32}, Live: true}
}

// rest renders a resting view until it has so many samples. It tells how many calls rendered, and why a helper failed.
func rest(t *testing.T, r *crewed, v schedule.Request, s settings.Settings, samples int) (calls int, stats view.Stats, failed error) {
	t.Helper()
	for begun := time.Now(); stats.Samples < samples; calls++ {
		var err error
		if stats, err = r.Render(v, s, view.Target{}); err != nil {
			t.Fatal(err)
		}
		if stats.HelperError != nil {
			failed = stats.HelperError
		}
		if time.Since(begun) > time.Minute {
			t.Fatalf("%d samples after a minute", stats.Samples)
		}
		time.Sleep(5 * time.Millisecond) // others have the processor, too
	}
	return calls, stats, failed
}

// countsOf checks that each pixel has so many samples.
func countsOf(t *testing.T, r *crewed, samples int) {
	t.Helper()
	values, _, err := r.Image().Block()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 48 * 32 {
		if values[4*i+3] != float32(samples) {
			t.Fatalf("pixel %d has %v samples, not %d", i, values[4*i+3], samples)
		}
	}
}

// TestHelpersAddSamples: those of helpers are as good as the first device's, are counted in every pixel, and are of the view, the scene
// and the settings that are shown.
func TestHelpersAddSamples(t *testing.T) {
	for _, integrator := range []string{"path", "restir"} {
		t.Run(integrator, func(t *testing.T) {
			r, v := helped(t, "cornell", onProcessor, onProcessor)
			own := settings.Defaults()
			own.Integrator, own.Denoise = integrator, "atrous"
			const samples = 400
			calls, stats, failed := rest(t, r, v, own, samples)
			if failed != nil || calls > samples*3/4 {
				t.Errorf("%d calls for %d samples: %v", calls, stats.Samples, failed)
			}
			countsOf(t, r, stats.Samples)
			img, err := r.Image().Radiance()
			if err != nil {
				t.Fatal(err)
			}
			alone, _ := helped(t, "cornell")
			own.Seed = 77
			want := average(t, alone, v, own, stats.Samples)
			own.Seed = 78
			off, errOff := metric.RelMSE(img, want)
			noise, errNoise := metric.RelMSE(average(t, alone, v, own, stats.Samples), want)
			if err := errors.Join(errOff, errNoise); err != nil {
				t.Fatal(err)
			}
			if off > 1.3*noise {
				t.Errorf("it is %.3g off (relMSE), and as many samples of one device %.3g", off, noise)
			}
			if share := meanOf(img) / meanOf(want); math.Abs(share-1) > 0.003 {
				t.Errorf("the mean is %.4f times that of one device", share)
			}
			// Another view, and settings that change light: nothing of the old one may come in.
			own.Seed = 0
			v.Camera.Eye[0] += 0.5
			_, stats, _ = rest(t, r, v, own, 150)
			countsOf(t, r, stats.Samples)
			if img, err = r.Image().Radiance(); err != nil {
				t.Fatal(err)
			}
			own.Seed = 77
			if off, err = metric.RelMSE(img, average(t, alone, v, own, 150)); err != nil || off > 0.02 {
				t.Errorf("after the camera has moved it is %.3g off: %v", off, err)
			}
		})
	}
}

// TestHelpersGoOn: when a resting view asks for guides, too, helpers begin anew, but not with samples that the image has already.
func TestHelpersGoOn(t *testing.T) {
	r, v := helped(t, "cornell", onProcessor, onProcessor)
	v.Width, v.Height = 24, 16
	own := settings.Defaults()
	own.Integrator = "path"
	var stats view.Stats
	for _, own.Denoise = range []string{"off", "atrous"} {
		var failed error
		if _, stats, failed = rest(t, r, v, own, max(300, 2*stats.Samples)); failed != nil {
			t.Fatal(failed)
		}
	}
	img, err := r.Image().Radiance()
	if err != nil {
		t.Fatal(err)
	}
	alone, _ := helped(t, "cornell")
	own.Seed = 77
	want := average(t, alone, v, own, 4*stats.Samples)
	own.Seed = 78
	off, errOff := metric.RelMSE(img, want)
	noise, errNoise := metric.RelMSE(average(t, alone, v, own, stats.Samples), want)
	if err := errors.Join(errOff, errNoise); err != nil {
		t.Fatal(err)
	}
	if off > 1.25*noise {
		t.Errorf("it is %.3g off (relMSE), and as many samples of one device %.3g", off, noise)
	}
}

func meanOf(img *imageio.Image) (sum float64) {
	for _, x := range img.Pix {
		sum += float64(x)
	}
	return sum / float64(len(img.Pix))
}

// average is the picture of so many samples of one device.
func average(t *testing.T, r *crewed, v schedule.Request, s settings.Settings, samples int) *imageio.Image {
	t.Helper()
	v.Live, s.Denoise = false, "off" // nobody looks at guides
	for range samples {
		if _, err := r.Render(v, s, view.Target{}); err != nil {
			t.Fatal(err)
		}
	}
	img, err := r.Image().Radiance()
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// TestHelpersOnGPU: a GPU is helped by another context on it, and by the processor.
func TestHelpersOnGPU(t *testing.T) {
	open := func() (*tracer.Renderer, error) {
		return tracer.Open(tracer.Options{Backend: device.KindCUDA}, profile.Policy{})
	}
	gpus, err := driver.Devices(driver.Options{})
	if err != nil || len(gpus) == 0 {
		t.Skip("no GPU")
	}
	own := settings.Defaults()
	own.Integrator, own.Denoise = "restir", "atrous"
	var want float64
	t.Run("alone", func(t *testing.T) { // its context is gone when the next one comes
		alone, v := helpedOn(t, open, "cornell")
		own := own
		own.Seed = 77
		want = meanOf(average(t, alone, v, own, 3000))
	})
	r, v := helpedOn(t, open, "cornell", open, onProcessor)
	_, stats, failed := rest(t, r, v, own, 3000)
	if failed != nil {
		t.Error(failed)
	}
	countsOf(t, r, stats.Samples)
	img, err := r.Image().Radiance()
	if err != nil {
		t.Fatal(err)
	}
	if share := meanOf(img) / want; math.Abs(share-1) > 0.002 {
		t.Errorf("the mean is %.4f times that of one device", share)
	}
}

// TestHelpersShowTheFurnace: all light is 2 there, whoever renders it, before and after the scene changes.
func TestHelpersShowTheFurnace(t *testing.T) {
	r, v := helped(t, "cornell", onProcessor)
	own := settings.Defaults()
	own.Integrator, own.Denoise, own.Bounces, own.Roulette = "path", "off", 16, false
	rest(t, r, v, own, 64)
	s, err := builtin.Make("furnace", builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := gpuscene.Prepare(context.Background(), s, gpuscene.Options{})
	if err == nil {
		err = r.use(p)
	}
	if err != nil {
		t.Fatal(err)
	}
	v.Camera = s.DefaultCamera(1.5)
	_, stats, _ := rest(t, r, v, own, 200)
	countsOf(t, r, stats.Samples)
	img, err := r.Image().Radiance()
	if err != nil {
		t.Fatal(err)
	}
	if mean := meanOf(img); math.Abs(mean-2) > 0.001 {
		t.Errorf("the mean is %v", mean)
	}
	for i, x := range img.Pix {
		if math.Abs(float64(x)-2) > 0.05 {
			t.Fatalf("value %d is %v", i, x)
		}
	}
}

// TestHelpersThatFail are told of, and dropped; what they were at is left out.
func TestHelpersThatFail(t *testing.T) {
	left := &atomic.Int32{}
	left.Store(40)
	r, v := helped(t, "cornell", func() (*tracer.Renderer, error) {
		return tracer.OpenOn(lostAfter{device.NewCPU(""), left}, profile.Policy{})
	})
	own := settings.Defaults()
	own.Integrator, own.Denoise = "path", "off"
	_, stats, failed := rest(t, r, v, own, 300)
	if failed == nil || !strings.Contains(failed.Error(), "helper 0 has failed") || len(r.crew.Names()) != 0 {
		t.Errorf("%v; helpers %v", failed, r.crew.Names())
	}
	countsOf(t, r, stats.Samples)
	if err := r.crew.Add("one that is not there", func() (*tracer.Renderer, error) { return nil, driver.ErrNoDevice }); err == nil {
		t.Error("a device that cannot be opened helps")
	}
}
