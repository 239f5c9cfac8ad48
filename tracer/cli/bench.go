package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"glint/tracer"
	"glint/tracer/bench"
	"glint/tracer/builtin"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/job"
	"glint/tracer/cli/save"
	"glint/tracer/cli/terminal"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/view"
)

// maxLaunches bounds the launches of a kernel that is measured.
const maxLaunches = 1_000_000

// benchCommand is `glint bench`.
type benchCommand struct {
	Scenes   []string `arg:"" optional:"" name:"scene" help:"Scenes to measure with the given settings: .glb or .gltf files, or built-in scenes. Without any: published measurements are repeated."`
	Tables   []string `placeholder:"NAME,…" help:"Published measurements to repeat: ${tables}. Without it: all."`
	Output   string   `short:"o" placeholder:"DIR" help:"Folder to write a report to: Markdown, diagrams and JSON lines. Only without scenes."`
	Rays     bool     `help:"Measure the ray kernels alone: primary, cosine-weighted bounce and shadow rays, in each format of the BVH."`
	Size     string   `placeholder:"WxH" help:"Size of the images in pixels, or ${sizes}. Without it: 800x800, the size of the published measurement, or 1920x1080 with --rays."`
	Frames   int      `default:"15" placeholder:"N" help:"Frames to measure of each side, after two to warm up. Default ${default}."`
	Seconds  float64  `default:"2" placeholder:"S" help:"Seconds to spend on each comparison. Two frames of each side are always measured. Default ${default}."`
	Launches int      `default:"25" placeholder:"N" help:"With --rays: launches of each kernel, of which the median is reported. Default ${default}."`
	flags.CameraFlags
	flags.DeviceFlags
	flags.LoadFlags
	flags.SettingsFlags
}

// Run measures scenes, rays or tables, and prints one JSON object per line.
func (c *benchCommand) Run(ctx context.Context, p *job.Process, line *kong.Context) error {
	if !(c.Seconds >= 0 && c.Seconds <= flags.MaxSeconds) {
		return fmt.Errorf("--seconds %v: want 0 to %g", c.Seconds, float64(flags.MaxSeconds))
	}
	use, idle, run := "published measurements", []string{"launches", "camera", "eye", "target", "up", "vfov", "variant"}, c.runTables
	switch {
	case c.Rays:
		use, idle, run = "--rays", append(flags.SettingsBut("bvh", "floor", "rays"), "tables", "output", "frames", "seconds"), c.runRays
	case len(c.Scenes) > 0:
		use, idle, run = "scenes of your own", []string{"tables", "output", "launches"}, c.runScenes
	}
	if err := flags.RefuseIdle(line, use, idle); err != nil {
		return err
	}
	return run(ctx, p)
}

// open begins a run with the settings of the command line.
func (c *benchCommand) open(p *job.Process, load func(ctx context.Context, name string, memory *guard.Memory) (*scene.Scene,
	error)) (*bench.Run, error) {
	o := bench.Options{Device: c.Options(), Frames: c.Frames, Seconds: c.Seconds, Load: load}
	o.Device.Log = p.Log
	var err error
	if o.Settings, err = c.Settings(); err != nil {
		return nil, err
	}
	if o.LoadMemory, err = c.Bytes(); err != nil {
		return nil, err
	}
	if c.Size != "" {
		if o.Width, o.Height, err = flags.ParseSize(c.Size); err != nil {
			return nil, err
		}
	}
	return bench.Open(o)
}

// runScenes measures what each scene costs.
func (c *benchCommand) runScenes(ctx context.Context, p *job.Process) error {
	for _, name := range c.Scenes {
		if err := job.CheckScene(name); err != nil {
			return err
		}
	}
	width, height, err := flags.ParseSize(cmp.Or(c.Size, "800x800"))
	if err != nil {
		return err
	}
	r, err := c.open(p, func(ctx context.Context, name string, memory *guard.Memory) (*scene.Scene, error) {
		return job.LoadScene(ctx, name, c.Options(), scene.Options{Variant: c.Variant, Memory: memory, Eyes: c.Eyes()})
	})
	if err != nil {
		return err
	}
	lines := json.NewEncoder(p.Stdout)
	return eachScene(ctx, c.Scenes, r, func(name string) error {
		figure, err := r.Scene(ctx, name, func(s *scene.Scene) (schedule.Request, error) {
			camera, err := c.Choose(s, float32(width)/float32(height))
			return schedule.Request{View: view.View{Camera: camera, Width: width, Height: height}}, err
		})
		if err != nil {
			return err
		}
		if err := lines.Encode(figure); err != nil {
			return fmt.Errorf("write measurements: %w", err)
		}
		return nil
	})
}

// eachScene measures scenes with what is closed in the end. If the context ends, the error says how many were measured.
func eachScene(ctx context.Context, names []string, with io.Closer, measure func(name string) error) error {
	for i, name := range names {
		err := measure(name)
		if interrupt.Is(ctx, err) {
			err = interrupt.New(ctx, fmt.Sprintf("figures of %d of %d scenes are printed", i, len(names)))
		} else if err != nil {
			err = fmt.Errorf("bench %s: %w", name, err)
		}
		if err != nil {
			return errors.Join(err, with.Close())
		}
	}
	return with.Close()
}

// rayScenes are measured where none is named: few and many triangles, open and closed.
func rayScenes() []string {
	return []string{"statue", "statue-large", "chess", "spheres", "city", "interior"}
}

// rayLine is one line of `glint bench --rays`.
type rayLine struct {
	Scene     string `json:"scene"`
	Triangles int    `json:"triangles"`
	Backend   string `json:"backend"`
	Device    string `json:"device"`
	bench.RayRate
}

// runRays measures the ray kernels on each scene.
func (c *benchCommand) runRays(ctx context.Context, p *job.Process) error {
	if c.Launches < 1 || c.Launches > maxLaunches {
		return fmt.Errorf("--launches %d: want 1 to %d", c.Launches, maxLaunches)
	}
	scenes := c.Scenes
	if len(scenes) == 0 {
		scenes = rayScenes()
	}
	options := c.Options()
	options.Log = p.Log
	r, err := tracer.Open(options, profile.Policy{})
	if err != nil {
		return err
	}
	return eachScene(ctx, scenes, r, func(name string) error { return c.benchRays(ctx, p, r, name) })
}

func (c *benchCommand) benchRays(ctx context.Context, p *job.Process, r *tracer.Renderer, name string) error {
	v := schedule.Request{}
	var err error
	if v.Width, v.Height, err = flags.ParseSize(cmp.Or(c.Size, "1920x1080")); err != nil {
		return err
	}
	memory, err := c.Memory()
	if err != nil {
		return err
	}
	s, err := job.LoadScene(ctx, name, c.Options(), scene.Options{Variant: c.Variant, Memory: memory, Instancing: scene.InstanceNever,
		Eyes: c.Eyes()})
	if err != nil {
		return err
	}
	if v.Camera, err = c.Choose(s, float32(v.Width)/float32(v.Height)); err != nil {
		return err
	}
	own, err := c.Settings()
	if err != nil {
		return err
	}
	prepared, err := gpuscene.Prepare(ctx, s, gpuscene.Options{Floor: own.Floor, Mipmaps: own.Mipmaps(), BVH: own.BVH, OnDevice: true,
		Memory: memory})
	if err != nil {
		return err
	}
	if err := errors.Join(r.Engine().Use(prepared), r.Engine().WaitForKernels()); err != nil {
		return err
	}
	rates, err := bench.Rays(ctx, r.Engine(), v, c.Launches)
	if err != nil {
		return err
	}
	b := r.Engine().Backend()
	lines := json.NewEncoder(p.Stdout)
	for _, rate := range rates {
		if err := lines.Encode(rayLine{s.Name, s.Triangles(), b.Kind, b.Device, rate}); err != nil {
			return fmt.Errorf("write measurements: %w", err)
		}
	}
	return nil
}

// The files of a report, except diagrams.
const (
	reportFile = "report.md"
	linesFile  = "figures.jsonl"
)

// runTables repeats published measurements, prints a line of JSON for each figure, and writes a report with --output.
func (c *benchCommand) runTables(ctx context.Context, p *job.Process) error {
	tables, err := bench.Choose(c.Tables)
	if err != nil {
		return fmt.Errorf("--tables: %w", err)
	}
	if c.Output != "" {
		if err := save.CheckFolder(c.Output); err != nil {
			return err
		}
	}
	r, err := c.open(p, loadForTables)
	if err != nil {
		return err
	}
	begun := time.Now()
	var lines strings.Builder
	results, err := c.measureTables(ctx, p, r, tables, &lines)
	var cut error
	if interrupt.Is(ctx, err) {
		done := 0
		for _, r := range results {
			done += len(r.Figures)
		}
		cut, err = interrupt.New(ctx, fmt.Sprintf("%d of %d rows of tables were measured and are printed", done, rowsOf(tables))), nil
	}
	if err = errors.Join(err, r.Close()); err != nil || c.Output == "" {
		return cmp.Or(err, cut)
	}
	about := fmt.Sprintf("%s; at most %d frames a side, measured in %.0f s", c.sizeWords(), c.Frames, time.Since(begun).Seconds())
	return errors.Join(cut, c.writeReport(p, bench.Report{Machine: r.Machine(), About: about, Results: results}, lines.String()))
}

// loadForTables makes a built-in scene, if this build has it.
func loadForTables(_ context.Context, name string, _ *guard.Memory) (*scene.Scene, error) {
	if !slices.ContainsFunc(builtin.List(), func(i builtin.Info) bool { return i.Name == name }) {
		return nil, fmt.Errorf("scene %s: %w", name, bench.ErrNotHere)
	}
	return builtin.Make(name, builtin.Options{})
}

func rowsOf(tables []bench.Table) (rows int) {
	for _, t := range tables {
		rows += len(t.Rows)
	}
	return rows
}

func (c *benchCommand) sizeWords() string {
	if c.Size != "" {
		return c.Size + " pixels"
	}
	return "800×800 pixels where a reference does not say otherwise"
}

func (c *benchCommand) measureTables(ctx context.Context, p *job.Process, r *bench.Run, tables []bench.Table,
	lines io.Writer) ([]bench.Result, error) {
	bar := terminal.NewBar(p.Stderr, rowsOf(tables), "rows of tables")
	defer bar.Finish()
	encoder := json.NewEncoder(io.MultiWriter(p.Stdout, lines))
	done := 0
	said := map[string]bool{}
	return r.Tables(ctx, tables, func(figures []bench.Figure) error {
		done++
		bar.Set(done)
		for _, f := range figures {
			if f.Skipped != "" && !said[f.Skipped] {
				said[f.Skipped] = true
				p.Log.Info("not measured", "table", f.Table, "row", f.Row, "side", f.Side, "why", f.Skipped)
			}
			if err := encoder.Encode(f); err != nil {
				return fmt.Errorf("write measurements: %w", err)
			}
		}
		return nil
	})
}

// writeReport writes the folder of --output.
func (c *benchCommand) writeReport(p *job.Process, report bench.Report, lines string) error {
	outputs := []save.File{
		save.Summary(func(files []string) any {
			return struct {
				bench.Machine
				About string   `json:"about"`
				Files []string `json:"files"`
			}{report.Machine, report.About, files}
		}),
		{Name: reportFile, Write: func(path string) error { return save.Text(path, report.Markdown()) }},
		{Name: linesFile, Write: func(path string) error { return save.Text(path, lines) }},
	}
	for _, r := range report.Results {
		img, err := r.Diagram()
		if err != nil {
			return err
		}
		if img != nil {
			outputs = append(outputs, save.Picture(r.Picture(), img, r.Title))
		}
	}
	if err := save.Folder(p.Leftovers, c.Output, outputs); err != nil {
		return err
	}
	p.Log.Info("written", "folder", save.Absolute(c.Output), "files", len(outputs))
	return nil
}
