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
	f.Previous = r.eye
	f.Scene.Environment.Strength = float32(s.EnvStrength)
	f.Scene.Environment.Rotation = float32(s.EnvRotation * math.Pi / 180)
	f.Scene.Tables = r.tables.address
	f.Film.Counters = r.film.counters.address
	f.Film.Accumulation = r.film.accumulation.address
	f.Film.Preview = r.film.preview.address
	f.Film.Width, f.Film.Height = uint32(v.Width), uint32(v.Height)
	f.Film.TiledPixels = uint32(indices(v.Width, v.Height))
	f.Sampling.Seed = uint32(s.Seed) + uint32(v.Frame)*filmStride
	f.Sampling.Strategy = samplingOf[s.Sampling]
	f.Sampling.Bounces = uint32(s.Bounces)
	f.Sampling.RouletteDepth = uint32(s.RouletteMinDepth)
	f.Display.ToneMap = toneMapOf[s.ToneMap]
	f.Display.Exposure = float32(math.Exp2(s.Exposure))
	f.Scene.LightScale = float32(s.LightScale)
	f.Sampling.Flags = r.flags(s)
	f.Film.SampleWeight = 1
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
		f.Sampling.Strategy = cuda.SamplingNaive
	case "direct":
		f.Sampling.Bounces = min(f.Sampling.Bounces, 1)
	}
}
