// Package tracertest is what tests of the renderer share, and only tests import it. A Fixture renders scenes for a test and
// fails it on any error; a Device shows what kernels read and what memory is held; the rest makes small scenes and compares
// images.
//
//	fx := tracertest.OnCPU(t).Use(tracertest.Builtin(t, "cornell", builtin.Options{}), nil)
//	img := fx.Render(tracertest.Shot{Camera: camera, Width: 64, Height: 64, Samples: 16, Settings: settings.Defaults()})
package tracertest

import (
	"context"
	"errors"
	"math"
	"os"
	"runtime"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/oidn"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Long says that the full versions of the tests were asked for: GLINT_LONG=1, with -timeout 2h on a CPU.
func Long() bool { return os.Getenv("GLINT_LONG") == "1" }

// Parallel lets a test run beside others of its package: its images are too small to keep all cores busy. The full versions
// leave the GPU to one test at a time.
func Parallel(t *testing.T) {
	if !Long() {
		t.Parallel()
	}
}

// NeedsOIDN is the installed OIDN. Without one the test is skipped, or fails where CI is set: there OIDN is fetched.
func NeedsOIDN(t testing.TB) *oidn.Library {
	t.Helper()
	l, err := oidn.Find()
	if errors.Is(err, oidn.ErrNotFound) && os.Getenv("CI") == "" {
		t.Skip("needs OIDN: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// WithoutOIDN has nothing find OIDN for the time of a test.
func WithoutOIDN(t testing.TB) {
	t.Helper()
	t.Setenv("OIDN_DIR", t.TempDir())
}

// TimedScene is the scene that costs are measured on: GLINT_TEST_SCENE, on a GPU machine. Without it the test is skipped.
func TimedScene(t *testing.T) *scene.Scene {
	t.Helper()
	path := os.Getenv("GLINT_TEST_SCENE")
	if path == "" {
		t.Skip("set GLINT_TEST_SCENE on a GPU machine to measure what this costs")
	}
	s, err := scene.Load(context.Background(), path, scene.Options{Scene: -1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ProxyCamera is the view of chess_proxy.glb that all its figures are measured in.
func ProxyCamera() scene.Camera {
	return scene.Camera{Eye: scene.Wide(mgl32.Vec3{0, 0.35, 2.6}), Target: scene.Wide(mgl32.Vec3{0, -0.3, 0}), Up: [3]float32{0, 1, 0}, VFov: 50}
}

// Fixture renders for one test and fails it on any error. It belongs to the test's goroutine (a GPU's context belongs to its
// thread): subtests open their own.
type Fixture struct {
	T        testing.TB
	Renderer *tracer.Renderer
	Device   *Device // that it renders on
	frames   int     // live ones so far
}

// OnCPU is a fixture on the CPU backend.
func OnCPU(t testing.TB) *Fixture { return Open(t, "cpu") }

// OnFastest takes the GPU where there is one: for tests whose result does not depend on the backend.
func OnFastest(t testing.TB) *Fixture { return Open(t, "auto") }

// OnBestBackend is a fixture on the CPU backend, and in the full versions on the fastest.
func OnBestBackend(t testing.TB) *Fixture {
	if Long() {
		return OnFastest(t)
	}
	return OnCPU(t)
}

// OnVariant is a fixture on one CPU build of the kernels, whatever this processor would take.
func OnVariant(t testing.TB, v cuda.Variant) *Fixture {
	t.Helper()
	d := device.NewCPU("")
	d.Variant = v
	return openOn(t, newDevice(d), profile.Policy{TimeEvery: 1})
}

// OnBothBackends opens a fixture on the CPU and one on a GPU, or skips the test where there is no GPU.
func OnBothBackends(t testing.TB) (cpu, gpu *Fixture) {
	t.Helper()
	cpu = OnCPU(t) // which locks the thread
	d, err := device.Open(device.Options{Backend: "cuda"})
	if err != nil {
		t.Skipf("no GPU to compare with: %v", err)
	}
	return cpu, openOn(t, newDevice(d), profile.Policy{TimeEvery: 1})
}

// Open makes a fixture on a backend: auto, cuda or cpu. Every frame is timed.
func Open(t testing.TB, backend string) *Fixture {
	t.Helper()
	lockThread(t)
	d, err := device.Open(device.Options{Backend: backend})
	if err != nil {
		t.Fatalf("open %s: %v", backend, err)
	}
	return openOn(t, newDevice(d), profile.Policy{TimeEvery: 1})
}

// lockThread keeps the test's goroutine on its thread from before a device is opened: a GPU's context belongs to that.
func lockThread(t testing.TB) {
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
}

func openOn(t testing.TB, d *Device, p profile.Policy) *Fixture {
	t.Helper()
	lockThread(t)
	r, err := tracer.OpenOn(d, p)
	if err != nil {
		t.Fatal(err)
	}
	return newFixture(t, r, d)
}

func newFixture(t testing.TB, r *tracer.Renderer, d *Device) *Fixture {
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return &Fixture{T: t, Renderer: r, Device: d}
}

// Twin is another renderer of the same scene on the same device.
func (fx *Fixture) Twin(p profile.Policy) *Fixture {
	fx.T.Helper()
	r, err := fx.Renderer.Engine().NewRenderer(p)
	if err != nil {
		fx.T.Fatal(err)
	}
	return newFixture(fx.T, r, fx.Device)
}

// Use renders another scene from now on; env nil leaves the light to the scene.
func (fx *Fixture) Use(s *scene.Scene, env *gpuscene.Environment) *Fixture {
	fx.T.Helper()
	return fx.UseWith(s, gpuscene.Options{Environment: env})
}

// UseWith renders another scene, prepared by these options, from now on.
func (fx *Fixture) UseWith(s *scene.Scene, o gpuscene.Options) *Fixture {
	fx.T.Helper()
	p, err := gpuscene.Prepare(context.Background(), s, o)
	if err != nil {
		fx.T.Fatal(err)
	}
	if err := errors.Join(fx.Renderer.Engine().Use(p), fx.Renderer.Engine().WaitForKernels()); err != nil {
		fx.T.Fatal(err)
	}
	return fx
}

// PlaceInstances moves all instances of the scene.
func (fx *Fixture) PlaceInstances(at []mgl32.Mat4) error {
	return fx.Renderer.Engine().Scene().Place(fx.Renderer.Engine().Device(), at)
}

// Shot is one image to render.
type Shot struct {
	Camera        scene.Camera
	Width, Height int
	Samples       int
	Settings      settings.Settings
	// Zoom renders each pixel as Zoom×Zoom smaller ones and averages them: the same image, but enough work for a GPU. 0 is 1.
	Zoom int
	// Paths of a frame: that many samples are gathered and shared at once. 0 is 1.
	Paths int
}

// Render renders the shot from its first sample on. A sample that is not a number fails the test.
func (fx *Fixture) Render(s Shot) *imageio.Image {
	fx.T.Helper()
	zoom := max(s.Zoom, 1)
	v := schedule.Request{View: view.View{Camera: s.Camera, Width: s.Width * zoom, Height: s.Height * zoom}}
	for sample := range s.Samples {
		v.DeferReuse = s.gathers(sample) && sample < s.Samples-1
		fx.Frame(v, s.Settings, view.Target{})
	}
	img := fx.radiance()
	counters, err := fx.Renderer.Counters()
	if err != nil {
		fx.T.Fatal(err)
	}
	if counters.NonFinite != 0 {
		fx.T.Errorf("%d samples were not finite", counters.NonFinite)
	}
	return shrink(img, zoom)
}

// RenderLive renders consecutive frames of a view that may move, as the viewer does, and returns the last. Camera may be nil.
func (fx *Fixture) RenderLive(s Shot, frames int, camera func(frame int) scene.Camera) *imageio.Image {
	fx.T.Helper()
	zoom := max(s.Zoom, 1)
	for i := range frames {
		v := schedule.Request{View: view.View{Camera: s.Camera, Width: s.Width * zoom, Height: s.Height * zoom, Frame: fx.frames}, Live: true}
		fx.frames++ // never average: the last frame is wanted
		if camera != nil {
			v.Camera = camera(i)
		}
		for sample := range max(s.Paths, 1) {
			v.DeferReuse = s.gathers(sample)
			fx.Frame(v, s.Settings, view.Target{})
		}
	}
	return shrink(fx.radiance(), zoom)
}

// gathers tells whether another sample of its frame follows one.
func (s Shot) gathers(sample int) bool { return (sample+1)%max(s.Paths, 1) != 0 }

// Restart forgets all samples: the next live frame is a fixture's first.
func (fx *Fixture) Restart() {
	fx.Renderer.Restart()
	fx.frames = 0
}

// Frame renders the next frame of a view.
func (fx *Fixture) Frame(v schedule.Request, s settings.Settings, target view.Target) view.Stats {
	fx.T.Helper()
	stats, err := fx.Renderer.Render(v, s, target)
	if err != nil {
		fx.T.Fatal(err)
	}
	return stats
}

func (fx *Fixture) radiance() *imageio.Image {
	fx.T.Helper()
	img, err := fx.Renderer.Image().Radiance()
	if err != nil {
		fx.T.Fatal(err)
	}
	return img
}

// RenderSide renders a shot n times independently, as a side of a comparison. The seeds begin at seed.
func (fx *Fixture) RenderSide(s Shot, n, seed int) *Side {
	fx.T.Helper()
	side := &Side{}
	for _, img := range fx.RenderSeeds(s, n, seed) {
		if err := side.Add(img); err != nil {
			fx.T.Fatal(err)
		}
	}
	return side
}

// RenderSeeds are n independent renderings of a shot; their seeds begin at seed.
func (fx *Fixture) RenderSeeds(s Shot, n, seed int) []*imageio.Image {
	fx.T.Helper()
	var images []*imageio.Image
	for i := range n {
		s.Settings.Seed = seed + i
		images = append(images, fx.Render(s))
	}
	return images
}

// Statistics are those of all frames since they were last asked for.
func (fx *Fixture) Statistics() profile.Statistics {
	fx.T.Helper()
	s, err := fx.Renderer.Statistics()
	if err != nil {
		fx.T.Fatal(err)
	}
	return s
}

// Timings are the milliseconds that each kernel took in the frames timed since statistics were last asked for.
func (fx *Fixture) Timings() map[string]float64 {
	fx.T.Helper()
	ms := map[string]float64{}
	for _, k := range fx.Statistics().Kernels {
		ms[k.Name] = k.Ms.Sum
	}
	return ms
}

// ReuseRadius is the setting restir-radius with which a picture of so many lines looks for neighbours so many pixels around.
func ReuseRadius(pixels float64, lines int) float64 { return pixels * math.Sqrt(1080/float64(lines)) }

// Settings are the default settings with a change.
func Settings(change func(*settings.Settings)) settings.Settings {
	s := settings.Defaults()
	change(&s)
	return s
}

// Open opens a renderer on the device. Nothing is timed.
func (d *Device) Open(t testing.TB) *Fixture {
	t.Helper()
	return openOn(t, d, profile.Policy{})
}
