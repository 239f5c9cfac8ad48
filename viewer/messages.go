package viewer

import (
	"slices"
	"time"

	"glint/viewer/session"
)

// say shows what happened.
func (a *app) say(text string) { a.sayFor(text, session.SayFor) }

func (a *app) sayFor(text string, long time.Duration) {
	a.messages.Add(session.Message{Text: text, Until: time.Now().Add(long)})
}

// warn shows what went wrong.
func (a *app) warn(text string) {
	a.messages.Add(session.Message{Text: text, Warning: true, Until: time.Now().Add(session.WarnFor)})
}

// sayOpened tells that a file is shown. What went wrong with files that were opened before is no longer of interest, except
// for those that were dropped along with it.
func (a *app) sayOpened(file, text string) {
	a.messages = slices.DeleteFunc(a.messages, func(m session.Message) bool {
		return m.About != "" && m.Warning && m.Since.Before(a.asked)
	})
	a.messages.Add(session.Message{Text: text, About: file, Until: time.Now().Add(session.SayFor)})
}

// warnOf shows what is wrong with a file.
func (a *app) warnOf(file string, why error) {
	a.messages.Add(session.Message{Text: why.Error(), About: file, Warning: true, Until: time.Now().Add(session.WarnFor)})
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
		if why := s.Stats.DenoiserFallback; why != nil && !a.reported.denoiser {
			a.reported.denoiser = true
			a.log.Warn("the built-in denoiser stands in for OIDN", "why", why)
			a.warn("the built-in denoiser stands in: " + session.ShortReason(why))
		}
		if why := s.Stats.BVHError; why != nil {
			a.log.Error("the BVH in use stays", "err", why)
			a.warn(why.Error())
		}
		if why := s.Stats.HelperError; why != nil {
			a.log.Error("a device helps no more", "err", why)
			a.warn(why.Error())
		}
		if why := s.Stats.KernelsError; why != nil && a.reported.kernels != a.shown {
			a.reported.kernels = a.shown
			a.log.Warn("the general kernels render this scene, more slowly", "why", why)
			a.warn("the general kernels render this scene, more slowly: " + session.ShortReason(why))
		}
	}
}
