package viewer

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/ncruces/zenity"

	"glint/tracer"
	"glint/tracer/scene"
	"glint/tracer/view"
)

// loading is one scene on its way to the screen. Its progress is written by the loading goroutine.
type loading struct {
	path  string
	scene *scene.Scene // in memory already, or nil
	first bool         // there is nothing else to show when it fails

	mu       sync.Mutex
	stage    string
	fraction float64
}

func (l *loading) progress(stage string, fraction float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stage, l.fraction = stage, fraction
}

// state is the stage and how much of it is done, 0…1.
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

// open loads a file while the old scene stays. A second file waits for the first; a third takes the second's place.
func (a *app) open(path string) {
	if a.loading != nil {
		a.pending = path
		return
	}
	a.load(&loading{path: path})
}

// load reads and prepares a scene in the background.
func (a *app) load(job *loading) {
	a.loading = job
	read, env, tree, onGPU := a.opts.Load, a.opts.Environment, a.settings.BVH, a.onGPU()
	go func() {
		prepared, err := prepare(job, read, tracer.PrepareOptions{Environment: env, Tree: tree, OnDevice: onGPU, Progress: job.progress})
		a.tasks.post(func() { a.loaded(job, prepared, err) })
	}()
}

// prepare turns even a panic of a reader into an error: a bad file must not close the window.
func prepare(job *loading, read LoadFunc, o tracer.PrepareOptions) (p *tracer.Prepared, err error) {
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
	o.Tree = firstTree(s, o.Tree, o.OnDevice)
	return tracer.PrepareWith(s, o)
}

// loaded shows a scene that is ready, or says why it is not.
func (a *app) loaded(job *loading, p *tracer.Prepared, err error) {
	a.loading = nil
	if err == nil {
		err = a.device.Use(p)
	}
	switch {
	case err == nil:
		a.show(p, job.first)
	case job.first:
		a.failure = err
	default:
		a.log.Error("the old scene stays", "err", err)
		a.warn(err.Error())
	}
	if next := a.pending; next != "" {
		a.pending = ""
		a.open(next)
	}
}

// show begins with a scene that the device has taken.
func (a *app) show(p *tracer.Prepared, first bool) {
	a.shown = &shown{prepared: p, scene: p.Scene, grove: grove{planted: []string{p.Method()}}}
	for _, s := range a.sides {
		s.stats = view.Stats{}
	}
	a.rig = newRig(p.Scene.DefaultCamera(a.aspect()), p.Scene.Bounds().Radius())
	if first && a.opts.Camera != nil {
		a.rig.look(*a.opts.Camera)
	}
	if first && a.opts.Split {
		a.tasks.post(a.openSplit) // after a frame, which tells what integrator auto stands for
	}
	// A lens that suits one scene's size does not suit another's.
	a.settings.Aperture, a.settings.Focus = a.opts.Settings.Aperture, a.opts.Settings.Focus
	a.window.SetTitle("glint · " + p.Scene.Name)
	for _, note := range p.Notes {
		a.log.Info(note)
	}
	for _, warning := range p.Scene.Report.Warnings {
		a.log.Warn(warning)
	}
}

// chooseFile asks for a file in a dialog of the desktop, and goes on drawing meanwhile.
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
