package viewer

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
	"glint/viewer/session"
)

// TestInteropOnGPU needs a display whose windows the NVIDIA driver draws.
func TestInteropOnGPU(t *testing.T) {
	if os.Getenv(keepDisplay) == "" {
		t.Skipf("set %s=1 on a GPU machine with a display to test interop", keepDisplay)
	}
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Open, o.Tracer.Backend, o.Width, o.Height = session.OpenTracer, "cuda", 1280, 720
	})
	p.until("samples", func(a *app) bool { return a.session.Sides.Active.Stats.Samples > 100 })
	p.do(func(a *app) {
		if !pictureOf(a.session.Sides.Active).attached {
			t.Errorf("interop is not active: %s", pictureOf(a.session.Sides.Active).copyReason)
		}
		ms, rate := a.session.Frames.History.Recent(), a.session.Frames.History.PathRate()
		t.Logf("%s, %.2f ms a frame of which rendering %.2f, %.0f Mpaths/s", a.session.Sides.Active.Device.Backend().Device, ms, a.session.Sides.Active.Stats.Elapsed.Seconds()*1e3, rate/1e6)
		if a.session.Sides.Active.Stats.NonFinite > 0 {
			t.Errorf("%d samples were not finite", a.session.Sides.Active.Stats.NonFinite)
		}
		compareWithFilm(t, a)
	})
}

// compareWithFilm checks that the window shows what film makes of the same samples.
func compareWithFilm(t *testing.T, a *app) {
	v := a.session.Frames.Rendered.View
	film := image.NewNRGBA(image.Rect(0, 0, v.Width, v.Height))
	err := a.session.Sides.Active.Device.Show(v, a.session.Sides.Active.Used, view.Target{Pixels: film.Pix})
	if err != nil {
		t.Errorf("film: %v", err)
		return
	}
	lit := 0
	for y := 5; y < film.Rect.Dy(); y += 97 {
		for x := 5; x < film.Rect.Dx(); x += 101 {
			want, got := film.NRGBAAt(x, y), pixel(a, x, y)
			for i, c := range [3]byte{want.R, want.G, want.B} {
				if d := int(c) - int(got[i]); d < -1 || d > 1 {
					t.Errorf("pixel %d,%d is %v in the window, %v on film", x, y, got, want)
					break
				}
			}
			if want.R > 0 {
				lit++
			}
		}
	}
	if lit == 0 {
		t.Error("the image is black")
	}
}

// TestFrameTimesOnGPU shows a scene file in a real window at several sizes and settings, and leaves a
// screenshot of each window in GLINT_TEST_SHOTS. GLINT_TEST_SCENE names the file; its view is that of chess-proxy.
func TestFrameTimesOnGPU(t *testing.T) {
	path, shots := os.Getenv("GLINT_TEST_SCENE"), os.Getenv("GLINT_TEST_SHOTS")
	if path == "" || shots == "" {
		t.Skip("set GLINT_TEST_SCENE and GLINT_TEST_SHOTS on a GPU machine with a display to time frames")
	}
	s, err := scene.Load(context.Background(), path, scene.Options{Scene: -1})
	if err != nil {
		t.Fatal(err)
	}
	camera := scene.Camera{Eye: mgl64.Vec3{0, 0.35, 2.6}, Target: mgl64.Vec3{0, -0.3, 0}, Up: mgl32.Vec3{0, 1, 0}, VFov: 50}
	for _, size := range [][2]int{{1280, 720}, {1200, 1000}} {
		for _, integrator := range []string{"path", "restir-gi"} {
			roulette := integrator == "restir-gi"
			p := openProbe(t, func(o *Options, _ *fake) {
				o.Open, o.Tracer.Backend, o.Width, o.Height = session.OpenTracer, "cuda", size[0], size[1]
				o.Scene, o.Camera = s, &camera
				o.Settings.Integrator, o.Settings.Bounces, o.Settings.Roulette = integrator, 10, roulette
			})
			p.do(func(*app) { glfw.SwapInterval(0) })
			p.until("samples", func(a *app) bool { return a.session.Sides.Active.Stats.Samples > 100 })
			p.do(func(a *app) {
				ms, rate := a.session.Frames.History.Recent(), a.session.Frames.History.PathRate()
				t.Logf("%dx%d %s, roulette %v: %.2f ms a frame, render %.2f ms, %.0f Mpaths/s, interop %v, not finite %d", size[0], size[1],
					integrator, roulette, ms, a.session.Sides.Active.Stats.Elapsed.Seconds()*1e3, rate/1e6, pictureOf(a.session.Sides.Active).attached, a.session.Sides.Active.Stats.NonFinite)
				name := fmt.Sprintf("%s/window-%dx%d-%s.png", shots, size[0], size[1], integrator)
				if err := imageio.WritePNG(name, windowImage(a), nil); err != nil {
					t.Error(err)
				}
			})
			p.quit()
		}
	}
}

// windowImage is what the window shows, panel and all.
func windowImage(a *app) *image.NRGBA {
	a.draw(func() { a.hud.Draw(a.model()) })
	w, h := a.display.window.GetFramebufferSize()
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	row := make([]byte, 4*w)
	for y := range h {
		gl.ReadPixels(0, int32(h-1-y), int32(w), 1, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(row))
		copy(img.Pix[y*img.Stride:], row)
	}
	return img
}

// TestSplitOnGPU compares path and restir-gi in a real window and leaves screenshots of the ways to see both. It needs the
// variables of TestFrameTimesOnGPU; without GLINT_TEST_KEEP_DISPLAY the CPU renders.
func TestSplitOnGPU(t *testing.T) {
	path, shots := os.Getenv("GLINT_TEST_SCENE"), os.Getenv("GLINT_TEST_SHOTS")
	if path == "" || shots == "" {
		t.Skip("set GLINT_TEST_SCENE and GLINT_TEST_SHOTS to see two sides")
	}
	backend, samples := "cuda", 64
	if os.Getenv(keepDisplay) == "" {
		backend, samples = "cpu", 2*session.ReferenceFactor
	}
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Open, o.Tracer.Backend, o.Width, o.Height, o.Split = session.OpenTracer, backend, 1280, 720, true
		o.Scene, o.Path = nil, path
		if backend == "cpu" {
			o.Settings.Bounces = 2 // so that a slow machine gets there
		}
	})
	p.until("two sides", func(a *app) bool { return a.session.Sides.Comparing() })
	p.do(func(a *app) { glfw.SwapInterval(0); a.session.Sides.ToggleReference() })
	p.untilAtLast("a reference", func(a *app) bool { return a.session.Sides.Compare.Reference.Stats.Samples >= samples })
	p.do(func(a *app) { a.session.Sides.RestartSides() })
	p.untilAtLast("errors", func(a *app) bool {
		return a.session.Sides.Sides[0].RefError.Known && a.session.Sides.Sides[1].RefError.Known
	})
	p.do(func(a *app) {
		for _, s := range a.session.Sides.Sides {
			t.Logf("%s %s: %d samples, %v each, relMSE %.4g, trimmed %.4g at %d samples against %d", s.Name, s.Integrator(), s.Timer.Samples,
				s.Timer.Mean(), s.RefError.RelMSE, s.RefError.Trimmed, s.RefError.Samples, s.RefError.RefSamples)
		}
		for view := range session.Shows {
			a.session.Sides.Compare.Show, a.session.Messages = view, nil
			if err := imageio.WritePNG(fmt.Sprintf("%s/split-%d.png", shots, view), windowImage(a), nil); err != nil {
				t.Error(err)
			}
		}
	})
}

// untilAtLast waits for what takes a slow machine minutes.
func (p *probe) untilAtLast(what string, holds func(a *app) bool) {
	p.t.Helper()
	const rounds = 40 // of the usual patience
	for end := time.Now().Add(rounds * patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var ok bool
		if p.do(func(a *app) { ok = holds(a) }); ok {
			return
		}
	}
	p.t.Fatalf("waited in vain for %s", what)
}

// TestFilledFramesOnGPU tells how many samples a second a window gathers at rest and in motion, and how many rendering without
// a window does: at rest at least nine tenths.
func TestFilledFramesOnGPU(t *testing.T) {
	if os.Getenv(keepDisplay) == "" {
		t.Skipf("set %s=1 on a GPU machine with a display to count samples", keepDisplay)
	}
	runtime.LockOSThread() // the renderer without a window has a context of its own
	defer runtime.UnlockOSThread()
	const width, height, span = 1280, 720, 4 * time.Second
	s, err := builtin.Make("cornell", builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ integrator, denoise string }{{"path", "off"}, {"path", "auto"}, {"restir-gi", "off"}} {
		var own settings.Settings
		p := openProbe(t, func(o *Options, _ *fake) {
			o.Open, o.Tracer.Backend, o.Width, o.Height, o.Scene = session.OpenTracer, "cuda", width, height, s
			o.Settings.Integrator, o.Settings.Denoise = row.integrator, row.denoise
			own = o.Settings
		})
		p.untilAtLast("specialised kernels and samples", func(a *app) bool {
			return a.session.Sides.Active.Stats.Background == "" && a.session.Sides.Active.Stats.Samples > 500
		})
		rate := func() float64 {
			var before, after int
			p.do(func(a *app) { a.input.touched, before = time.Time{}, a.session.Sides.Active.Stats.Samples })
			begun := time.Now()
			time.Sleep(span)
			p.do(func(a *app) { after = a.session.Sides.Active.Stats.Samples })
			return float64(after-before) / time.Since(begun).Seconds()
		}
		rest := rate()
		var camera scene.Camera // of the resting view
		p.do(func(a *app) {
			camera = a.session.Stage.Camera.Camera
			t.Logf("%d calls of %v a frame, which leaves %v to the rest", a.session.Sides.Active.Pace.Calls, a.session.Sides.Active.Pace.Cost, a.session.Frames.Schedule.Split.Other)
		})
		moving, frames := 0, 0
		for begun := time.Now(); time.Since(begun) < span; frames++ {
			p.do(func(a *app) {
				moving += a.session.Sides.Active.Pace.Calls
				a.session.Stage.Camera.Orbit(0.002, 0)
			})
		}
		p.quit()

		r, err := tracer.Open(tracer.Options{Backend: "cuda"}, profile.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		prepared, err := gpuscene.Prepare(context.Background(), s, gpuscene.Options{OnDevice: true})
		if err == nil {
			err = errors.Join(r.Engine().Use(prepared), r.Engine().WaitForKernels())
		}
		if err != nil {
			t.Fatal(err)
		}
		alone := 0
		own.Denoise = "off"
		v := schedule.Request{View: view.View{Camera: camera, Width: width, Height: height}}
		begun := time.Now()
		for ; time.Since(begun) < span; alone++ {
			if _, err := r.Render(v, own, view.Target{}); err != nil {
				t.Fatal(err)
			}
		}
		bare := float64(alone) / time.Since(begun).Seconds()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		t.Logf("%s, denoise %s: %.0f samples a second at rest in the window, %.0f without (%.0f %%); in motion %.1f a frame, %.0f frames a second",
			row.integrator, row.denoise, rest, bare, 100*rest/bare, float64(moving)/float64(frames), float64(frames)/span.Seconds())
		if row.denoise == "off" && rest < 0.9*bare {
			t.Errorf("%s: the window gathers %.0f %% of the samples", row.integrator, 100*rest/bare)
		}
	}
}

// TestDevicesOnGPU shows a GPU and the processor side by side in a real window, either of them as side A, and leaves screenshots of the ways to see
// both in GLINT_TEST_SHOTS. GLINT_TEST_SCENE may name a file.
func TestDevicesOnGPU(t *testing.T) {
	shots := os.Getenv("GLINT_TEST_SHOTS")
	if os.Getenv(keepDisplay) == "" || shots == "" {
		t.Skipf("set %s=1 and GLINT_TEST_SHOTS on a GPU machine with a display to compare its devices", keepDisplay)
	}
	for _, backend := range []string{"cuda", "cpu"} {
		p := openProbe(t, func(o *Options, _ *fake) {
			o.Open, o.Tracer.Backend, o.Width, o.Height = session.OpenTracer, backend, 1280, 720
			if path := os.Getenv("GLINT_TEST_SCENE"); path != "" {
				o.Scene, o.Path = nil, path
			} else {
				o.Scene, _ = builtin.Make("cornell", builtin.Options{})
			}
		})
		var single int
		p.do(func(a *app) { glfw.SwapInterval(0); single = a.objects() })
		p.xdo("key", "shift+x")
		p.untilAtLast("two devices", func(a *app) bool { return a.session.Sides.Comparing() })
		frames, begun := 0, time.Now()
		for ; time.Since(begun) < 3*time.Second; frames++ {
			p.do(func(a *app) { a.session.Stage.Camera.Orbit(0.002, 0) })
		}
		rate := float64(frames) / time.Since(begun).Seconds()
		said := ""
		p.untilAtLast("what is said of 16 samples", func(a *app) bool {
			m := a.session.Model(false).Compare
			if m == nil {
				t.Fatalf("the comparison has ended: %s", latest(a))
			}
			said = m.Cross
			return said != "" && m.Sides[0].Timer.Samples >= 16 && m.Sides[1].Timer.Samples >= 16
		})
		p.do(func(a *app) {
			m := a.session.Model(false).Compare
			for _, s := range m.Sides {
				t.Logf("%s %s on %s: %d samples, %v each", s.Name, s.Integrator, s.Device, s.Timer.Samples, s.Timer.Mean())
			}
			t.Logf("%s %.0f frames a second in motion", said, rate)
			if apart := m.Sides[0].Timer.Samples - m.Sides[1].Timer.Samples; apart < -1 || apart > 1 {
				t.Errorf("equal samples: %d apart", apart)
			}
			if (m.Sides[0].Device == "CPU") == (m.Sides[1].Device == "CPU") || strings.Contains(said, "differ.") {
				t.Errorf("A is on %s, B on %s: %s", m.Sides[0].Device, m.Sides[1].Device, said)
			}
			var samples int
			var near float64 // %, where that is less than all but a few pixels
			if n, _ := fmt.Sscanf(said, "At %d samples: A and B are equal to 1 part in 1000 in %f", &samples, &near); n == 2 && near < 99.5 {
				t.Errorf("too many pixels differ: %s", said)
			}
			if rate < 10 {
				t.Errorf("%.1f frames a second in motion", rate)
			}
			a.session.Sides.Compare.Gain = session.MaxGain
		})
		for view := range session.Shows {
			p.do(func(a *app) { a.session.Sides.Compare.Show, a.session.Messages = view, nil })
			time.Sleep(3 * time.Second) // for whole samples, and the bias map
			p.do(func(a *app) {
				if err := imageio.WritePNG(fmt.Sprintf("%s/devices-%s-%d.png", shots, backend, view), windowImage(a), nil); err != nil {
					t.Error(err)
				}
			})
		}
		p.xdo("key", "x", "key", "shift+x")
		p.until("one side", func(a *app) bool { return !a.session.Sides.Comparing() && a.objects() == single })
		if err := p.quit(); err != nil {
			t.Error(err)
		}
	}
}
