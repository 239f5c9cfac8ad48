package viewer

import "glint/viewer/session"

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
