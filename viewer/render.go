package viewer

import (
	"cmp"
	"glint/tracer/settings"
	"glint/tracer/view"
	"time"
)

// lastFrame is what the images were made from.
type lastFrame struct {
	view    view.View
	scene   *shown
	changed time.Time // when the view or a setting that restarts accumulation last changed
}

// render adds samples to the images, unless they have enough of them.
func (a *app) render(now time.Time) error {
	width, height := a.window.GetFramebufferSize()
	for _, s := range a.sides {
		share(&s.settings, &a.settings)
	}
	a.tend()
	v := view.View{Camera: a.rig.camera, Width: width, Height: height, Live: true, Window: true, Clock: now.Sub(a.begun)}
	changed := a.noteChanges(v, now)
	moving := a.moving(now)
	calls := a.calls(changed || moving)
	judge := a.compare.reference != nil && !moving && a.compare.reference.stats.Samples < enoughSamples
	shares := calls[0] + calls[1]
	if judge {
		shares++
	}
	a.idle = shares == 0
	v.Moving = moving
	goal := goalOf(a.settings.TargetFPS)
	switch {
	case a.idle:
	case a.slices():
		v.Budget = a.pace.budget(cmp.Or(goal, frameGoal)) / time.Duration(shares)
	case goal > 0:
		v.Goal = a.pace.left(goal) / time.Duration(shares)
	}
	a.rendered.view, a.rendered.scene = v, a.shown
	defer a.tellDenoiser()
	return a.renderSides(v, calls, judge, now)
}

// renderSides does the work of a frame. When comparing fails, it ends, and the window goes on with one side.
func (a *app) renderSides(v view.View, calls [2]int, judge bool, now time.Time) error {
	for _, s := range a.sides {
		s.stats.Paths, s.stats.Elapsed = 0, 0 // of this frame, whether or not the side renders in it
	}
	if r := a.compare.reference; r != nil {
		r.spent = 0
	}
	if calls[0] > 0 {
		if err := a.sides[0].render(v, &a.shown.grove, calls[0]); err != nil {
			return err
		}
	}
	err := a.renderRest(v, calls[1], judge)
	if err == nil {
		err = a.scoreSides(now)
	}
	if err != nil {
		a.log.Error("compare", "err", err)
		a.closeSplit()
		a.warn("Compare: " + err.Error())
	}
	return nil
}

func (a *app) renderRest(v view.View, calls int, judge bool) error {
	if calls > 0 {
		if err := a.sides[1].render(v, &a.shown.grove, calls); err != nil {
			return err
		}
	}
	if judge {
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
		anew = anew || restarts(s.used, s.settings)
		apart = apart || differ(s.used, s.settings, func(row settings.Setting) bool { return row.Restarts && perSide(row) })
	}
	if !anew {
		return changed
	}
	last.changed = now
	a.compare.epoch++
	a.outdateReference(same)
	if a.toggle.of != nil && !same {
		a.toggle = toggle{}
	}
	if same && restarts(a.used, a.settings) {
		a.noteToggle(a.side, now)
	}
	for _, s := range a.sides {
		s.meter, s.score = meter{}, score{}
		if apart && same && a.comparing() {
			s.device.Restart()
		}
	}
	return true
}

// calls is how often each side renders in this frame. When what they show has changed, both must; where a call is a slice of
// time they take turns then, so that input is answered as soon as with one side.
func (a *app) calls(changed bool) (calls [2]int) {
	if changed && a.slices() {
		a.compare.turn = (a.compare.turn + 1) % len(a.sides)
		return one(a.compare.turn)
	}
	enough := false
	for _, s := range a.sides {
		enough = enough || s.meter.samples >= enoughSamples
	}
	if !enough && a.comparing() {
		calls = a.compare.pacing.plan([2]meter{a.sides[0].meter, a.sides[1].meter}, a.slices())
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
func (a *app) slices() bool { return a.device.Backend().Kind == "cpu" }

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
