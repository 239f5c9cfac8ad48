package viewer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ncruces/zenity"

	"glint/tracer"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
	"glint/viewer/session"
)

// background is what the renderer makes while something else stands in.
type background struct {
	what  string // empty: nothing
	since time.Time
}

// quietFor is how long the user need not know of something that goes on.
const quietFor = 300 * time.Millisecond

// note takes what the renderer says.
func (b *background) note(what string, now time.Time) {
	if what != b.what {
		*b = background{what, now}
	}
}

// text says what goes on, once that takes longer than the user should have to wonder.
func (b *background) text(now time.Time) string {
	if b.what == "" || now.Sub(b.since) < quietFor {
		return ""
	}
	return fmt.Sprintf("%s: %.0f s", b.what, now.Sub(b.since).Seconds())
}

// loading is one scene on its way to the screen. Its progress is written by the loading goroutine.
type loading struct {
	path    string
	scene   *scene.Scene // in memory already, or nil
	first   bool         // nothing else can be shown when it fails
	variant string       // of the scene's materials, empty for its default
	into    *scene.Scene // the scene on the screen, where this one is merged into it
	with    []string     // files to be merged into it
	again   bool         // the files of the scene on the screen, read once more
	before  *scene.Scene // what they were when they were read before; nil where something else is wanted of them
	files   []scene.File // that were read
	anew    bool         // the scene on the screen, prepared anew in another light or as other settings ask for
	light   *lighting    // the other light, to be loaded; nil: the window's
	changed string       // of one prepared anew for a setting: what that is called
	choices choices      // that the scene is prepared for

	ctx     context.Context // of this one load
	cancel  context.CancelFunc
	dropped bool // nobody waits for it any more, and the user knows

	mu       sync.Mutex
	stage    string
	fraction float64
}

// choices are the settings that a scene is prepared for: where others are wanted, it is prepared anew.
type choices struct {
	floor  bool
	filter string // of textures
}

func choicesOf(s *settings.Settings) choices { return choices{s.Floor, s.TextureFilter} }

// restore has settings ask for these.
func (c choices) restore(s *settings.Settings) { s.Floor, s.TextureFilter = c.floor, c.filter }

// changed is what the user calls a choice that differs; empty where none does.
func (c choices) changed(wanted choices) string {
	switch {
	case c.floor != wanted.floor:
		return "floor"
	case c.filter != wanted.filter:
		return "texture filter"
	}
	return ""
}

func (l *loading) progress(stage string, fraction float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stage, l.fraction = stage, fraction
}

// state is the current stage and the fraction of it that is done, 0…1.
func (l *loading) state() (stage string, fraction float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stage, l.fraction
}

// name is what the user calls it.
func (l *loading) name() string {
	switch {
	case l.light != nil:
		return environmentName(l.light.spec)
	case l.anew:
		return l.changed
	}
	if l.scene != nil {
		return l.scene.Name
	}
	return filepath.Base(l.path)
}

// request is a file that the user wants to see: a scene, by itself or merged into the one on the screen, or an environment as --env
// names it.
type request struct {
	path               string
	environment, merge bool
}

// open loads a scene while the old one stays. One that is being loaded is given up for it.
func (a *app) open(path string) {
	a.pending = nil
	a.giveUp(false)
	a.request(request{path: path})
}

// drop loads files one after another. What they replace, of what is being loaded or waits, is given up for them; scenes that are merged
// replace nothing.
func (a *app) drop(paths []string, merge bool) {
	var asked []request
	for _, path := range paths {
		environment := isEnvironment(path)
		asked = append(asked, request{path: path, environment: environment, merge: merge && !environment})
	}
	for _, r := range asked {
		if r.merge {
			continue
		}
		a.pending = slices.DeleteFunc(a.pending, func(old request) bool { return old.environment == r.environment })
		a.giveUp(r.environment)
	}
	for _, r := range asked {
		a.request(r)
	}
}

// giveUp stops loading a scene, or an environment, in favour of another. The first scene of a window goes on.
func (a *app) giveUp(environment bool) {
	if job := a.loading; job != nil && !job.first && (job.light != nil) == environment && (environment || job.scene == nil) {
		job.dropped = true
		job.cancel()
	}
}

// cancelLoading stops what is being loaded and forgets what waits, if there is a scene to go on with.
func (a *app) cancelLoading() bool {
	job := a.loading
	if job == nil || job.first || job.ctx.Err() != nil {
		return false
	}
	a.pending = nil
	job.cancel()
	return true
}

// request loads a file after those that were asked for before.
func (a *app) request(r request) {
	if a.loading == nil {
		a.asked = time.Now()
	}
	a.pending = append(a.pending, r)
	a.loadNext()
}

// loadNext loads what waits, unless something is being loaded. What else prepares a scene anew waits for files, which
// get it in passing.
func (a *app) loadNext() {
	switch {
	case a.loading != nil:
	case len(a.pending) > 0:
		next := a.pending[0]
		a.pending = a.pending[1:]
		switch {
		case next.merge && a.shown != nil:
			a.load(&loading{path: next.path, into: a.shown.scene})
		case !next.environment:
			a.load(&loading{path: next.path})
		case a.shown != nil:
			a.load(&loading{path: next.path, scene: a.shown.scene, anew: true, light: &lighting{spec: next.path}})
		}
	case a.shown != nil:
		if changed := a.shown.choices.changed(choicesOf(&a.active.Settings)); changed != "" {
			a.load(&loading{scene: a.shown.scene, anew: true, changed: changed})
		}
	}
}

// load reads and prepares a scene in the background.
func (a *app) load(job *loading) {
	a.loading, job.choices = job, choicesOf(&a.active.Settings)
	job.ctx, job.cancel = context.WithCancel(context.Background())
	read := a.opts.Load
	o := gpuscene.Options{
		Memory:      guard.NewMemory(cmp.Or(a.opts.LoadMemory, guard.DefaultMemory)),
		Environment: a.light.environment, Floor: a.active.Settings.Floor, Mipmaps: a.active.Settings.Mipmaps(), BVH: a.active.Settings.BVH, Progress: job.progress,
		OnDevice: a.active.Device.Backend().Kind == "cuda", Quick: true,
	}
	if job.first {
		o.Reserve = a.pictureBytes()
	}
	var prepared *gpuscene.Prepared
	guard.Go(func() (err error) {
		prepared, err = prepare(job, read, o)
		return err
	}, func(err error) {
		var fault *guard.Fault
		if errors.As(err, &fault) {
			a.log.Debug("internal error while loading", "stack", fault.Stack)
		}
		a.tasks.post(func() { a.loaded(job, prepared, err) })
	})
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

// prepare reads and prepares a scene. A panic of the reader becomes an error: a bad file must not close the window.
func prepare(job *loading, read LoadFunc, o gpuscene.Options) (p *gpuscene.Prepared, err error) {
	defer o.Memory.HoldCollector()()
	err = guard.Safely(func() (err error) {
		if job.light != nil {
			if job.light.environment, err = gpuscene.LoadEnvironment(job.light.spec, o.Memory); err != nil {
				return err
			}
			o.Environment = job.light.environment
		}
		s := job.scene
		if s == nil {
			if s, err = job.read(read, o.Memory); err != nil {
				return err
			}
			if job.files = s.Report.Files; job.before != nil {
				if err := checkAgain(s, job.before); err != nil {
					return err
				}
			}
		}
		p, err = gpuscene.Prepare(job.ctx, s, o)
		return err
	})
	var fault *guard.Fault
	if errors.As(err, &fault) && errors.Unwrap(err) == nil {
		err = fmt.Errorf("load %s: %w", guard.Name(job.name()), err)
	}
	return p, err
}

// read reads the scene, and merges it with others where that is asked for.
func (l *loading) read(read LoadFunc, memory *guard.Memory) (*scene.Scene, error) {
	o := scene.Options{Variant: l.variant, Animated: true, Progress: l.progress, Memory: memory}
	s, err := read(l.ctx, l.path, o)
	if err == nil && l.into != nil {
		return merge(l.into, s, memory)
	}
	o.Variant = ""
	for _, path := range l.with {
		if err != nil {
			break
		}
		var more *scene.Scene
		if more, err = read(l.ctx, path, o); err == nil {
			s, err = merge(s, more, memory)
		}
	}
	return s, err
}

// merge makes one scene of two if there is memory for that.
func merge(a, b *scene.Scene, memory *guard.Memory) (*scene.Scene, error) {
	if err := memory.Take("the merged scene", a.GeometryBytes()+b.GeometryBytes()); err != nil {
		return nil, err
	}
	return scene.Merge(a, b)
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

// rememberEnvironment puts an environment on the list, unless it is always there.
func (a *app) rememberEnvironment(spec string) {
	if !slices.ContainsFunc(environments(), func(c session.Choice) bool { return c.Value == spec }) {
		a.remember(&a.environmentFiles, spec)
	}
}

// remember puts a file on a list, once. Built-in scenes are on theirs.
func (a *app) remember(list *[]string, path string) {
	builtIn := slices.ContainsFunc(a.opts.Scenes, func(s settings.Choice) bool { return s.Name == path })
	if path != "" && !builtIn && !slices.Contains(*list, path) {
		*list = append(*list, path)
	}
}

// chooseFile lets the user choose a scene.
func (a *app) chooseFile() {
	filter := zenity.FileFilter{Name: "glTF scenes", Patterns: []string{"*.glb", "*.gltf"}, CaseFold: true}
	a.askForFile("Open a scene", a.folder, filter, a.open)
}

// askForFile opens the desktop's file dialog in a folder; where that is not known or gone, in the working directory. The window goes on
// drawing meanwhile.
func (a *app) askForFile(title, folder string, filter zenity.FileFilter, open func(path string)) {
	a.capture(false)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		folder = fullPath(".")
	}
	inside := strings.TrimSuffix(folder, string(filepath.Separator)) + string(filepath.Separator)
	var path string
	guard.Go(func() (err error) {
		path, err = zenity.SelectFile(zenity.Title(title), zenity.Filename(inside), zenity.FileFilters{filter})
		return err
	}, func(err error) {
		a.tasks.post(func() {
			switch {
			case errors.Is(err, zenity.ErrCanceled):
			case err != nil:
				a.messages.Warn("No file dialog (" + strings.TrimSpace(err.Error()) + "): install zenity, or drop the file on the window")
			default:
				open(path)
			}
		})
	})
}
