package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"glint/tracer/film"
	"glint/tracer/view"
)

// checkPart checks the flags of parts.
func (c *renderCommand) checkPart() error {
	switch {
	case c.Samples == nil && c.Resume == "":
		return nil
	case c.Time > 0:
		return errors.New("--time: a part has as many samples as --samples or --spp say")
	case c.Samples == nil:
		return nil
	case c.SPP != nil:
		return errors.New("--spp: --samples A:B says already how many samples there are")
	case c.Samples.first%film.BlockSamples != 0:
		return fmt.Errorf("--samples %v: a part begins at a multiple of %d samples, so that sums do not depend on who makes them: say %d:%d",
			c.Samples, film.BlockSamples, c.Samples.first/film.BlockSamples*film.BlockSamples, c.Samples.end)
	case !strings.EqualFold(filepath.Ext(c.Output), ".exr"):
		return fmt.Errorf("-o %s: a part is an .exr file; when all samples are there, --resume without --samples makes other pictures of it", c.Output)
	}
	return nil
}

// renderPart renders samples A:B into the file of a part. What fails once it has begun may go well the next time.
func (c *renderCommand) renderPart(ctx context.Context, p *Program, j *job) error {
	have, err := c.begunPart(p, j)
	if err != nil {
		return err
	}
	s := have.sums
	if s.End > c.Samples.end || s.First != c.Samples.first {
		return fmt.Errorf("--resume %s: it holds samples %d:%d, which --samples %v does not go on from", c.Resume, s.First, s.End, c.Samples)
	}
	err = c.samplePart(ctx, p, j, have, c.Samples.end)
	if cut := isInterrupted(ctx, err); err != nil && !cut {
		return &retryError{err}
	} else if cut && s.End == s.First {
		return &retryError{nothingYet(ctx)}
	}
	if failed := have.write(c.Output); failed != nil {
		return &retryError{failed}
	}
	if err != nil {
		return &retryError{interrupted(ctx, fmt.Sprintf("%s holds samples %d:%d: run it again with --resume %s to go on", c.Output, s.First, s.End, c.Output))}
	}
	p.log.Info("written", "file", absolute(c.Output), "samples", fmt.Sprintf("%d:%d", s.First, s.End), "seconds", rounded(time.Since(j.begun)))
	return c.writeStats(p, j)
}

// resume takes the place of sample: the picture is of the samples of --resume, and of more where --spp asks for them.
func (c *renderCommand) resume(ctx context.Context, p *Program, j *job) (cut bool, err error) {
	have, err := c.begunPart(p, j)
	if err != nil {
		return false, err
	}
	s := have.sums
	if s.First != 0 {
		return false, fmt.Errorf("--resume %s: it holds samples %d:%d: a picture is made of all samples from 0 on: merge the parts first", c.Resume, s.First, s.End)
	}
	end := s.End
	if c.SPP != nil {
		end = max(end, *c.SPP)
	}
	err = c.samplePart(ctx, p, j, have, end)
	if cut = isInterrupted(ctx, err); err != nil && !cut {
		return false, err
	}
	if _, _, err := block(context.Background(), j, 0, 1); err != nil { // makes room for what the flags ask for
		return false, err
	}
	j.last.Samples = s.End
	if err := j.renderer.Image().SetSums(s); err != nil {
		return false, fmt.Errorf("--resume %s: %w: render the part with the same --denoise and --layers", c.Resume, err)
	}
	return cut, nil
}

// begunPart is the part of --resume, or one without samples.
func (c *renderCommand) begunPart(p *Program, j *job) (*part, error) {
	first := 0
	if c.Samples != nil {
		first = c.Samples.first
	}
	fresh, err := j.newPart(p.Version, first)
	if err != nil || c.Resume == "" {
		return fresh, err
	}
	if _, err := os.Stat(c.Resume); c.Samples != nil && errors.Is(err, fs.ErrNotExist) {
		p.log.Info("there is nothing to go on from yet", "file", c.Resume)
		return fresh, nil
	}
	have, err := readPart(c.Resume)
	if err != nil {
		return nil, fmt.Errorf("--resume: %w", err)
	}
	if what := differingNote(fresh.notes, have.notes); what != "" {
		return nil, fmt.Errorf("--resume %s: it was made with another %s: give the flags that it was made with", c.Resume, what)
	}
	return have, nil
}

// samplePart adds samples until there are all up to end, block by block. If the context ends, the part has the blocks that are whole.
func (c *renderCommand) samplePart(ctx context.Context, p *Program, j *job, to *part, end int) error {
	s := to.sums
	if s.End >= end {
		return nil
	}
	bar := newBar(p.Stderr, end-s.First, "samples")
	defer bar.finish()
	for s.End < end {
		n := min(film.BlockSamples, end-s.End)
		values, planes, err := block(ctx, j, s.End, n)
		if err != nil {
			return err
		}
		if s.End == s.First {
			s.Planes = planes
		} else if planes != s.Planes {
			return fmt.Errorf("--resume %s: it keeps %d planes beside light, and these flags ask for %d: give the same --denoise and --layers",
				c.Resume, s.Planes, planes)
		}
		if err := s.Add(n, values); err != nil {
			return err
		}
		bar.set(s.End - s.First)
	}
	return nil
}

// block renders n samples from the first on as if they were all there are.
func block(ctx context.Context, j *job, first, n int) (values []float32, planes int, err error) {
	j.renderer.Restart()
	j.view.FirstSample = first
	for range n {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if j.last, err = j.renderer.Render(j.view, j.settings, view.Target{}); err != nil {
			return nil, 0, err
		}
	}
	return j.renderer.Image().Block()
}
