package viewer

import (
	"fmt"
	"slices"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
)

const (
	sayFor      = 2500 * time.Millisecond
	warnFor     = 10 * time.Second
	maxMessages = 6
)

// message is a line over the image that goes away by itself.
type message struct {
	text    string
	about   string // a file; empty: none
	warning bool
	bar     bool // something goes on
	since   time.Time
	until   time.Time
}

// messages are those on the screen, the newest last.
type messages []message

// add shows a message. It takes the place of an equal one and of another about the same file; one that is no warning and
// about no file takes the place of another such, as keys are pressed again and again.
func (m *messages) add(fresh message) {
	fresh.since = time.Now()
	kept := slices.DeleteFunc(slices.Clone(*m), func(old message) bool {
		passing := old.about == "" && !old.warning && fresh.about == "" && !fresh.warning
		return old.text == fresh.text || passing || fresh.about != "" && old.about == fresh.about
	})
	kept = append(kept, fresh)
	*m = kept[max(len(kept)-maxMessages, 0):]
}

// current are those whose time is not over.
func (m messages) current(now time.Time) messages {
	return slices.DeleteFunc(slices.Clone(m), func(old message) bool { return now.After(old.until) })
}

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

// drawMessages stacks messages from the bottom up, the newest at the bottom, as many as there is room for.
func (h *hud) drawMessages(list messages) {
	bottom := h.at.messages.max.Y
	for i := len(list) - 1; i >= 0; i-- {
		ink := colours().ink
		if list[i].warning {
			ink = colours().accent
		}
		height := h.drawText(fmt.Sprintf("##message%d", i), list[i], ink, bottom)
		if height == 0 {
			return
		}
		bottom -= height + labelGap*h.scale
	}
}

// drawText writes text on glass in the middle of where messages are, above a line, and gives the height; 0 when there is no
// room.
func (h *hud) drawText(id string, m message, ink colour, bottom float32) float32 {
	room, pad := h.at.messages, imgui.CurrentStyle().WindowPadding()
	wrap := min(messageWidth*h.scale, room.width()) - 2*pad.X
	if wrap <= 0 {
		return 0
	}
	size := imgui.CalcTextSizeV(m.text, false, wrap).Add(pad.Add(pad))
	bar := imgui.NewVec2(size.X-2*pad.X, barThickness*h.scale)
	if m.bar {
		size.Y += bar.Y + imgui.CurrentStyle().ItemSpacing().Y
	}
	top := bottom - size.Y
	if top < room.min.Y {
		return 0
	}
	imgui.SetNextWindowPos(imgui.NewVec2(room.middle().X-size.X/2, top))
	imgui.SetNextWindowSize(size.Add(imgui.NewVec2(1, 0))) // rounding must not break a line
	if imgui.BeginV(id, nil, overlayFlags&^imgui.WindowFlagsAlwaysAutoResize|imgui.WindowFlagsNoInputs) {
		imgui.PushStyleColorVec4(imgui.ColText, ink)
		imgui.PushTextWrapPosV(pad.X + wrap + 1)
		imgui.TextUnformatted(m.text)
		imgui.PopTextWrapPos()
		imgui.PopStyleColor()
		if m.bar {
			imgui.ProgressBarV(-float32(imgui.Time()), bar, "") // it runs to and fro: nobody knows how much is left
		}
	}
	imgui.End()
	return size.Y
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
