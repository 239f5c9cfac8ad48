package viewer

import (
	"math"
	"time"

	"glint/viewer/hud"
	"glint/viewer/session"
)

// app is the window. All of it belongs to the main thread, except the session's mailbox.
type app struct {
	session *session.Session
	display display
	input   input
	overlay overlay
	opts    Options
	table   []binding       // what keys and mouse do
	keys    session.KeyRows // the same, as help shows it
	screen  *screen
	hud     *hud.HUD

	boost     bool      // held keys fly faster
	quitAsked time.Time // when Esc was pressed with nothing open
	flyTried  time.Time // when keys that fly were pressed in orbit mode

	lastTime time.Time
	shownAt  time.Time // when the window was last drawn
	pictured bool      // the first picture is there
	done     bool
}

// layout is where everything is in the current window.
func (a *app) layout() hud.Layout {
	return a.hud.Plan(a.overlay.showPanel, a.overlay.page != session.NoPage)
}

// dividerReach is how near the mouse must be to the divider to drag it, at a content scale of 1.
const dividerReach = 7

// overDivider tells whether the mouse would drag the divider from a point, screen coordinates in the window.
func (a *app) overDivider(x, y float64) bool {
	if !a.session.Sides.Comparing() || a.session.Sides.Compare.Show != session.SideBySide || a.input.captured || a.hud.WantsMouse(x, y) {
		return false
	}
	width, _ := a.display.window.GetSize()
	return math.Abs(x-a.session.Sides.Compare.Divider*float64(width)) <= dividerReach*float64(a.hud.Scale)
}

// overlay is what is shown over the image.
type overlay struct {
	showPanel, showKeys bool
	page                session.Page
}

// turnTo shows a page, or none where that one is shown.
func (o *overlay) turnTo(p session.Page) {
	if o.page == p {
		p = session.NoPage
	}
	o.page = p
}
