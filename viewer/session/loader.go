package session

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"glint/tracer/document"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// Request is a file that the user wants to see: a scene, alone or merged into the one on the screen, or an environment as --env
// names it.
type Request struct {
	Path               string
	environment, merge bool
	restore            *document.Document // it is shown as a picture of it says
}

// Loader brings scenes and environments to the screen, one after another, and reads files again that have changed.
type Loader struct {
	Loading *Loading
	Pending []Request // files to open after the one being loaded
	asked   time.Time // when the first of these was requested
	Watcher Watcher

	Folder           string   // of the last scene that was a file, also of an earlier window; empty: there was none
	SceneFiles       []string // that were opened, the last one first
	EnvironmentFiles []string // likewise

	read    LoadFunc
	scenes  []settings.Choice // names that read knows
	options func(job *Loading) gpuscene.Options
	done    func(job *Loading, p *gpuscene.Prepared, err error)

	stage    *Stage
	compared *Comparison
	tasks    *Mailbox
}

// Open loads a scene while the old one stays. One that is being loaded is given up for it.
func (l *Loader) Open(path string) {
	l.Pending = nil
	l.giveUp(false)
	l.Request(Request{Path: path})
}

// restore loads what a picture shows, while the old scene stays.
func (l *Loader) restore(said document.Document) {
	l.Pending = nil
	l.giveUp(false)
	l.Request(Request{Path: said.SceneWord(), restore: &said})
}

// Drop loads files one after another. What they replace, of what is being loaded or waits, is given up for them; scenes that are merged
// replace nothing.
func (l *Loader) Drop(paths []string, merge bool) {
	var asked []Request
	for _, path := range paths {
		environment := IsEnvironment(path)
		asked = append(asked, Request{Path: path, environment: environment, merge: merge && !environment})
	}
	for _, r := range asked {
		if r.merge {
			continue
		}
		l.Pending = slices.DeleteFunc(l.Pending, func(old Request) bool { return old.environment == r.environment })
		l.giveUp(r.environment)
	}
	for _, r := range asked {
		l.Request(r)
	}
}

// giveUp stops loading a scene, or an environment, in favour of another. The first scene of a window goes on.
func (l *Loader) giveUp(environment bool) {
	if job := l.Loading; job != nil && !job.first && job.relights() == environment && (environment || job.Scene == nil) {
		job.dropped = true
		job.cancel()
	}
}

// CancelLoading stops what is being loaded and forgets what waits, if there is a scene to go on with.
func (l *Loader) CancelLoading() bool {
	job := l.Loading
	if job == nil || job.first || job.Ctx.Err() != nil {
		return false
	}
	l.Pending = nil
	job.cancel()
	return true
}

// Request loads a file after those requested before.
func (l *Loader) Request(r Request) {
	if l.Loading == nil {
		l.asked = time.Now()
	}
	l.Pending = append(l.Pending, r)
	l.loadNext()
}

// loadNext loads what waits, unless something is being loaded. A scene that is only prepared again waits for files, which
// get it in passing.
func (l *Loader) loadNext() {
	switch {
	case l.Loading != nil:
	case len(l.Pending) > 0:
		next := l.Pending[0]
		l.Pending = l.Pending[1:]
		switch {
		case next.restore != nil:
			l.Load(restoring(next.restore))
		case next.merge && l.stage.Shown != nil:
			l.Load(&Loading{path: next.Path, into: l.stage.Shown.Scene})
		case !next.environment:
			l.Load(&Loading{path: next.Path})
		case l.stage.Shown != nil:
			l.Load(&Loading{path: next.Path, Scene: l.stage.Shown.Scene, prepareAgain: true, light: &Lighting{Spec: next.Path}})
		}
	case l.stage.Shown != nil:
		if changed := l.stage.Shown.Choices.changed(choicesOf(&l.compared.Active.Settings)); changed != "" {
			l.Load(&Loading{Scene: l.stage.Shown.Scene, prepareAgain: true, changed: changed})
		} else if !l.stage.readForEdits() {
			l.readAgain(l.stage.Shown.Variant, nil, true)
		}
	}
}

// readAgain reads the scene on the screen once more, and shows it from where the user looks at it. What waits goes first.
func (l *Loader) readAgain(variant string, before *scene.Scene, edited bool) {
	if l.Loading != nil {
		return
	}
	from := l.stage.Shown
	l.Load(&Loading{
		path: from.Path, variant: variant, with: from.With, edits: l.stage.Edits, readAgain: true, before: before, edited: edited,
	})
}

// Load reads and prepares a scene in the background.
func (l *Loader) Load(job *Loading) {
	l.Loading, job.choices = job, choicesOf(job.settings(&l.compared.Active.Settings))
	job.Ctx, job.cancel = context.WithCancel(context.Background())
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
		l.tasks.Post(func() { l.done(job, prepared, err) })
	})
}

// rememberEnvironment puts an environment on the list, unless it is always there.
func (l *Loader) rememberEnvironment(spec string) {
	if !slices.ContainsFunc(Environments(), func(c Choice) bool { return c.Value == spec }) {
		l.remember(&l.EnvironmentFiles, spec)
	}
}

// remember puts a file at the head of a list. Built-in scenes are on theirs.
func (l *Loader) remember(list *[]string, path string) {
	builtIn := slices.ContainsFunc(l.scenes, func(s settings.Choice) bool { return s.Name == path })
	if path != "" && !builtIn {
		*list = remember(*list, path)
	}
}

// sceneChoices are the built-in scenes and the files that were opened.
func (l *Loader) sceneChoices() []Choice {
	var list []Choice
	for _, path := range l.SceneFiles {
		list = append(list, Choice{Name: filepath.Base(path), Value: path, Help: path})
	}
	for _, s := range l.scenes {
		list = append(list, Choice{Name: s.Name, Value: s.Name, Help: s.Help})
	}
	return list
}

// environmentChoices are those that need no file and the files that were opened.
func (l *Loader) environmentChoices() []Choice {
	list := Environments()
	list[0].Name = l.stage.sceneEnvironment()
	for _, path := range l.EnvironmentFiles {
		list = append(list, Choice{Name: filepath.Base(path), Value: path, Help: path})
	}
	return list
}

// sayNotLoaded tells why the old scene stays.
func (l *Loader) sayNotLoaded(job *Loading, err error) {
	switch {
	case job.dropped || errors.Is(err, errUnchanged):
	case errors.Is(err, context.Canceled):
		l.compared.Messages.Say("cancelled: " + guard.Name(job.Name()))
	default:
		l.compared.log.Error("the old scene stays", "err", err)
		l.compared.Messages.WarnOf(job.path, err)
	}
}

// OpenEnvironment lights the scene by another environment.
func (l *Loader) OpenEnvironment(spec string) {
	l.Pending = nil
	l.Request(Request{Path: spec, environment: true})
}

// mostRemembered bounds each list.
const mostRemembered = 30

// remember puts a word at the head of a list, once.
func remember(list []string, word string) []string {
	out := []string{word}
	for _, old := range list {
		if old != word && len(out) < mostRemembered {
			out = append(out, old)
		}
	}
	return out
}
