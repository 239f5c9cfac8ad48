package cli

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"glint/tracer/cli/flags"
	"glint/tracer/cli/job"
	"glint/tracer/cli/save"
	"glint/tracer/film"
)

// RenderFlags are those of `glint render`.
type RenderFlags struct {
	job.SceneFlags
	job.TeamFlags
	Output     string         `short:"o" required:"" ends:".png,.exr,.pfm" placeholder:"FILE" help:"File to write: .png as displayed, .exr or .pfm with linear radiance."`
	SPP        *int           `name:"spp" placeholder:"N" help:"Samples per pixel. Default 64, or with --time as many as fit."`
	Time       flags.Duration `placeholder:"DURATION" help:"Sample for this long, such as 30s (a plain number is in seconds), or until --spp is reached."`
	Samples    *flags.Span    `placeholder:"A:B" help:"Render samples A to B-1 into a part of a still, an .exr; A is a multiple of ${block}. glint merge puts parts together (docs/farm.md)."`
	Resume     string         `placeholder:"PART.exr" help:"Begin with the samples of this part. With --samples go on to B, from the start if the file is not there yet; without write the picture of them, and of more up to --spp."`
	Checkpoint flags.Duration `default:"5m" placeholder:"DURATION" help:"With --samples write the part this often while it is rendered, so that a task that is killed loses little. Default ${default}."`
	Frame      int            `default:"0" placeholder:"N" help:"Number of the picture in a film: each has noise of its own. Default ${default}." experts:""`
	Replay     string         `placeholder:"X,Y,N" help:"Render sample N alone, from 0, and print how light came to pixel X,Y from the top left: its path, vertex by vertex. The window's inspector saves such samples." experts:""`
	Layers     bool           `help:"Write AOVs as layers of the .exr: ${aovs}. With a denoiser also the noisy image, and the error map, which pictures of --resume and --devices lack."`
	Stats      string         `placeholder:"FILE|-" help:"Write a JSON object with settings, times, rays and memory of the run."`
}

// inBlocks tells whether the image is made of blocks of samples.
func (c *RenderFlags) inBlocks() bool { return c.Resume != "" || len(c.Devices) > 0 }

// samples is how many there are to be at most.
func (c *RenderFlags) samples() int {
	switch {
	case c.Replay != "":
		return 1
	case c.SPP != nil:
		return *c.SPP
	case c.Time > 0:
		return math.MaxInt
	}
	return 64
}

// check refuses what cannot be rendered.
func (c *RenderFlags) check() error {
	if c.Layers && !strings.EqualFold(filepath.Ext(c.Output), ".exr") {
		return fmt.Errorf("--layers: only .exr files have layers, and %s is none", c.Output)
	}
	if c.SPP != nil {
		if err := flags.CheckSamples("--spp", *c.SPP, 1); err != nil {
			return err
		}
	}
	if err := c.checkPart(); err != nil {
		return err
	}
	inputs := c.Inputs()
	if c.Samples == nil || !save.SameFile(c.Resume, c.Output) { // a part may go on in its own file
		inputs = append(inputs, save.Named{Flag: "--resume", Path: c.Resume})
	}
	if err := save.CheckFile(save.Named{Flag: "-o", Path: c.Output}, inputs...); err != nil || c.Stats == "" || c.Stats == "-" {
		return err
	}
	return save.CheckFile(save.Named{Flag: "--stats", Path: c.Stats}, append(inputs, save.Named{Flag: "-o", Path: c.Output})...)
}

// checkPart checks the flags of parts.
func (c *RenderFlags) checkPart() error {
	switch {
	case c.Frame < 0:
		return fmt.Errorf("--frame %d: want 0 or more", c.Frame)
	case c.Replay != "" && (c.Samples != nil || c.Resume != "" || len(c.Devices) > 0 || c.Time > 0):
		return errors.New("--replay renders one sample: leave out --samples, --resume, --devices and --time")
	case c.Samples == nil && c.Resume == "" && len(c.Devices) == 0:
		return nil
	case c.Frame > 0:
		return errors.New("--frame: with --samples, --resume or --devices there is but frame 0")
	case c.Time > 0:
		return errors.New("--time: with --samples, --resume or --devices say by --spp or --samples how many samples there are to be")
	case c.Samples == nil:
		return nil
	case c.SPP != nil:
		return errors.New("--spp: --samples A:B says already how many samples there are")
	case c.Samples.End > flags.MaxSamples:
		return fmt.Errorf("--samples %v: a pixel has at most %d samples", c.Samples, flags.MaxSamples)
	case c.Samples.First%film.BlockSamples != 0:
		return fmt.Errorf("--samples %v: a part begins at a multiple of %d samples, so that sums do not depend on who makes them: say %d:%d",
			c.Samples, film.BlockSamples, c.Samples.First/film.BlockSamples*film.BlockSamples, c.Samples.End)
	case !strings.EqualFold(filepath.Ext(c.Output), ".exr"):
		return fmt.Errorf("-o %s: a part is an .exr file; when all samples are there, --resume without --samples makes other pictures of it", c.Output)
	}
	return nil
}
