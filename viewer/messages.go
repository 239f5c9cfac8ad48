package viewer

import (
	"slices"
	"time"
)

// say shows what happened.
func (a *app) say(text string) { a.sayFor(text, sayFor) }

func (a *app) sayFor(text string, long time.Duration) {
	a.messages.add(message{text: text, until: time.Now().Add(long)})
}

// warn shows what went wrong.
func (a *app) warn(text string) {
	a.messages.add(message{text: text, warning: true, until: time.Now().Add(warnFor)})
}

// sayOpened tells that a file is shown. What went wrong with files that were opened before is no longer of interest, except
// for those that were dropped along with it.
func (a *app) sayOpened(file, text string) {
	a.messages = slices.DeleteFunc(a.messages, func(m message) bool {
		return m.about != "" && m.warning && m.since.Before(a.asked)
	})
	a.messages.add(message{text: text, about: file, until: time.Now().Add(sayFor)})
}

// warnOf shows what is wrong with a file.
func (a *app) warnOf(file string, why error) {
	a.messages.add(message{text: why.Error(), about: file, warning: true, until: time.Now().Add(warnFor)})
}

// reported is what the user has been told already, so that it is told once.
type reported struct {
	denoiser bool        // another denoiser stands in for the one that was asked for
	picture  bool        // the first one is there
	kernels  *shownScene // the scene whose specialised kernels do not compile
}

// reportFallbacks tells the user when something else is used in place of what was asked for.
func (a *app) reportFallbacks() {
	for _, s := range a.sides {
		if why := s.stats.DenoiserFallback; why != nil && !a.reported.denoiser {
			a.reported.denoiser = true
			a.log.Warn("the built-in denoiser stands in for OIDN", "why", why)
			a.warn("the built-in denoiser stands in: " + shortReason(why))
		}
		if why := s.stats.BVHError; why != nil {
			a.log.Error("the BVH in use stays", "err", why)
			a.warn(why.Error())
		}
		if why := s.stats.HelperError; why != nil {
			a.log.Error("a device helps no more", "err", why)
			a.warn(why.Error())
		}
		if why := s.stats.KernelsError; why != nil && a.reported.kernels != a.shown {
			a.reported.kernels = a.shown
			a.log.Warn("the general kernels render this scene, more slowly", "why", why)
			a.warn("the general kernels render this scene, more slowly: " + shortReason(why))
		}
	}
}
