package cli

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/scene"
)

// viewCommand opens the window; plain `glint [SCENE]` is this.
type viewCommand struct {
	Scene string `arg:"" optional:"" help:"A .glb or .gltf file, or a built-in scene."`
	Size  string `placeholder:"WxH" help:"Of the window; without it as it was the last time."`
	Env   string `placeholder:"FILE|R,G,B|none" help:"Light from around: an .hdr or .exr, a constant radiance, or none."`
	Split bool   `help:"Open with two sides to compare; keys and panel change either."`
	CameraFlags
	DeviceFlags

	settings *settingsFlags
}

// Run opens the window.
func (c *viewCommand) Run(p *Program) error {
	request := ViewRequest{Scene: c.Scene, Load: c.load, Options: c.options(), Split: c.Split}
	request.Options.Log = p.log
	if request.Scene == "" {
		request.Scene = builtin.Default
	}
	var err error
	if c.Size != "" {
		if request.Width, request.Height, err = parseSize(c.Size); err != nil {
			return err
		}
	}
	if request.Settings, err = c.settings.settings(); err != nil {
		return err
	}
	if request.Environment, err = tracer.LoadEnvironment(c.Env); err != nil {
		return err
	}
	return p.View(request)
}

// load opens a scene; the camera that the flags ask for becomes the first of the scene they were given for.
func (c *viewCommand) load(name string, progress func(stage string, fraction float64)) (*scene.Scene, error) {
	s, err := LoadScene(name, c.options(), progress)
	if err != nil || !c.given() || name != c.Scene {
		return s, err
	}
	camera, err := c.Choose(s, 16./9)
	if err != nil {
		return nil, err
	}
	s.Cameras = append([]scene.Camera{camera}, s.Cameras...)
	return s, nil
}

// sceneCommand is `glint scene`.
type sceneCommand struct {
	Name      string `arg:"" optional:"" help:"Of the scene."`
	Output    string `short:"o" placeholder:"FILE.glb" help:"What to write."`
	Triangles int    `placeholder:"N" help:"Tessellate to about this many triangles."`
	List      bool   `help:"List the scenes."`
}

// Run writes or lists.
func (c *sceneCommand) Run(p *Program) error {
	if c.List {
		return listScenes(p.Stdout)
	}
	if c.Name == "" || c.Output == "" {
		return errors.New("scene: name a scene and a file: glint scene chess -o chess.glb (glint scene --list names them)")
	}
	s, err := builtin.Make(c.Name, builtin.Options{Triangles: c.Triangles})
	if err != nil {
		return err
	}
	if err := builtin.WriteGLB(c.Output, s); err != nil {
		return err
	}
	p.log.Info("written", "file", absolute(c.Output), "triangles", len(s.Faces))
	return nil
}

func listScenes(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, i := range builtin.List() {
		fmt.Fprintf(t, "%s\t%s\n", i.Name, i.Help)
	}
	return t.Flush()
}

// keysCommand is `glint keys`.
type keysCommand struct {
	Markdown bool `help:"As a Markdown table, for the documentation."`
}

// Run prints the table.
func (c *keysCommand) Run(p *Program) error {
	_, err := io.WriteString(p.Stdout, p.Keys(c.Markdown))
	return err
}
