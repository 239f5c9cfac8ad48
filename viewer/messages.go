package viewer

import "glint/viewer/session"

// known is what the user knows already.
type known struct {
	denoiser bool        // another denoiser stands in for the one that was asked for
	kernels  *shownScene // the scene whose specialised kernels do not compile
}

// reportFallbacks tells the user when something else is used in place of what was asked for.
func (f *frames) reportFallbacks(scene *shownScene) {
	for _, s := range f.sides {
		if why := s.Stats.DenoiserFallback; why != nil && !f.known.denoiser {
			f.known.denoiser = true
			f.log.Warn("the built-in denoiser stands in for OIDN", "why", why)
			f.messages.Warn("the built-in denoiser stands in: " + session.ShortReason(why))
		}
		if why := s.Stats.BVHError; why != nil {
			f.log.Error("the BVH in use stays", "err", why)
			f.messages.Warn(why.Error())
		}
		if why := s.Stats.HelperError; why != nil {
			f.log.Error("a device helps no more", "err", why)
			f.messages.Warn(why.Error())
		}
		if why := s.Stats.KernelsError; why != nil && f.known.kernels != scene {
			f.known.kernels = scene
			f.log.Warn("the general kernels render this scene, more slowly", "why", why)
			f.messages.Warn("the general kernels render this scene, more slowly: " + session.ShortReason(why))
		}
	}
}
