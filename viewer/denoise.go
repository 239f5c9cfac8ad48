package viewer

import (
	"glint/tracer/view"
	"strings"
)

// denoiserMemory is what the window remembers of denoisers.
type denoiserMemory struct {
	last string // that was on; empty before the first
	told bool   // that another one stands in
}

// denoises tells whether the active side is to be denoised; auto may say no.
func (a *app) denoises() bool {
	return a.settings.Denoise != "off" && (a.settings.Denoise != "auto" || a.stats.Denoiser != "")
}

// toggleDenoiser switches denoising off, or on by the denoiser that was on last; at first by the better one.
func (a *app) toggleDenoiser() {
	m := &a.denoiser
	if a.denoises() {
		m.last, a.settings.Denoise = a.settings.Denoise, "off"
	} else {
		if m.last == "" {
			m.last = a.bestDenoiser()
		}
		a.settings.Denoise = m.last
	}
	if row, ok := lookup("denoise"); ok {
		a.say(describe(row, a.settings))
	}
}

// bestDenoiser is OIDN where it is found.
func (a *app) bestDenoiser() string {
	s := a.settings
	s.Denoise = "oidn"
	if a.device.CheckDenoiser(s) != nil {
		s.Denoise = "atrous"
	}
	return s.Denoise
}

// tellDenoiser says once that another denoiser stands in for the one that was asked for.
func (a *app) tellDenoiser() {
	for _, s := range a.sides {
		if why := s.stats.Instead; why != nil && !a.denoiser.told {
			a.denoiser.told = true
			a.log.Warn("the built-in denoiser stands in for OIDN", "why", why)
			a.warn("the built-in denoiser stands in: " + brief(why))
		}
	}
}

// brief is what an error says before it goes into details.
func brief(err error) string {
	text, _, _ := strings.Cut(err.Error(), " (")
	return text
}

// denoiseLine says whether the image is denoised and by what, or why it is not.
func denoiseLine(stats view.Stats) statusLine {
	const name = "denoised"
	switch {
	case stats.Undenoised != nil:
		return statusLine{name, "no: " + brief(stats.Undenoised), stats.Undenoised.Error()}
	case stats.Denoised == 0:
		return statusLine{name, "not yet", "the first denoised image of this view is being made"}
	}
	line := statusLine{name, "after " + grouped(stats.Denoised) + " samples by " + stats.Denoiser, ""}
	if stats.Instead != nil {
		line.why = stats.Instead.Error()
	}
	return line
}
