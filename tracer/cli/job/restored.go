package job

import (
	"context"

	"glint/tracer"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// restoredEdits are those of the picture that is rendered again.
func (p *Process) restoredEdits() scene.Edits {
	if p.Restored == nil {
		return nil
	}
	return p.Restored.Edits
}

// asRestored merges into a scene what was merged into it in the picture that is rendered again, if one is. Where the scene has changed since
// then, it says so.
func (p *Process) asRestored(ctx context.Context, s *scene.Scene, on tracer.Options, o scene.Options) (*scene.Scene, error) {
	d := p.Restored
	if d == nil {
		return s, nil
	}
	o.Variant, o.Edits = "", nil
	for _, path := range d.Merged {
		more, err := LoadScene(ctx, path, on, o)
		if err != nil {
			return nil, err
		}
		if s, err = scene.Merge(s, more); err != nil {
			return nil, err
		}
	}
	if d.FileHash != "" && scene.Fingerprint(s.Report.Files) != d.FileHash {
		p.Log.Warn(guard.Name(s.Name) + " has changed since the picture was made: it will look different")
	}
	return s, nil
}
