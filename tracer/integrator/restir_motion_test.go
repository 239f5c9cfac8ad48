package integrator_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/tracertest"
)

// path of a camera that ends at a given one.
type cameraPath func(c scene.Camera, side, frames int) func(frame int) scene.Camera

// still is a camera that rests.
func still(c scene.Camera, _, _ int) func(int) scene.Camera {
	return func(int) scene.Camera { return c }
}

// truck moves sideways by two pixels a frame, where the camera looks at.
func truck(c scene.Camera, side, frames int) func(int) scene.Camera {
	toTarget := c.Sight()
	pixel := 2 * float32(math.Tan(float64(mgl32.DegToRad(c.VFov))/2)) * toTarget.Len() / float32(side)
	right := toTarget.Cross(c.Up).Normalize()
	return func(frame int) scene.Camera {
		move := scene.Wide(right.Mul(2 * pixel * float32(frame-frames+1)))
		moved := c
		moved.Eye, moved.Target = c.Eye.Add(move), c.Target.Add(move)
		return moved
	}
}

// orbit turns about the target by a degree a frame.
func orbit(c scene.Camera, _, frames int) func(int) scene.Camera {
	return func(frame int) scene.Camera { return tracertest.Orbited(c, float64(frame-frames+1)) }
}

// motionRow is a camera that history has to follow.
type motionRow struct {
	name, scene string
	camera      cameraPath
	aperture    float64 // m
	masked      bool    // whether enough is uncovered to look at it separately
}

func motionRows() []motionRow {
	return []motionRow{
		{"B6 truck", "pillars", truck, 0, true},
		{"B6 orbit", "pillars", orbit, 0, true},
		{"B7 open lens", "cornell", still, 0.4, false},
	}
}

// B6 and B7: neither a moving camera nor an open lens may shift the mean, least of all where pillars uncover what was
// hidden a frame before.
func TestReuseIsUnbiasedWhenItMoves(t *testing.T) {
	for _, row := range motionRows() {
		t.Run(row.name, func(t *testing.T) { row.check(t) })
	}
}

func (row motionRow) check(t *testing.T) {
	s := tracertest.Builtin(t, row.scene, builtin.Options{})
	fx := tracertest.OnFastest(t).Use(s, tracertest.Dark())
	side, frames, samples := 48, liveFrames(), 8
	got := biasRun{least: 64, most: 64}
	if tracertest.Long() {
		side = 256
		got = longRuns(nil)
	}
	view := reusing(s, side)
	view.Settings.Aperture, view.Samples = row.aperture, samples
	camera := row.camera(view.Camera, side, frames)
	reference := view
	reference.Settings.Integrator = "path"
	if tracertest.Long() {
		reference = forReference(reference)
	}
	uncovered := uncovered(fx, view, frames, camera)
	var want, seen tally
	got.b = &tracertest.Side{}
	for _, img := range fx.RenderSeeds(reference, agreementRuns, naiveSeed) {
		want.add(uncovered.luminance(img))
		if err := got.b.Add(img); err != nil {
			t.Fatal(err)
		}
	}
	got.render(t, func(seed int) *imageio.Image {
		view.Settings.Seed = seed
		img := fx.RenderLive(view, frames, camera)
		seen.add(uncovered.luminance(img))
		return img
	})
	got.check(t, 0.01)
	if row.masked {
		uncovered.check(t, seen, want)
	}
}

// mask is a set of pixels.
type mask []int

// uncovered are the pixels that found no history in most of some runs, with seeds of their own.
func uncovered(fx *tracertest.Fixture, s tracertest.Shot, frames int, camera func(int) scene.Camera) mask {
	fx.T.Helper()
	const runs = 16
	without := make([]int, s.Width*s.Height)
	for seed := range runs {
		s.Settings.Seed = 2*naiveSeed + seed
		fx.RenderLive(s, frames, camera)
		reservoirs, _ := readReservoirs(fx)
		for i, r := range reservoirs {
			if confidence(r) == 1 {
				without[i]++
			}
		}
	}
	var m mask
	for i, n := range without {
		if n > runs/2 {
			m = append(m, i)
		}
	}
	return m
}

// confidence of a reservoir, in samples.
func confidence(r cuda.Reservoir) uint32 { return r.Meta & 255 }

// luminance is the mean over the mask.
func (m mask) luminance(img *imageio.Image) float64 {
	var sum float64
	for _, i := range m {
		p := img.Pix[3*i : 3*i+3]
		sum += 0.2126*float64(p[0]) + 0.7152*float64(p[1]) + 0.0722*float64(p[2])
	}
	return sum / float64(max(len(m), 1))
}

// check wants means over the mask that agree within chance, and in the full version within 2 %.
func (m mask) check(t *testing.T, got, want tally) {
	t.Helper()
	off, e := got.mean/want.mean-1, math.Hypot(got.standardError(), want.standardError())/want.mean
	t.Logf("%d uncovered pixels: %+.2f %% ± %.2f %%", len(m), 100*off, 100*e)
	if len(m) < 16 || math.Abs(off) > 4*e || (tracertest.Long() && math.Abs(off) > 0.02) {
		t.Errorf("%d uncovered pixels are off by %+.2f %% ± %.2f %%", len(m), 100*off, 100*e)
	}
}

// tally is a running mean and variance.
type tally struct {
	n        int
	mean, m2 float64
}

func (m *tally) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / float64(m.n)
	m.m2 += d * (x - m.mean)
}

func (m *tally) standardError() float64 {
	return math.Sqrt(m.m2 / float64(m.n-1) / float64(m.n))
}
