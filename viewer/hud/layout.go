package hud

import "github.com/AllenDang/cimgui-go/imgui"

// Sizes, and shares of sizes.
const (
	PanelWidth    = 304 // at a content scale of 1, as all that follows
	pageWidth     = 372
	pageMinWidth  = 260
	viewMinWidth  = 200 // between panel and page
	messageWidth  = 460
	messageMin    = 220 // width of messages beside a legend
	barThickness  = 6
	messageHeight = 60 // and their height above one
	legendHeight  = 60 // at least: less says nothing
	stripHeight   = 48 // for messages below the help page
	Margin        = 14
	leastWidth    = 560 // of a window: a smaller one has smaller text
	leastHeight   = 330
	pageShare     = 0.6 // of the height, where a page leaves no room beside it
	pageMinHeight = 320 // in a lower one too little of a page is seen
	smallestScale = 0.5
	greatestScale = 4
	captionShare  = 0.5 // of the view's height, at most
)

// Rect is a part of the window, in ImGui's units.
type Rect struct{ Min, Max imgui.Vec2 }

// NewRect has a corner and a size.
func NewRect(x, y, width, height float32) Rect {
	return Rect{imgui.NewVec2(x, y), imgui.NewVec2(x+max(width, 0), y+max(height, 0))}
}

// Width is how wide it is.
func (r Rect) Width() float32 { return r.Max.X - r.Min.X }

// Height is how high it is.
func (r Rect) Height() float32 { return r.Max.Y - r.Min.Y }

// Empty tells whether there is nothing in it.
func (r Rect) Empty() bool { return r.Width() <= 0 || r.Height() <= 0 }

// Middle is its center.
func (r Rect) Middle() imgui.Vec2 {
	return imgui.NewVec2((r.Min.X+r.Max.X)/2, (r.Min.Y+r.Max.Y)/2)
}

// Holds tells whether a point is in it.
func (r Rect) Holds(x, y float64) bool {
	return float32(x) >= r.Min.X && float32(x) < r.Max.X && float32(y) >= r.Min.Y && float32(y) < r.Max.Y
}

// wanted is what wants a place in the window.
type wanted struct {
	panel, page, help bool
	captions          func(room Rect) float32     // height of the labels of two sides; nil: there are none
	legend            func(width float32) float32 // height; nil: there is none
}

// Layout says where everything is. Nothing overlaps, except for what is drawn over the image alone. Panels are rarely as
// high as they may be.
type Layout struct {
	Panel, Page, Help          Rect
	View                       Rect // what panels leave free of the image: the scene is framed here
	captions, legend, messages Rect
}

// arrange places what is wanted in a window.
func arrange(size imgui.Vec2, scale float32, w wanted) Layout {
	gap := Margin * scale
	inner := NewRect(gap, gap, size.X-2*gap, size.Y-2*gap)
	l := Layout{View: inner}
	if w.help {
		strip := min(stripHeight*scale, inner.Height()/3)
		l.Help = NewRect(inner.Min.X, inner.Min.Y, inner.Width(), inner.Height()-strip-gap)
		l.messages = NewRect(inner.Min.X, l.Help.Max.Y+gap, inner.Width(), strip)
		return l
	}
	if w.panel {
		l.Panel = NewRect(inner.Min.X, inner.Min.Y, min(PanelWidth*scale, inner.Width()), inner.Height())
		l.View.Min.X = min(l.Panel.Max.X+gap, inner.Max.X)
		above := l.View.Width()-gap-pageMinWidth*scale < viewMinWidth*scale                                              // of the view
		if w.page && (l.View.Width() < pageMinWidth*scale || above && pageShare*l.View.Height() < pageMinHeight*scale) { // there is room for one
			l.Panel, l.View = Rect{}, inner
		}
	}
	if w.page {
		l.placePage(scale, gap)
	}
	l.placeOverImage(scale, gap, w)
	return l
}

// placePage puts it at the right, or above the view where nothing would be left of that.
func (l *Layout) placePage(scale, gap float32) {
	v := l.View
	width := min(max(v.Width()-gap-viewMinWidth*scale, pageMinWidth*scale), pageWidth*scale)
	if v.Width()-gap-width < viewMinWidth*scale {
		l.Page = NewRect(v.Min.X, v.Min.Y, v.Width(), pageShare*v.Height())
		l.View.Min.Y = l.Page.Max.Y + gap
		return
	}
	l.Page = NewRect(v.Max.X-width, v.Min.Y, width, v.Height())
	l.View.Max.X = l.Page.Min.X - gap
}

// placeOverImage puts labels at the top of the view, the legend in its lower right corner and messages beside that.
func (l *Layout) placeOverImage(scale, gap float32, w wanted) {
	room := l.View
	if w.captions != nil {
		l.captions = NewRect(room.Min.X, room.Min.Y, room.Width(), captionShare*room.Height())
		l.captions.Max.Y = min(l.captions.Min.Y+w.captions(l.captions), l.captions.Max.Y)
		room.Min.Y = l.captions.Max.Y + gap
	}
	l.messages = room
	if w.legend == nil {
		return
	}
	width := min(PanelWidth*scale, room.Width())
	height := w.legend(width)
	if room.Width()-width-gap >= messageMin*scale {
		l.messages.Max.X = room.Max.X - width - gap
		height = min(height, room.Height())
	} else {
		height = min(height, room.Height()-gap-messageHeight*scale)
		if height < legendHeight*scale {
			return
		}
		l.messages.Max.Y = room.Max.Y - height - gap
	}
	l.legend = NewRect(room.Max.X-width, room.Max.Y-height, width, height)
}

// fitScale is the scale of text and spacing in a window: that of the display, or less where the window is too small.
func fitScale(display float32, size imgui.Vec2) float32 {
	scale := min(display, size.X/leastWidth, size.Y/leastHeight)
	if !(scale > smallestScale) {
		return smallestScale
	}
	return min(scale, greatestScale)
}
