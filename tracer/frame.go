package tracer

import (
	"math"

	"glint/cuda"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// samplingOf and toneMapOf translate the settings' words.
var (
	samplingOf = map[string]uint32{"bsdf": cuda.SamplingBsdf, "light": cuda.SamplingLight, "mis": cuda.SamplingMis}
	toneMapOf  = map[string]uint32{"none": cuda.TonemapNone, "reinhard": cuda.TonemapReinhard, "aces": cuda.TonemapAces,
		"agx": cuda.TonemapAgx, "neutral": cuda.TonemapNeutral}
)

// filmStride keeps the seeds of a film's pictures apart, also from those of frames that share history.
const filmStride = 0x85ebca6b

// frame fills in everything that the kernels read for a view, but for the sample's number.
func (r *Renderer) frame(v view.View, s settings.Settings) cuda.Frame {
	f := r.scene.frame
	r.currentTree().apply(&f)
	f.Camera = v.Lens(&s)
	f.PreviousCamera = r.eye
	f.Environment.Strength = float32(s.EnvStrength)
	f.Environment.Rotation = float32(s.EnvRotation * math.Pi / 180)
	f.Tables = r.tables.address
	f.Counters = r.film.counters.address
	f.Accumulation = r.film.accumulation.address
	f.Preview = r.film.preview.address
	f.Width, f.Height = uint32(v.Width), uint32(v.Height)
	f.TiledPixels = uint32(indices(v.Width, v.Height))
	f.Seed = uint32(s.Seed) + uint32(v.Frame)*filmStride
	f.Sampling = samplingOf[s.Sampling]
	f.Bounces = uint32(s.Bounces)
	f.RouletteDepth = uint32(s.RouletteMinDepth)
	f.ToneMap = toneMapOf[s.ToneMap]
	f.Exposure = float32(math.Exp2(s.Exposure))
	f.LightScale = float32(s.LightScale)
	f.Flags = r.flags(s)
	f.SampleWeight = 1
	applyIntegrator(&f, s.Integrator)
	return f
}

func (r *Renderer) flags(s settings.Settings) uint32 {
	var flags uint32
	for _, row := range []struct {
		on   bool
		flag uint32
	}{
		{s.Roulette, cuda.FrameRoulette},
		{s.Antialias, cuda.FrameAntialias},
		{r.single, cuda.FrameReplace},
		{s.EnergyCompensation, cuda.FrameEnergyCompensation},
		{s.Fresnel == "schlick", cuda.FrameSchlick},
		{s.Show == "indirect", cuda.FrameNoDirect},
		{s.Show == "direct", cuda.FrameNoIndirect},
	} {
		if row.on {
			flags |= row.flag
		}
	}
	return flags
}

// applyIntegrator turns an integrator into what the path kernel understands.
func applyIntegrator(f *cuda.Frame, integrator string) {
	switch integrator {
	case "naive":
		f.Sampling = cuda.SamplingNaive
	case "direct":
		f.Bounces = min(f.Bounces, 1)
	}
}
