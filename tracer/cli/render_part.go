package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"glint/cuda/driver"
	"glint/tracer/film"
	"glint/tracer/imageio"
)

// checkResume refuses a part that cannot be gone on from, by what its header says: before anything is loaded.
func (c *RenderFlags) checkResume(p *Process) error {
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
func (c *RenderFlags) resumesNothing() bool {
	_, err := os.Stat(c.Resume)
	return c.Samples != nil && errors.Is(err, fs.ErrNotExist)
}

func (c *RenderFlags) madeWithAnother(what string) error {
	return fmt.Errorf("--resume %s: it was made with another %s: give the flags that it was made with", c.Resume, what)
}

// checkBegun tells whether the samples that a part has can be gone on from.
func (c *RenderFlags) checkBegun(have span) error {
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
func (c *RenderFlags) renderPart(ctx context.Context, p *Process, t *team) error {
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
	p.Log.Info("written", "file", absolute(c.Output), "samples", fmt.Sprintf("%d:%d", s.First, s.End), "seconds", rounded(time.Since(begun)))
	return t.first(func(j *job) error { return writeStats(p, c.Stats, j) })
}

// checkpoint writes a part now and then, so that a task that is killed loses little.
func (c *RenderFlags) checkpoint(p *Process, of *part) func() error {
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
		p.Log.Debug("checkpoint", "file", absolute(c.Output), "samples", fmt.Sprintf("%d:%d", whole.sums.First, end))
		return nil
	}
}

// sampleInBlocks has the first device's image hold the samples of --resume, and those that --spp asks for.
func (c *RenderFlags) sampleInBlocks(ctx context.Context, p *Process, t *team) (cut bool, err error) {
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
func (c *RenderFlags) begunPart(ctx context.Context, p *Process, t *team) (*part, error) {
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
		p.Log.Info("there is nothing to go on from yet", "file", c.Resume)
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
func (c *RenderFlags) samplePart(ctx context.Context, p *Process, t *team, to *part, end int, after func() error) error {
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
func (c *RenderFlags) jobOf(m *member) *job {
	m.job.view.Layers = c.Layers
	return m.job
}
