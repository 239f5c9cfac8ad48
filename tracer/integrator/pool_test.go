package integrator_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"glint/tracer/builtin"
	"glint/tracer/device"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestPlacesAreTakenAnew: when there are more pixels than paths under way, the places of those that have ended go to the next
// pixels, and nothing of it shows, however paths are queued and sorted, with first hits kept and without.
func TestPlacesAreTakenAnew(t *testing.T) {
	const pool = 150 // no multiple of a warp, and an eighth of the image
	scenes := []string{"cornell", "mixed-reflection"}
	if tracertest.Long() {
		scenes = append(scenes, "spheres", "chess")
	}
	for _, name := range scenes {
		s := tracertest.Builtin(t, name, builtin.Options{})
		fx := tracertest.OnFastest(t).Use(s, nil)
		fx.Device.Paths = pool
		for _, integrator := range []string{"naive", "path", "restir-gi", "restir"} {
			for _, keeps := range []bool{false, true} {
				v := tracertest.Shot{Camera: s.Cameras[0], Width: 37, Height: 29, Samples: 2, Settings: tracertest.Settings(func(o *settings.Settings) {
					o.Integrator, o.FirstHitCache, o.Antialias = integrator, keeps, !keeps
				})}
				for _, engine := range othersThanMegakernel(fx, v) {
					t.Errorf("%s by %s, %s, first hits kept %v: another picture by %d paths at a time", name, integrator, engine, keeps, pool)
				}
			}
		}
	}
}

// TestWavesSuffice: where every path lives as long as it may, and so every wave is needed, none is missing.
func TestWavesSuffice(t *testing.T) {
	s := tracertest.Builtin(t, "furnace", builtin.Options{})
	fx := tracertest.OnFastest(t).Use(s, tracertest.Dark())
	for _, pool := range []int{1, 7, 90, 91} {
		fx.Device.Paths = pool
		v := tracertest.Shot{Camera: s.Cameras[0], Width: 13, Height: 7, Samples: 1, Settings: tracertest.Settings(func(o *settings.Settings) { o.Integrator, o.Roulette, o.Bounces = "naive", false, 3 })}
		for _, engine := range othersThanMegakernel(fx, v) {
			t.Errorf("%s: another picture by %d paths at a time", engine, pool)
		}
	}
}

// TestPoolStaysFull: each pixel's path begins once, and while there are pixels left, every wave traces as many paths as there are.
func TestPoolStaysFull(t *testing.T) {
	const width, height, pool = 256, 128, 1024 // whole tiles: each index is a pixel
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	v := schedule.Request{View: view.View{Camera: s.Cameras[0], Width: width, Height: height}}
	for _, compaction := range []string{"atomic", "scan"} {
		fx := tracertest.OnCPU(t).Use(s, nil)
		fx.Device.Paths = pool
		fx.Renderer.SetProfilePolicy(profile.Policy{CountEvery: 1})
		stats := fx.Frame(v, tracertest.Settings(func(o *settings.Settings) { o.Exec, o.Compaction = "wavefront", compaction }), view.Target{})
		told := fx.Statistics()
		if stats.Paths != width*height || told.Counters.Paths != width*height {
			t.Errorf("%s: %d paths, %d counted, want %d", compaction, stats.Paths, told.Counters.Paths, width*height)
		}
		var rays float64
		for _, q := range told.Queues {
			rays += q.Extension
		}
		if rays != float64(told.Counters.ExtensionRays) {
			t.Errorf("%s: %v rays in queues, %d counted", compaction, rays, told.Counters.ExtensionRays)
		}
		full := 0
		for full < len(told.Queues) && told.Queues[full].Extension == pool {
			full++
		}
		bounces := settings.Defaults().Bounces
		if left := rays - float64(full*pool); left > float64(pool*bounces) || len(told.Queues) > full+bounces+1 {
			t.Errorf("%s: %d waves, the first %d of them full, for %v rays by %d paths at a time", compaction, len(told.Queues), full, rays, pool)
		}
	}
}

// TestPoolWorksInPieces: a wave that is cut by a budget of time goes on where it was.
func TestPoolWorksInPieces(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := smallShot(t, fx, "cornell")
	s.Width, s.Height = 64, 48
	s.Settings.Exec = "wavefront"
	whole := fx.Render(s)
	fx.Device.Paths = 600
	fx.Renderer.Restart()
	v := schedule.Request{View: view.View{Camera: s.Camera, Width: s.Width, Height: s.Height}, Budget: time.Microsecond}
	calls, paths := 0, uint64(0)
	for samples := 0; samples < s.Samples; calls++ {
		stats := fx.Frame(v, s.Settings, view.Target{})
		if stats.Scale == 1 {
			paths += stats.Paths
		}
		samples = stats.Samples
	}
	if want := uint64(s.Samples * s.Width * s.Height); calls <= s.Samples || paths > want || paths < want/2 {
		t.Errorf("%d samples took %d calls and %d paths", s.Samples, calls, paths)
	}
	img, err := fx.Renderer.Image().Radiance()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(whole.Pix, img.Pix) {
		t.Error("rendering in pieces changed the picture")
	}
}

// TestPoolFitsTheMemory: where there is no room for as many paths as would be best, fewer are under way at once, and nobody sees it; where
// there is none for few, the error says how many there were to be.
func TestPoolFitsTheMemory(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := smallShot(t, fx, "cornell")
	s.Width, s.Height, s.Samples, s.Settings.Exec, s.Settings.Bounces = 512, 512, 1, "wavefront", 2
	whole, all := fx.Render(s), fx.Statistics().Memory.Pool
	fx.Device.MaxBuffer = 12 << 20 // a quarter of the paths fits
	fx.Renderer.Restart()
	s.Settings.Compaction = "scan" // another pool
	if img := fx.Render(s); !slices.Equal(whole.Pix, img.Pix) {
		t.Error("a smaller pool changed the picture")
	}
	if part := fx.Statistics().Memory.Pool; part == 0 || part > all/2 {
		t.Errorf("the pool holds %d bytes where all paths take %d", part, all)
	}
	fx.Device.MaxBuffer = 16 << 10
	s.Settings.Compaction = "off"
	v := schedule.Request{View: view.View{Camera: s.Camera, Width: s.Width, Height: s.Height}}
	if _, err := fx.Renderer.Render(v, s.Settings, view.Target{}); !errors.Is(err, device.ErrOutOfMemory) || !strings.Contains(err.Error(), "65536 paths") {
		t.Errorf("without room: %v", err)
	}
}

// TestPoolIsClaimedAsNeeded: what only a scan, an order of shading, a large image or shared paths ask for is not taken without.
func TestPoolIsClaimedAsNeeded(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	seen := tracertest.Shot{Camera: s.Cameras[0], Width: 64, Height: 64, Samples: 1, Settings: tracertest.Settings(func(o *settings.Settings) { o.Exec, o.Bounces = "wavefront", 1 })}
	fx := tracertest.OnCPU(t).Use(s, nil)
	held := func(limit int, change func(*settings.Settings)) int {
		v := seen
		change(&v.Settings)
		fx.Device.Paths = limit
		fx.Render(v)
		return fx.Statistics().Memory.Pool
	}
	const pixels, word = 64 * 64, 4
	plain := held(0, func(*settings.Settings) {})
	if scan := held(0, func(o *settings.Settings) { o.Compaction = "scan" }); scan < plain+word*pixels {
		t.Errorf("%d bytes with a scan, %d without", scan, plain)
	}
	if order := held(0, func(o *settings.Settings) { o.Sort = "key" }); order < plain+word*pixels {
		t.Errorf("%d bytes with an order of shading, %d without", order, plain)
	}
	if shared := held(0, func(o *settings.Settings) { o.Integrator = "restir" }); shared < plain+2*16*pixels {
		t.Errorf("%d bytes for paths that are shared, %d for others", shared, plain)
	}
	if again := held(0, func(*settings.Settings) {}); again != plain {
		t.Errorf("%d bytes, then %d for the same", plain, again)
	}
	if half := held(pixels/2, func(*settings.Settings) {}); half < plain/2+word*pixels || half > plain/2+word*pixels+4096 {
		t.Errorf("%d bytes for half as many paths as pixels, %d for as many", half, plain)
	}
}

// TestPoolSizeOnGPU times whole frames by how many paths are under way at once; needs a GPU and GLINT_TEST_SCENE.
func TestPoolSizeOnGPU(t *testing.T) {
	s := tracertest.TimedScene(t)
	fx := tracertest.Open(t, "cuda").Use(s, nil)
	for _, size := range []int{1200, 2400} {
		for _, integrator := range []string{"path", "restir-gi", "restir"} {
			for _, roulette := range []bool{false, true} {
				v := tracertest.Shot{Camera: tracertest.ProxyCamera(), Width: size, Height: size, Settings: tracertest.Settings(func(o *settings.Settings) {
					o.Integrator, o.RestirMIS, o.Bounces, o.Roulette, o.Exec = integrator, "basic", 10, roulette, "wavefront"
				})}
				for paths := 1 << 18; paths < 4*size*size; paths *= 2 {
					fx.Device.Paths = paths
					t.Logf("%d², %s, roulette %v: %7d paths at a time: %.3f ms a frame", size, integrator, roulette, paths, wholeFrames(fx, v))
				}
			}
		}
	}
}
