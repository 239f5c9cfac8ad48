package viewer

import (
	"cmp"
	"path/filepath"
	"slices"

	"glint/tracer"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
	"glint/tracer/view"
	"glint/viewer/session"
)

// sceneOptions are those that a scene is prepared with.
func (s *Session) sceneOptions(job *loading) gpuscene.Options {
	set := &s.active.Settings
	o := gpuscene.Options{
		Memory:      guard.NewMemory(cmp.Or(s.opts.LoadMemory, guard.DefaultMemory)),
		Environment: s.light.environment, Floor: set.Floor, Mipmaps: set.Mipmaps(), BVH: set.BVH, Progress: job.progress,
		OnDevice: s.active.Device.Backend().Kind == "cuda", Quick: true,
	}
	if job.first {
		width, height := s.host.Pixels()
		o.Reserve = pictureBytes(s.active, width, height) // later scenes find pictures that have it already
	}
	return o
}

// pictureBytes is what pictures of so many pixels will take of a GPU, whatever scene they show, bytes.
func pictureBytes(s *session.Side, width, height int) int64 {
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
func (s *Session) loaded(job *loading, p *gpuscene.Prepared, err error) {
	s.loading = nil
	if err == nil {
		err = job.ctx.Err()
	}
	job.cancel() // for what it holds
	if (job.again || job.into != nil && err == nil) && len(job.files) > 0 {
		s.watcher.follow(job.files)
	}
	if err == nil {
		err = s.active.Device.Use(p)
	}
	switch {
	case err == nil && job.again:
		before := s.shown.source
		s.showAnew(p, job)
		s.messages.Say(againText(before, s.shown.source))
	case err == nil && job.anew:
		s.showAnew(p, job)
	case err == nil && job.into != nil:
		s.showAnew(p, job)
		s.host.SetTitle(windowTitle(p.Scene))
		s.remember(&s.sceneFiles, job.path)
		s.messages.Opened(s.asked, job.path, "merged "+job.name())
	case err == nil:
		s.show(p, job)
		s.remember(&s.sceneFiles, job.path)
		if !job.first {
			s.messages.Opened(s.asked, job.path, "opened "+job.name())
		}
	case job.first:
		s.failure = err
	default:
		s.sayNotLoaded(job, err)
		if job.anew && job.light == nil {
			s.shown.choices.restore(&s.active.Settings)
		}
	}
	s.loadNext()
}

// show puts a scene on the screen that the device has taken.
func (s *Session) show(p *gpuscene.Prepared, job *loading) {
	s.shown = &shownScene{prepared: p, scene: p.Scene, choices: job.choices, report: session.NewReportModel(p), source: source{path: job.path, variant: job.variant}}
	s.watcher.follow(p.Scene.Report.Files)
	if file := s.shown.file(); file != "" {
		s.folder = filepath.Dir(file)
	}
	for _, side := range s.sides {
		side.Stats = view.Stats{}
	}
	aspect := float32(1)
	if width, height := s.host.Pixels(); height > 0 {
		aspect = float32(width) / float32(height)
	}
	s.controller = session.NewCamera(p.Scene.DefaultCamera(aspect), p.Scene.Bounds().Radius())
	if len(p.Scene.Cameras) == 0 {
		s.frameScene()
	}
	at, clip := s.opts.At, s.opts.Clip
	if !job.first {
		at, clip = nil, ""
	}
	s.player = newPlayer(p.Scene, at, clip, !s.timeSliced())
	if job.first && s.opts.Camera != nil {
		s.controller.Look(*s.opts.Camera)
	}
	if job.first && s.opts.Split {
		s.tasks.post(s.openSplit) // after a frame, when it is known which integrator auto stands for
	}
	// Aperture and focus depend on the size of the scene.
	s.active.Settings.Aperture, s.active.Settings.Focus = s.opts.Settings.Aperture, s.opts.Settings.Focus
	s.host.SetTitle(windowTitle(p.Scene))
	for _, note := range slices.Concat(p.Notes, s.active.Device.SceneNotes()) {
		s.log.Info(note)
	}
	for _, warning := range p.Scene.Report.Summary() {
		s.log.Warn(warning)
	}
}

func windowTitle(s *scene.Scene) string { return "glint · " + guard.Name(s.Name) }

// showAnew shows the same scene prepared anew, read again or with another merged into it, from where the user looks at it.
func (s *Session) showAnew(p *gpuscene.Prepared, job *loading) {
	from, clips := s.shown.source, s.clips()
	switch {
	case job.again:
		from.variant = job.variant
	case job.into != nil:
		from.with = append(slices.Clone(from.with), job.path)
	}
	s.shown = &shownScene{prepared: p, scene: p.Scene, camera: min(s.shown.camera, len(p.Scene.Cameras)-1), choices: job.choices, report: session.NewReportModel(p), source: from}
	if at := s.player.clip; job.into != nil && at > 0 && at == len(clips)-1 {
		s.player.clip = len(s.clips()) - 1 // the last plays all of them
	}
	if s.player.clip >= len(s.clips()) {
		s.player = newPlayer(p.Scene, nil, "", false)
	}
	if s.player.clip < 0 {
		s.player.posed = moment{s.shown, -1, 0} // as it was prepared
	}
	if job.light == nil {
		return
	}
	s.light = *job.light
	s.rememberEnvironment(s.light.spec)
	s.messages.Opened(s.asked, job.path, "environment: "+job.name())
}

// againText says why the scene has changed.
func againText(before, now source) string {
	switch {
	case before.variant == now.variant:
		return "the file has changed, and was read again"
	case now.variant == "":
		return "variant: default"
	default:
		return "variant: " + guard.Name(now.variant)
	}
}
