package session

import (
	"cmp"
	"path/filepath"
	"slices"
	"time"

	"glint/tracer"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/view"
)

// sceneOptions are those that a scene is prepared with.
func (s *Session) sceneOptions(job *Loading) gpuscene.Options {
	set := job.settings(&s.Sides.Active.Settings)
	o := gpuscene.Options{
		Memory:      guard.NewMemory(cmp.Or(s.opts.LoadMemory, guard.DefaultMemory)),
		Environment: s.Stage.Light.Environment, Floor: set.Floor, Mipmaps: set.Mipmaps(), BVH: set.BVH, Progress: job.progress,
		OnDevice: !s.Sides.TimeSliced(), Quick: true,
	}
	if job.first {
		width, height := s.host.Pixels()
		o.Reserve = pictureBytes(s.Sides.Active, width, height) // later scenes find pictures that have it already
	}
	return o
}

// pictureBytes is what pictures of so many pixels will take of a GPU, whatever scene they show, bytes.
func pictureBytes(s *Side, width, height int) int64 {
	of := s.Device.Backend()
	if of.Kind != "cuda" {
		return 0
	}
	bytes, err := tracer.PictureBytes(of, schedule.Request{View: view.View{Width: width, Height: height}, Live: true, Window: true}, s.Settings, true)
	if err != nil {
		return 0 // rendering will say why
	}
	return bytes
}

// loaded shows a scene that is ready, or says why it is not.
func (s *Session) loaded(job *Loading, p *gpuscene.Prepared, err error) {
	s.Loader.Loading = nil
	if err == nil {
		err = job.Ctx.Err()
	}
	job.cancel() // for what it holds
	if (job.readAgain || job.into != nil && err == nil) && len(job.files) > 0 {
		s.Loader.Watcher.follow(job.files)
	}
	if err == nil {
		err = s.Frames.OnDevices(func(r Renderer) error { return r.Use(p) })
	}
	switch {
	case err == nil && job.readAgain:
		before := s.Stage.Shown.Source
		if s.replaceScene(p, job); !job.edited {
			s.Messages.Say(againText(before, s.Stage.Shown.Source))
		}
	case err == nil && job.prepareAgain:
		s.replaceScene(p, job)
	case err == nil && job.into != nil:
		s.replaceScene(p, job)
		s.host.SetTitle(windowTitle(p.Scene))
		s.Loader.remember(&s.Loader.SceneFiles, job.path)
		s.Messages.Opened(s.Loader.asked, job.path, "merged "+job.Name())
	case err == nil:
		s.show(p, job)
		s.Loader.remember(&s.Loader.SceneFiles, job.path)
		switch {
		case job.restore != nil:
			s.Documents.loaded(job.restore, *job.light)
			if job.first {
				s.Again.goOn(job.restore, job.otherFiles, time.Now())
			}
		case !job.first:
			s.Messages.Opened(s.Loader.asked, job.path, "opened "+job.Name())
		}
	case job.first:
		s.Failure = err
	default:
		s.Loader.sayNotLoaded(job, err)
		s.History.aside(func() {
			s.Stage.takeBack(job)
			if job.prepareAgain && job.light == nil {
				s.Stage.Shown.Choices.restore(&s.Sides.Active.Settings)
			}
		})
	}
	s.Loader.loadNext()
}

// show puts a scene on the screen that the device has taken.
func (s *Session) show(p *gpuscene.Prepared, job *Loading) {
	s.Stage.Shown = &ShownScene{
		Prepared: p, Scene: p.Scene, Choices: job.choices, report: NewReportModel(p), Source: Source{Path: job.path, Variant: job.variant, With: job.with},
	}
	s.Stage.Edits = p.Scene.Edits
	s.History.forget()
	s.Questions.Close() // they are of the scene before
	s.Questions.Tour.begin()
	if job.otherFiles {
		s.Messages.Warn(guard.Name(p.Scene.Name) + " has changed since the picture was made: it will look different")
	}
	s.Loader.Watcher.follow(p.Scene.Report.Files)
	if file := s.Stage.Shown.file(); file != "" {
		s.Loader.Folder = filepath.Dir(file)
	}
	for _, side := range s.Sides.Sides {
		side.Stats = view.Stats{}
	}
	aspect := float32(1)
	if width, height := s.host.Pixels(); height > 0 {
		aspect = float32(width) / float32(height)
	}
	s.Stage.Camera = NewCamera(p.Scene.DefaultCamera(aspect), p.Scene.Bounds().Radius())
	if len(p.Scene.Cameras) == 0 {
		s.FrameScene()
	}
	at, clip := s.opts.At, s.opts.Clip
	if !job.first {
		at, clip = nil, ""
	}
	s.Stage.Player = newPlayer(p.Scene, at, clip, !s.Sides.TimeSliced())
	if job.first && s.opts.Camera != nil {
		s.Stage.Camera.Look(*s.opts.Camera)
	}
	if job.first { // after a frame, when it is known which integrator auto stands for
		switch {
		case s.opts.SplitBackend != "":
			s.Tasks.Post(s.Elsewhere.Open)
		case s.opts.Split:
			s.Tasks.Post(func() { s.Documents.splitAs(s.opts.Other) })
		}
	}
	// Aperture and focus depend on the size of the scene.
	s.Sides.Active.Settings.Aperture, s.Sides.Active.Settings.Focus = s.opts.Settings.Aperture, s.opts.Settings.Focus
	s.host.SetTitle(windowTitle(p.Scene))
	for _, note := range slices.Concat(p.Notes, s.Sides.Active.Device.SceneNotes()) {
		s.Log.Info(note)
	}
	for _, warning := range p.Scene.Report.Summary() {
		s.Log.Warn(warning)
	}
}

func windowTitle(s *scene.Scene) string { return "glint · " + guard.Name(s.Name) }

// replaceScene shows the same scene prepared again, read again or with another merged into it, from where the user looks at it.
func (s *Session) replaceScene(p *gpuscene.Prepared, job *Loading) {
	from, clips := s.Stage.Shown.Source, s.Stage.clips()
	switch {
	case job.readAgain:
		from.Variant = job.variant
	case job.into != nil:
		from.With = append(slices.Clone(from.With), job.path)
	}
	s.Stage.Shown = &ShownScene{
		Prepared: p, Scene: p.Scene, Camera: min(s.Stage.Shown.Camera, len(p.Scene.Cameras)-1), Choices: job.choices, report: NewReportModel(p),
		Source: from,
	}
	if at := s.Stage.Player.Clip; job.into != nil && at > 0 && at == len(clips)-1 {
		s.Stage.Player.Clip = len(s.Stage.clips()) - 1 // the last plays all of them
	}
	if s.Stage.Player.Clip >= len(s.Stage.clips()) {
		s.Stage.Player = newPlayer(p.Scene, nil, "", false)
	}
	if s.Stage.Player.Clip < 0 {
		s.Stage.Player.Posed = Moment{scene: s.Stage.Shown, clip: -1} // as it was prepared
	}
	if job.light == nil {
		return
	}
	s.Stage.Light = *job.light
	s.Loader.rememberEnvironment(s.Stage.Light.Spec)
	s.Messages.Opened(s.Loader.asked, job.path, "environment: "+job.Name())
}

// againText says why the scene has changed.
func againText(before, now Source) string {
	switch {
	case before.Variant == now.Variant:
		return "the file has changed, and was read again"
	case now.Variant == "":
		return "variant: default"
	default:
		return "variant: " + guard.Name(now.Variant)
	}
}
