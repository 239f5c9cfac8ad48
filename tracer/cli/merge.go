package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"glint/tracer/cli/flags"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/job"
	"glint/tracer/cli/part"
	"glint/tracer/cli/save"
	"glint/tracer/cli/terminal"
	"glint/tracer/document"
	"glint/tracer/imageio"
)

// mergeCommand is `glint merge`.
type mergeCommand struct {
	Parts  []string `arg:"" name:"part" help:"Files that glint render --samples A:B has written, in any order. Their samples must follow each other without gaps."`
	Output string   `short:"o" required:"" ends:".exr,.pfm" or:"glint render SCENE --resume merged.exr makes a .png" placeholder:"FILE" help:"File to write: .exr, which is a part again, or .pfm with the picture's linear radiance."`
}

// Help tells what comes next.
func (c *mergeCommand) Help() string {
	return `The bits are those of one run of all samples on the same backend. To denoise the merged picture, or to see it as displayed:
glint render SCENE --resume merged.exr -o picture.png, with the flags that the parts were rendered with.`
}

// partFile is a part of which only the notes have been read.
type partFile struct {
	path    string
	samples flags.Span
	notes   map[string]string
}

// Run adds the parts.
func (c *mergeCommand) Run(ctx context.Context, p *job.Process) error {
	begun := time.Now()
	inputs := terminal.Names(c.Parts, func(path string) save.Named { return save.Named{Flag: "a part", Path: path} })
	if err := save.CheckFile(save.Named{Flag: "-o", Path: c.Output}, inputs...); err != nil {
		return err
	}
	files, err := c.files()
	if err != nil {
		return err
	}
	var whole *part.Part
	for _, f := range files { // one at a time: parts are large
		next, err := part.Read(ctx, f.path)
		switch {
		case err != nil:
		case whole == nil:
			whole = next
		default:
			err = whole.Sums.Append(next.Sums)
		}
		if interrupt.Is(ctx, err) {
			return interrupt.NothingYet(ctx)
		}
		if err != nil {
			return fmt.Errorf("merge: %w", err)
		}
	}
	if strings.EqualFold(filepath.Ext(c.Output), ".exr") {
		err = whole.Write(c.Output)
	} else {
		err = imageio.Write(c.Output, whole.Picture(), nil)
	}
	if err != nil {
		return err
	}
	s := whole.Sums
	p.Log.Info("written", "file", save.Absolute(c.Output), "parts", len(files), "samples", fmt.Sprintf("%d:%d", s.First, s.End),
		"seconds", job.Seconds(time.Since(begun)))
	return nil
}

// files are the parts in the order of their samples. They must belong together.
func (c *mergeCommand) files() ([]partFile, error) {
	var files []partFile
	for _, path := range c.Parts {
		notes, err := imageio.ReadMeta(path)
		if err != nil {
			return nil, fmt.Errorf("merge: %w", err)
		}
		f := partFile{path: path, notes: notes}
		if f.samples, err = part.SamplesOf(notes); err != nil {
			return nil, fmt.Errorf("merge: %s: %w", path, err)
		}
		delete(notes, document.NoteSamples)
		if len(files) == 0 {
			files = append(files, f)
			continue
		}
		if what := part.DifferingNote(files[0].notes, notes); what != "" {
			return nil, fmt.Errorf("merge: %s and %s do not belong together: they were made with another %s", files[0].path, path, what)
		}
		files = append(files, f)
	}
	slices.SortStableFunc(files, func(a, b partFile) int { return a.samples.First - b.samples.First })
	for i := 1; i < len(files); i++ {
		a, b := files[i-1], files[i]
		switch {
		case b.samples.First < a.samples.End:
			return nil, fmt.Errorf("merge: %s holds samples %v and %s holds %v: leave one out", a.path, a.samples, b.path, b.samples)
		case b.samples.First > a.samples.End:
			return nil, fmt.Errorf("merge: samples %d:%d are missing, between %s and %s: render them", a.samples.End, b.samples.First,
				a.path, b.path)
		}
	}
	return files, nil
}
