package viewer

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/ncruces/zenity"

	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/view"
)

// loading is one scene on its way to the screen. Its progress is written by the loading goroutine.
type loading struct {
	path  string
	scene *scene.Scene // in memory already, or nil
	first bool         // nothing else can be shown when it fails

	mu       sync.Mutex
	stage    string
	fraction float64
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
	if l.scene != nil {
		return l.scene.Name
	}
	return filepath.Base(l.path)
}

// open loads a file while the old scene stays. While one is loading, the last file that was asked for waits.
func (a *app) open(path string) {
	a.pending = nil
	a.drop([]string{path})
}

// drop loads files one after another.
func (a *app) drop(paths []string) {
	if a.loading == nil {
		a.asked = time.Now()
	}
	a.pending = append(a.pending, paths...)
	a.loadNext()
}

// loadNext loads what waits, unless something is being loaded.
func (a *app) loadNext() {
	if a.loading == nil && len(a.pending) > 0 {
		next := a.pending[0]
		a.pending = a.pending[1:]
		a.load(&loading{path: next})
	}
}

// load reads and prepares a scene in the background.
func (a *app) load(job *loading) {
	a.loading = job
	read := a.opts.Load
	o := gpuscene.Options{
		Environment: a.opts.Environment, BVH: a.active.settings.BVH, Progress: job.progress,
		OnDevice: a.active.device.Backend().Kind == "cuda", Quick: true,
	}
	go func() {
		prepared, err := prepare(job, read, o)
		a.tasks.post(func() { a.loaded(job, prepared, err) })
	}()
}

// prepare reads and prepares a scene. A panic of the reader becomes an error: a bad file must not close the window.
func prepare(job *loading, read LoadFunc, o gpuscene.Options) (p *gpuscene.Prepared, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("load %s: %v", job.name(), problem)
		}
	}()
	s := job.scene
	if s == nil {
		if s, err = read(job.path, job.progress); err != nil {
			return nil, err
		}
	}
	return gpuscene.Prepare(s, o)
}

// loaded shows a scene that is ready, or says why it is not.
func (a *app) loaded(job *loading, p *gpuscene.Prepared, err error) {
	a.loading = nil
	if err == nil {
		err = a.active.device.Use(p)
	}
	switch {
	case err == nil:
		a.show(p, job.first)
		if !job.first {
			a.sayOpened(job.path, "opened "+job.name())
		}
	case job.first:
		a.failure = err
	default:
		a.log.Error("the old scene stays", "err", err)
		a.warnOf(job.path, err)
	}
	a.loadNext()
}

// show puts a scene on the screen that the device has taken.
func (a *app) show(p *gpuscene.Prepared, first bool) {
	a.shown = &shownScene{prepared: p, scene: p.Scene}
	for _, s := range a.sides {
		s.stats = view.Stats{}
	}
	a.controller = newCameraController(p.Scene.DefaultCamera(a.aspect()), p.Scene.Bounds().Radius())
	if first && a.opts.Camera != nil {
		a.controller.look(*a.opts.Camera)
	}
	if first && a.opts.Split {
		a.tasks.post(a.openSplit) // after a frame, when it is known which integrator auto stands for
	}
	// Aperture and focus depend on the size of the scene.
	a.active.settings.Aperture, a.active.settings.Focus = a.opts.Settings.Aperture, a.opts.Settings.Focus
	a.window.SetTitle("glint · " + p.Scene.Name)
	for _, note := range p.Notes {
		a.log.Info(note)
	}
	for _, warning := range p.Scene.Report.Warnings {
		a.log.Warn(warning)
	}
}

// chooseFile opens the desktop's file dialog. The window goes on drawing meanwhile.
func (a *app) chooseFile() {
	a.capture(false)
	go func() {
		path, err := zenity.SelectFile(zenity.Title("Open a scene"), zenity.FileFilters{
			{Name: "glTF scenes", Patterns: []string{"*.glb", "*.gltf"}, CaseFold: true},
		})
		a.tasks.post(func() { a.chosen(path, err) })
	}()
}

func (a *app) chosen(path string, err error) {
	switch {
	case errors.Is(err, zenity.ErrCanceled):
	case err != nil:
		a.warn("No file dialog (" + strings.TrimSpace(err.Error()) + "): install zenity, or drop the file on the window")
	default:
		a.open(path)
	}
}
