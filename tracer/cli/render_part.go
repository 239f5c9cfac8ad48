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

	"glint/cuda/driver"
	"glint/tracer/film"
	"glint/tracer/imageio"
)

// checkPart checks the flags of parts.
func (c *renderCommand) checkPart() error {
	switch {
	case c.Samples == nil && c.Resume == "" && len(c.Devices) == 0:
		return nil
	case c.Time > 0:
		return errors.New("--time: with --samples, --resume or --devices say by --spp or --samples how many samples there are to be")
	case c.Samples == nil:
		return nil
	case c.SPP != nil:
		return errors.New("--spp: --samples A:B says already how many samples there are")
	case c.Samples.end > maxSamples:
		return fmt.Errorf("--samples %v: a pixel has at most %d samples", c.Samples, maxSamples)
	case c.Samples.first%film.BlockSamples != 0:
		return fmt.Errorf("--samples %v: a part begins at a multiple of %d samples, so that sums do not depend on who makes them: say %d:%d",
			c.Samples, film.BlockSamples, c.Samples.first/film.BlockSamples*film.BlockSamples, c.Samples.end)
	case !strings.EqualFold(filepath.Ext(c.Output), ".exr"):
		return fmt.Errorf("-o %s: a part is an .exr file; when all samples are there, --resume without --samples makes other pictures of it", c.Output)
	}
	return nil
}

// checkResume refuses a part that cannot be gone on from, by what its header says: before anything is loaded.
func (c *renderCommand) checkResume(p *Program) error {
	if c.Resume == "" || c.resumesNothing() {
		return nil
	}
	notes, err := imageio.ReadMeta(c.Resume)
	if err != nil {
		return fmt.Errorf("--resume: %w", err)
	}
	samples, err := samplesOf(notes)
	if err != nil {
		return fmt.Errorf("--resume %s: %w", c.Resume, err)
	}
	want := map[string]string{noteVersion: p.Version}
	if width, height, err := parseSize(c.Size); err == nil {
		want[noteSize] = fmt.Sprintf("%dx%d", width, height)
	}
	if what := differingNote(want, notes); what != "" {
		return c.madeWithAnother(what)
	}
	return c.checkBegun(samples)
}

// resumesNothing tells whether the part is yet to be begun.
func (c *renderCommand) resumesNothing() bool {
	_, err := os.Stat(c.Resume)
	return c.Samples != nil && errors.Is(err, fs.ErrNotExist)
}

func (c *renderCommand) madeWithAnother(what string) error {
	return fmt.Errorf("--resume %s: it was made with another %s: give the flags that it was made with", c.Resume, what)
}

// checkBegun tells whether the samples that a part has can be gone on from.
func (c *renderCommand) checkBegun(have span) error {
	end := have.end
	switch {
	case c.Samples == nil && have.first != 0:
		return fmt.Errorf("--resume %s: it holds samples %v: a picture is made of all samples from 0 on: merge the parts first", c.Resume, have)
	case c.Samples != nil && (have.first != c.Samples.first || have.end > c.Samples.end):
		return fmt.Errorf("--resume %s: it holds samples %v, which --samples %v does not go on from", c.Resume, have, c.Samples)
	case c.Samples != nil:
		end = c.Samples.end
	case c.SPP != nil:
		end = *c.SPP
	}
	if end > have.end && have.end%film.BlockSamples != 0 {
		whole := have.end / film.BlockSamples * film.BlockSamples
		return fmt.Errorf("--resume %s: it holds samples %v, and samples are added up in blocks of %d: only a part that ends with a whole block can go on, such as %d:%d",
			c.Resume, have, film.BlockSamples, have.first, max(whole, have.first+film.BlockSamples))
	}
	return nil
}

// renderPart renders samples A:B into the file of a part. What fails once it has begun may go well the next time.
func (c *renderCommand) renderPart(ctx context.Context, p *Program, t *team) error {
	begun := time.Now()
	have, err := c.begunPart(ctx, p, t)
	if err != nil {
		return err
	}
	s := have.sums
	err = c.samplePart(ctx, p, t, have, c.Samples.end, c.checkpoint(p, have))
	if err != nil && (s.End == s.First || !isInterrupted(ctx, err) && !driver.IsDeviceError(err)) {
		return err
	}
	if failed := have.write(c.Output); failed != nil {
		return &retryError{failed}
	}
	if left := fmt.Sprintf("%s holds samples %d:%d: run it again with --resume %s to go on", c.Output, s.First, s.End, c.Output); isInterrupted(ctx, err) {
		return &retryError{interrupted(ctx, left)}
	} else if err != nil {
		return fmt.Errorf("%w; %s", err, left)
	}
	p.log.Info("written", "file", absolute(c.Output), "samples", fmt.Sprintf("%d:%d", s.First, s.End), "seconds", rounded(time.Since(begun)))
	return t.first(func(j *job) error { return c.writeStats(p, j) })
}

// checkpoint writes a part now and then, so that a task that is killed loses little.
func (c *renderCommand) checkpoint(p *Program, of *part) func() error {
	last, end := time.Now(), of.sums.End
	return func() error {
		if of.sums.End == end || time.Since(last) < time.Duration(c.Checkpoint) {
			return nil
		}
		whole := of.whole()
		if err := whole.write(c.Output); err != nil {
			return &retryError{err}
		}
		last, end = time.Now(), of.sums.End
		p.log.Debug("checkpoint", "file", absolute(c.Output), "samples", fmt.Sprintf("%d:%d", whole.sums.First, end))
		return nil
	}
}

// sampleInBlocks has the first device's image hold the samples of --resume, and those that --spp asks for.
func (c *renderCommand) sampleInBlocks(ctx context.Context, p *Program, t *team) (cut bool, err error) {
	have, err := c.begunPart(ctx, p, t)
	if err != nil {
		return false, err
	}
	s := have.sums
	end := s.End
	if c.SPP != nil || c.Resume == "" {
		end = max(end, c.samples())
	}
	err = c.samplePart(ctx, p, t, have, end, func() error { return nil })
	if cut = isInterrupted(ctx, err); err != nil && !cut {
		return false, err
	}
	if s.End == 0 {
		return false, nothingYet(ctx)
	}
	return cut, t.first(func(j *job) error {
		if _, _, err := j.block(context.Background(), 0, 1); err != nil { // makes room for what the flags ask for
			return err
		}
		j.last.Samples = s.End
		if err := j.renderer.Image().SetSums(s); err != nil {
			return fmt.Errorf("--resume %s: %w: render the part with the same --denoise and --layers", c.Resume, err)
		}
		return nil
	})
}

// begunPart is the part of --resume, or one without samples.
func (c *renderCommand) begunPart(ctx context.Context, p *Program, t *team) (*part, error) {
	first := 0
	if c.Samples != nil {
		first = c.Samples.first
	}
	var fresh *part
	if err := t.first(func(j *job) (err error) {
		fresh, err = j.newPart(p.Version, first)
		return err
	}); err != nil || c.Resume == "" {
		return fresh, err
	}
	if c.resumesNothing() {
		p.log.Info("there is nothing to go on from yet", "file", c.Resume)
		return fresh, nil
	}
	have, err := readPart(ctx, c.Resume)
	if err != nil {
		return nil, fmt.Errorf("--resume: %w", err)
	}
	if what := differingNote(fresh.notes, have.notes); what != "" {
		return nil, c.madeWithAnother(what)
	}
	return have, c.checkBegun(span{have.sums.First, have.sums.End}) // the file may be another one than at first
}

// samplePart adds samples until there are all up to end, and calls after with each block. If the context ends, the part has the blocks
// that are whole and follow each other.
func (c *renderCommand) samplePart(ctx context.Context, p *Program, t *team, to *part, end int, after func() error) error {
	s := to.sums
	if s.End >= end {
		return nil
	}
	bar := newBar(p.Stderr, end-s.First, "samples")
	defer bar.finish()
	err := t.sample(ctx, s, end, c.jobOf, func(samples int) error {
		bar.set(samples)
		return after()
	})
	if len(t.members) > 0 {
		t.members[0].job.dropped = t.dropped(c.jobOf)
	}
	return err
}

// jobOf is what a device renders.
func (c *renderCommand) jobOf(m *member) *job {
	m.job.view.Layers = c.Layers
	return m.job
}
