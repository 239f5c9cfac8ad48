package viewer

import (
	"cmp"
	"time"

	"glint/tracer/settings"
	"glint/tracer/view"
)

// lastFrame is what the images of the last frame were made from.
type lastFrame struct {
	view    view.View
	scene   *shownScene
	changed time.Time // when the view or a setting that restarts accumulation last changed
}

// render adds samples to the images, unless they have enough.
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

// renderSides renders the sides and the reference. An error of anything but side A ends the comparison, and the window goes
// on with one side.
func (a *app) renderSides(v view.View, calls [2]int, withReference bool, now time.Time) error {
	for _, s := range a.sides {
		s.stats.Paths, s.stats.Elapsed = 0, 0 // count this frame only, whether or not the side renders in it
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

// renderRest renders what only a comparison needs.
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

// noteChanges compares view and settings with the last frame's, and tells whether the images must be rendered or tone-mapped
// again. Two sides restart together, so that they can be compared.
func (a *app) noteChanges(v view.View, now time.Time) (changed bool) {
	last := &a.rendered
	same := v.Camera == last.view.Camera && v.Width == last.view.Width && v.Height == last.view.Height && a.shown == last.scene
	restart, differs := !same, false
	for _, s := range a.sides {
		changed = changed || s.settings != s.used
		restart = restart || restarts(a.table, s.used, s.settings)
		differs = differs || differ(a.table, s.used, s.settings, func(row settings.Setting) bool {
			return row.Restarts && row.Scope == settings.PerImage
		})
	}
	if !restart {
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
		if differs && same && a.comparing() {
			s.device.Restart()
		}
	}
	return true
}

// calls is how often each side renders in this frame. After a change both must. Where a call is a slice of time, they take
// turns instead, so that two sides answer input as fast as one.
func (a *app) calls(changed bool) (calls [2]int) {
	if changed && a.timeSliced() {
		a.compare.lastRendered = (a.compare.lastRendered + 1) % len(a.sides)
		return only(a.compare.lastRendered)
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

// timeSliced tells whether a call of Render is a slice of time: on the CPU a sample takes several calls.
func (a *app) timeSliced() bool { return a.active.device.Backend().Kind == "cpu" }

// moving tells whether the user is changing the view, or did so a moment ago.
func (a *app) moving(now time.Time) bool {
	return a.input.dragged || now.Sub(a.rendered.changed) < stillAfter
}

// paths is the number of camera paths that the last frame traced for the sides.
func (a *app) paths() (sum uint64) {
	for _, s := range a.sides {
		sum += s.stats.Paths
	}
	return sum
}

// elapsed is how long rendering took in the last frame, including the reference.
func (a *app) elapsed() (sum time.Duration) {
	for _, s := range a.sides {
		sum += s.stats.Elapsed
	}
	if r := a.compare.reference; r != nil {
		sum += r.spent
	}
	return sum
}
