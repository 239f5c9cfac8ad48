package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"glint/cuda/driver"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/job"
	"glint/tracer/cli/part"
	"glint/tracer/cli/save"
	"glint/tracer/cli/terminal"
	"glint/tracer/document"
	"glint/tracer/film"
	"glint/tracer/imageio"
)

// checkResume refuses a part that cannot be gone on from, by what its header says: before anything is loaded.
func (c *RenderFlags) checkResume(p *job.Process) error {
	if c.Resume == "" || c.resumesNothing() {
		return nil
	}
	notes, err := imageio.ReadMeta(c.Resume)
	if err != nil {
		return fmt.Errorf("--resume: %w", err)
	}
	samples, err := part.SamplesOf(notes)
	if err != nil {
		return fmt.Errorf("--resume %s: %w", c.Resume, err)
	}
	want := map[string]string{part.NoteVersion: p.Version}
	if width, height, err := flags.ParseSize(c.Size); err == nil {
		want[document.NoteSize] = fmt.Sprintf("%dx%d", width, height)
	}
	if what := part.DifferingNote(want, notes); what != "" {
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
func (c *RenderFlags) checkBegun(have flags.Span) error {
	end := have.End
	switch {
	case c.Samples == nil && have.First != 0:
		return fmt.Errorf("--resume %s: it holds samples %v: a picture is made of all samples from 0 on: merge the parts first", c.Resume,
			have)
	case c.Samples != nil && (have.First != c.Samples.First || have.End > c.Samples.End):
		return fmt.Errorf("--resume %s: it holds samples %v, which --samples %v does not go on from", c.Resume, have, c.Samples)
	case c.Samples != nil:
		end = c.Samples.End
	case c.SPP != nil:
		end = *c.SPP
	}
	if end > have.End && have.End%film.BlockSamples != 0 {
		whole := have.End / film.BlockSamples * film.BlockSamples
		return fmt.Errorf("--resume %s: it holds samples %v, and samples are added up in blocks of %d: only a part that ends with a whole block can go on, such as %d:%d",
			c.Resume, have, film.BlockSamples, have.First, max(whole, have.First+film.BlockSamples))
	}
	return nil
}

// renderPart renders samples A:B into the file of a part. What fails once it has begun may go well the next time.
func (c *RenderFlags) renderPart(ctx context.Context, p *job.Process, t *job.Team) error {
	begun := time.Now()
	have, err := c.begunPart(ctx, p, t)
	if err != nil {
		return err
	}
	s := have.Sums
	err = c.samplePart(ctx, p, t, have, c.Samples.End, c.checkpoint(p, have))
	if err != nil && (s.End == s.First || !interrupt.Is(ctx, err) && !driver.IsDeviceError(err)) {
		return err
	}
	if failed := have.Write(c.Output); failed != nil {
		return interrupt.Retry(failed)
	}
	if left := fmt.Sprintf("%s holds samples %d:%d: run it again with --resume %s to go on", c.Output, s.First, s.End,
		c.Output); interrupt.Is(ctx, err) {
		return interrupt.Retry(interrupt.New(ctx, left))
	} else if err != nil {
		return fmt.Errorf("%w; %s", err, left)
	}
	p.Log.Info("written", "file", save.Absolute(c.Output), "samples", fmt.Sprintf("%d:%d", s.First, s.End), "seconds",
		job.Seconds(time.Since(begun)))
	return t.First(func(j *job.Job) error { return writeStats(p, c.Stats, j) })
}

// checkpoint writes a part now and then, so that a task that is killed loses little.
func (c *RenderFlags) checkpoint(p *job.Process, of *part.Part) func() error {
	last, end := time.Now(), of.Sums.End
	return func() error {
		if of.Sums.End == end || time.Since(last) < time.Duration(c.Checkpoint) {
			return nil
		}
		whole := of.Whole()
		if err := whole.Write(c.Output); err != nil {
			return interrupt.Retry(err)
		}
		last, end = time.Now(), of.Sums.End
		p.Log.Debug("checkpoint", "file", save.Absolute(c.Output), "samples", fmt.Sprintf("%d:%d", whole.Sums.First, end))
		return nil
	}
}

// sampleInBlocks has the first device's image hold the samples of --resume, and those that --spp asks for.
func (c *RenderFlags) sampleInBlocks(ctx context.Context, p *job.Process, t *job.Team) (cut bool, err error) {
	have, err := c.begunPart(ctx, p, t)
	if err != nil {
		return false, err
	}
	s := have.Sums
	end := s.End
	if c.SPP != nil || c.Resume == "" {
		end = max(end, c.samples())
	}
	err = c.samplePart(ctx, p, t, have, end, func() error { return nil })
	if cut = interrupt.Is(ctx, err); err != nil && !cut {
		return false, err
	}
	if s.End == 0 {
		return false, interrupt.NothingYet(ctx)
	}
	return cut, t.First(func(j *job.Job) error {
		if _, _, err := j.Block(context.Background(), 0, 1); err != nil { // makes room for what the flags ask for
			return err
		}
		j.Last.Samples = s.End
		if err := j.Renderer.Image().SetSums(s); err != nil {
			return fmt.Errorf("--resume %s: %w: render the part with the same --denoise and --layers", c.Resume, err)
		}
		return nil
	})
}

// begunPart is the part of --resume, or one without samples.
func (c *RenderFlags) begunPart(ctx context.Context, p *job.Process, t *job.Team) (*part.Part, error) {
	first := 0
	if c.Samples != nil {
		first = c.Samples.First
	}
	var fresh *part.Part
	if err := t.First(func(j *job.Job) (err error) {
		fresh, err = part.New(j, p.Version, first)
		return err
	}); err != nil || c.Resume == "" {
		return fresh, err
	}
	if c.resumesNothing() {
		p.Log.Info("there is nothing to go on from yet", "file", c.Resume)
		return fresh, nil
	}
	have, err := part.Read(ctx, c.Resume)
	if err != nil {
		return nil, fmt.Errorf("--resume: %w", err)
	}
	if what := part.DifferingNote(fresh.Notes, have.Notes); what != "" {
		return nil, c.madeWithAnother(what)
	}
	return have, c.checkBegun(flags.Span{First: have.Sums.First, End: have.Sums.End}) // the file may be another one than at first
}

// samplePart adds samples until there are all up to end, and calls after with each block. If the context ends, the part has the blocks
// that are whole and follow each other.
func (c *RenderFlags) samplePart(ctx context.Context, p *job.Process, t *job.Team, to *part.Part, end int, after func() error) error {
	s := to.Sums
	if s.End >= end {
		return nil
	}
	bar := terminal.NewBar(p.Stderr, end-s.First, "samples")
	defer bar.Finish()
	jobs := t.Own()
	for _, j := range jobs {
		j.View.Layers = c.Layers
	}
	err := t.Sample(ctx, s, end, jobs, func(samples int) error {
		bar.Set(samples)
		return after()
	})
	if len(t.Members) > 0 {
		t.Members[0].Job.Dropped = t.Dropped(jobs)
	}
	return err
}
