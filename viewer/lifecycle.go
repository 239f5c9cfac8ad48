package viewer

import (
	"time"

	"glint/tracer"
	"glint/viewer/session"
)

// newSession has no renderer and no scene yet; see start.
func newSession(o SessionOptions, w Window, folder string, begun time.Time) *Session {
	o = o.withDefaults()
	first := &session.Side{Name: "A", Picture: w.NewPicture(), Settings: o.Settings, Start: o.Settings}
	s := &Session{opts: o, host: w, log: o.Log, tasks: mailbox{wake: w.Wake}, begun: begun}
	s.comparison = &comparison{
		active: first, sides: []*session.Side{first}, compare: newCompare(), table: tracer.SettingsTable(),
		newPicture: w.NewPicture, messages: &s.messages, log: o.Log,
	}
	s.frames = &frames{tasks: &s.tasks, comparison: s.comparison}
	s.stage = &stage{light: lighting{o.EnvironmentFlag, o.Environment}, messages: &s.messages}
	s.loader = &loader{
		read: o.Load, scenes: o.Scenes, folder: folder, stage: s.stage, compared: s.comparison,
		tasks: &s.tasks, options: s.sceneOptions, done: s.loaded,
	}
	s.editor = &editor{comparison: s.comparison, stage: s.stage}
	s.shots = &shots{taken: map[string]bool{}, out: o.Out, tasks: &s.tasks, messages: &s.messages, log: o.Log}
	s.rememberEnvironment(o.EnvironmentFlag)
	return s
}

// start opens the renderer and begins to load the first scene.
func (s *Session) start() (err error) {
	if s.active.Device, err = s.opts.Open(s.opts.Tracer); err != nil {
		return err
	}
	s.load(&loading{path: s.opts.Path, variant: s.opts.Variant, scene: s.opts.Scene, first: true})
	return nil
}

// update does what other goroutines have asked for, goes on loading, and plays the animation by so many seconds.
func (s *Session) update(now time.Time, dt float64) {
	s.tasks.run()
	s.loadNext()
	s.lookAtFiles(now)
	s.play(s.active.Device, dt)
}

// userState is what the user is doing.
type userState struct {
	dragged    bool      // the view
	touched    time.Time // when there was something last
	statistics bool      // are shown
}

// render renders a frame that follows the last one after dt. It tells whether there is a new picture.
func (s *Session) render(user userState, now time.Time, dt time.Duration) (fresh bool, err error) {
	if s.shown == nil {
		return true, nil
	}
	width, height := s.host.Pixels()
	fresh, err = s.frames.render(frameInput{
		now: now, clock: now.Sub(s.begun), camera: s.controller.Camera, width: width, height: height, scene: s.shown, posed: s.player.posed,
		dragged: user.dragged, playing: s.player.playing, loading: s.loading != nil, statistics: user.statistics,
		touched: user.touched, refresh: s.host.Refresh, interrupted: s.host.Waiting,
	})
	if err == nil {
		err = s.updateStatistics(user.statistics, now)
	}
	if err == nil {
		s.took(dt)
	}
	return fresh, err
}

// close releases everything: first what needs the rest.
func (s *Session) close() (err error) {
	s.writes.Wait()
	if s.loading != nil {
		s.loading.cancel()
	}
	s.tasks.close()
	s.closeSplit()
	s.change.drop(s.log)
	s.active.Picture.Release()
	if s.active.Device != nil {
		err = s.active.Device.Close()
	}
	return err
}
