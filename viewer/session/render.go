package session

import (
	"slices"
	"time"

	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Frames renders each frame as the schedule says.
type Frames struct {
	*Comparison
	tasks *Mailbox

	Rendered   LastFrame
	History    FrameLog
	Schedule   schedule.Live
	Change     SettingChange
	Statistics StatsModel
	Background Background
	known      known
	Idle       bool     // there are enough samples
	cores      int      // of the processor
	refresh    struct { // of the display
		rate  int // Hz
		asked time.Time
	}
}

// LastFrame is what the images of the last frame were made from.
type LastFrame struct {
	View    schedule.Request
	scene   *ShownScene
	posed   Moment
	changed time.Time // when the view or a setting that restarts accumulation last changed
}

// render adds samples to the images, unless they have enough. It tells whether there is a new picture.
func (f *Frames) render(in FrameInput) (fresh bool, err error) {
	for _, s := range f.Sides {
		Share(f.Table, &s.Settings, &f.Active.Settings)
	}
	v := schedule.Request{View: view.View{Camera: in.camera, Width: in.width, Height: in.height}, Live: true, Window: true, Clock: in.clock, Compared: f.Comparing()}
	changed := f.noteChanges(in, v)
	now := f.situation(in, changed)
	if now.Moving() != f.Rendered.View.Moving {
		f.forgetCosts() // what moves may be rendered smaller
		now = f.situation(in, changed)
	}
	if f.Change.takeTurns(in, now.Moving(), f.newPicture, f.log) {
		now.Baseline = &f.Change.Baseline.Pace
	}
	next := f.Schedule.Next(now)
	f.Idle = next.Nothing()
	v.Moving, v.DeferReuse, v.Budget, v.Goal = next.Moving, next.DeferReuse, next.Slice, next.Goal
	f.Rendered.View, f.Rendered.scene, f.Rendered.posed = v, in.scene, in.posed
	defer func() { f.known.report(f.Sides, in.scene, f.Messages, f.log) }()
	fresh, err = f.RenderSides(in, v, next.Calls, next.Reference)
	if next.Baseline > 0 && err == nil {
		f.renderBaseline(in, v, next.Baseline)
	}
	f.Background.note(f.Active.Stats.Background, in.Now)
	return fresh, err
}

// situation is what a frame begins with.
func (f *Frames) situation(in FrameInput, changed bool) schedule.Situation {
	s := schedule.Situation{
		Now: in.Now, Touched: in.touched, ChangedAt: f.Rendered.changed, Busy: in.dragged || in.playing, Changed: changed,
		Cores: f.cores, TargetFPS: f.Active.Settings.TargetFPS, Refresh: f.refreshRate(in),
		Active: f.ActiveIndex(), Pacing: f.Compare.Pacing,
	}
	for _, side := range f.Sides {
		s.Timers, s.Paces, s.Sliced = append(s.Timers, side.Timer), append(s.Paces, side.Pace), append(s.Sliced, side.Sliced())
	}
	if r := f.Compare.Reference; r != nil && r.Stats.Samples < schedule.EnoughSamples && f.AllShown() {
		s.Reference = &r.pace
	}
	return s
}

// refreshRate is the display's, Hz, which may change.
func (f *Frames) refreshRate(in FrameInput) int {
	if in.Now.Sub(f.refresh.asked) > time.Second {
		f.refresh.asked, f.refresh.rate = in.Now, in.refresh()
	}
	return f.refresh.rate
}

// forgetCosts says that calls of Render will cost something else than before.
func (f *Frames) forgetCosts() {
	for _, s := range f.rendering() {
		s.Pace = schedule.Pace{}
	}
	if r := f.Compare.Reference; r != nil {
		r.pace = schedule.Pace{}
	}
}

// RenderSides renders the sides and the reference. An error of anything but side A ends the comparison, and the window goes
// on with one side.
func (f *Frames) RenderSides(in FrameInput, v schedule.Request, calls [2]int, ofReference int) (fresh bool, err error) {
	for _, s := range f.rendering() {
		s.Stats.Paths, s.Stats.Elapsed = 0, 0 // count this frame only, whether or not the side renders in it
	}
	if r := f.Compare.Reference; r != nil {
		r.spent = 0
	}
	if fresh, err = f.renderSide(f.Sides[0], v, calls[0], in); err != nil {
		return false, err
	}
	freshRest, err := f.renderRest(in, v, calls[1], ofReference)
	if err == nil {
		err = f.measureErrors(f.tasks, in.Now)
	}
	if f.Bias.epoch != f.Compare.epoch {
		f.Bias.forget()
	}
	if err == nil && f.Comparing() && f.Compare.Show == BiasMap && !v.Moving {
		err = f.Bias.step(f.Sides, v, f.Compare.epoch, f.tasks, in.Now)
	}
	if err == nil && f.elsewhere() && !v.Moving {
		err = f.Cross.step(f.Sides, f.Compare.epoch, f.tasks, in.Now)
	}
	if err != nil {
		f.fail(err)
	}
	return fresh || freshRest, nil
}

// OnDevices does something with side A's device, and then with side B's where that is another. If only B's fails, the comparison ends.
func (f *Frames) OnDevices(do func(Renderer) error) error {
	if err := do(f.Sides[0].Device); err != nil {
		return err
	}
	if f.elsewhere() {
		if err := do(f.Sides[1].Device); err != nil {
			f.fail(err)
		}
	}
	return nil
}

// fail ends the comparison, since something has failed that nothing else needs.
func (f *Frames) fail(err error) {
	f.log.Error("compare", "err", err)
	f.CloseSplit()
	f.Messages.Warn("Compare: " + err.Error())
}

// renderSide renders one side so many times, or for a slice of time.
func (f *Frames) renderSide(s *Side, v schedule.Request, calls int, in FrameInput) (fresh bool, err error) {
	switch {
	case calls == 0:
		return false, nil
	case s.Sliced():
		return s.RenderSlice(v, in.Now, f.Compare.Show == Difference)
	}
	return true, s.Render(v, calls, in.interrupted)
}

// renderBaseline renders the view with the settings before the change.
func (f *Frames) renderBaseline(in FrameInput, v schedule.Request, calls int) {
	b := f.Change.Baseline
	b.Device.SetProfilePolicy(f.watch(f.Change.Of, in.statistics)) // timing takes time, too
	if _, err := f.renderSide(b, v, calls, in); err != nil {
		f.log.Error("measure a change", "err", err)
		f.Change.Drop(f.log)
	}
}

// renderRest renders what only a comparison needs.
func (f *Frames) renderRest(in FrameInput, v schedule.Request, calls, ofReference int) (fresh bool, err error) {
	if len(f.Sides) > 1 {
		if fresh, err = f.renderSide(f.Sides[1], v, calls, in); err != nil {
			return false, err
		}
	}
	if ofReference > 0 {
		return fresh, f.renderReference(v, ofReference, in.interrupted)
	}
	return fresh, nil
}

// showsTheSame tells whether the last frame showed the same, whatever the settings.
func (f *Frames) showsTheSame(in FrameInput, v schedule.Request) bool {
	last := &f.Rendered
	return v.Camera == last.View.Camera && v.Width == last.View.Width && v.Height == last.View.Height &&
		in.scene == last.scene && in.posed == last.posed
}

// noteChanges compares view and settings with the last frame's. It expects what the renderer will restart, and tells whether the images must be rendered or tone-mapped
// again. Two sides restart together, so that they can be compared.
func (f *Frames) noteChanges(in FrameInput, v schedule.Request) (changed bool) {
	last := &f.Rendered
	same := f.showsTheSame(in, v)
	restart, differs := !same, false
	for _, s := range f.Sides {
		changed = changed || s.Settings != s.Used
		restart = restart || Restarts(f.Table, s.Used, s.Settings)
		differs = differs || Differ(f.Table, s.Used, s.Settings, func(row settings.Setting) bool {
			return row.Restarts && row.Scope == settings.PerImage
		})
	}
	if !restart {
		return changed
	}
	last.changed = in.Now
	if in.scene != last.scene || v.Width != last.View.Width || v.Height != last.View.Height {
		f.forgetCosts()
	}
	f.Compare.epoch++
	f.outdateReference(same)
	f.Change.Drop(f.log)
	if same && !f.Comparing() { // two sides are compared as they are
		f.Change = newChange(f.Table, f.Active, v, in.Now)
	}
	for _, s := range f.Sides {
		s.Timer, s.RefError = schedule.SampleTimer{}, RefError{}
		if Restarts(f.Table, s.Used, s.Settings) {
			s.Pace = schedule.Pace{}
		}
		if differs && same && f.Comparing() {
			s.Device.Restart()
		}
	}
	return true
}

// rendering are the sides, and the baseline of a change that is being measured.
func (f *Frames) rendering() []*Side {
	if b := f.Change.Baseline; b != nil {
		return append(slices.Clone(f.Sides), b)
	}
	return f.Sides
}

// Paths is the number of camera paths that the last frame traced, without those of the reference.
func (f *Frames) Paths() (sum uint64) {
	for _, s := range f.rendering() {
		sum += s.Stats.Paths
	}
	return sum
}

// Elapsed is how long rendering took in the last frame, including the reference.
func (f *Frames) Elapsed() (sum time.Duration) {
	for _, s := range f.rendering() {
		sum += s.Stats.Elapsed
	}
	if r := f.Compare.Reference; r != nil {
		sum += r.spent
	}
	return sum
}

// account accounts for the frame before, which was so long.
func (f *Frames) account(frame time.Duration) {
	if f.Idle {
		return
	}
	f.History.Add(frame, f.Paths())
	if f.TimeSliced() {
		f.Schedule.Split.Account(frame)
	}
}

// Drawn accounts for a frame on a GPU that has taken so long, without the wait for the display.
func (f *Frames) Drawn(frame time.Duration) {
	if !f.TimeSliced() && !f.Idle {
		f.Schedule.Split.Given = f.Elapsed()
		f.Schedule.Split.Account(frame)
	}
}

// watch says how many of a side's frames are timed and counted. On a CPU timing is free and frames are few, so all are timed.
func (f *Frames) watch(s *Side, shown bool) profile.Policy {
	switch {
	case !shown || s != f.Active:
		return profile.Policy{CountEvery: HiddenEvery}
	case s.Sliced():
		return profile.Policy{TimeEvery: 1, CountEvery: 4}
	}
	return profile.Policy{TimeEvery: ShownEvery, CountEvery: ShownEvery}
}

// updateStatistics reads the statistics of the active side now and then, while they are shown.
func (f *Frames) updateStatistics(shown bool, now time.Time) error {
	for _, s := range f.Sides {
		s.Device.SetProfilePolicy(f.watch(s, shown))
	}
	m := &f.Statistics
	if !shown {
		*m = StatsModel{}
		return nil
	}
	if now.Sub(m.Asked) < StatsEvery {
		return nil
	}
	s, err := f.Active.Device.Statistics()
	if err != nil && f.ActiveIndex() == 1 {
		f.fail(err)
		return nil
	}
	if err != nil {
		return err
	}
	if m.Of != f.Active {
		*m = StatsModel{Of: f.Active, Asked: now} // what was gathered before the panel opened is of other views
		return nil
	}
	m.Asked = now
	m.Update(s)
	return nil
}
