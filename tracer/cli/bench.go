package cli

import (
	"encoding/json"
	"errors"
	"fmt"

	"glint/tracer/bench"
	"glint/tracer/scene"
	"glint/tracer/view"
)

// benchCommand is `glint bench`.
type benchCommand struct {
	Scenes   []string `arg:"" optional:"" name:"scene" help:"Files .glb or .gltf, or built-in scenes: what each costs with these settings. Without any: the tables of the references."`
	Tables   []string `placeholder:"NAME,…" help:"Measure these tables of the references (see docs/benchmarks.md); without it all of them."`
	Output   string   `short:"o" placeholder:"DIR" help:"Folder to make, with a report of the tables in Markdown, diagrams and JSON lines."`
	Rays     bool     `help:"Measure the ray kernels: primary, cosine-weighted bounce and shadow rays, through each encoding of the tree."`
	Size     string   `placeholder:"WxH" help:"Of the images, pixels. Without it 800x800, what a table says, or 1920x1080 for --rays."`
	Frames   int      `default:"15" placeholder:"N" help:"Frames measured of each side, after two that warm up. Default ${default}."`
	Seconds  float64  `default:"2" placeholder:"S" help:"Time for each row of a table, after which two frames a side suffice. Default ${default}."`
	Launches int      `default:"25" placeholder:"N" help:"Of each kernel with --rays; medians are reported. Default ${default}."`
	CameraFlags
	DeviceFlags

	settings *settingsFlags
}

// Run measures what was asked for and prints one JSON object a line.
func (c *benchCommand) Run(p *Program) error {
	switch {
	case c.Rays:
		return c.runRays(p)
	case len(c.Scenes) > 0 && (len(c.Tables) > 0 || c.Output != ""):
		return errors.New("bench: a report is of tables, which have scenes of their own: leave out the scene, or --tables and -o")
	case len(c.Scenes) > 0:
		return c.runScenes(p)
	}
	return c.runTables(p)
}

// size is what --size says, or else.
func (c *benchCommand) size(or string) (width, height int, err error) {
	if c.Size != "" {
		or = c.Size
	}
	return parseSize(or)
}

// open begins a run with the settings of the command line.
func (c *benchCommand) open(p *Program, load func(name string) (*scene.Scene, error)) (*bench.Run, error) {
	o := bench.Options{Device: c.options(), Frames: c.Frames, Seconds: c.Seconds, Load: load}
	o.Device.Log = p.log
	var err error
	if o.Settings, err = c.settings.settings(); err != nil {
		return nil, err
	}
	if c.Size != "" {
		if o.Width, o.Height, err = parseSize(c.Size); err != nil {
			return nil, err
		}
	}
	return bench.Open(o)
}

// runScenes measures what each scene costs.
func (c *benchCommand) runScenes(p *Program) error {
	width, height, err := c.size("800x800")
	if err != nil {
		return err
	}
	r, err := c.open(p, func(name string) (*scene.Scene, error) { return LoadScene(name, c.options(), nil) })
	if err != nil {
		return err
	}
	lines := json.NewEncoder(p.Stdout)
	for _, name := range c.Scenes {
		figure, err := r.Scene(name, func(s *scene.Scene) (view.View, error) {
			camera, err := c.Choose(s, float32(width)/float32(height))
			return view.View{Camera: camera, Width: width, Height: height}, err
		})
		if err == nil {
			err = lines.Encode(figure)
		}
		if err != nil {
			return errors.Join(fmt.Errorf("bench %s: %w", name, err), r.Close())
		}
	}
	return r.Close()
}
