package session

import (
	"cmp"
	"path/filepath"
	"slices"

	"glint/tracer"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
	"glint/tracer/view"
)

// sceneOptions are those that a scene is prepared with.
func (s *Session) sceneOptions(job *Loading) gpuscene.Options {
	set := &s.Active.Settings
	o := gpuscene.Options{
		Memory:      guard.NewMemory(cmp.Or(s.opts.LoadMemory, guard.DefaultMemory)),
		Environment: s.Light.Environment, Floor: set.Floor, Mipmaps: set.Mipmaps(), BVH: set.BVH, Progress: job.progress,
		OnDevice: s.Active.Device.Backend().Kind == "cuda", Quick: true,
	}
	if job.first {
		width, height := s.host.Pixels()
		o.Reserve = pictureBytes(s.Active, width, height) // later scenes find pictures that have it already
	}
	return o
}

// pictureBytes is what pictures of so many pixels will take of a GPU, whatever scene they show, bytes.
func pictureBytes(s *Side, width, height int) int64 {
	of := s.Device.Backend()
	if of.Kind != "cuda" {
		return 0
	}
	bytes, err := tracer.PictureBytes(of, view.View{Width: width, Height: height, Live: true, Window: true}, s.Settings, true)
	if err != nil {
		return 0 // rendering will say why
	}
	return bytes
}

// loaded shows a scene that is ready, or says why it is not.
func (s *Session) loaded(job *Loading, p *gpuscene.Prepared, err error) {
	s.Loading = nil
	if err == nil {
		err = job.Ctx.Err()
	}
	job.cancel() // for what it holds
	if (job.again || job.into != nil && err == nil) && len(job.files) > 0 {
		s.Watcher.follow(job.files)
	}
	if err == nil {
		err = s.Active.Device.Use(p)
	}
	switch {
	case err == nil && job.again:
		before := s.Shown.Source
		s.replaceScene(p, job)
		s.Messages.Say(againText(before, s.Shown.Source))
	case err == nil && job.anew:
		s.replaceScene(p, job)
	case err == nil && job.into != nil:
		s.replaceScene(p, job)
		s.host.SetTitle(windowTitle(p.Scene))
		s.remember(&s.SceneFiles, job.path)
		s.Messages.Opened(s.asked, job.path, "merged "+job.Name())
	case err == nil:
		s.show(p, job)
		s.remember(&s.SceneFiles, job.path)
		if !job.first {
			s.Messages.Opened(s.asked, job.path, "opened "+job.Name())
		}
	case job.first:
		s.Failure = err
	default:
		s.sayNotLoaded(job, err)
		if job.anew && job.light == nil {
			s.Shown.Choices.restore(&s.Active.Settings)
		}
	}
	s.loadNext()
}

// show puts a scene on the screen that the device has taken.
func (s *Session) show(p *gpuscene.Prepared, job *Loading) {
	s.Shown = &ShownScene{Prepared: p, Scene: p.Scene, Choices: job.choices, report: NewReportModel(p), Source: Source{Path: job.path, Variant: job.variant}}
	s.Watcher.follow(p.Scene.Report.Files)
	if file := s.Shown.file(); file != "" {
		s.Folder = filepath.Dir(file)
	}
	for _, side := range s.Sides {
		side.Stats = view.Stats{}
	}
	aspect := float32(1)
	if width, height := s.host.Pixels(); height > 0 {
		aspect = float32(width) / float32(height)
	}
	s.Controller = NewCamera(p.Scene.DefaultCamera(aspect), p.Scene.Bounds().Radius())
	if len(p.Scene.Cameras) == 0 {
		s.FrameScene()
	}
	at, clip := s.opts.At, s.opts.Clip
	if !job.first {
		at, clip = nil, ""
	}
	s.Player = newPlayer(p.Scene, at, clip, !s.TimeSliced())
	if job.first && s.opts.Camera != nil {
		s.Controller.Look(*s.opts.Camera)
	}
	if job.first && s.opts.Split {
		s.Tasks.Post(s.OpenSplit) // after a frame, when it is known which integrator auto stands for
	}
	// Aperture and focus depend on the size of the scene.
	s.Active.Settings.Aperture, s.Active.Settings.Focus = s.opts.Settings.Aperture, s.opts.Settings.Focus
	s.host.SetTitle(windowTitle(p.Scene))
	for _, note := range slices.Concat(p.Notes, s.Active.Device.SceneNotes()) {
		s.Log.Info(note)
	}
	for _, warning := range p.Scene.Report.Summary() {
		s.Log.Warn(warning)
	}
}

func windowTitle(s *scene.Scene) string { return "glint · " + guard.Name(s.Name) }

// replaceScene shows the same scene prepared anew, read again or with another merged into it, from where the user looks at it.
func (s *Session) replaceScene(p *gpuscene.Prepared, job *Loading) {
	from, clips := s.Shown.Source, s.clips()
	switch {
	case job.again:
		from.Variant = job.variant
	case job.into != nil:
		from.With = append(slices.Clone(from.With), job.path)
	}
	s.Shown = &ShownScene{Prepared: p, Scene: p.Scene, Camera: min(s.Shown.Camera, len(p.Scene.Cameras)-1), Choices: job.choices, report: NewReportModel(p), Source: from}
	if at := s.Player.Clip; job.into != nil && at > 0 && at == len(clips)-1 {
		s.Player.Clip = len(s.clips()) - 1 // the last plays all of them
	}
	if s.Player.Clip >= len(s.clips()) {
		s.Player = newPlayer(p.Scene, nil, "", false)
	}
	if s.Player.Clip < 0 {
		s.Player.Posed = Moment{s.Shown, -1, 0} // as it was prepared
	}
	if job.light == nil {
		return
	}
	s.Light = *job.light
	s.rememberEnvironment(s.Light.Spec)
	s.Messages.Opened(s.asked, job.path, "environment: "+job.Name())
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
