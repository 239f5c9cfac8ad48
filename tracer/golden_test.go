package tracer_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"hash"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda"
	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/film"
	"glint/tracer/gpuscene"
	"glint/tracer/integrator"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// The golden test holds the renderer to the bits that it gave before: a change that means to move code must not change a
// picture. It runs the build of the kernels for any processor, whose arithmetic is the same on all of them.
//
//	GLINT_LONG=1 go test ./tracer -run TestGolden -args -update-golden    (after a change that means to change pictures)
var updateGolden = flag.Bool("update-golden", false, "write testdata/golden.json anew")

const goldenFile = "testdata/golden.json"

// goldenShot says what is rendered: calls of Render, each with a view of its own.
type goldenShot struct {
	name, scene string
	settings    settings.Settings
	calls       []goldenCall
	layers      bool // the AOVs count, too
}

// goldenCall is one call of Render, or with a budget as many as a whole sample takes.
type goldenCall struct {
	view  schedule.Request
	moved float32 // of the camera, to the right [m]
	at    float64 // moment of the animation [s], where the scene has one
}

// goldenScenes are those of the full test; the quick one takes the first few: textures are in mixed-reflection; instances, vertices that
// kernels make, poses and a sky in moving.
func goldenScenes() []string {
	scenes := []string{"cornell-glossy", "media", "mixed-reflection", "moving", "spheres", "cornell", "chess", "city"}
	if !tracertest.Long() {
		return scenes[:4]
	}
	return scenes
}

// goldenCalls are those of a still, of a live view that moves and then rests, and of one that is rendered in pieces.
func goldenCalls() []goldenCall {
	still, live := schedule.Request{}, schedule.Request{Live: true}
	moving, pieces := live, live
	moving.Moving = true
	pieces.Budget = time.Nanosecond
	return []goldenCall{
		{view: still}, {view: still},
		{view: live, moved: 0.01, at: 0.3}, {view: moving, moved: 0.02, at: 0.35}, {view: moving, moved: 0.03, at: 0.4},
		{view: live, moved: 0.03, at: 0.4}, {view: live, moved: 0.03, at: 0.4}, {view: live, moved: 0.03, at: 0.4},
		{view: pieces, moved: 0.04, at: 0.4},
	}
}

// goldenEngines are the ways to run an integrator; each must give the same bits.
func goldenEngines(integrator string) []func(*settings.Settings) {
	engines := []func(*settings.Settings){func(s *settings.Settings) { s.Exec = "megakernel" }}
	if !strings.HasPrefix(integrator, "restir") {
		engines = append(engines, func(s *settings.Settings) { s.Exec = "regeneration" })
	}
	for _, compaction := range []string{"off", "atomic", "scan"} {
		for _, sort := range []string{"none", "key", "class"} {
			engines = append(engines, func(s *settings.Settings) { s.Exec, s.Compaction, s.Sort = "wavefront", compaction, sort })
		}
	}
	if !tracertest.Long() {
		return []func(*settings.Settings){engines[0], engines[len(engines)-1]}
	}
	return engines
}

// digest adds bits to a hash.
func digest(h hash.Hash, pix []float32) {
	raw := make([]byte, 0, 4*len(pix))
	for _, x := range pix {
		b := math.Float32bits(x)
		raw = append(raw, byte(b), byte(b>>8), byte(b>>16), byte(b>>24))
	}
	h.Write(raw)
}

// bits renders a shot on a renderer that has its scene, and digests all that comes out.
func (s goldenShot) bits(t *testing.T, r *tracer.Renderer, eye goldenEye) string {
	t.Helper()
	h := sha256.New()
	r.Restart()
	rgba := make([]byte, 4*goldenWidth*goldenHeight)
	for _, call := range s.calls {
		v := call.view
		v.Camera, v.Width, v.Height, v.Layers = eye.camera, goldenWidth, goldenHeight, s.layers
		if v.Budget > 0 && s.settings.Denoise == "atrous" {
			continue // such a view is denoised in the background: when, the clock says
		}
		if m := eye.scene.Motion; m != nil {
			if err := r.Engine().Pose(m.Pose(0, call.at)); err != nil {
				t.Fatal(err)
			}
		}
		step := eye.right.Mul(call.moved)
		v.Camera.Eye, v.Camera.Target = moved(v.Camera.Eye, step), moved(v.Camera.Target, step)
		for whole := 0; whole == 0; {
			stats, err := r.Render(v, s.settings, view.Target{Pixels: rgba})
			if err != nil {
				t.Fatal(err)
			}
			whole = 1
			if v.Budget > 0 { // small images depend on the clock
				whole = stats.Samples
			}
		}
		img, err := r.Image().Radiance()
		if err != nil {
			t.Fatal(err)
		}
		digest(h, img.Pix)
		if v.Budget == 0 {
			h.Write(rgba)
		}
	}
	if s.layers {
		layers, err := r.Image().Layers()
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range layers {
			digest(h, l.Pix)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

const goldenWidth, goldenHeight = 24, 16

// goldenEye is a scene, its first camera, and its right.
type goldenEye struct {
	scene  *scene.Scene
	camera scene.Camera
	right  mgl32.Vec3
}

// goldenFixture opens the baseline build on a scene.
func goldenFixture(t *testing.T, name string) (*tracertest.Fixture, goldenEye) {
	t.Helper()
	fx := tracertest.OnVariant(t, cuda.Baseline)
	var s *scene.Scene
	var env *gpuscene.Environment
	switch name {
	case "moving":
		s = tracertest.Moving(t)
		var err error
		if env, err = gpuscene.LoadEnvironment("sky:20", nil); err != nil {
			t.Fatal(err)
		}
	case "spheres":
		env = &gpuscene.Environment{Constant: [3]float32{0.8, 0.9, 1}}
		fallthrough
	default:
		s = tracertest.Builtin(t, name, builtin.Options{})
	}
	fx.Use(s, env)
	c := s.Cameras[0]
	return fx, goldenEye{s, c, c.Sight().Cross(c.Up).Normalize()}
}

// moved is a point in single precision, as the golden hashes have it.
func moved(p mgl64.Vec3, by mgl32.Vec3) mgl64.Vec3 { return scene.Wide(scene.Single(p).Add(by)) }

// goldenShots are all shots of a scene, by their names; shots of one name must give the same bits.
func goldenShots(scene string) []goldenShot {
	var shots []goldenShot
	integrators := []string{"naive", "direct", "path", "restir-gi", "restir"}
	freezes := scene == "mixed-reflection" || scene == "moving" // only what the other scenes lack
	if freezes {
		integrators = []string{"path", "restir"}
	}
	for _, integrator := range integrators {
		for _, denoise := range []string{"off", "atrous"} {
			for _, scale := range []float64{1, 0.5} {
				for _, engine := range goldenEngines(integrator) {
					s := tracertest.Settings(engine)
					s.Integrator, s.Denoise, s.RenderScale, s.Bounces = integrator, denoise, scale, 5
					name := scene + " " + integrator + " " + denoise
					if scale < 1 {
						name += " half"
					}
					shots = append(shots, goldenShot{name: name, scene: scene, settings: s, calls: goldenCalls()})
				}
			}
		}
	}
	if freezes {
		return shots
	}
	return append(shots, goldenRest(scene)...)
}

// goldenRest are shots of what the others leave at its default.
func goldenRest(scene string) []goldenShot {
	var shots []goldenShot
	add := func(name string, layers bool, change func(*settings.Settings)) {
		s := tracertest.Settings(change)
		s.Bounces = min(s.Bounces, 5)
		shots = append(shots, goldenShot{name: scene + " " + name, scene: scene, settings: s, calls: goldenCalls(), layers: layers})
	}
	add("layers", true, func(s *settings.Settings) { s.Integrator = "path" })
	add("layers restir-gi", true, func(s *settings.Settings) { s.Integrator, s.Denoise = "restir-gi", "atrous" })
	add("first hits", false, func(s *settings.Settings) { s.FirstHitCache = true })
	add("lens", false, func(s *settings.Settings) { s.Aperture, s.Focus = 0.1, 2 })
	add("interactive", false, func(s *settings.Settings) { s.Integrator, s.RestirMode = "restir-gi", "interactive" })
	add("decorrelated", false, func(s *settings.Settings) {
		s.Integrator, s.RestirMode, s.RestirDecorrelate, s.Denoise = "restir-gi", "interactive", "on", "atrous"
	})
	add("exposed", false, func(s *settings.Settings) { s.AutoExposure, s.Bloom, s.WhiteBalance, s.Tint = true, 0.05, 4000, 10 })
	add("exposed half", false, func(s *settings.Settings) { s.AutoExposure, s.Bloom, s.RenderScale = true, 0.05, 0.6 })
	add("no history", false, func(s *settings.Settings) { s.Denoise, s.DenoiseHistory = "atrous", false })
	for _, bvh := range []string{"off", "fast"} {
		add("bvh "+bvh, false, func(s *settings.Settings) { s.BVH = bvh })
	}
	for _, a := range film.AOVs() {
		add("view "+a.Name, false, func(s *settings.Settings) { s.AOVView, s.Denoise = a.Name, "atrous" })
	}
	for _, v := range integrator.ReuseViews() {
		add("reuse "+v.Name, false, func(s *settings.Settings) { s.Integrator, s.ReuseView = "restir-gi", v.Name })
	}
	return shots
}

func TestGolden(t *testing.T) {
	raw, err := os.ReadFile(goldenFile)
	if err != nil && !*updateGolden {
		t.Fatal(err)
	}
	want := map[string]string{}
	if err == nil {
		if err := json.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
	}
	seen, lock := map[string]string{}, sync.Mutex{}
	t.Run("scenes", func(t *testing.T) {
		for _, scene := range goldenScenes() {
			t.Run(scene, func(t *testing.T) {
				t.Parallel()
				fx, eye := goldenFixture(t, scene)
				for _, shot := range goldenShots(scene) {
					got := shot.bits(t, fx.Renderer, eye)
					lock.Lock()
					if old, known := seen[shot.name]; known && old != got {
						t.Errorf("%s: engine %s, compaction %s, sort %s gives other bits than the engines before it", shot.name,
							shot.settings.Exec, shot.settings.Compaction, shot.settings.Sort)
					}
					seen[shot.name] = got
					lock.Unlock()
					if got != want[shot.name] && !*updateGolden {
						t.Errorf("%s: the picture has changed: %s, was %s", shot.name, got, want[shot.name])
					}
				}
			})
		}
	})
	if *updateGolden {
		raw, err := json.MarshalIndent(seen, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.FromSlash(goldenFile), append(raw, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
