package viewer

import (
	"runtime"
	"slices"
	"time"

	"glint/tracer/settings"
	"glint/tracer/view"
	"glint/viewer/session"
)

// lastFrame is what the images of the last frame were made from.
type lastFrame struct {
	view    view.View
	scene   *shownScene
	posed   moment
	changed time.Time // when the view or a setting that restarts accumulation last changed
}

// render adds samples to the images, unless they have enough. It tells whether there is a new picture.
func (a *app) render(now time.Time) (fresh bool, err error) {
	width, height := a.window.GetFramebufferSize()
	for _, s := range a.sides {
		session.Share(a.table, &s.Settings, &a.active.Settings)
	}
	v := view.View{Camera: a.controller.Camera, Width: width, Height: height, Live: true, Window: true, Clock: now.Sub(a.begun)}
	changed := a.noteChanges(v, now)
	moving := a.moving(now)
	if moving != a.rendered.view.Moving {
		a.forgetCosts() // what moves may be rendered smaller
	}
	withReference := a.compare.reference != nil && !moving && a.compare.reference.stats.Samples < enoughSamples && a.allShown()
	images := len(a.sides)
	if withReference {
		images++
	}
	goal := a.frameGoal(moving, now)
	room := a.budget.Left(goal) / time.Duration(images)
	calls := a.calls(changed || moving, room*time.Duration(len(a.sides)))
	baseline := a.takeTurns(moving, now)
	if baseline {
		calls = [2]int{}
	}
	a.idle = calls == [2]int{} && !withReference && !baseline
	v.Moving, v.Gathers = moving, !moving || a.active.Pace.Gathers(room)
	if !a.comparing() && a.change.baseline == nil { // else the time of the other side would count as the time of this one
		v.Fits = a.active.Pace.Fits(room)
	}
	switch {
	case a.idle:
	case a.timeSliced():
		v.Budget = a.budget.ForSlice(goal)
		if withReference {
			v.Budget /= 2
		}
	case a.active.Settings.TargetFPS > 0:
		v.Goal = room
	}
	a.rendered.view, a.rendered.scene, a.rendered.posed = v, a.shown, a.player.posed
	defer a.reportFallbacks()
	ofReference := 0
	if withReference {
		ofReference = a.compare.reference.pace.Fill(room)
	}
	fresh, err = a.renderSides(v, calls, ofReference, now)
	if baseline && err == nil {
		a.renderBaseline(v, room, now)
	}
	a.background.note(a.active.Stats.Background, now)
	return fresh, err
}

// frameGoal is how long the next frame may take: as long as the display shows it, unless a frame rate is asked for. A resting
// view that nobody touches changes little from frame to frame, and takes longer ones, of which less is lost; input ends them.
func (a *app) frameGoal(moving bool, now time.Time) time.Duration {
	switch goal := session.FrameTime(a.active.Settings.TargetFPS); {
	case goal > 0:
		return goal
	case a.timeSliced() && moving:
		return session.MovingOnCPU(runtime.NumCPU())
	case a.timeSliced():
		return session.SliceTime
	case !moving && now.Sub(a.touched) > session.TouchedFor:
		return session.RestFrameTime
	}
	if now.Sub(a.refresh.asked) > time.Second {
		a.refresh.asked, a.refresh.rate = now, refreshRate(a.window)
	}
	return session.FrameTime(float64(a.refresh.rate))
}

// forgetCosts says that calls of Render will cost something else than before.
func (a *app) forgetCosts() {
	for _, s := range a.rendering() {
		s.Pace = session.Pace{}
	}
	if r := a.compare.reference; r != nil {
		r.pace = session.Pace{}
	}
}

// renderSides renders the sides and the reference. An error of anything but side A ends the comparison, and the window goes
// on with one side.
func (a *app) renderSides(v view.View, calls [2]int, ofReference int, now time.Time) (fresh bool, err error) {
	for _, s := range a.rendering() {
		s.Stats.Paths, s.Stats.Elapsed = 0, 0 // count this frame only, whether or not the side renders in it
	}
	if r := a.compare.reference; r != nil {
		r.spent = 0
	}
	if fresh, err = a.renderSide(a.sides[0], v, calls[0], now); err != nil {
		return false, err
	}
	freshRest, err := a.renderRest(v, calls[1], ofReference, now)
	if err == nil {
		err = a.measureErrors(now)
	}
	if err != nil {
		a.log.Error("compare", "err", err)
		a.closeSplit()
		a.messages.Warn("Compare: " + err.Error())
	}
	return fresh || freshRest, nil
}

// renderSide renders one side so many times, or for a slice of time.
func (a *app) renderSide(s *session.Side, v view.View, calls int, now time.Time) (fresh bool, err error) {
	switch {
	case calls == 0:
		return false, nil
	case a.timeSliced():
		return s.RenderSlice(v, now)
	}
	return true, s.Render(v, calls, a.interrupted)
}

// renderRest renders what only a comparison needs.
func (a *app) renderRest(v view.View, calls, ofReference int, now time.Time) (fresh bool, err error) {
	if len(a.sides) > 1 {
		if fresh, err = a.renderSide(a.sides[1], v, calls, now); err != nil {
			return false, err
		}
	}
	if ofReference > 0 {
		return fresh, a.renderReference(v, ofReference)
	}
	return fresh, nil
}

// showsTheSame tells whether the last frame showed the same, whatever the settings.
func (a *app) showsTheSame(v view.View) bool {
	last := &a.rendered
	return v.Camera == last.view.Camera && v.Width == last.view.Width && v.Height == last.view.Height &&
		a.shown == last.scene && a.player.posed == last.posed
}

// noteChanges compares view and settings with the last frame's, and tells whether the images must be rendered or tone-mapped
// again. Two sides restart together, so that they can be compared.
func (a *app) noteChanges(v view.View, now time.Time) (changed bool) {
	last := &a.rendered
	same := a.showsTheSame(v)
	restart, differs := !same, false
	for _, s := range a.sides {
		changed = changed || s.Settings != s.Used
		restart = restart || session.Restarts(a.table, s.Used, s.Settings)
		differs = differs || session.Differ(a.table, s.Used, s.Settings, func(row settings.Setting) bool {
			return row.Restarts && row.Scope == settings.PerImage
		})
	}
	if !restart {
		return changed
	}
	last.changed = now
	if a.shown != last.scene || v.Width != last.view.Width || v.Height != last.view.Height {
		a.forgetCosts()
	}
	a.compare.epoch++
	a.outdateReference(same)
	a.dropChange()
	if same {
		a.measureChange(a.active, v, now)
	}
	for _, s := range a.sides {
		s.Timer, s.RefError = session.SampleTimer{}, session.RefError{}
		if session.Restarts(a.table, s.Used, s.Settings) {
			s.Pace = session.Pace{}
		}
		if differs && same && a.comparing() {
			s.Device.Restart()
		}
	}
	return true
}

// calls is how often each side renders in this frame, which has so much room for all of them. After a change both must. Where a
// call is a slice of time, they take turns instead, so that two sides answer input as fast as one.
func (a *app) calls(changed bool, room time.Duration) (calls [2]int) {
	if changed && a.timeSliced() {
		a.compare.lastRendered = (a.compare.lastRendered + 1) % len(a.sides)
		return session.Only(a.compare.lastRendered)
	}
	enough := false
	for _, s := range a.sides {
		enough = enough || s.Timer.Samples >= enoughSamples
	}
	if !enough && a.comparing() {
		calls = a.compare.pacing.Plan([2]session.SampleTimer{a.sides[0].Timer, a.sides[1].Timer}, room, a.timeSliced())
	} else if !enough {
		calls[0] = a.sides[0].Pace.Fill(room)
	}
	if changed {
		for i := range a.sides {
			calls[i] = max(calls[i], 1)
		}
	}
	return calls
}

// timeSliced tells whether a call of Render is a slice of time: on the CPU a sample takes several calls.
func (a *app) timeSliced() bool { return a.active.Device.Backend().Kind == "cpu" }

// moving tells whether the view or the scene is changing, or did so a moment ago.
func (a *app) moving(now time.Time) bool {
	return a.input.dragged || a.player.playing || now.Sub(a.rendered.changed) < stillAfter
}

// allShown tells whether each side shows a picture at full size. Till then it has the processor to itself.
func (a *app) allShown() bool {
	return !slices.ContainsFunc(a.sides, func(s *session.Side) bool { return s.Stats.Shown == 0 })
}

// rendering are the sides, and the baseline of a change that is being measured.
func (a *app) rendering() []*session.Side {
	if b := a.change.baseline; b != nil {
		return append(slices.Clone(a.sides), b)
	}
	return a.sides
}

// paths is the number of camera paths that the last frame traced, without those of the reference.
func (a *app) paths() (sum uint64) {
	for _, s := range a.rendering() {
		sum += s.Stats.Paths
	}
	return sum
}

// elapsed is how long rendering took in the last frame, including the reference.
func (a *app) elapsed() (sum time.Duration) {
	for _, s := range a.rendering() {
		sum += s.Stats.Elapsed
	}
	if r := a.compare.reference; r != nil {
		sum += r.spent
	}
	return sum
}
