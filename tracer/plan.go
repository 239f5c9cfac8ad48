package tracer

import (
	"errors"
	"math"

	"glint/tracer/denoise"
	"glint/tracer/device"
	"glint/tracer/integrator"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

var errNoImage = errors.New("render an image of the same size first")

// Plan is a request and settings whose integrator, way of execution and denoiser are decided.
type Plan struct {
	Request  schedule.Request
	Settings settings.Settings
	Key      view.Key
	Fallback error // why another denoiser stands in for the one that was asked for

	asked         settings.Settings // what Settings was made of
	gpu           bool
	sliced        bool // a call ends with its budget
	errorMap      bool // it is wanted
	errorMapBy    string
	showsDenoised bool
	options       denoise.Options
}

// Plan decides how a view is rendered.
func (e *Engine) Plan(v schedule.Request, s settings.Settings) *Plan {
	p := &Plan{Request: v, asked: s, Settings: s, gpu: e.device.Info().Kind == device.KindCUDA}
	if p.gpu {
		p.Request.Stop = nil
	}
	p.sliced = v.Budget > 0 && !p.gpu
	p.Settings.Denoise, p.Fallback = e.chooseDenoiser(&v, s.Denoise)
	p.Settings.Integrator = chooseIntegrator(&v, &p.Settings, p.gpu)
	p.Key = v.Key(e.scene, e.moves(), p.Settings)
	p.Settings.Exec = integrator.Engine(s.Exec, p.gpu, v.Width*v.Height)
	chooseHistory(&v, &p.Settings)
	p.options = chooseQuality(&v, &p.Settings)
	p.showsDenoised = p.Settings.Denoise != denoise.Off
	if p.errorMap = denoise.WantsErrorMap(&v, &p.Settings); p.errorMap {
		p.errorMapBy = e.chooseHalvesDenoiser(p.Settings.Denoise)
	}
	return p
}

func (e *Engine) moves() int {
	if e.scene == nil {
		return 0
	}
	return e.scene.Moves()
}

// planSmall decides how a small image of a view is rendered: through the same lens, by the same settings.
func (e *Engine) planSmall(p *Plan, w schedule.Work) *Plan {
	side := func(full int) int { return max(int(math.Round(float64(full)*w.Scale)), 1) }
	v, s := p.Request, p.asked
	v.Aspect = float32(v.Width) / float32(v.Height)
	v.Width, v.Height = side(v.Width), side(v.Height)
	v.Frame, v.Budget = w.Series, 0
	s.FirstHitCache = false
	if s.Denoise == "auto" { // the small image may have room for another one
		s.Denoise = p.Settings.Denoise
	}
	if w.Alone {
		s.RestirSettle = math.MaxInt // every frame shares history
	}
	return e.Plan(v, s)
}

// chooseIntegrator says what auto stands for: restir in live views and films on a GPU that are not denoised, else path. That errs less
// in equal time, in the mean of many scenes (docs/measurements.md); to measure it for each view costs more than it gains.
func chooseIntegrator(v *schedule.Request, s *settings.Settings, gpu bool) string {
	switch {
	case s.Integrator != "auto":
		return s.Integrator
	case gpu && v.Live && s.Denoise == denoise.Off:
		return "restir"
	}
	return "path"
}

// chooseDenoiser takes a built-in one for auto where somebody watches: in motion it is about as near to the truth as OIDN, in
// a quarter of the time (docs/measurements.md). In a live view it also stands in for OIDN where that is missing; fallback
// tells why.
func (e *Engine) chooseDenoiser(v *schedule.Request, asked string) (denoiser string, fallback error) {
	switch {
	case asked == "auto" && v.Window && v.Live:
		return e.chooseBuiltIn(v), nil
	case asked == "auto":
		return denoise.Off, nil
	case asked == denoise.OIDN && v.Live:
		if _, err := e.library.Open(); err != nil {
			return denoise.Atrous, err
		}
	}
	return asked, nil
}

// chooseBuiltIn takes the filter that has learned on a GPU where it needs at most a quarter of the memory: in equal time it errs less than the
// other one (docs/denoising.md), but needs twice the memory. A processor takes too long for its network.
func (e *Engine) chooseBuiltIn(v *schedule.Request) string {
	info := e.device.Info()
	if info.Kind == device.KindCUDA && uint64(v.Width*v.Height*denoise.LearnedBytes) <= info.Memory/4 {
		return denoise.Learned
	}
	return denoise.Atrous
}

// chooseHalvesDenoiser is what denoises the halves of the error map: what denoises the image; where nothing does, OIDN, or else
// the built-in filter.
func (e *Engine) chooseHalvesDenoiser(denoiser string) string {
	if denoiser != denoise.Off {
		return denoiser
	}
	if _, err := e.library.Open(); err != nil {
		return denoise.Atrous
	}
	return denoise.OIDN
}

// historyForOIDN is for how many fresh samples history counts before OIDN, at most.
const historyForOIDN = 2

// chooseHistory has frames of a live view that is denoised share little, since a denoiser takes copies of a sample for detail. The
// built-in filter averages light over time by itself, and does best with what is new. OIDN sees a picture at a time, and needs what
// only history has found.
func chooseHistory(v *schedule.Request, s *settings.Settings) {
	if s.RestirDecorrelate != "auto" {
		return
	}
	s.RestirDecorrelate = "off"
	switch {
	case !v.Live:
	case denoise.BuiltIn(s.Denoise):
		s.RestirTemporal = false
	case s.Denoise == denoise.OIDN:
		s.RestirCap = min(s.RestirCap, historyForOIDN)
	}
}

// chooseQuality denoises stills with all that OIDN has, and frames that follow each other fast.
func chooseQuality(v *schedule.Request, s *settings.Settings) denoise.Options {
	o := denoise.Options{Quality: s.DenoiseQuality, Still: !v.Live, Shared: integrator.Reuses(s.Integrator)}
	if o.Quality == "auto" {
		o.Quality = "fast"
		if o.Still {
			o.Quality = "high"
		}
	}
	return o
}
