package tracer_test

import (
	"slices"
	"testing"
	"time"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// TestPlacesAreTakenAnew: when there are more pixels than paths under way, the places of those that have ended go to the next
// pixels, and nothing of it shows, however paths are queued and sorted, with first hits kept and without.
func TestPlacesAreTakenAnew(t *testing.T) {
	const pool = 150 // no multiple of a warp, and an eighth of the image
	for _, name := range []string{"cornell", "spheres", "mixed-reflection", "chess"} {
		s := made(t, name, builtin.Options{})
		st := onFastest(t).use(s, nil)
		st.r.LimitPool(pool)
		for _, integrator := range []string{"naive", "path", "restir-gi"} {
			for _, keeps := range []bool{false, true} {
				v := shot{camera: s.Cameras[0], width: 37, height: 29, samples: 2, settings: changed(func(o *settings.Settings) {
					o.Integrator, o.FirstHitCache, o.Antialias = integrator, keeps, !keeps
				})}
				for _, engine := range st.othersThanMegakernel(v) {
					t.Errorf("%s by %s, %s, first hits kept %v: another picture by %d paths at a time", name, integrator, engine, keeps, pool)
				}
			}
		}
	}
}

// TestWavesSuffice: where every path lives as long as it may, and so every wave is needed, none is missing.
func TestWavesSuffice(t *testing.T) {
	s := made(t, "furnace", builtin.Options{})
	st := onFastest(t).use(s, dark())
	for _, pool := range []int{1, 7, 90, 91} {
		st.r.LimitPool(pool)
		v := shot{camera: s.Cameras[0], width: 13, height: 7, samples: 1, settings: changed(func(o *settings.Settings) { o.Integrator, o.Roulette, o.Bounces = "naive", false, 3 })}
		for _, engine := range st.othersThanMegakernel(v) {
			t.Errorf("%s: another picture by %d paths at a time", engine, pool)
		}
	}
}

// TestPoolStaysFull: each pixel's path begins once, and while there are pixels left, every wave traces as many paths as there are.
func TestPoolStaysFull(t *testing.T) {
	const width, height, pool = 256, 128, 1024 // whole tiles: each index is a pixel
	s := made(t, "cornell", builtin.Options{})
	v := view.View{Camera: s.Cameras[0], Width: width, Height: height}
	for _, compaction := range []string{"atomic", "scan"} {
		st := onCPU(t).use(s, nil)
		st.r.LimitPool(pool)
		st.r.Watch(tracer.Watch{CountEvery: 1})
		stats := st.rendered(v, changed(func(o *settings.Settings) { o.Exec, o.Compaction = "wavefront", compaction }), view.Target{})
		told := st.statistics()
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
	st := onCPU(t)
	s := smallShot(t, st, "cornell")
	s.width, s.height = 64, 48
	s.settings.Exec = "wavefront"
	whole := st.take(s)
	st.r.LimitPool(600)
	st.r.Restart()
	v := view.View{Camera: s.camera, Width: s.width, Height: s.height, Budget: time.Microsecond}
	calls, paths := 0, uint64(0)
	for samples := 0; samples < s.samples; calls++ {
		stats := st.rendered(v, s.settings, view.Target{})
		if stats.Scale == 1 {
			paths += stats.Paths
		}
		samples = stats.Samples
	}
	if want := uint64(s.samples * s.width * s.height); calls <= s.samples || paths > want || paths < want/2 {
		t.Errorf("%d samples took %d calls and %d paths", s.samples, calls, paths)
	}
	img, err := st.r.Radiance()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(whole.Pix, img.Pix) {
		t.Error("rendering in pieces changed the picture")
	}
}

// TestPoolIsClaimedAsNeeded: what only a scan, an order of shading or a large image asks for is not taken without.
func TestPoolIsClaimedAsNeeded(t *testing.T) {
	s := made(t, "cornell", builtin.Options{})
	seen := shot{camera: s.Cameras[0], width: 64, height: 64, samples: 1, settings: changed(func(o *settings.Settings) { o.Exec, o.Bounces = "wavefront", 1 })}
	st := onCPU(t).use(s, nil)
	held := func(limit int, change func(*settings.Settings)) int {
		v := seen
		change(&v.settings)
		st.r.LimitPool(limit)
		st.take(v)
		return st.statistics().Memory.Pool
	}
	const pixels, word = 64 * 64, 4
	plain := held(0, func(*settings.Settings) {})
	if scan := held(0, func(o *settings.Settings) { o.Compaction = "scan" }); scan < plain+word*pixels {
		t.Errorf("%d bytes with a scan, %d without", scan, plain)
	}
	if order := held(0, func(o *settings.Settings) { o.Sort = "key" }); order < plain+word*pixels {
		t.Errorf("%d bytes with an order of shading, %d without", order, plain)
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
	s := timedScene(t)
	st := open(t, "cuda").use(s, nil)
	for _, size := range []int{1200, 2400} {
		for _, integrator := range []string{"path", "restir-gi"} {
			for _, roulette := range []bool{false, true} {
				v := shot{camera: proxyCamera, width: size, height: size, settings: changed(func(o *settings.Settings) {
					o.Integrator, o.RestirMIS, o.Bounces, o.Roulette, o.Exec = integrator, "basic", 10, roulette, "wavefront"
				})}
				for paths := 1 << 18; paths < 4*size*size; paths *= 2 {
					st.r.LimitPool(paths)
					t.Logf("%d², %s, roulette %v: %7d paths at a time: %.3f ms a frame", size, integrator, roulette, paths, st.wholeFrames(v))
				}
			}
		}
	}
}
