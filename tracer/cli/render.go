package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"glint/tracer"
	"glint/tracer/imageio"
	"glint/tracer/view"
)

// renderCommand is `glint render`.
type renderCommand struct {
	SceneFlags
	Output string        `short:"o" required:"" placeholder:"FILE" help:"What to write: .png (display), .exr or .pfm (linear radiance)."`
	SPP    int           `name:"spp" default:"64" placeholder:"N" help:"Samples a pixel. Default ${default}."`
	Time   time.Duration `placeholder:"DURATION" help:"Stop after this long, such as 30s, even before --spp is reached."`
	Layers bool          `help:"Write direct and indirect light, albedo, normal, depth, position, numbers of material and object, motion, samples and variance as layers of the .exr, and of a denoised image what it was made from and how far it is to be trusted."`
	Stats  string        `placeholder:"FILE|-" help:"Write one JSON object about the run."`
}

// Run renders and writes the files.
func (c *renderCommand) Run(p *Program) error {
	if err := c.check(); err != nil {
		return err
	}
	j, err := c.begin(p)
	if err != nil {
		return err
	}
	defer j.close() // by then the picture is written
	j.view.Layers = c.Layers
	if c.Stats != "" {
		if err := j.renderer.Settle(); err != nil { // what is measured is of this scene's kernels
			return err
		}
		j.renderer.Watch(c.watch())
	}
	if err := c.sample(p, j); err != nil {
		return err
	}
	if err := c.write(j); err != nil {
		return err
	}
	p.log.Info("written", "file", absolute(c.Output), "samples", j.last.Samples, "seconds", rounded(time.Since(j.begun)))
	return c.writeStats(p, j)
}

// watch has about every eighth sample of a longer run tell what it cost, and counted apart from timed, so that statistics are
// of an image which they do not slow down.
func (c *renderCommand) watch() tracer.Watch {
	const watched = 8 // samples, or as many
	every := min(max(c.SPP/watched, 1), watched)
	return tracer.Watch{TimeEvery: every, CountEvery: every}
}

func (c *renderCommand) check() error {
	switch strings.ToLower(filepath.Ext(c.Output)) {
	case ".png", ".exr", ".pfm":
	default:
		return fmt.Errorf("-o %s: the name must end in .png, .exr or .pfm", c.Output)
	}
	if c.Layers && !strings.EqualFold(filepath.Ext(c.Output), ".exr") {
		return fmt.Errorf("--layers: only .exr files have layers, and %s is none", c.Output)
	}
	if c.SPP < 1 {
		return fmt.Errorf("--spp %d: want at least one sample a pixel", c.SPP)
	}
	return nil
}

// sample renders until enough samples, or the time, are there.
func (c *renderCommand) sample(p *Program, j *job) error {
	bar := newBar(p.Stderr, c.SPP, "samples")
	defer bar.finish()
	start := time.Now()
	for j.last.Samples < c.SPP {
		stats, err := j.renderer.Render(j.view, j.settings, view.Target{})
		if err != nil {
			return err
		}
		j.last = stats
		bar.set(stats.Samples)
		if c.Time > 0 && time.Since(start) > c.Time {
			break
		}
	}
	return nil
}

func (c *renderCommand) write(j *job) error {
	meta, err := j.describe(j.view.Camera, j.settings, j.last.Samples)
	if err != nil {
		return err
	}
	if strings.EqualFold(filepath.Ext(c.Output), ".png") {
		return c.writePNG(j, meta)
	}
	img, layers, err := c.picture(j)
	if err != nil {
		return err
	}
	meta["seconds"] = fmt.Sprint(rounded(time.Since(j.begun)))
	if c.Layers {
		return imageio.WriteLayers(c.Output, img, layers, meta)
	}
	return imageio.Write(c.Output, img, meta)
}

// writePNG writes what a display shows.
func (c *renderCommand) writePNG(j *job, meta imageio.Meta) error {
	if j.settings.Denoise != "off" {
		if _, err := j.renderer.Denoise(j.view, j.settings); err != nil {
			return err
		}
	}
	img, err := j.renderer.Film(j.view, j.settings)
	if err != nil {
		return err
	}
	meta["seconds"] = fmt.Sprint(rounded(time.Since(j.begun)))
	return imageio.WritePNG(c.Output, img, meta)
}

// picture is the linear image, denoised if that is asked for, and what is known besides, with the noisy image where it is
// not the picture itself.
func (c *renderCommand) picture(j *job) (img *imageio.Image, layers []imageio.Layer, err error) {
	if img, err = j.renderer.Radiance(); err != nil {
		return nil, nil, err
	}
	if c.Layers {
		if layers, err = j.renderer.Layers(); err != nil {
			return nil, nil, err
		}
	}
	if j.settings.Denoise != "off" {
		layers = append(layers, imageio.Layer{Name: "noisy", Channels: []string{"R", "G", "B"}, Pix: img.Pix})
		if c.Layers && j.last.Samples > 1 {
			trust, err := j.renderer.Trust(j.view, j.settings)
			if err != nil {
				return nil, nil, err
			}
			layers = append(layers, trust)
		}
		img, err = j.renderer.Denoise(j.view, j.settings)
	}
	return img, layers, err
}

// writeStats writes the JSON object of --stats.
func (c *renderCommand) writeStats(p *Program, j *job) error {
	if c.Stats == "" {
		return nil
	}
	stats, err := j.stats()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(stats, "", "  ")
	if err != nil {
		return fmt.Errorf("write statistics: %w", err)
	}
	text = append(text, '\n')
	if c.Stats == "-" {
		_, err = p.Stdout.Write(text)
		return err
	}
	if err := os.WriteFile(c.Stats, text, 0o644); err != nil {
		return fmt.Errorf("write statistics: %w", err)
	}
	return nil
}
