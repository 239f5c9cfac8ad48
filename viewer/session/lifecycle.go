package session

import (
	"cmp"
	"runtime"
	"time"

	"glint/tracer"
	"glint/tracer/device"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// New has no renderer and no scene yet; see Start.
func New(o Options, w Window, before Remembered, begun time.Time) *Session {
	o = o.withDefaults()
	first := &Side{Name: "A", Picture: w.NewPicture(), Settings: o.Settings, Start: o.Settings}
	s := &Session{opts: o, host: w, Log: o.Log, Tasks: Mailbox{wake: w.Wake}, Begun: begun}
	s.Sides = &Comparison{
		Active: first, Sides: []*Side{first}, Compare: NewCompare(), Table: tracer.SettingsTable(),
		newPicture: w.NewPicture, Messages: &s.Messages, log: o.Log,
		Bias: Bias{OwnPicture: OwnPicture{newPicture: w.NewPicture}, log: o.Log}, Cross: CrossCheck{log: o.Log},
	}
	s.Frames = &Frames{tasks: &s.Tasks, Comparison: s.Sides, cores: runtime.NumCPU()}
	s.Stage = &Stage{Light: Lighting{o.EnvironmentFlag, o.Environment}, messages: &s.Messages}
	s.Loader = &Loader{
		read: o.Load, scenes: o.Scenes, Folder: before.Folder, SceneFiles: before.Scenes, EnvironmentFiles: before.Environments, stage: s.Stage, compared: s.Sides,
		tasks: &s.Tasks, options: s.sceneOptions, done: s.loaded,
	}
	s.Editor = &Editor{Comparison: s.Sides, stage: s.Stage}
	s.Shots = &Shots{taken: map[string]bool{}, out: o.Out, tasks: &s.Tasks, messages: &s.Messages, log: o.Log}
	s.Documents = &Documents{
		Comparison: s.Sides, stage: s.Stage, loader: s.Loader, openSplit: s.OpenSplit, ask: w.AskForFile, views: before.Views, remember: w.Remember,
	}
	s.Questions = &Questions{&Noise{frames: s.Frames}, &Tuner{frames: s.Frames}, &Tour{frames: s.Frames, wanted: o.Tour}}
	s.Keeper = &Keeper{frames: s.Frames, stage: s.Stage, on: o.Tracer, open: func(on tracer.Options) (Renderer, error) { return o.Open(on, nil) },
		release: func() { s.Questions.Close() }, offers: o.Leave != ""}
	s.Elsewhere = &Elsewhere{keeper: s.Keeper, backend: o.SplitBackend, begin: s.showDivider}
	s.Again = &Again{keeper: s.Keeper, documents: s.Documents, leave: o.Leave}
	s.Inspector = &Inspector{frames: s.Frames, stage: s.Stage, pixel: w.pixelAt, zoom: leastZoom * 2}
	s.Black = &Black{frames: s.Frames, stage: s.Stage, loader: s.Loader}
	s.Tree = &SceneTree{s.Stage, s.frameWith}
	s.ScenePage = &ScenePage{frames: s.Frames, stage: s.Stage, tree: s.Tree, pixel: w.pixelAt, canWrite: s.opts.canWrite}
	s.Outline = &Outline{OwnPicture: OwnPicture{newPicture: w.NewPicture}, frames: s.Frames, stage: s.Stage, log: o.Log}
	s.History = &History{Comparison: s.Sides, stage: s.Stage}
	s.Loader.rememberEnvironment(o.EnvironmentFlag)
	return s
}

// Start opens the renderer and begins to load the first scene.
func (s *Session) Start() (err error) {
	first := &Loading{path: s.opts.Path, variant: s.opts.Variant, with: s.opts.With, edits: s.opts.Edits, hash: s.opts.FileHash, Scene: s.opts.Scene}
	if s.opts.GoOn != "" {
		said, err := s.Again.load(s.opts.GoOn, s.Sides.Table, guard.NewMemory(cmp.Or(s.opts.LoadMemory, guard.DefaultMemory)))
		if err != nil {
			return err
		}
		first = restoring(&said)
	}
	s.Sides.Active.Device, err = s.opts.Open(s.opts.Tracer, s.opts.Helpers)
	if err != nil && s.opts.GoOn != "" { // the window before it rendered, too
		s.Log.Error("open the device again", "err", err)
		s.Sides.Active.Device, err = s.opts.Open(tracer.Options{Backend: device.KindCPU, Log: s.opts.Tracer.Log}, nil)
	}
	if err != nil {
		return err
	}
	first.first = true
	s.Loader.Load(first)
	return nil
}

// Update does the work that other goroutines have posted, goes on loading, and moves the scene and the view by so many seconds.
func (s *Session) Update(now time.Time, dt float64) {
	s.Tasks.run()
	s.Loader.loadNext()
	s.Loader.lookAtFiles(now)
	s.Stage.play(func(p *scene.Pose) error { return s.Frames.OnDevices(func(r Renderer) error { return r.Pose(p) }) }, dt)
	s.Stage.Turntable.turn(&s.Stage.Camera, dt)
}

// UserState is what the user is doing.
type UserState struct {
	Dragged    bool      // the view
	Touched    time.Time // when there was something last
	Held       bool      // a key or a button is: what changes meanwhile is one change
	Statistics bool      // are shown
	Inspect    bool      // the inspector is shown
	Edit       bool      // the scene page is shown
	Over       bool      // the mouse is over the image
	X, Y       float64   // where it is, screen coordinates
}

// Render renders a frame that follows the last one after dt. It tells whether there is a new picture.
func (s *Session) Render(user UserState, now time.Time, dt time.Duration) (fresh bool, err error) {
	if s.Stage.Shown == nil {
		return true, nil
	}
	width, height := s.host.Pixels()
	fresh, err = s.Frames.render(FrameInput{
		Now: now, clock: now.Sub(s.Begun), camera: s.Stage.Camera.Camera, width: width, height: height,
		scene: s.Stage.Shown, posed: s.Stage.Player.Posed,
		dragged: user.Dragged || s.Stage.Turntable.On, playing: s.Stage.Player.Playing, loading: s.Loader.Loading != nil, statistics: user.Statistics,
		touched: user.Touched, refresh: s.host.Refresh, interrupted: s.host.Waiting,
	})
	if err == nil {
		err = s.Frames.updateStatistics(user.Statistics, now)
	}
	if err != nil {
		return true, s.Keeper.rescue(err, now)
	}
	s.Keeper.restore(now)
	s.Again.step()
	s.Keeper.keep(now)
	s.Frames.account(dt)
	s.History.look(now, user.Held)
	s.Black.look(now)
	s.Questions.Tuner.step()
	x, y := s.host.pixelAt(user.X, user.Y)
	s.Inspector.look(user.Inspect, user.Over, x, y, now)
	s.Outline.look(s.ScenePage.outlined(user.Edit))
	return fresh, nil
}

// Close releases everything: first what needs the rest.
func (s *Session) Close() (err error) {
	s.Shots.Writes.Wait()
	if s.Loader.Loading != nil {
		s.Loader.Loading.cancel()
	}
	s.Tasks.close()
	s.Questions.Close()
	s.Outline.release()
	s.Sides.CloseSplit()
	s.Frames.Change.Drop(s.Log)
	s.Sides.Active.Picture.Release()
	if s.Sides.Active.Device != nil {
		err = s.Sides.Active.Device.Close()
	}
	return err
}

// Remembered is what the next window is to begin with.
func (s *Session) Remembered() Remembered {
	r := Remembered{Folder: s.Loader.Folder, Views: s.Documents.views}
	for _, path := range s.Loader.SceneFiles {
		r.Scenes = append(r.Scenes, FullPath(path))
	}
	for _, path := range s.Loader.EnvironmentFiles {
		r.Environments = append(r.Environments, gpuscene.FullEnvironment(path))
	}
	return r
}
