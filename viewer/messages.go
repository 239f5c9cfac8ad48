package viewer

import (
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
)

const (
	sayFor  = 2500 * time.Millisecond
	warnFor = 10 * time.Second
)

// message is a line over the image that goes away by itself.
type message struct {
	text    string
	warning bool
	until   time.Time
}

// say shows what happened.
func (a *app) say(text string) { a.message = message{text: text, until: time.Now().Add(sayFor)} }

// warn shows what went wrong.
func (a *app) warn(text string) {
	a.message = message{text: text, warning: true, until: time.Now().Add(warnFor)}
}

// drawMessage shows the last message near the bottom of the window.
func (h *hud) drawMessage(m message) {
	if m.text == "" || time.Now().After(m.until) {
		return
	}
	c := colours().ink
	if m.warning {
		c = colours().accent
	}
	h.overlay("##message", 0.96, func() { h.wrapped(m.text, c) })
}

// wrapped writes text of any length, breaking lines.
func (h *hud) wrapped(text string, c colour) {
	imgui.PushStyleColorVec4(imgui.ColText, c)
	room := imgui.MainViewport().Size().X
	imgui.PushTextWrapPosV(min(max(noteWidth*h.scale, room/2), room) - 2*margin*h.scale)
	imgui.TextUnformatted(text)
	imgui.PopTextWrapPos()
	imgui.PopStyleColor()
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
		if why := s.stats.KernelsError; why != nil && a.reported.kernels != a.shown {
			a.reported.kernels = a.shown
			a.log.Warn("the general kernels render this scene, more slowly", "why", why)
			a.warn("the general kernels render this scene, more slowly: " + shortReason(why))
		}
	}
}
