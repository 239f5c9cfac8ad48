package viewer

import (
	"runtime"
	"slices"
	"time"

	"glint/tracer/settings"
	"glint/tracer/view"
	"glint/viewer/session"
)

// frames decides what each frame renders, and how long that may take.
type frames struct {
	*comparison
	tasks *mailbox

	rendered   lastFrame
	history    session.FrameLog
	budget     session.FrameBudget
	change     settingChange
	statistics session.StatsModel
	background background
	known      known
	idle       bool     // there are enough samples
	refresh    struct { // of the display
		rate  int // Hz
		asked time.Time
	}
}

// lastFrame is what the images of the last frame were made from.
type lastFrame struct {
	view    view.View
	scene   *shownScene
	posed   moment
	changed time.Time // when the view or a setting that restarts accumulation last changed
}

// render adds samples to the images, unless they have enough. It tells whether there is a new picture.
func (f *frames) render(in frameInput) (fresh bool, err error) {
	for _, s := range f.sides {
		session.Share(f.table, &s.Settings, &f.active.Settings)
	}
	v := view.View{Camera: in.camera, Width: in.width, Height: in.height, Live: true, Window: true, Clock: in.clock}
	changed := f.noteChanges(in, v)
	moving := f.moving(in.dragged || in.playing, in.now)
	if moving != f.rendered.view.Moving {
		f.forgetCosts() // what moves may be rendered smaller
	}
	withReference := f.compare.reference != nil && !moving && f.compare.reference.stats.Samples < enoughSamples && f.allShown()
	images := len(f.sides)
	if withReference {
		images++
	}
	goal := f.frameGoal(in, moving)
	room := f.budget.Left(goal) / time.Duration(images)
	calls := f.calls(changed || moving, room*time.Duration(len(f.sides)))
	baseline := f.change.takeTurns(in, moving, f.newPicture, f.log)
	if baseline {
		calls = [2]int{}
	}
	f.idle = calls == [2]int{} && !withReference && !baseline
	v.Moving, v.Gathers = moving, !moving || f.active.Pace.Gathers(room)
	if !f.comparing() && f.change.baseline == nil { // else the time of the other side would count as the time of this one
		v.Fits = f.active.Pace.Fits(room)
	}
	switch {
	case f.idle:
	case f.timeSliced():
		v.Budget = f.budget.ForSlice(goal)
		if withReference {
			v.Budget /= 2
		}
	case f.active.Settings.TargetFPS > 0:
		v.Goal = room
	}
	f.rendered.view, f.rendered.scene, f.rendered.posed = v, in.scene, in.posed
	defer func() { f.known.report(f.sides, in.scene, f.messages, f.log) }()
	ofReference := 0
	if withReference {
		ofReference = f.compare.reference.pace.Fill(room)
	}
	fresh, err = f.renderSides(in, v, calls, ofReference)
	if baseline && err == nil {
		f.renderBaseline(in, v, room)
	}
	f.background.note(f.active.Stats.Background, in.now)
	return fresh, err
}

// frameGoal is how long the next frame may take: as long as the display shows it, unless a frame rate is asked for. A resting
// view that nobody touches changes little from frame to frame, and takes longer ones, of which less is lost; input ends them.
func (f *frames) frameGoal(in frameInput, moving bool) time.Duration {
	switch goal := session.FrameTime(f.active.Settings.TargetFPS); {
	case goal > 0:
		return goal
	case f.timeSliced() && moving:
		return session.MovingOnCPU(runtime.NumCPU())
	case f.timeSliced():
		return session.SliceTime
	case !moving && in.now.Sub(in.touched) > session.TouchedFor:
		return session.RestFrameTime
	}
	if in.now.Sub(f.refresh.asked) > time.Second {
		f.refresh.asked, f.refresh.rate = in.now, in.refresh()
	}
	return session.FrameTime(float64(f.refresh.rate))
}

// forgetCosts says that calls of Render will cost something else than before.
func (f *frames) forgetCosts() {
	for _, s := range f.rendering() {
		s.Pace = session.Pace{}
	}
	if r := f.compare.reference; r != nil {
		r.pace = session.Pace{}
	}
}

// renderSides renders the sides and the reference. An error of anything but side A ends the comparison, and the window goes
// on with one side.
func (f *frames) renderSides(in frameInput, v view.View, calls [2]int, ofReference int) (fresh bool, err error) {
	for _, s := range f.rendering() {
		s.Stats.Paths, s.Stats.Elapsed = 0, 0 // count this frame only, whether or not the side renders in it
	}
	if r := f.compare.reference; r != nil {
		r.spent = 0
	}
	if fresh, err = f.renderSide(f.sides[0], v, calls[0], in); err != nil {
		return false, err
	}
	freshRest, err := f.renderRest(in, v, calls[1], ofReference)
	if err == nil {
		err = f.measureErrors(f.tasks, in.now)
	}
	if err != nil {
		f.log.Error("compare", "err", err)
		f.closeSplit()
		f.messages.Warn("Compare: " + err.Error())
	}
	return fresh || freshRest, nil
}

// renderSide renders one side so many times, or for a slice of time.
func (f *frames) renderSide(s *session.Side, v view.View, calls int, in frameInput) (fresh bool, err error) {
	switch {
	case calls == 0:
		return false, nil
	case f.timeSliced():
		return s.RenderSlice(v, in.now)
	}
	return true, s.Render(v, calls, in.interrupted)
}

// renderBaseline renders the view with the settings before the change.
func (f *frames) renderBaseline(in frameInput, v view.View, room time.Duration) {
	b := f.change.baseline
	b.Device.SetProfilePolicy(f.watch(f.change.of, in.statistics)) // timing takes time, too
	if _, err := f.renderSide(b, v, b.Pace.Fill(room), in); err != nil {
		f.log.Error("measure a change", "err", err)
		f.change.drop(f.log)
	}
}

// renderRest renders what only a comparison needs.
func (f *frames) renderRest(in frameInput, v view.View, calls, ofReference int) (fresh bool, err error) {
	if len(f.sides) > 1 {
		if fresh, err = f.renderSide(f.sides[1], v, calls, in); err != nil {
			return false, err
		}
	}
	if ofReference > 0 {
		return fresh, f.renderReference(v, ofReference, in.interrupted)
	}
	return fresh, nil
}

// showsTheSame tells whether the last frame showed the same, whatever the settings.
func (f *frames) showsTheSame(in frameInput, v view.View) bool {
	last := &f.rendered
	return v.Camera == last.view.Camera && v.Width == last.view.Width && v.Height == last.view.Height &&
		in.scene == last.scene && in.posed == last.posed
}

// noteChanges compares view and settings with the last frame's, and tells whether the images must be rendered or tone-mapped
// again. Two sides restart together, so that they can be compared.
func (f *frames) noteChanges(in frameInput, v view.View) (changed bool) {
	last := &f.rendered
	same := f.showsTheSame(in, v)
	restart, differs := !same, false
	for _, s := range f.sides {
		changed = changed || s.Settings != s.Used
		restart = restart || session.Restarts(f.table, s.Used, s.Settings)
		differs = differs || session.Differ(f.table, s.Used, s.Settings, func(row settings.Setting) bool {
			return row.Restarts && row.Scope == settings.PerImage
		})
	}
	if !restart {
		return changed
	}
	last.changed = in.now
	if in.scene != last.scene || v.Width != last.view.Width || v.Height != last.view.Height {
		f.forgetCosts()
	}
	f.compare.epoch++
	f.outdateReference(same)
	f.change.drop(f.log)
	if same && !f.comparing() { // two sides are compared as they are
		f.change = newChange(f.table, f.active, v, in.now)
	}
	for _, s := range f.sides {
		s.Timer, s.RefError = session.SampleTimer{}, session.RefError{}
		if session.Restarts(f.table, s.Used, s.Settings) {
			s.Pace = session.Pace{}
		}
		if differs && same && f.comparing() {
			s.Device.Restart()
		}
	}
	return true
}

// calls is how often each side renders in this frame, which has so much room for all of them. After a change both must. Where a
// call is a slice of time, they take turns instead, so that two sides answer input as fast as one.
func (f *frames) calls(changed bool, room time.Duration) (calls [2]int) {
	if changed && f.timeSliced() {
		f.compare.lastRendered = (f.compare.lastRendered + 1) % len(f.sides)
		return session.Only(f.compare.lastRendered)
	}
	enough := false
	for _, s := range f.sides {
		enough = enough || s.Timer.Samples >= enoughSamples
	}
	if !enough && f.comparing() {
		calls = f.compare.pacing.Plan([2]session.SampleTimer{f.sides[0].Timer, f.sides[1].Timer}, room, f.timeSliced())
	} else if !enough {
		calls[0] = f.sides[0].Pace.Fill(room)
	}
	if changed {
		for i := range f.sides {
			calls[i] = max(calls[i], 1)
		}
	}
	return calls
}

// moving tells whether the view or the scene is changing, as busy says, or did so a moment ago.
func (f *frames) moving(busy bool, now time.Time) bool {
	return busy || now.Sub(f.rendered.changed) < stillAfter
}

// rendering are the sides, and the baseline of a change that is being measured.
func (f *frames) rendering() []*session.Side {
	if b := f.change.baseline; b != nil {
		return append(slices.Clone(f.sides), b)
	}
	return f.sides
}

// paths is the number of camera paths that the last frame traced, without those of the reference.
func (f *frames) paths() (sum uint64) {
	for _, s := range f.rendering() {
		sum += s.Stats.Paths
	}
	return sum
}

// elapsed is how long rendering took in the last frame, including the reference.
func (f *frames) elapsed() (sum time.Duration) {
	for _, s := range f.rendering() {
		sum += s.Stats.Elapsed
	}
	if r := f.compare.reference; r != nil {
		sum += r.spent
	}
	return sum
}

// took accounts for the frame before, which was so long.
func (f *frames) took(frame time.Duration) {
	if f.idle {
		return
	}
	f.history.Add(frame, f.paths())
	if f.timeSliced() {
		f.budget.Took(frame)
	}
}

// drawn accounts for a frame on a GPU that has taken so long, without the wait for the display.
func (f *frames) drawn(frame time.Duration) {
	if !f.timeSliced() && !f.idle {
		f.budget.Given = f.elapsed()
		f.budget.Took(frame)
	}
}
