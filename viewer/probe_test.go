package viewer

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/replay"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
	"glint/viewer/session"
)

// fake paints the top half of the image red and the bottom half in a colour that depends on camera and exposure. With
// integrator direct there is no blue in the bottom.
type fake struct {
	kind      string // of backend
	interop   bool
	attached  map[uint32]bool
	renders   int
	samples   int
	behind    int           // samples by which what is shown lags
	careless  int           // calls that show nothing and would be denoised nevertheless
	waits     time.Duration // in Finish
	view      schedule.Request
	settings  settings.Settings
	watch     profile.Policy
	closed    bool
	restarts  int
	twins     []*fake
	cost      map[string]time.Duration // of a call, by integrator
	used      []*gpuscene.Prepared
	posed     []*scene.Pose
	refuses   error  // to use a scene
	through   string // the BVH of the last call of Render
	kernels   error  // in the statistics
	working   string // in the background
	rendering func() // nil, or is called by Render
	card      bool   // it paints a test card instead
	converges bool   // its radiance is that of a view, with noise; with integrator direct the bottom half is brighter
}

const fakeDepth = 2.5 // m: what fake.Pick finds right of the image's middle; to the left there is nothing

func (f *fake) Backend() device.Info {
	return device.Info{Kind: f.kind, Device: "a fake", Why: "it is a test"}
}

func (f *fake) SceneNotes() []string { return nil }

func (f *fake) Helpers() []string { return nil }

func (f *fake) Use(p *gpuscene.Prepared) error {
	if f.refuses != nil {
		return f.refuses
	}
	f.used = append(f.used, p)
	return nil
}

func (f *fake) Pose(p *scene.Pose) error {
	f.posed = append(f.posed, p)
	return nil
}

// CheckDenoiser: the fake has the built-in one alone.
func (f *fake) CheckDenoiser(s settings.Settings) error {
	if s.Denoise == "oidn" {
		return errors.New("the fake has no OIDN")
	}
	return nil
}

func (f *fake) Attach(buffer uint32) error {
	if !f.interop {
		return errors.New("the fake has no interop")
	}
	f.attached[buffer] = true
	return nil
}

func (f *fake) Detach(buffer uint32) error {
	if !f.attached[buffer] {
		return fmt.Errorf("buffer %d was not attached", buffer)
	}
	delete(f.attached, buffer)
	return nil
}

func (f *fake) Render(v schedule.Request, s settings.Settings, t view.Target) (view.Stats, error) {
	f.renders++
	if f.rendering != nil {
		f.rendering()
	}
	f.through = s.BVH
	if f.view = v; v.Moving && v.Budget > 0 || session.Restarts(tracer.SettingsTable(), f.settings, s) {
		f.samples = 0
	}
	f.settings = s
	f.samples++
	if t.Buffer == 0 && t.Pixels == nil && !v.Unseen && v.Budget == 0 {
		f.careless++
	}
	return view.Stats{
		Samples: f.samples, Shown: max(f.samples-f.behind, 0), Scale: 1, Paths: uint64(v.Width * v.Height), Integrator: s.Integrator, Elapsed: f.cost[s.Integrator],
		KernelsError: f.kernels, Background: f.working,
	}, f.Show(v, s, t)
}

func (f *fake) Show(v schedule.Request, s settings.Settings, t view.Target) error {
	pixels := t.Pixels
	if t.Buffer != 0 {
		if !f.attached[t.Buffer] {
			return fmt.Errorf("buffer %d is not attached", t.Buffer)
		}
		pixels = make([]byte, 4*v.Width*v.Height)
	}
	if pixels != nil {
		f.paint(pixels, v, s, t.FlipY)
	}
	if t.Buffer != 0 {
		gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, t.Buffer)
		gl.BufferSubData(gl.PIXEL_UNPACK_BUFFER, 0, len(pixels), gl.Ptr(pixels))
		gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
	}
	return nil
}

func (f *fake) paint(pixels []byte, v schedule.Request, s settings.Settings, flip bool) {
	if f.card {
		testCard(pixels, v.Width, v.Height, flip)
		return
	}
	shade := byte(128 + 100*math.Sin(float64(v.Camera.Eye[0])+s.Exposure))
	row := make([]byte, 4*v.Width)
	for y := range v.Height {
		from := y
		if flip {
			from = v.Height - 1 - y
		}
		c := [4]byte{200, 20, 20, 255}
		if from >= v.Height/2 {
			c = [4]byte{20, shade, 40, 255}
			if s.Integrator == "direct" {
				c[2] = 0
			}
		}
		for x := range v.Width {
			copy(row[4*x:], c[:])
		}
		copy(pixels[4*v.Width*y:], row)
	}
}

func (f *fake) Pick(v schedule.Request, _ *settings.Settings, x, _ int) (float32, bool, error) {
	return fakeDepth, x > v.Width/2, nil
}

func (f *fake) Newest(v schedule.Request, s settings.Settings) (*image.NRGBA, int, error) {
	img := image.NewNRGBA(image.Rect(0, 0, v.Width, v.Height))
	f.paint(img.Pix, v, s, false)
	return img, f.samples - f.behind, nil
}

// Radiance is a grey that comes nearer to 1 with the samples.
func (f *fake) Alpha(*settings.Settings) ([]imageio.Layer, error) { return nil, nil }
func (f *fake) Radiance() (*imageio.Image, error) {
	if f.converges {
		return f.noisy(), nil
	}
	img := &imageio.Image{Width: 2, Height: 1, Pix: make([]float32, 6)}
	for i := range img.Pix {
		img.Pix[i] = 1 + 1/float32(max(f.samples, 1))
	}
	return img, nil
}

// Replay, Reused and Counters: it has no paths.
func (f *fake) Replay(schedule.Request, settings.Settings, []tracer.PixelSample, int) ([]replay.Path, error) {
	return nil, nil
}

func (f *fake) Reused(schedule.Request, settings.Settings, int, int) (replay.Shared, error) {
	return replay.Shared{}, nil
}

func (f *fake) Light([]float32) ([]float32, error) { return nil, errors.New("it keeps none") }

func (f *fake) SetLight([]float32, int) error { return nil }

func (f *fake) TakesSamples() bool { return true }

func (f *fake) Counters() (profile.Counters, error) { return profile.Counters{}, nil }

func (f *fake) noisy() *imageio.Image {
	img := &imageio.Image{Width: f.view.Width, Height: f.view.Height, Pix: make([]float32, 3*f.view.Width*f.view.Height)}
	random := rand.New(rand.NewPCG(uint64(f.samples), 1))
	for i := range img.Pix {
		img.Pix[i] = 1 + random.Float32()/float32(max(f.samples, 1))
		if f.settings.Integrator == "direct" && i >= len(img.Pix)/2 {
			img.Pix[i] *= 1.2
		}
	}
	return img
}

func (f *fake) Layers() ([]imageio.Layer, error) { return nil, nil }

func (f *fake) Restart() {
	f.samples = 0
	f.restarts++
}

func (f *fake) SetProfilePolicy(w profile.Policy) { f.watch = w }

// Planned leaves auto as it is.
func (f *fake) Planned(_ schedule.Request, s settings.Settings) settings.Settings { return s }

// Statistics are of one kernel that traces everything.
func (f *fake) Statistics() (profile.Statistics, error) {
	return profile.Statistics{Timed: 1, Counted: 1, Paths: 1e6,
		Kernels:  []profile.KernelTime{{Name: "trace_paths", Kind: profile.Whole, Launches: 1, Ms: profile.Spread{Frames: 1, Sum: 10, Min: 10, Max: 10}}},
		Counters: profile.Counters{Paths: 1e6, ExtensionRays: 2e6, ShadowRays: 1e6, Alive: []uint64{75e4, 25e4}},
		Queues:   []profile.Queue{{Extension: 1e6, Shadow: 9e5}, {Extension: 75e4, Shadow: 5e5}},
		Memory:   profile.Memory{Film: 20e6, Scene: 3e6},
	}, nil
}

func (f *fake) Finish() error {
	time.Sleep(f.waits)
	return nil
}

func (f *fake) Twin() (session.Renderer, error) {
	twin := &fake{kind: f.kind, behind: f.behind, interop: f.interop, attached: map[uint32]bool{}, cost: f.cost, card: f.card, converges: f.converges}
	f.twins = append(f.twins, twin)
	return twin, nil
}

func (f *fake) Close() error {
	f.closed = true
	return nil
}

// aScene is one triangle of about a metre, with two cameras.
func aScene(name string) *scene.Scene {
	s := &scene.Scene{Name: name, Materials: []scene.Material{scene.NewMaterial("white")}}
	for _, p := range []mgl32.Vec3{{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}} {
		s.Vertices = append(s.Vertices, scene.Vertex{Position: p, Normal: mgl32.Vec3{0, 0, 1}, Color: mgl32.Vec4{1, 1, 1, 1}})
	}
	s.Faces = []scene.Face{{V: [3]uint32{0, 1, 2}}}
	s.Cameras = []scene.Camera{
		{Name: "front", Eye: mgl64.Vec3{0, 0.5, 4}, Target: mgl64.Vec3{0, 0.5, 0}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40},
		{Name: "side", Eye: mgl64.Vec3{4, 0.5, 1}, Target: mgl64.Vec3{0, 0.5, 0}, Up: mgl32.Vec3{0, 1, 0}, VFov: 40},
	}
	return s
}

// probe is a window under test.
type probe struct {
	t        *testing.T
	app      *app // touch it inside do only
	fake     *fake
	out      *bytes.Buffer
	err      chan error
	patience time.Duration // with the window
}

const patience = 6 * time.Second

// openProbe opens a window on the main thread and waits until it shows a scene and has the keyboard.
func openProbe(t *testing.T, change func(*Options, *fake)) *probe {
	t.Helper()
	if os.Getenv(keepDisplay) == "" {
		needDisplay(t)
	}
	p := &probe{t: t, fake: &fake{kind: "cpu", attached: map[uint32]bool{}}, out: &bytes.Buffer{}, err: make(chan error, 1), patience: patience}
	o := Options{
		Options: session.Options{
			Scene: aScene("triangle.glb"), Settings: settings.Defaults(), Out: p.out,
			Open: func(tracer.Options, []tracer.Options) (session.Renderer, error) { return p.fake, nil },
		},
		Width: 800, Height: 600, state: filepath.Join(t.TempDir(), "window.toml"),
	}
	if change != nil {
		change(&o, p.fake)
	}
	started := make(chan error)
	go main(func() {
		var err error
		p.app, err = start(o.withDefaults())
		started <- err
		if err == nil {
			p.err <- p.run()
		}
	})
	if err := <-started; err != nil {
		t.Fatalf("open the window: %v", err)
	}
	t.Cleanup(func() { p.quit() })
	p.until("the scene and the keyboard", func(a *app) bool {
		return a.session.Stage.Shown != nil && a.session.Sides.Active.Stats.Samples > 0 && a.display.window.GetAttrib(glfw.Focused) == glfw.True
	})
	return p
}

// run shows the window until it closes. A panic fails the test that opened it, and no other.
func (p *probe) run() (err error) {
	defer func() { err = errors.Join(err, p.app.close()) }()
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("the window failed: %v", problem)
			p.t.Errorf("%v\n%s", err, debug.Stack())
		}
	}()
	return p.app.loop()
}

// do runs something between two frames and waits for it. False when the window has closed.
func (p *probe) do(what func(a *app)) bool {
	done := make(chan struct{})
	p.app.session.Tasks.Post(func() {
		defer close(done)
		what(p.app)
	})
	select {
	case <-done:
		return true
	case err := <-p.err:
		p.err <- err
		return false
	case <-time.After(p.patience):
		p.t.Fatalf("the window does not answer; what it does:\n%s", goroutines())
		return false
	}
}

// goroutines are the stacks of all, to see what holds the window up.
func goroutines() []byte {
	all := make([]byte, 1<<20)
	return all[:runtime.Stack(all, true)]
}

// until waits for a state of the window.
func (p *probe) until(what string, holds func(a *app) bool) {
	p.t.Helper()
	for end := time.Now().Add(p.patience); time.Now().Before(end); time.Sleep(4 * time.Millisecond) {
		var ok bool
		p.do(func(a *app) { ok = holds(a) })
		if ok {
			return
		}
	}
	p.t.Fatalf("waited in vain for %s", what)
}

// quit closes the window and says what Run would have returned.
func (p *probe) quit() error {
	p.app.session.Tasks.Post(func() { p.app.quit() })
	return p.closed()
}

// closed waits for the window to close.
func (p *probe) closed() error {
	select {
	case err := <-p.err:
		p.err <- err
		return err
	case <-time.After(p.patience):
		p.t.Error("the window does not close")
		return nil
	}
}

// xdo lets xdotool play the user.
func (p *probe) xdo(args ...string) {
	p.t.Helper()
	if out, err := exec.Command("xdotool", args...).CombinedOutput(); err != nil {
		p.t.Fatalf("xdotool %v: %v: %s", args, err, out)
	}
}

// timerWith has seen samples that each cost as much.
func timerWith(samples int, cost time.Duration) (m schedule.SampleTimer) {
	for sample := 1; sample <= samples; sample++ {
		m.Add(view.Stats{Samples: sample, Restarted: sample == 1, Elapsed: cost})
	}
	return m
}
