package integrator

import (
	"fmt"
	"math"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// restir is ReSTIR: pixels share indirect light, and where asked direct light, with their neighbours and with the frame before
// (docs/restir.md).
type restir struct {
	device     device.Device
	direct     bool // direct light is shared, too
	set        device.Set[restirShape]
	gbuffer    [2]device.Buffer // this frame's and the one before, by turns; the second only where that is looked at
	turn       int              // which one is this frame's
	reservoirs device.Buffer
	history    device.Buffer
	shade      device.Buffer
	media      device.Buffer           // of volumes that rays to light samples are in
	pairs      device.Buffer           // light samples until the path has ended, then references to neighbours
	past       device.Set[pixelsShape] // of the second G-buffer
	gathering  device.Set[pixelsShape]
	candidates device.Buffer // where a frame has several paths
	view       reuseView

	key    view.Key    // of the history, without camera and number of the picture
	moves  int         // of the scene then
	frames int         // since the integrator began
	since  int         // of them since the history began
	paths  int         // a pixel, in them and in the frame under way
	begun  int         // of them before the image
	camera cuda.Camera // of the frame before

	shortcuts bool // of interactive mode, which that frame took
}

type (
	restirShape struct {
		pixels, neighbors int
		crosses           bool // rays to light samples may enter volumes
	}
	pixelsShape struct{ pixels int }
)

func newRestir(d device.Device) Integrator { return &restir{device: d, direct: true} }

func newRestirGI(d device.Device) Integrator { return &restir{device: d} }

const (
	neighborSize = 4 // bytes: a number (enum NeighborRef)
	mediaSize    = 8 // MediumStack
)

func (r *restir) allocations(s restirShape) []device.Allocation {
	pair := neighborSize * s.neighbors
	if r.direct {
		pair = max(pair, device.SizeOf[cuda.Reservoir]())
	}
	media := 0
	if r.direct && s.crosses {
		media = mediaSize
	}
	return []device.Allocation{
		{Buffer: &r.media, Bytes: media * s.pixels},
		{Buffer: &r.gbuffer[0], Bytes: device.SizeOf[cuda.GBuffer]() * s.pixels}, {Buffer: &r.pairs, Bytes: pair * s.pixels},
		{Buffer: &r.reservoirs, Bytes: device.SizeOf[cuda.Reservoir]() * s.pixels}, {Buffer: &r.history, Bytes: device.SizeOf[cuda.Reservoir]() * s.pixels},
		{Buffer: &r.shade, Bytes: device.SizeOf[cuda.Shade]() * s.pixels},
	}
}

func (r *restir) Configure(*cuda.Frame) {}

func (r *restir) Bytes() int {
	return r.set.Bytes() + r.past.Bytes() + r.gathering.Bytes() + r.view.set.Bytes()
}

func (r *restir) Free() {
	r.set.Free(r.device)
	r.past.Free(r.device)
	r.gathering.Free(r.device)
	r.view.set.Free(r.device)
}

func (r *restir) Reset() {
	r.key, r.moves, r.turn, r.frames, r.since, r.paths, r.begun, r.camera, r.shortcuts = view.Key{}, 0, 0, 0, 0, 0, 0, cuda.Camera{}, false
}

// warmingUp tells whether frames still share history: a live view does so while it moves and for a few samples after.
func warmingUp(t *Task) bool {
	return t.View.Live && t.Settings.RestirTemporal && (t.View.Moving || t.Samples < t.Settings.RestirSettle)
}

// Prepare fills in what the resampling passes read.
func (r *restir) Prepare(f *cuda.Frame, t *Task) error {
	v, s := &t.View, &t.Settings
	warmup := warmingUp(t)
	anew, err := r.set.Ensure(r.device, restirShape{v.Width * v.Height, neighborsWanted(s, v.Live), cuda.CrossesVolumes(f.Scene.Missing)}, r.allocations)
	if err != nil {
		return fmt.Errorf("buffers of ReSTIR: %w", err)
	}
	if anew {
		r.view.set.Free(r.device)
	}
	if key := t.Key.Light(); key != r.key {
		r.Reset()
		r.key = key
	}
	if t.Key.Moves != r.moves { // samples are where things were
		if !v.Live { // what a still shows does not depend on those before
			r.Reset()
			r.key = t.Key.Light()
		}
		r.moves, r.since = t.Key.Moves, 0
	}
	if err := r.fillGBuffers(f, t); err != nil {
		return err
	}
	f.Restir.Reservoirs, f.Restir.History, f.Restir.Shade = r.reservoirs.Address, r.history.Address, r.shade.Address
	f.Restir.Lights, f.Restir.LightMedia, f.Restir.LightSamples = r.pairs.Address, r.media.Address, uint32(s.RestirLights)
	f.Previous = r.camera
	f.Restir.FrameIndex = uint32(r.frames)
	f.Restir.ConfidenceCap, f.Restir.Neighbors = uint32(s.RestirCap), uint32(s.RestirNeighbors)
	if s.RestirDecorrelate == "on" {
		f.Restir.ConfidenceCap, f.Restir.CopyPower = min(f.Restir.ConfidenceCap, decorrelatedCap), copyPower
	}
	f.Restir.BlockSide = blockSide(s.RestirRadius, v.Height)
	f.Restir.NeighborRefs, f.Restir.NeighborPlanes = r.pairs.Address, uint32(neighborsWanted(s, warmup))
	if err := r.fillCandidates(f, t); err != nil {
		return err
	}
	applyValidation(f, s)
	f.Restir.Boiling = boilingLimit(s.RestirBoiling)
	if err := r.view.fill(r.device, f, s.ReuseView); err != nil {
		return err
	}
	f.Restir.MisMode = misMode(s, warmup)
	f.Restir.Flags = restirFlags(s, warmup, r.since > 0)
	if r.direct {
		f.Restir.Flags |= cuda.RestirDirect
	}
	if t.DeferReuse {
		f.Restir.Flags |= cuda.RestirGather
	}
	if warmup {
		// Each image takes a sequence of its own, whose first sample is spread best over the screen.
		if t.Samples == 0 || f.Sampling.Flags&cuda.FrameReplace != 0 {
			r.begun = r.paths
		}
		f.Sampling.SampleIndex, f.Sampling.Seed = uint32(r.paths-r.begun), f.Sampling.Seed^uint32(r.begun+1)*0x9e3779b9
	} else if r.shortcuts {
		f.Sampling.Flags |= cuda.FrameReplace // what they made a little wrong must not stay in the mean
	}
	return nil
}

// fillGBuffers takes turns between two G-buffers where history is shared, or a view shows what of it would be. The paths of a frame
// have the same ones.
func (r *restir) fillGBuffers(f *cuda.Frame, t *Task) error {
	switch wanted := t.View.Live && t.Settings.RestirTemporal || t.Settings.ReuseView != "off"; {
	case t.Path > 0: // the frame has begun
	case wanted:
		anew, err := r.past.Ensure(r.device, pixelsShape{t.View.Width * t.View.Height}, func(s pixelsShape) []device.Allocation {
			return []device.Allocation{{Buffer: &r.gbuffer[1], Bytes: device.SizeOf[cuda.GBuffer]() * s.pixels}}
		})
		if err != nil {
			return fmt.Errorf("buffer for the history of ReSTIR: %w", err)
		}
		if anew {
			r.turn, r.since = 0, 0
		}
	case r.past.Held():
		r.past.Free(r.device)
		r.turn, r.since = 0, 0
	}
	f.Restir.Gbuffer, f.Restir.PreviousGBuffer = r.gbuffer[r.turn].Address, r.gbuffer[1-r.turn].Address
	return nil
}

// fillCandidates says which of its frame's paths the task is, and where to keep what they find: where the last frame's samples stand,
// unless those are still needed.
func (r *restir) fillCandidates(f *cuda.Frame, t *Task) error {
	f.Restir.Path = uint32(t.Path)
	if !gathers(t) {
		return nil
	}
	f.Restir.Candidates = r.history.Address
	if !r.past.Held() {
		r.gathering.Free(r.device)
		return nil
	}
	_, err := r.gathering.Ensure(r.device, pixelsShape{t.View.Width * t.View.Height}, func(s pixelsShape) []device.Allocation {
		return []device.Allocation{{Buffer: &r.candidates, Bytes: device.SizeOf[cuda.Reservoir]() * s.pixels}}
	})
	if err != nil {
		return fmt.Errorf("buffer for several paths of a frame: %w", err)
	}
	f.Restir.Candidates = r.candidates.Address
	return nil
}

// gathers tells whether a task is part of a frame of several paths.
func gathers(t *Task) bool { return t.DeferReuse || t.Path > 0 }

func (r *restir) Passes(_ *cuda.Frame, t *Task) []device.Pass {
	join := device.Pass{Kernel: cuda.JoinCandidates, When: func(*cuda.Frame) bool { return gathers(t) }}
	if t.DeferReuse {
		return []device.Pass{join}
	}
	return []device.Pass{
		join,
		{Kernel: cuda.ChooseLights, When: sharesDirect},
		{Kernel: cuda.LightVis, When: sharesDirect},
		{Kernel: cuda.TemporalFind, When: hasHistory},
		{Kernel: cuda.TemporalVisPrev, When: both(hasHistory, testsVisibility)},
		{Kernel: cuda.TemporalVisCurr, When: both(hasHistory, testsVisibility)},
		{Kernel: cuda.TemporalReuse, When: hasHistory},
		{Kernel: cuda.ShowReuse, When: viewsHistory},
		{Kernel: cuda.BoilingFilter, When: filtersBoiling, Indices: perBlock},
		{Kernel: cuda.SpatialFind, When: hasNeighbors},
		{Kernel: cuda.SpatialVis, When: both(hasNeighbors, testsVisibility), Indices: perNeighbor},
		{Kernel: cuda.SpatialReuse, When: func(f *cuda.Frame) bool { return !shadesAll(f) }},
		{Kernel: cuda.SpatialShade, When: shadesAll},
		{Kernel: cuda.ShowReuse, When: viewsSamples},
		{Kernel: cuda.FinalVis, When: finalVisibility},
		{Kernel: cuda.ShadeSamples, When: func(f *cuda.Frame) bool { return !shadesAll(f) }},
		{Kernel: cuda.ThinDuplicates, When: thinsDuplicates, Indices: perBlock},
	}
}

// Finish keeps what the next frame needs of this one, once that is whole.
func (r *restir) Finish(f *cuda.Frame) {
	r.paths++
	if f.Restir.Flags&cuda.RestirGather != 0 {
		return
	}
	r.camera = f.Camera
	r.shortcuts = f.Restir.Flags&cuda.RestirInteractive != 0
	r.frames++
	r.since++
	if r.past.Held() {
		r.turn = 1 - r.turn
	}
}

func sharesDirect(f *cuda.Frame) bool { return f.Restir.Flags&cuda.RestirDirect != 0 }

func hasHistory(f *cuda.Frame) bool {
	const need = cuda.RestirTemporal | cuda.RestirHistory
	return f.Restir.Flags&need == need
}

func hasNeighbors(f *cuda.Frame) bool { return f.Restir.Flags&cuda.RestirSpatial != 0 }

// testsVisibility: the weights know who sees what.
func testsVisibility(f *cuda.Frame) bool { return f.Restir.MisMode == cuda.MisFull }

// shadesAll: all samples that a pixel resamples between are shaded, since it sees them.
func shadesAll(f *cuda.Frame) bool { return hasNeighbors(f) && testsVisibility(f) }

// finalVisibility: samples were shared without visibility rays, so that one is due at the end.
func finalVisibility(f *cuda.Frame) bool {
	return f.Restir.Flags&(cuda.RestirTemporal|cuda.RestirSpatial) != 0 && !testsVisibility(f)
}

func both(a, b func(*cuda.Frame) bool) func(*cuda.Frame) bool {
	return func(f *cuda.Frame) bool { return a(f) && b(f) }
}

// filtersBoiling: what is shown is not averaged, so that a little too dark is better than flicker.
func filtersBoiling(f *cuda.Frame) bool {
	return f.Restir.Flags&cuda.RestirInteractive != 0 && f.Restir.Boiling > 0
}

// thinsDuplicates: history is made to hold fewer copies of a sample, for a denoiser.
func thinsDuplicates(f *cuda.Frame) bool {
	return f.Restir.Flags&cuda.RestirInteractive != 0 && f.Restir.CopyPower > 0
}

// viewsHistory: a view of what the spatial pass is about to replace.
func viewsHistory(f *cuda.Frame) bool { return f.Restir.ReuseView&cuda.ReuseViewOfHistory != 0 }

func viewsSamples(f *cuda.Frame) bool {
	return f.Restir.ReuseView != cuda.ReuseViewOff && !viewsHistory(f)
}

// perNeighbor is an index for each pixel and neighbour.
func perNeighbor(f *cuda.Frame) int { return int(f.Film.TiledPixels * f.Restir.NeighborPlanes) }

// perBlock is an index for each pixel of whole 16×16 blocks.
func perBlock(f *cuda.Frame) int {
	return int((f.Film.Width + 15) / 16 * 16 * ((f.Film.Height + 15) / 16 * 16))
}

// What a denoiser wants of history (RTXDI; docs/restir.md): a low cap, and fewer copies of a sample. Of RTXDI's power
// 0.1·2^(6(1−s)−3) this is the one at s = 0.8.
const (
	decorrelatedCap = 4
	copyPower       = 0.1 * 0.28717458874925877 // 2^−1.8
)

// neighborsWanted is how many neighbours a pixel may have: with history more than usual, for where it is young.
func neighborsWanted(s *settings.Settings, history bool) int {
	n := max(s.RestirNeighbors, 1)
	if history && s.RestirSpatial && s.RestirNeighbors > 0 {
		n = max(n, s.RestirBoost)
	}
	return n
}

// blockSide is the side of the blocks in which a pixel's neighbour may be anywhere, such that they are as far apart, root mean
// square, as in a disc: √6/2 of its radius, which is given for 1080 lines. It grows with the square root of the height: things get
// smaller with the picture, but what an eye sees as blotches does not (docs/measurements.md).
func blockSide(radius float64, height int) uint32 {
	return uint32(max(math.Round(math.Sqrt(1.5)*radius*math.Sqrt(float64(height)/1080)), 2))
}

// applyValidation says how much alike two pixels must be to share.
func applyValidation(f *cuda.Frame, s *settings.Settings) {
	f.Restir.MinNormalDot = float32(math.Cos(s.RestirNormal * math.Pi / 180))
	f.Restir.MaxDepthChange = float32(s.RestirDepth)
	f.Restir.MinDistance = float32(s.RestirNear)
	f.Restir.MaxMaterialChange = float32(s.RestirMaterial)
}

func restirFlags(s *settings.Settings, warmup, history bool) uint32 {
	var flags uint32
	interactive := warmup && s.RestirMode == "interactive"
	for _, row := range []struct {
		on   bool
		flag uint32
	}{
		{warmup, cuda.RestirTemporal},
		{s.RestirSpatial && s.RestirNeighbors > 0, cuda.RestirSpatial},
		{history, cuda.RestirHistory},
		{interactive, cuda.RestirInteractive},
	} {
		if row.on {
			flags |= row.flag
		}
	}
	return flags
}

// misMode is the weights' kind: what accumulates must be unbiased unless the user asks otherwise.
func misMode(s *settings.Settings, warmup bool) uint32 {
	switch s.RestirMIS {
	case "naive":
		return cuda.MisNaive
	case "basic":
		return cuda.MisBasic
	case "auto":
		if s.RestirMode == "interactive" && warmup {
			return cuda.MisBasic
		}
	}
	return cuda.MisFull
}

// boilingLimit is how many times brighter than its block's mean a sample may be, on RTXDI's scale; 0 drops none.
func boilingLimit(strength float64) float32 {
	if strength == 0 {
		return 0
	}
	return float32(10/strength - 9)
}
