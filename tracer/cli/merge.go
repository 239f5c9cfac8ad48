package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"glint/tracer/imageio"
	"glint/tracer/view"
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
	samples span
	notes   map[string]string
}

// Run adds the parts.
func (c *mergeCommand) Run(ctx context.Context, p *Process) error {
	begun := time.Now()
	var inputs []named
	for _, path := range c.Parts {
		inputs = append(inputs, named{"a part", path})
	}
	if err := checkOutput(named{"-o", c.Output}, inputs...); err != nil {
		return err
	}
	files, err := c.files()
	if err != nil {
		return err
	}
	var whole *part
	for _, f := range files { // one at a time: parts are large
		next, err := readPart(ctx, f.path)
		switch {
		case err != nil:
		case whole == nil:
			whole = next
		default:
			err = whole.sums.Append(next.sums)
		}
		if isInterrupted(ctx, err) {
			return nothingYet(ctx)
		}
		if err != nil {
			return fmt.Errorf("merge: %w", err)
		}
	}
	if strings.EqualFold(filepath.Ext(c.Output), ".exr") {
		err = whole.write(c.Output)
	} else {
		err = imageio.Write(c.Output, whole.picture(), nil)
	}
	if err != nil {
		return err
	}
	s := whole.sums
	p.Log.Info("written", "file", absolute(c.Output), "parts", len(files), "samples", fmt.Sprintf("%d:%d", s.First, s.End), "seconds", rounded(time.Since(begun)))
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
		if f.samples, err = samplesOf(notes); err != nil {
			return nil, fmt.Errorf("merge: %s: %w", path, err)
		}
		delete(notes, view.NoteSamples)
		if len(files) == 0 {
			files = append(files, f)
			continue
		}
		if what := differingNote(files[0].notes, notes); what != "" {
			return nil, fmt.Errorf("merge: %s and %s do not belong together: they were made with another %s", files[0].path, path, what)
		}
		files = append(files, f)
	}
	slices.SortStableFunc(files, func(a, b partFile) int { return a.samples.first - b.samples.first })
	for i := 1; i < len(files); i++ {
		a, b := files[i-1], files[i]
		switch {
		case b.samples.first < a.samples.end:
			return nil, fmt.Errorf("merge: %s holds samples %v and %s holds %v: leave one out", a.path, a.samples, b.path, b.samples)
		case b.samples.first > a.samples.end:
			return nil, fmt.Errorf("merge: samples %d:%d are missing, between %s and %s: render them", a.samples.end, b.samples.first, a.path, b.path)
		}
	}
	return files, nil
}
