package viewer

import "glint/viewer/session"

// reported is what the user has been told already, so that it is told once.
type reported struct {
	denoiser bool        // another denoiser stands in for the one that was asked for
	picture  bool        // the first one is there
	kernels  *shownScene // the scene whose specialised kernels do not compile
}

// reportFallbacks tells the user when something else is used in place of what was asked for.
func (a *app) reportFallbacks() {
	for _, s := range a.sides {
		if why := s.Stats.DenoiserFallback; why != nil && !a.reported.denoiser {
			a.reported.denoiser = true
			a.log.Warn("the built-in denoiser stands in for OIDN", "why", why)
			a.messages.Warn("the built-in denoiser stands in: " + session.ShortReason(why))
		}
		if why := s.Stats.BVHError; why != nil {
			a.log.Error("the BVH in use stays", "err", why)
			a.messages.Warn(why.Error())
		}
		if why := s.Stats.HelperError; why != nil {
			a.log.Error("a device helps no more", "err", why)
			a.messages.Warn(why.Error())
		}
		if why := s.Stats.KernelsError; why != nil && a.reported.kernels != a.shown {
			a.reported.kernels = a.shown
			a.log.Warn("the general kernels render this scene, more slowly", "why", why)
			a.messages.Warn("the general kernels render this scene, more slowly: " + session.ShortReason(why))
		}
	}
}
