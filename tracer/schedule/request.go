package schedule

import (
	"time"

	"glint/tracer/view"
)

// Request is what a call of Render is asked for: a view, and what its picture is for.
type Request struct {
	view.View
	// Live says that calls of Render follow each other in time, so that an integrator may reuse the frame before.
	Live bool
	// Window says that somebody watches, which settings named auto go by.
	Window bool
	// Layers has every AOV kept.
	Layers bool
	// Moving says that this view will not last: only the small image is worth making, and restir shares history in all samples.
	Moving bool
	// Compared says that the image is compared with another's, so that no other device adds samples to it.
	Compared bool
	// Unseen says that what this call makes of a view is not shown, so that it need not be denoised.
	Unseen bool
	// DeferReuse has restir wait for the next call of Render, and share at once what both have found: the film stays as it is until then.
	DeferReuse bool
	// Budget bounds one call of Render on the CPU backend, which then shows a smaller image first and goes on with the
	// full one in later calls; zero renders a whole sample. A GPU always renders whole samples.
	Budget time.Duration
	// Goal is what a call may take while the view moves; the renderer then chooses the scale at which it renders live views.
	// Zero leaves that to the settings.
	Goal time.Duration
	// Clock is the viewer's time since some moment: auto exposure follows the light in it, as eyes do. Without it, it
	// follows at once.
	Clock time.Duration
	// Stop, once closed, ends the sample under way on a processor: Render then returns ErrStopped. The image keeps what each pixel has by
	// then. A GPU completes its samples.
	Stop <-chan struct{}
}
