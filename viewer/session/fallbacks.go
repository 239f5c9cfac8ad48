package session

import "log/slog"

// known is what the user knows already.
type known struct {
	denoiser bool        // another denoiser stands in for the one in the settings
	kernels  *ShownScene // the scene whose specialised kernels do not compile
}

// report tells the user when something else is used than the settings say.
func (k *known) report(sides []*Side, scene *ShownScene, messages *Messages, log *slog.Logger) {
	for _, s := range sides {
		if why := s.Stats.DenoiserFallback; why != nil && !k.denoiser {
			k.denoiser = true
			log.Warn("the built-in denoiser stands in for OIDN", "why", why)
			messages.Warn("the built-in denoiser stands in: " + ShortReason(why))
		}
		if why := s.Stats.BVHError; why != nil {
			log.Error("the BVH in use stays", "err", why)
			messages.Warn(why.Error())
		}
		if why := s.Stats.RaysError; why != nil {
			log.Warn("software traces rays", "why", why)
			messages.Warn(why.Error())
		}
		if why := s.Stats.HelperError; why != nil {
			log.Error("a device helps no more", "err", why)
			messages.Warn(why.Error())
		}
		if why := s.Stats.KernelsError; why != nil && k.kernels != scene {
			k.kernels = scene
			log.Warn("the general kernels render this scene, more slowly", "why", why)
			messages.Warn("the general kernels render this scene, more slowly: " + ShortReason(why))
		}
	}
}
