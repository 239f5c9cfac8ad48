package cli

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"glint/tracer/builtin"
)

// sceneCommand is `glint scene`.
type sceneCommand struct {
	Name      string `arg:"" optional:"" help:"Name of the scene."`
	Output    string `short:"o" placeholder:"FILE.glb" help:"File to write."`
	Triangles int    `placeholder:"N" help:"Tessellate to about this many triangles. Without it: the scene's own number."`
	List      bool   `help:"List the built-in scenes."`
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
