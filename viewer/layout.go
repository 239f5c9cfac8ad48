package viewer

import "github.com/AllenDang/cimgui-go/imgui"

const (
	panelWidth    = 304 // at a content scale of 1, as all that follows
	pageWidth     = 372
	pageMinWidth  = 260
	viewMinWidth  = 200 // between panel and page
	messageWidth  = 460
	messageMin    = 220 // width of messages beside a legend
	barThickness  = 6
	messageHeight = 60 // and their height above one
	legendHeight  = 60 // at least: less says nothing
	stripHeight   = 48 // for messages below the help page
	margin        = 14
	leastWidth    = 560 // of a window: a smaller one has smaller text
	leastHeight   = 330
	pageShare     = 0.6 // of the height, where a page leaves no room beside it
	pageMinHeight = 320 // in a lower one too little of a page is seen
	smallestScale = 0.5
	greatestScale = 4
	captionShare  = 0.5 // of the view's height, at most
)

// rect is a part of the window, in ImGui's units.
type rect struct{ min, max imgui.Vec2 }

func newRect(x, y, width, height float32) rect {
	return rect{imgui.NewVec2(x, y), imgui.NewVec2(x+max(width, 0), y+max(height, 0))}
}

func (r rect) width() float32  { return r.max.X - r.min.X }
func (r rect) height() float32 { return r.max.Y - r.min.Y }
func (r rect) empty() bool     { return r.width() <= 0 || r.height() <= 0 }
func (r rect) middle() imgui.Vec2 {
	return imgui.NewVec2((r.min.X+r.max.X)/2, (r.min.Y+r.max.Y)/2)
}

func (r rect) holds(x, y float64) bool {
	return float32(x) >= r.min.X && float32(x) < r.max.X && float32(y) >= r.min.Y && float32(y) < r.max.Y
}

// wanted is what wants a place in the window.
type wanted struct {
	panel, page, help bool
	captions          func(room rect) float32     // height of the labels of two sides; nil: there are none
	legend            func(width float32) float32 // height; nil: there is none
}

// layout says where everything is. Nothing overlaps, except for what is drawn over the image alone. Panels are rarely as
// high as they may be.
type layout struct {
	panel, page, help          rect
	view                       rect // what panels leave free of the image: the scene is framed here
	captions, legend, messages rect
}

// arrange places what is wanted in a window.
func arrange(size imgui.Vec2, scale float32, w wanted) layout {
	gap := margin * scale
	inner := newRect(gap, gap, size.X-2*gap, size.Y-2*gap)
	l := layout{view: inner}
	if w.help {
		strip := min(stripHeight*scale, inner.height()/3)
		l.help = newRect(inner.min.X, inner.min.Y, inner.width(), inner.height()-strip-gap)
		l.messages = newRect(inner.min.X, l.help.max.Y+gap, inner.width(), strip)
		return l
	}
	if w.panel {
		l.panel = newRect(inner.min.X, inner.min.Y, min(panelWidth*scale, inner.width()), inner.height())
		l.view.min.X = min(l.panel.max.X+gap, inner.max.X)
		above := l.view.width()-gap-pageMinWidth*scale < viewMinWidth*scale                                              // of the view
		if w.page && (l.view.width() < pageMinWidth*scale || above && pageShare*l.view.height() < pageMinHeight*scale) { // there is room for one
			l.panel, l.view = rect{}, inner
		}
	}
	if w.page {
		l.placePage(scale, gap)
	}
	l.placeOverImage(scale, gap, w)
	return l
}

// placePage puts it at the right, or above the view where nothing would be left of that.
func (l *layout) placePage(scale, gap float32) {
	v := l.view
	width := min(max(v.width()-gap-viewMinWidth*scale, pageMinWidth*scale), pageWidth*scale)
	if v.width()-gap-width < viewMinWidth*scale {
		l.page = newRect(v.min.X, v.min.Y, v.width(), pageShare*v.height())
		l.view.min.Y = l.page.max.Y + gap
		return
	}
	l.page = newRect(v.max.X-width, v.min.Y, width, v.height())
	l.view.max.X = l.page.min.X - gap
}

// placeOverImage puts labels at the top of the view, the legend in its lower right corner and messages beside that.
func (l *layout) placeOverImage(scale, gap float32, w wanted) {
	room := l.view
	if w.captions != nil {
		l.captions = newRect(room.min.X, room.min.Y, room.width(), captionShare*room.height())
		l.captions.max.Y = min(l.captions.min.Y+w.captions(l.captions), l.captions.max.Y)
		room.min.Y = l.captions.max.Y + gap
	}
	l.messages = room
	if w.legend == nil {
		return
	}
	width := min(panelWidth*scale, room.width())
	height := w.legend(width)
	if room.width()-width-gap >= messageMin*scale {
		l.messages.max.X = room.max.X - width - gap
		height = min(height, room.height())
	} else {
		height = min(height, room.height()-gap-messageHeight*scale)
		if height < legendHeight*scale {
			return
		}
		l.messages.max.Y = room.max.Y - height - gap
	}
	l.legend = newRect(room.max.X-width, room.max.Y-height, width, height)
}

// fitScale is the scale of text and spacing in a window: that of the display, or less where the window is too small.
func fitScale(display float32, size imgui.Vec2) float32 {
	scale := min(display, size.X/leastWidth, size.Y/leastHeight)
	if !(scale > smallestScale) {
		return smallestScale
	}
	return min(scale, greatestScale)
}

// plan is where everything is in the current window, with a panel and a page or without.
func (h *hud) plan(panel, page bool) layout {
	w, height := h.window.GetSize()
	return arrange(imgui.NewVec2(float32(w), float32(height)), h.scale, wanted{panel: panel, page: page})
}
