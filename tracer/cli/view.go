package cli

import (
	"context"

	"github.com/alecthomas/kong"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/job"
	"glint/tracer/cli/terminal"
	"glint/tracer/guard"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// viewCommand opens the window; plain `glint [SCENE]` is this.
type viewCommand struct {
	Scene string `arg:"" optional:"" help:"A .glb or .gltf file, or the name of a built-in scene (glint scene lists them). Without it: the default scene."`
	Size  string `placeholder:"WxH" help:"Size of this window, or ${sizes}. Without it: as it was last time."`
	Env   string `placeholder:"NAME|FILE|R,G,B" help:"Environment: built in (${environments}; sky:30 has the sun at 30 degrees), an .hdr or .exr file, or a constant radiance."`
	Split bool   `help:"Open with two sides to compare."`
	On    string `name:"split-backend" enum:",cuda,cpu" default:"" placeholder:"cuda|cpu" help:"Open with two sides that render alike, the second on this device."`
	Tour  bool   `help:"Begin with a tour of light transport, from naive paths to reuse and denoising." experts:""`
	GoOn  string `placeholder:"FILE" help:"Go on with the view and the samples that a window whose GPU was lost has left in FILE, and remove it." experts:""`
	flags.CameraFlags
	flags.PoseFlags
	flags.DeviceFlags
	job.TeamFlags
	flags.LoadFlags
	flags.SettingsFlags
}

const tourScene = "cornell-glossy" // has what each stop of the tour is about

// Run opens the window.
func (c *viewCommand) Run(ctx context.Context, own *job.Process, p *Program, app *kong.Application) error {
	if c.GoOn != "" { // which says what is shown, and how large
		c.Scene, c.Env, c.Size = "", "", ""
	}
	on := c.Options()
	devices, err := c.Chosen()
	if err != nil {
		return err
	}
	var helpers []tracer.Options
	if len(devices) > 0 {
		on = devices[0]
		helpers = devices[1:]
		for i := range helpers {
			helpers[i].Log = own.Log
		}
	} else if err := c.Exists(); err != nil {
		return err
	}
	load := func(ctx context.Context, name string, o scene.Options) (*scene.Scene, error) {
		return c.load(ctx, name, on, o)
	}
	request := ViewRequest{Scene: c.Scene, Load: load, Write: builtin.WriteGLB, Options: on, Helpers: helpers, EnvironmentFlag: c.Env, Split: c.Split, SplitBackend: c.On, Tour: c.Tour, GoOn: c.GoOn, StartAgain: p.startAgain}
	request.Scenes = terminal.Names(builtin.List(), func(i builtin.Info) settings.Choice { return settings.Choice{Name: i.Name, Help: i.Help} })
	request.Options.Log, request.Out, request.Keys = own.Log, own.Stdout, p.config.keys
	if request.Scene == "" && c.Tour {
		request.Scene = tourScene
	}
	if request.Scene == "" {
		request.Scene = builtin.Default
	}
	if err := job.CheckScene(c.Scene, commandNames(app)...); err != nil {
		return err
	}
	if c.Size != "" {
		if request.Width, request.Height, err = flags.ParseSize(c.Size); err != nil {
			return err
		}
	}
	if request.Settings, err = c.Settings(); err != nil {
		return err
	}
	if err := c.Check(); err != nil {
		return err
	}
	request.Variant, request.At, request.Clip = c.Variant, c.At, c.Clip
	var before scene.Edits
	if d := own.Restored; d != nil {
		before = d.Edits
		request.With, request.FileHash, request.Other, request.Split = d.Merged, d.FileHash, d.Other, c.Split || d.Other != nil
	}
	if request.Edits, err = c.Edits(before); err != nil {
		return err
	}
	if request.LoadMemory, err = c.Bytes(); err != nil {
		return err
	}
	if request.Environment, err = job.LoadEnvironment(c.Env, guard.NewMemory(request.LoadMemory)); err != nil {
		return err
	}
	return p.View(ctx, request)
}

// load opens a scene. The camera of the flags becomes the first one of the scene that they were given with.
func (c *viewCommand) load(ctx context.Context, name string, on tracer.Options, o scene.Options) (*scene.Scene, error) {
	if name == c.Scene {
		o.Eyes = c.Eyes()
	}
	s, err := job.LoadScene(ctx, name, on, o)
	if err == nil && c.At != nil && name == c.Scene {
		_, err = c.FindClip(s)
	}
	if err != nil || !c.Given() || name != c.Scene {
		return s, err
	}
	camera, err := c.Choose(s, 16./9)
	if err != nil {
		return nil, err
	}
	s.Cameras = append([]scene.Camera{camera}, s.Cameras...)
	return s, nil
}
