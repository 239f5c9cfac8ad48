package viewer

import (
	"cmp"
	"time"

	"glint/tracer/settings"
	"glint/tracer/view"
)

// lastFrame is what the images were made from.
type lastFrame struct {
	view    view.View
	scene   *shownScene
	changed time.Time // when the view or a setting that restarts accumulation last changed
}

// render adds samples to the images, unless they have enough of them.
func (a *app) render(now time.Time) error {
	width, height := a.window.GetFramebufferSize()
	for _, s := range a.sides {
		share(a.table, &s.settings, &a.active.settings)
	}
	v := view.View{Camera: a.controller.camera, Width: width, Height: height, Live: true, Window: true, Clock: now.Sub(a.begun)}
	changed := a.noteChanges(v, now)
	moving := a.moving(now)
	calls := a.calls(changed || moving)
	withReference := a.compare.reference != nil && !moving && a.compare.reference.stats.Samples < enoughSamples
	shares := calls[0] + calls[1]
	if withReference {
		shares++
	}
	a.idle = shares == 0
	v.Moving = moving
	goal := frameTime(a.active.settings.TargetFPS)
	switch {
	case a.idle:
	case a.timeSliced():
		v.Budget = a.budget.forSlice(cmp.Or(goal, cpuFrameTime)) / time.Duration(shares)
	case goal > 0:
		v.Goal = a.budget.left(goal) / time.Duration(shares)
	}
	a.rendered.view, a.rendered.scene = v, a.shown
	defer a.reportFallbacks()
	return a.renderSides(v, calls, withReference, now)
}

// renderSides does the work of a frame. When comparing fails, it ends, and the window goes on with one side.
func (a *app) renderSides(v view.View, calls [2]int, withReference bool, now time.Time) error {
	for _, s := range a.sides {
		s.stats.Paths, s.stats.Elapsed = 0, 0 // of this frame, whether or not the side renders in it
	}
	if r := a.compare.reference; r != nil {
		r.spent = 0
	}
	if calls[0] > 0 {
		if err := a.sides[0].render(v, calls[0]); err != nil {
			return err
		}
	}
	err := a.renderRest(v, calls[1], withReference)
	if err == nil {
		err = a.measureErrors(now)
	}
	if err != nil {
		a.log.Error("compare", "err", err)
		a.closeSplit()
		a.warn("Compare: " + err.Error())
	}
	return nil
}

func (a *app) renderRest(v view.View, calls int, withReference bool) error {
	if calls > 0 {
		if err := a.sides[1].render(v, calls); err != nil {
			return err
		}
	}
	if withReference {
		return a.renderReference(v)
	}
	return nil
}

// noteChanges compares with the frame before, and tells whether the images must be rendered or developed anew. Two sides
// begin anew together, so that they can be compared.
func (a *app) noteChanges(v view.View, now time.Time) (changed bool) {
	last := &a.rendered
	same := v.Camera == last.view.Camera && v.Width == last.view.Width && v.Height == last.view.Height && a.shown == last.scene
	anew, apart := !same, false
	for _, s := range a.sides {
		changed = changed || s.settings != s.used
		anew = anew || restarts(a.table, s.used, s.settings)
		apart = apart || differ(a.table, s.used, s.settings, func(row settings.Setting) bool {
			return row.Restarts && row.Scope == settings.PerImage
		})
	}
	if !anew {
		return changed
	}
	last.changed = now
	a.compare.epoch++
	a.outdateReference(same)
	if a.change.of != nil && !same {
		a.change = settingChange{}
	}
	if same && restarts(a.table, a.active.used, a.active.settings) {
		a.measureChange(a.active, now)
	}
	for _, s := range a.sides {
		s.timer, s.refError = sampleTimer{}, refError{}
		if apart && same && a.comparing() {
			s.device.Restart()
		}
	}
	return true
}

// calls is how often each side renders in this frame. When what they show has changed, both must; where a call is a slice of
// time they take turns then, so that input is answered as soon as with one side.
func (a *app) calls(changed bool) (calls [2]int) {
	if changed && a.timeSliced() {
		a.compare.turn = (a.compare.turn + 1) % len(a.sides)
		return only(a.compare.turn)
	}
	enough := false
	for _, s := range a.sides {
		enough = enough || s.timer.samples >= enoughSamples
	}
	if !enough && a.comparing() {
		calls = a.compare.pacing.plan([2]sampleTimer{a.sides[0].timer, a.sides[1].timer}, a.timeSliced())
	} else if !enough {
		calls[0] = 1
	}
	if changed {
		for i := range a.sides {
			calls[i] = max(calls[i], 1)
		}
	}
	return calls
}

// slices tells whether a call of Render is a slice of time: the CPU renders a sample in several of them.
func (a *app) timeSliced() bool { return a.active.device.Backend().Kind == "cpu" }

// moving tells whether the user is changing the view now, or did so a moment ago.
func (a *app) moving(now time.Time) bool {
	return a.input.dragged || now.Sub(a.rendered.changed) < stillAfter
}

// paths is how many camera paths the last frame traced for what is on the screen.
func (a *app) paths() (sum uint64) {
	for _, s := range a.sides {
		sum += s.stats.Paths
	}
	return sum
}

// elapsed is how long rendering took in the last frame, of a reference, too.
func (a *app) elapsed() (sum time.Duration) {
	for _, s := range a.sides {
		sum += s.stats.Elapsed
	}
	if r := a.compare.reference; r != nil {
		sum += r.spent
	}
	return sum
}
