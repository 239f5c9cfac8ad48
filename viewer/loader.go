package viewer

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/settings"
	"glint/viewer/session"
)

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

// sayNotLoaded tells why the old scene stays.
func (l *loader) sayNotLoaded(job *loading, err error) {
	switch {
	case job.dropped || errors.Is(err, errUnchanged):
	case errors.Is(err, context.Canceled):
		l.compared.messages.Say("cancelled: " + guard.Name(job.name()))
	default:
		l.compared.log.Error("the old scene stays", "err", err)
		l.compared.messages.WarnOf(job.path, err)
	}
}

// openEnvironment lights the scene by another environment.
func (l *loader) openEnvironment(spec string) {
	l.pending = nil
	l.request(request{path: spec, environment: true})
}
