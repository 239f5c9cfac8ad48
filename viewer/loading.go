package viewer

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
	"glint/tracer/settings"
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

// loader brings scenes and environments to the screen, one after another, and reads files again that have changed.
type loader struct {
	loading *loading
	pending []request // files to open after the one being loaded
	asked   time.Time // when the first of these was asked for
	watcher watcher

	folder           string   // of the last scene that was a file, also of an earlier window; empty: there was none
	sceneFiles       []string // that were opened
	environmentFiles []string // likewise

	read    LoadFunc
	scenes  []settings.Choice // names that read knows
	options func(job *loading) gpuscene.Options
	done    func(job *loading, p *gpuscene.Prepared, err error)

	stage    *stage
	compared *comparison
	tasks    *mailbox
}

// open loads a scene while the old one stays. One that is being loaded is given up for it.
func (l *loader) open(path string) {
	l.pending = nil
	l.giveUp(false)
	l.request(request{path: path})
}

// drop loads files one after another. What they replace, of what is being loaded or waits, is given up for them; scenes that are merged
// replace nothing.
func (l *loader) drop(paths []string, merge bool) {
	var asked []request
	for _, path := range paths {
		environment := isEnvironment(path)
		asked = append(asked, request{path: path, environment: environment, merge: merge && !environment})
	}
	for _, r := range asked {
		if r.merge {
			continue
		}
		l.pending = slices.DeleteFunc(l.pending, func(old request) bool { return old.environment == r.environment })
		l.giveUp(r.environment)
	}
	for _, r := range asked {
		l.request(r)
	}
}

// giveUp stops loading a scene, or an environment, in favour of another. The first scene of a window goes on.
func (l *loader) giveUp(environment bool) {
	if job := l.loading; job != nil && !job.first && (job.light != nil) == environment && (environment || job.scene == nil) {
		job.dropped = true
		job.cancel()
	}
}

// cancelLoading stops what is being loaded and forgets what waits, if there is a scene to go on with.
func (l *loader) cancelLoading() bool {
	job := l.loading
	if job == nil || job.first || job.ctx.Err() != nil {
		return false
	}
	l.pending = nil
	job.cancel()
	return true
}

// request loads a file after those that were asked for before.
func (l *loader) request(r request) {
	if l.loading == nil {
		l.asked = time.Now()
	}
	l.pending = append(l.pending, r)
	l.loadNext()
}

// loadNext loads what waits, unless something is being loaded. What else prepares a scene anew waits for files, which
// get it in passing.
func (l *loader) loadNext() {
	switch {
	case l.loading != nil:
	case len(l.pending) > 0:
		next := l.pending[0]
		l.pending = l.pending[1:]
		switch {
		case next.merge && l.stage.shown != nil:
			l.load(&loading{path: next.path, into: l.stage.shown.scene})
		case !next.environment:
			l.load(&loading{path: next.path})
		case l.stage.shown != nil:
			l.load(&loading{path: next.path, scene: l.stage.shown.scene, anew: true, light: &lighting{spec: next.path}})
		}
	case l.stage.shown != nil:
		if changed := l.stage.shown.choices.changed(choicesOf(&l.compared.active.Settings)); changed != "" {
			l.load(&loading{scene: l.stage.shown.scene, anew: true, changed: changed})
		}
	}
}

// load reads and prepares a scene in the background.
func (l *loader) load(job *loading) {
	l.loading, job.choices = job, choicesOf(&l.compared.active.Settings)
	job.ctx, job.cancel = context.WithCancel(context.Background())
	o := l.options(job)
	var prepared *gpuscene.Prepared
	guard.Go(func() (err error) {
		prepared, err = prepare(job, l.read, o)
		return err
	}, func(err error) {
		var fault *guard.Fault
		if errors.As(err, &fault) {
			l.compared.log.Debug("internal error while loading", "stack", fault.Stack)
		}
		l.tasks.post(func() { l.done(job, prepared, err) })
	})
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

// rememberEnvironment puts an environment on the list, unless it is always there.
func (l *loader) rememberEnvironment(spec string) {
	if !slices.ContainsFunc(environments(), func(c session.Choice) bool { return c.Value == spec }) {
		l.remember(&l.environmentFiles, spec)
	}
}

// remember puts a file on a list, once. Built-in scenes are on theirs.
func (l *loader) remember(list *[]string, path string) {
	builtIn := slices.ContainsFunc(l.scenes, func(s settings.Choice) bool { return s.Name == path })
	if path != "" && !builtIn && !slices.Contains(*list, path) {
		*list = append(*list, path)
	}
}

// sceneChoices are the built-in scenes and the files that were opened.
func (l *loader) sceneChoices() []session.Choice {
	var list []session.Choice
	for _, path := range l.sceneFiles {
		list = append(list, session.Choice{Name: filepath.Base(path), Value: path, Help: path})
	}
	for _, s := range l.scenes {
		list = append(list, session.Choice{Name: s.Name, Value: s.Name, Help: s.Help})
	}
	return list
}

// environmentChoices are those that need no file and the files that were opened.
func (l *loader) environmentChoices() []session.Choice {
	list := environments()
	list[0].Name = l.stage.sceneEnvironment()
	for _, path := range l.environmentFiles {
		list = append(list, session.Choice{Name: filepath.Base(path), Value: path, Help: path})
	}
	return list
}
