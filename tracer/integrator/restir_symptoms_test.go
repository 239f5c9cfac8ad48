package integrator_test

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda"
	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// readReservoirs reads those of the last frame, as temporal reuse left them and as the next frame finds them.
func readReservoirs(fx *tracertest.Fixture) (temporal, kept []cuda.Reservoir) {
	fx.T.Helper()
	f := restirFrame(fx)
	return tracertest.ReadBuffer[cuda.Reservoir](fx.T, fx.Device, f.Reservoirs), tracertest.ReadBuffer[cuda.Reservoir](fx.T, fx.Device, f.History)
}

// restirFrame is what the kernels read that shaded the last frame.
func restirFrame(fx *tracertest.Fixture) cuda.RestirParams {
	all, one := fx.Device.FrameOf(cuda.SpatialShade).Restir, fx.Device.FrameOf(cuda.ShadeSamples).Restir
	if all.Reservoirs == 0 || one.FrameIndex > all.FrameIndex {
		return one
	}
	return all
}

// age of a reservoir's sample, frames.
func age(r cuda.Reservoir) uint32 { return r.Meta >> 8 & 31 }

// Pixels that share random numbers choose alike, which shows as a pattern. Whether a pixel kept its history or took its
// fresh sample must not depend on what its neighbour did.
func TestNeighborsChooseIndependently(t *testing.T) {
	const side, runs = 64, 48
	fx := tracertest.OnBestBackend(t).Use(tracertest.Builtin(t, "emissive-sphere", builtin.Options{}), tracertest.Dark())
	v := reusing(tracertest.Builtin(t, "emissive-sphere", builtin.Options{}), side)
	v.Settings.RestirSpatial = false
	var kept [runs][]float64
	mean := make([]float64, side*side)
	for run := range runs {
		v.Settings.Seed = run + 1
		fx.RenderLive(v, 2, nil)
		temporal, _ := readReservoirs(fx)
		for i, r := range temporal {
			chosen := math.Min(float64(age(r)), 1)
			kept[run] = append(kept[run], chosen)
			mean[i] += chosen / runs
		}
	}
	right, below := lagCorrelation(kept[:], mean, side, 1), lagCorrelation(kept[:], mean, side, side)
	t.Logf("correlation with the pixel to the right %.4f, below %.4f", right, below)
	if math.Abs(right) > 0.01 || math.Abs(below) > 0.01 {
		t.Errorf("choices of neighbours correlate by %.4f and %.4f", right, below)
	}
}

// lagCorrelation is that of pixels with the ones so many places further on, about each pixel's mean over the runs.
func lagCorrelation(runs [][]float64, mean []float64, side, lag int) float64 {
	var product, square float64
	for _, run := range runs {
		for i, v := range run {
			square += (v - mean[i]) * (v - mean[i])
			if (i+1)%side != 0 && i+lag < len(run) {
				product += (v - mean[i]) * (run[i+lag] - mean[i+lag])
			}
		}
	}
	return product / square
}

// History must follow a slow pan: marks on a patch of it stay, on average, where the patch is. Places rounded always the
// same way would never follow: pixels are seen in their middle here, and the pan is less than half a pixel.
func TestHistoryDoesNotDrift(t *testing.T) {
	const side, block, pan, frames, runs = 64, 32, 0.1, 16, 10
	s := tracertest.Builtin(t, "emissive-sphere", builtin.Options{})
	v := reusing(s, side)
	v.Settings.RestirSpatial, v.Settings.RestirCap, v.Settings.Bounces = false, 100, 2 // most history is kept
	v.Settings.Antialias = false
	tan := math.Tan(float64(mgl32.DegToRad(v.Camera.VFov)) / 2)
	pixel := 2 * tan / side
	turned := func(frame int) scene.Camera {
		c := v.Camera
		turn := mgl32.HomogRotate3D(float32(pan*pixel*float64(frame)), c.Up.Normalize())
		c.Target = c.Eye.Add(scene.Wide(turn.Mul4x1(c.Sight().Vec4(0)).Vec3()))
		return c
	}
	var centroid tally
	for run := range runs {
		v.Settings.Seed = run + 1
		fx := tracertest.NewDevice().Open(t).Use(s, tracertest.Dark())
		fx.RenderLive(v, 1, nil)
		mark(fx, side, block)
		fx.RenderLive(v, frames, func(frame int) scene.Camera { return turned(frame + 1) })
		centroid.add(markedAt(fx, side) - float64(side)/2)
	}
	// Turning to the left, counter-clockwise, moves the picture to the right. Where x, y are tangents of the angles from the
	// middle, a point moves by (1 + x², xy), so the square moves more than its middle and widens ahead: the mean of its
	// pixels moves by 1 + 4 times the mean of x².
	want := pan * frames * (1 + 4*tan*tan*block*block/side/side/3)
	off, e := centroid.mean-want, centroid.standardError()
	t.Logf("marks moved by %+.3f px, %+.3f px from where they belong (± %.3f)", centroid.mean, off, e)
	if !(math.Abs(off) <= 0.5 && e <= 0.125) {
		t.Errorf("after %d frames history is %+.2f px ± %.2f px from where it belongs", frames, off, e)
	}
}

// marked is an age that no sample reaches in these tests by itself.
const marked = 20

// mark makes the history of a square in the middle of the picture recognizable, and all history weighty.
func mark(fx *tracertest.Fixture, side, block int) {
	fx.T.Helper()
	_, kept := readReservoirs(fx)
	for i := range kept {
		x, y := i%side-side/2, i/side-side/2
		if x >= -block/2 && x < block/2 && y >= -block/2 && y < block/2 {
			kept[i].Meta |= marked << 8
		}
		kept[i].Meta = kept[i].Meta&^255 | 100
	}
	tracertest.WriteBuffer(fx.T, fx.Device, restirFrame(fx).History, kept)
}

// markedAt is the mean column of marked history, pixels.
func markedAt(fx *tracertest.Fixture, side int) float64 {
	_, kept := readReservoirs(fx)
	var sum, n float64
	for i, r := range kept {
		if age(r) >= marked {
			sum += float64(i%side) + 0.5
			n++
		}
	}
	return sum / n
}

// Copies of one sample next to each other are what denoisers take for things: 17×17 pixels hold few.
func TestSamplesAreNotCopiedFar(t *testing.T) {
	for _, mode := range []string{"reference", "interactive"} {
		s := tracertest.Builtin(t, "cornell", builtin.Options{})
		fx := tracertest.OnBestBackend(t).Use(s, tracertest.Dark())
		v := reusing(s, 128)
		v.Settings.RestirMode = mode
		fx.RenderLive(v, 30, nil)
		_, kept := readReservoirs(fx)
		mean := meanCopies(kept, v.Width, 8)
		t.Logf("%s: %.1f copies of a sample in 17×17 pixels", mode, mean)
		if mean > 20 {
			t.Errorf("%s: %.1f copies of a sample in 17×17 pixels, at most 20 may be", mode, mean)
		}
	}
}

// meanCopies is how many other pixels within a square of radius r hold a pixel's sample, on average over those with one.
func meanCopies(reservoirs []cuda.Reservoir, width, r int) float64 {
	copies, pixels := 0, 0
	for i, own := range reservoirs {
		if !(own.W > 0) {
			continue
		}
		pixels++
		for y := max(i/width-r, 0); y <= min(i/width+r, len(reservoirs)/width-1); y++ {
			for x := max(i%width-r, 0); x <= min(i%width+r, width-1); x++ {
				if reservoirs[y*width+x].X2 == own.X2 && reservoirs[y*width+x].W > 0 {
					copies++
				}
			}
		}
		copies-- // itself
	}
	return float64(copies) / float64(pixels)
}

// Rays between samples start where surfaces meet: in a room of a centimetre or of 200 m contacts may not darken (B2).
func TestReuseIsUnbiasedAtScales(t *testing.T) {
	v := tracertest.Shot{Width: 32, Height: 32, Samples: 16,
		Settings: tracertest.Settings(func(s *settings.Settings) { s.Bounces, s.RestirRadius = 4, tracertest.ReuseRadius(6, 32) })}
	s, camera := tracertest.Transformed(contacts(t), 1, mgl32.Vec3{})
	v.Camera = camera
	reference := tracertest.OnBestBackend(t).Use(s, tracertest.Dark()).RenderSide(v, agreementRuns, naiveSeed)
	v.Settings.Integrator = "restir-gi"
	for i, scale := range []float32{1, 0.01, 100} {
		t.Run(fmt.Sprint(scale), func(t *testing.T) {
			s, camera := tracertest.Transformed(contacts(t), scale, mgl32.Vec3{})
			v.Camera = camera
			agree(t, tracertest.OnBestBackend(t).Use(s, tracertest.Dark()).RenderSeeds(v, agreementRuns, 1000*(i+1)), reference)
		})
	}
}

// Boiling is noise of low frequency that changes from frame to frame. Blurred, the picture may not change more than one of
// path tracing that is as near to the truth.
func TestReuseDoesNotBoil(t *testing.T) {
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnBestBackend(t).Use(s, tracertest.Dark())
	v := reusing(s, 128)
	truth := v
	truth.Settings.Integrator, truth.Samples = "path", 256
	want := fx.Render(truth)
	const settle, frames = 20, 24
	truth.Samples = 1
	path := flicker(t, want, frames, func(i int) *imageio.Image {
		truth.Settings.Seed = i + 1
		return fx.Render(truth)
	})
	fx.RenderLive(v, settle, nil)
	reused := flicker(t, want, frames, func(int) *imageio.Image { return fx.RenderLive(v, 1, nil) })
	// Path tracing of n samples has an nth of both.
	n := path.relMSE / reused.relMSE
	ratio := reused.change / (path.change / n)
	t.Logf("relMSE %.3f of path, %.3f reused (%.1f×); blurred change %.3g and %.3g: %.2f× that of path at equal error",
		path.relMSE, reused.relMSE, n, path.change, reused.change, ratio)
	if ratio > 1.5 {
		t.Errorf("the blurred picture changes by %.2f× as much as that of path tracing at equal error, at most 1.5× may be", ratio)
	}
}

// Sharing makes noise coarser. Where neighbours are only a few pixels apart, blotches remain that an eye cannot blur, and they are as
// bright as the noise of path tracing: so in small pictures, too, neighbours must be looked for far enough.
func TestReuseLeavesNoBlotches(t *testing.T) {
	fx, v, want := blotchless(t)
	blotches := func(radius float64) (sum float64) {
		v.Settings.RestirRadius = radius
		for seed := range 3 {
			v.Settings.Seed = seed + 1
			for i, y := range blurred(fx.Render(v), 2) {
				d := (y - want[i]) / (want[i] + 0.01)
				sum += d * d
			}
		}
		return sum
	}
	usual := blotches(v.Settings.RestirRadius)
	near := blotches(tracertest.ReuseRadius(2.8, v.Height))
	t.Logf("error of the blurred picture, of that with neighbours within 2.8 pixels: %.2f", usual/near)
	if usual > 0.93*near {
		t.Errorf("blotches err %.2f times as much as with neighbours within 2.8 pixels, want at most 0.93", usual/near)
	}
}

// A long history hands one sample on to ever more pixels. What they show together is a blotch, although each pixel by itself errs less.
func TestHistoryLeavesNoBlotches(t *testing.T) {
	fx, v, want := blotchless(t)
	blotches := func(limit int) (sum float64) {
		v.Settings.RestirCap = limit
		for seed := range 3 {
			v.Settings.Seed = seed + 1
			fx.RenderLive(v, 20, nil)
			for range 3 {
				for i, y := range blurred(fx.RenderLive(v, 3, nil), 2) {
					sum += min(math.Abs(y-want[i])/(want[i]+0.01), 1)
				}
			}
		}
		return sum
	}
	usual, long := blotches(v.Settings.RestirCap), blotches(20)
	t.Logf("error of the blurred picture, of that with a history of 20 samples: %.2f", usual/long)
	if usual > 0.9*long {
		t.Errorf("blotches err %.2f times as much as with a history of 20 samples, want at most 0.9", usual/long)
	}
}

var (
	blotchlessOnce  sync.Once
	blotchlessTruth []float64
)

// blotchless is a view that reuses, with its true luminance, blurred over two pixels.
func blotchless(t *testing.T) (*tracertest.Fixture, tracertest.Shot, []float64) {
	t.Helper()
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx := tracertest.OnBestBackend(t).Use(s, tracertest.Dark())
	v := reusing(s, 96)
	blotchlessOnce.Do(func() {
		truth := v
		truth.Settings.Integrator, truth.Samples = "path", 512
		blotchlessTruth = blurred(fx.Render(truth), 2)
	})
	return fx, v, blotchlessTruth
}

// unrest is the mean relMSE of some frames and the variance of their blurred luminance from frame to frame.
type unrest struct{ relMSE, change float64 }

func flicker(t *testing.T, want *imageio.Image, frames int, frame func(i int) *imageio.Image) unrest {
	t.Helper()
	var u unrest
	var last []float64
	for i := range frames {
		img := frame(i)
		u.relMSE += tracertest.RelMSE(t, img, want) / float64(frames)
		now := blurred(img, 16)
		for p := range last {
			d := now[p] - last[p]
			u.change += d * d / 2 / float64(len(last)*(frames-1))
		}
		last = now
	}
	return u
}

// blurred is a picture's luminance under a Gaussian of sigma pixels, its edges mirrored.
func blurred(img *imageio.Image, sigma float64) []float64 {
	w, h := img.Width, img.Height
	out := make([]float64, w*h)
	for i := range out {
		p := img.Pix[3*i : 3*i+3]
		out[i] = 0.2126*float64(p[0]) + 0.7152*float64(p[1]) + 0.0722*float64(p[2])
	}
	out = blurredAlong(out, w, h, 1, w, sigma)
	return blurredAlong(out, h, w, w, 1, sigma)
}

// blurredAlong blurs lines of n pixels that are step apart; the lines are stride apart.
func blurredAlong(in []float64, n, lines, step, stride int, sigma float64) []float64 {
	reach := int(3 * sigma)
	var weights []float64
	var total float64
	for d := -reach; d <= reach; d++ {
		weights = append(weights, math.Exp(-float64(d*d)/(2*sigma*sigma)))
		total += weights[len(weights)-1]
	}
	out := make([]float64, len(in))
	for line := range lines {
		for i := range n {
			var sum float64
			for d, w := range weights {
				j := i + d - reach
				for j < 0 || j >= n {
					if j < 0 {
						j = -1 - j
					} else {
						j = 2*n - 1 - j
					}
				}
				sum += w * in[line*stride+j*step]
			}
			out[line*stride+i*step] = sum / total
		}
	}
	return out
}

// mirrorOnFloor is a closed box that glows, with a mirror that stands in it and is seen down to where it meets the floor: pixels on
// both sides of that line show the floor, in the mirror with a bounce less to go.
func mirrorOnFloor(mirror scene.Material) (*scene.Scene, scene.Camera) {
	s := &scene.Scene{Name: "mirror on floor"}
	glows := tracertest.Matte(0.5)
	glows.Emission = mgl32.Vec3{1, 1, 1}
	for _, q := range [][3]mgl32.Vec3{
		{{-2, 0, 2}, {4, 0, 0}, {0, 0, -4}}, {{-2, 4, -2}, {4, 0, 0}, {0, 0, 4}}, // floor, ceiling
		{{-2, 0, -2}, {4, 0, 0}, {0, 4, 0}}, {{2, 0, 2}, {-4, 0, 0}, {0, 4, 0}},
		{{-2, 0, 2}, {0, 0, -4}, {0, 4, 0}}, {{2, 0, -2}, {0, 0, 4}, {0, 4, 0}},
	} {
		tracertest.AddQuad(s, q[0], q[1], q[2], glows)
	}
	tracertest.AddQuad(s, mgl32.Vec3{-2, 0, -1}, mgl32.Vec3{4, 0, 0}, mgl32.Vec3{0, 4, 0}, mirror)
	return s, scene.Camera{Eye: mgl64.Vec3{0, 1.2, 0.8}, Target: mgl64.Vec3{0, 0, -1}, Up: mgl32.Vec3{0, 1, 0}, VFov: 30}
}

// Behind a mirror fewer bounces are left, so pixels on both sides of its edge have nothing to share, however much alike they are.
func TestPixelsBehindMirrorsKeepToThemselves(t *testing.T) {
	mirror := scene.NewMaterial("mirror")
	mirror.BaseColor, mirror.Metallic, mirror.Roughness = mgl32.Vec4{1, 1, 1, 1}, 1, 0
	s, camera := mirrorOnFloor(mirror)
	v := tracertest.Shot{Camera: camera, Width: 64, Height: 64, Samples: 1, Settings: tracertest.Settings(func(o *settings.Settings) {
		o.Bounces, o.Roulette, o.RestirRadius = 2, false, tracertest.ReuseRadius(6, 64)
	})}
	reference := tracertest.OnBestBackend(t).Use(s, tracertest.Dark()).RenderSide(v, agreementRuns, naiveSeed)
	v.Settings.Integrator = "restir-gi" // what is shared is indirect light alone, of which the mirror leaves less
	agree(t, tracertest.OnBestBackend(t).Use(s, tracertest.Dark()).RenderSeeds(v, agreementRuns, 1), reference)
}
