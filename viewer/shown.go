package viewer

import (
	"cmp"
	"context"
	"errors"
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
func (a *app) sceneOptions(job *loading) gpuscene.Options {
	s := &a.active.Settings
	o := gpuscene.Options{
		Memory:      guard.NewMemory(cmp.Or(a.opts.LoadMemory, guard.DefaultMemory)),
		Environment: a.light.environment, Floor: s.Floor, Mipmaps: s.Mipmaps(), BVH: s.BVH, Progress: job.progress,
		OnDevice: a.active.Device.Backend().Kind == "cuda", Quick: true,
	}
	if job.first {
		o.Reserve = a.pictureBytes()
	}
	return o
}

// pictureBytes is what pictures of the window will take of a GPU, whatever scene they show, bytes. Those of a window that shows a scene have it already.
func (a *app) pictureBytes() int64 {
	of := a.active.Device.Backend()
	if of.Kind != "cuda" {
		return 0
	}
	width, height := a.window.GetFramebufferSize()
	bytes, err := tracer.PictureBytes(of, view.View{Width: width, Height: height, Live: true, Window: true}, a.active.Settings, true)
	if err != nil {
		return 0 // rendering will say why
	}
	return bytes
}

// loaded shows a scene that is ready, or says why it is not.
func (a *app) loaded(job *loading, p *gpuscene.Prepared, err error) {
	a.loading = nil
	if err == nil {
		err = job.ctx.Err()
	}
	job.cancel() // for what it holds
	if (job.again || job.into != nil && err == nil) && len(job.files) > 0 {
		a.watcher.follow(job.files)
	}
	if err == nil {
		err = a.active.Device.Use(p)
	}
	switch {
	case err == nil && job.again:
		before := a.shown.source
		a.showAnew(p, job)
		a.sayAgain(before, a.shown.source)
	case err == nil && job.anew:
		a.showAnew(p, job)
	case err == nil && job.into != nil:
		a.showAnew(p, job)
		a.window.SetTitle(windowTitle(p.Scene))
		a.remember(&a.sceneFiles, job.path)
		a.messages.Opened(a.asked, job.path, "merged "+job.name())
	case err == nil:
		a.show(p, job)
		a.remember(&a.sceneFiles, job.path)
		if !job.first {
			a.messages.Opened(a.asked, job.path, "opened "+job.name())
		}
	case job.first:
		a.failure = err
	default:
		a.sayNotLoaded(job, err)
		if job.anew && job.light == nil {
			a.shown.choices.restore(&a.active.Settings)
		}
	}
	a.loadNext()
}

// sayNotLoaded tells why the old scene stays.
func (a *app) sayNotLoaded(job *loading, err error) {
	switch {
	case job.dropped || errors.Is(err, errUnchanged):
	case errors.Is(err, context.Canceled):
		a.messages.Say("cancelled: " + guard.Name(job.name()))
	default:
		a.log.Error("the old scene stays", "err", err)
		a.messages.WarnOf(job.path, err)
	}
}

// show puts a scene on the screen that the device has taken.
func (a *app) show(p *gpuscene.Prepared, job *loading) {
	a.shown = &shownScene{prepared: p, scene: p.Scene, choices: job.choices, report: session.NewReportModel(p), source: source{path: job.path, variant: job.variant}}
	a.watcher.follow(p.Scene.Report.Files)
	if file := a.shown.file(); file != "" {
		a.folder = filepath.Dir(file)
	}
	for _, s := range a.sides {
		s.Stats = view.Stats{}
	}
	a.controller = session.NewCamera(p.Scene.DefaultCamera(a.aspect()), p.Scene.Bounds().Radius())
	if len(p.Scene.Cameras) == 0 {
		a.frameScene()
	}
	at, clip := a.opts.At, a.opts.Clip
	if !job.first {
		at, clip = nil, ""
	}
	a.player = newPlayer(p.Scene, at, clip, !a.timeSliced())
	if job.first && a.opts.Camera != nil {
		a.controller.Look(*a.opts.Camera)
	}
	if job.first && a.opts.Split {
		a.tasks.post(a.openSplit) // after a frame, when it is known which integrator auto stands for
	}
	// Aperture and focus depend on the size of the scene.
	a.active.Settings.Aperture, a.active.Settings.Focus = a.opts.Settings.Aperture, a.opts.Settings.Focus
	a.window.SetTitle(windowTitle(p.Scene))
	for _, note := range slices.Concat(p.Notes, a.active.Device.SceneNotes()) {
		a.log.Info(note)
	}
	for _, warning := range p.Scene.Report.Summary() {
		a.log.Warn(warning)
	}
}

func windowTitle(s *scene.Scene) string { return "glint · " + guard.Name(s.Name) }

// showAnew shows the same scene prepared anew, read again or with another merged into it, from where the user looks at it.
func (a *app) showAnew(p *gpuscene.Prepared, job *loading) {
	from, clips := a.shown.source, a.clips()
	switch {
	case job.again:
		from.variant = job.variant
	case job.into != nil:
		from.with = append(slices.Clone(from.with), job.path)
	}
	a.shown = &shownScene{prepared: p, scene: p.Scene, camera: min(a.shown.camera, len(p.Scene.Cameras)-1), choices: job.choices, report: session.NewReportModel(p), source: from}
	if at := a.player.clip; job.into != nil && at > 0 && at == len(clips)-1 {
		a.player.clip = len(a.clips()) - 1 // the last plays all of them
	}
	if a.player.clip >= len(a.clips()) {
		a.player = newPlayer(p.Scene, nil, "", false)
	}
	if a.player.clip < 0 {
		a.player.posed = moment{a.shown, -1, 0} // as it was prepared
	}
	if job.light == nil {
		return
	}
	a.light = *job.light
	a.rememberEnvironment(a.light.spec)
	a.messages.Opened(a.asked, job.path, "environment: "+job.name())
}
