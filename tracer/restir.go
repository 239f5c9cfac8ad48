package tracer

import (
	"fmt"
	"math"

	"glint/cuda"
)

// restirBuffers are the per-pixel buffers of ReSTIR GI, taken when it is first asked for.
type restirBuffers struct {
	gbuffer    [2]buffer // this frame's and the one before, by turns
	reservoirs buffer
	history    buffer
	shade      buffer
	partners   buffer
	view       buffer // RGBA8, once a view of reuse has been asked for
	pixels     int
	planes     int // of partners
}

// Sizes of the kernels' structs, bytes.
const (
	gbufferSize   = 48
	reservoirSize = 32
	shadeSize     = 32
	partnerSize   = 4
)

// claims are the buffers of an image; the view is taken by itself.
func (b *restirBuffers) claims(pixels, planes int) []claim {
	return []claim{
		{&b.gbuffer[0], gbufferSize * pixels}, {&b.gbuffer[1], gbufferSize * pixels},
		{&b.reservoirs, reservoirSize * pixels}, {&b.history, reservoirSize * pixels},
		{&b.shade, shadeSize * pixels}, {&b.partners, partnerSize * planes * pixels},
	}
}

// fit makes the buffers large enough.
func (b *restirBuffers) fit(d device, pixels, planes int) error {
	if pixels == b.pixels && planes == b.planes {
		return nil
	}
	b.free(d)
	if err := take(d, b.claims(pixels, planes)); err != nil {
		return fmt.Errorf("buffers of ReSTIR: %w", err)
	}
	b.pixels, b.planes = pixels, planes
	return nil
}

func (b *restirBuffers) free(d device) {
	giveBack(d, append(b.claims(0, 0), claim{b: &b.view}))
	b.pixels, b.planes = 0, 0
}

// reuse is what ReSTIR GI keeps from frame to frame.
type reuse struct {
	key    accumulationKey // of the history, camera and number of the picture apart
	frames int             // since the history began
	camera cuda.Camera     // of the frame before
}

// The weight of the last settled frame among independent ones: about the samples that its history stands for. It is
// fixed, so the mean stays unbiased.
const settledWeight = 8

// settling tells whether frames still share history: a live view does so while it moves and for a few frames after.
func settling(v View, s Settings, samples int) bool {
	return v.Live && s.RestirTemporal && samples < s.RestirSettle
}

// applyReuse fills in what the resampling passes read.
func (r *Renderer) applyReuse(f *cuda.Frame, v View, s Settings) error {
	p, b := &r.progress, &r.film.restir
	settle := settling(v, s, p.samples)
	if err := b.fit(r.device, v.Width*v.Height, partnersWanted(s, v.Live)); err != nil {
		return err
	}
	key := r.key(v, s)
	key.camera, key.frame = cuda.Camera{}, 0
	if key != r.reuse.key {
		r.reuse = reuse{key: key}
	}
	turn := r.reuse.frames % 2
	f.Restir.Gbuffer, f.Restir.PreviousGBuffer = b.gbuffer[turn].address, b.gbuffer[1-turn].address
	f.Restir.Reservoirs, f.Restir.History, f.Restir.Shade = b.reservoirs.address, b.history.address, b.shade.address
	f.Previous = r.reuse.camera
	f.Restir.FrameIndex = uint32(r.reuse.frames)
	f.Restir.ConfidenceCap, f.Restir.Neighbours = uint32(s.RestirCap), uint32(s.RestirNeighbours)
	if decorrelates(v, s) {
		f.Restir.ConfidenceCap = min(f.Restir.ConfidenceCap, decorrelatedCap)
	}
	if s.RestirDecorrelate == "on" {
		f.Restir.CopyPower = copyPower
	}
	f.Restir.Radius = max(float32(s.RestirRadius)*float32(v.Height)/1080, 1.5)
	f.Restir.NeighbourRefs, f.Restir.NeighbourPlanes = b.partners.address, uint32(partnersWanted(s, settle))
	applyValidation(f, s)
	f.Restir.Boiling = boilingLimit(s.RestirBoiling)
	if err := r.applyView(f, s); err != nil {
		return err
	}
	f.Restir.MisMode = misMode(s, settle)
	f.Restir.Flags = restirFlags(s, settle, r.reuse.frames > 0)
	if settle {
		// Each frame stands for itself: it takes the first sample of a sequence of its own, which is spread best over the
		// screen.
		f.Sampling.Flags |= cuda.FrameReplace
		f.Sampling.SampleIndex, f.Sampling.Seed = 0, f.Sampling.Seed^uint32(r.reuse.frames+1)*0x9e3779b9
	}
	if settle && p.samples == s.RestirSettle-1 {
		f.Film.SampleWeight = settledWeight
	}
	return nil
}

// What a denoiser wants of history (RTXDI; docs/restir-gi.md): a low cap, and fewer copies of a sample. Of RTXDI's power
// 0.1·2^(6(1−s)−3) this is the one at s = 0.8.
const (
	decorrelatedCap = 8
	copyPower       = 0.1 * 0.28717458874925877 // 2^−1.8
)

// decorrelates tells whether frames that share history are to be made for a denoiser.
func decorrelates(v View, s Settings) bool {
	return s.RestirDecorrelate == "on" || s.RestirDecorrelate == "auto" && v.Live && s.Denoise != "off"
}

// partnersWanted is how many neighbours a pixel may have: with history more than usual, for where it is young.
func partnersWanted(s Settings, history bool) int {
	n := max(s.RestirNeighbours, 1)
	if history && s.RestirSpatial && s.RestirNeighbours > 0 {
		n = max(n, s.RestirBoost)
	}
	return n
}

// applyValidation says how much alike two pixels must be to share.
func applyValidation(f *cuda.Frame, s Settings) {
	f.Restir.MinNormalDot = float32(math.Cos(s.RestirNormal * math.Pi / 180))
	f.Restir.MaxDepthChange = float32(s.RestirDepth)
	f.Restir.MinDistance = float32(s.RestirNear)
	f.Restir.MaxMaterialChange = float32(s.RestirMaterial)
}

func restirFlags(s Settings, settle, history bool) uint32 {
	var flags uint32
	interactive := settle && s.RestirMode == "interactive"
	for _, row := range []struct {
		on   bool
		flag uint32
	}{
		{settle, cuda.RestirTemporal},
		{s.RestirSpatial && s.RestirNeighbours > 0, cuda.RestirSpatial},
		{history, cuda.RestirHistory},
		{interactive, cuda.RestirInteractive},
		{interactive && s.RestirPermutation, cuda.RestirPermute},
		{!s.RestirVisibility, cuda.RestirSkipFinalVis},
	} {
		if row.on {
			flags |= row.flag
		}
	}
	return flags
}

// misMode is the weights' kind: what accumulates must be unbiased unless the user asks otherwise.
func misMode(s Settings, settle bool) uint32 {
	switch s.RestirMIS {
	case "naive":
		return cuda.MisNaive
	case "basic":
		return cuda.MisBasic
	case "auto":
		if s.RestirMode == "interactive" && settle {
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

// finishReuse keeps what the next frame needs of this one.
func (r *Renderer) finishReuse(f *cuda.Frame) {
	r.reuse.camera = f.Camera
	r.reuse.frames++
}
