package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"glint/tracer/document"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// Loading is one scene on its way to the screen. Its progress is written by the loading goroutine.
type Loading struct {
	path         string
	Scene        *scene.Scene       // in memory already, or nil
	first        bool               // nothing else can be shown when it fails
	variant      string             // of the scene's materials, empty for its default
	into         *scene.Scene       // the scene on the screen, where this one is merged into it
	with         []string           // files to be merged into it
	edits        scene.Edits        // of its file
	readAgain    bool               // the files of the scene on the screen, read once more
	edited       bool               // since it was not read for its edits
	before       *scene.Scene       // what they were when they were read before; nil where something else is wanted of them
	files        []scene.File       // that were read
	prepareAgain bool               // the scene on the screen, to be prepared in another light or for other settings
	light        *Lighting          // the other light, to be loaded; nil: the window's
	restore      *document.Document // what a picture says as which the scene is shown
	hash         string             // of the scene's files when a picture was made that is shown again; empty: that is not known
	otherFiles   bool               // they are others now
	changed      string             // the setting that it is prepared again for
	choices      Choices            // that the scene is prepared for

	Ctx     context.Context // of this one load
	cancel  context.CancelFunc
	dropped bool // nobody waits for it any more, and the user knows

	mu       sync.Mutex
	stage    string
	fraction float64
}

// restoring is the scene of a picture, to be shown as that says.
func restoring(d *document.Document) *Loading {
	return &Loading{path: d.SceneWord(), variant: d.Variant, with: d.Merged, edits: d.Edits, restore: d, hash: d.FileHash, light: &Lighting{Spec: d.Environment}}
}

func (l *Loading) progress(stage string, fraction float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stage, l.fraction = stage, fraction
}

// State is the current stage and the fraction of it that is done, 0…1.
func (l *Loading) State() (stage string, fraction float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stage, l.fraction
}

// relights tells whether it is the scene on the screen in another light.
func (l *Loading) relights() bool { return l.prepareAgain && l.light != nil }

// Name is what the user calls it.
func (l *Loading) Name() string {
	switch {
	case l.relights():
		return environmentName(l.light.Spec)
	case l.prepareAgain:
		return l.changed
	}
	if l.Scene != nil {
		return l.Scene.Name
	}
	return filepath.Base(l.path)
}

// settings are those that the scene is prepared for.
func (l *Loading) settings(active *settings.Settings) *settings.Settings {
	if l.restore != nil {
		return &l.restore.Settings
	}
	return active
}

// prepare reads and prepares a scene. A panic of the reader becomes an error: a bad file must not close the window.
func prepare(job *Loading, read LoadFunc, o gpuscene.Options) (p *gpuscene.Prepared, err error) {
	defer o.Memory.HoldCollector()()
	err = guard.Safely(func() (err error) {
		if job.light != nil {
			if job.light.Environment, err = gpuscene.LoadEnvironment(job.light.Spec, o.Memory); err != nil {
				return err
			}
			o.Environment = job.light.Environment
		}
		s := job.Scene
		if s == nil {
			if s, err = job.read(read, o.Memory); err != nil {
				return err
			}
			job.otherFiles = job.hash != "" && scene.Fingerprint(s.Report.Files) != job.hash
			if job.files = s.Report.Files; job.before != nil {
				if err := checkAgain(s, job.before); err != nil {
					return err
				}
			}
		}
		p, err = gpuscene.Prepare(job.Ctx, s, o)
		return err
	})
	var fault *guard.Fault
	if errors.As(err, &fault) && errors.Unwrap(err) == nil {
		err = fmt.Errorf("load %s: %w", guard.Name(job.Name()), err)
	}
	return p, err
}

// read reads the scene, and merges it with others.
func (l *Loading) read(read LoadFunc, memory *guard.Memory) (*scene.Scene, error) {
	o := scene.Options{Variant: l.variant, Animated: true, Edits: l.edits, Progress: l.progress, Memory: memory}
	s, err := read(l.Ctx, l.path, o)
	if err == nil && l.into != nil {
		return merge(l.into, s, memory)
	}
	o.Variant, o.Edits = "", nil
	for _, path := range l.with {
		if err != nil {
			break
		}
		var more *scene.Scene
		if more, err = read(l.Ctx, path, o); err == nil {
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
