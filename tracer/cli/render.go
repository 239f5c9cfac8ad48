package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"glint/tracer"
	"glint/tracer/imageio"
	"glint/tracer/scene"
)

// renderCommand is `glint render`.
type renderCommand struct {
	Scene  string        `arg:"" optional:"" help:"A .glb or .gltf file, or a built-in scene. Without it: the default scene."`
	Output string        `short:"o" required:"" placeholder:"FILE" help:"What to write: .png (display), .exr or .pfm (linear radiance)."`
	Size   string        `default:"1280x720" placeholder:"WxH" help:"Of the image, pixels. Default ${default}."`
	SPP    int           `name:"spp" default:"64" placeholder:"N" help:"Samples a pixel. Default ${default}."`
	Time   time.Duration `placeholder:"DURATION" help:"Stop after this long, such as 30s, even before --spp is reached."`
	Env    string        `placeholder:"FILE|R,G,B|none" help:"Light from around: an .hdr or .exr, a constant radiance, or none."`
	Stats  string        `placeholder:"FILE|-" help:"Write one JSON object about the run."`
	CameraFlags
	DeviceFlags

	settings *settingsFlags
}

// job is one headless rendering under way.
type job struct {
	renderer *tracer.Renderer
	prepared *tracer.Prepared
	view     tracer.View
	settings tracer.Settings
	begun    time.Time
	loaded   time.Duration
	last     tracer.FrameStats
	kernels  map[string]float64 // ms
	paths    uint64
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
	defer func() { _ = j.renderer.Close() }() // by then the picture is written
	if err := c.sample(p, j); err != nil {
		return err
	}
	if err := c.write(j); err != nil {
		return err
	}
	p.log.Info("written", "file", absolute(c.Output), "samples", j.last.Samples, "seconds", rounded(time.Since(j.begun)))
	return c.writeStats(p, j)
}

func (c *renderCommand) check() error {
	switch strings.ToLower(filepath.Ext(c.Output)) {
	case ".png", ".exr", ".pfm":
	default:
		return fmt.Errorf("-o %s: the name must end in .png, .exr or .pfm", c.Output)
	}
	if c.SPP < 1 {
		return fmt.Errorf("--spp %d: want at least one sample a pixel", c.SPP)
	}
	return nil
}

// begin loads and prepares everything.
func (c *renderCommand) begin(p *Program) (*job, error) {
	j := &job{begun: time.Now(), kernels: map[string]float64{}}
	var err error
	if j.settings, err = c.settings.settings(); err != nil {
		return nil, err
	}
	if j.view.Width, j.view.Height, err = parseSize(c.Size); err != nil {
		return nil, err
	}
	env, err := tracer.LoadEnvironment(c.Env)
	if err != nil {
		return nil, err
	}
	s, err := LoadScene(c.Scene, nil)
	if err != nil {
		return nil, err
	}
	if j.view.Camera, err = c.Choose(s, float32(j.view.Width)/float32(j.view.Height)); err != nil {
		return nil, err
	}
	if j.prepared, err = tracer.Prepare(s, env, nil); err != nil {
		return nil, err
	}
	options := c.options()
	options.Statistics = c.Stats != ""
	options.Log = p.log
	if j.renderer, err = tracer.Open(options); err != nil {
		return nil, err
	}
	if err := j.renderer.Use(j.prepared); err != nil {
		return nil, errors.Join(err, j.renderer.Close())
	}
	j.loaded = time.Since(j.begun)
	announce(p, j, s)
	return j, nil
}

// announce says what is rendered, on what, and what was left out of the file.
func announce(p *Program, j *job, s *scene.Scene) {
	b := j.renderer.Backend()
	p.log.Info("loaded", "scene", s.Name, "triangles", len(s.Faces), "seconds", rounded(j.loaded), "backend", b.Kind, "device", b.Device)
	if b.Why != "" {
		p.log.Info("rendering on the CPU", "why", b.Why)
	}
	for _, note := range append(j.prepared.Notes, s.Report.Warnings...) {
		p.log.Warn(note)
	}
}

// sample renders until enough samples, or the time, are there.
func (c *renderCommand) sample(p *Program, j *job) error {
	bar := newBar(p.Stderr, c.SPP)
	defer bar.finish()
	start := time.Now()
	for j.last.Samples < c.SPP {
		stats, err := j.renderer.Render(j.view, j.settings, tracer.Target{})
		if err != nil {
			return err
		}
		j.last = stats
		j.paths += stats.Paths
		for k, ms := range j.renderer.Timings() {
			j.kernels[k] += ms
		}
		bar.set(stats.Samples)
		if c.Time > 0 && time.Since(start) > c.Time {
			break
		}
	}
	return nil
}

func (c *renderCommand) write(j *job) error {
	meta, err := j.meta()
	if err != nil {
		return err
	}
	if strings.EqualFold(filepath.Ext(c.Output), ".png") {
		img, err := j.renderer.Film(j.view, j.settings)
		if err != nil {
			return err
		}
		return imageio.WritePNG(c.Output, img, meta)
	}
	img, err := j.renderer.Radiance()
	if err != nil {
		return err
	}
	return imageio.Write(c.Output, img, meta)
}

// meta is what the picture says of how it was made.
func (j *job) meta() (map[string]string, error) {
	settings, err := json.Marshal(j.settings)
	if err != nil {
		return nil, fmt.Errorf("describe the picture: %w", err)
	}
	camera, err := json.Marshal(j.view.Camera)
	if err != nil {
		return nil, fmt.Errorf("describe the picture: %w", err)
	}
	return map[string]string{
		"scene": j.prepared.Scene.Name, "camera": string(camera), "settings": string(settings),
		"samples": strconv.Itoa(j.last.Samples), "seconds": fmt.Sprint(rounded(time.Since(j.begun))),
	}, nil
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

func rounded(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }

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
