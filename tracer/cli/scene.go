package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"glint/tracer/builtin"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/job"
	"glint/tracer/cli/save"
	"glint/tracer/cli/terminal"
	"glint/tracer/document"
	"glint/tracer/imageio"
	"glint/tracer/scene"
)

// sceneCommand is `glint scene`.
type sceneCommand struct {
	Name      string   `arg:"" optional:"" help:"Name of the scene; without it: list them all. Or a file: list what can be edited in it, or write it with edits."`
	Output    string   `short:"o" ends:".glb" placeholder:"FILE.glb" help:"File to write."`
	Edit      []string `sep:"none" placeholder:"POINTER=VALUE" help:"Change a property of the file that is written; may be given more than once."`
	Triangles *int     `placeholder:"N" help:"Tessellate to about this many triangles. Without it: the scene's own number."`
}

// Run writes or lists.
func (c *sceneCommand) Run(ctx context.Context, p *job.Process, line *kong.Context) error {
	if document.IsFile(c.Name) {
		if err := flags.RefuseIdle(line, "a file", []string{"triangles"}); err != nil {
			return err
		}
		return c.file(ctx, p)
	}
	if len(c.Edit) > 0 {
		return errors.New("--edit: only files can be edited: write a built-in scene to one first")
	}
	if c.Name == "" && len(flags.Given(line, "output", "triangles")) == 0 {
		return listScenes(p.Stdout)
	}
	if c.Name == "" || c.Output == "" {
		return fmt.Errorf("scene: name a scene and a file: glint scene %s -o %s (glint scene lists them)",
			cmp.Or(c.Name, builtin.Default), cmp.Or(c.Output, "scene.glb"))
	}
	if err := save.CheckFile(save.Named{Flag: "-o", Path: c.Output}); err != nil {
		return err
	}
	var options builtin.Options
	if c.Triangles != nil {
		if options.Triangles = *c.Triangles; options.Triangles < 1 {
			return fmt.Errorf("--triangles %d: want at least 1", options.Triangles)
		}
	}
	s, err := builtin.Make(c.Name, options)
	if err != nil {
		if !slices.Contains(job.SceneNames(), c.Name) {
			err = fmt.Errorf("%w%s", err, terminal.Suggestion(c.Name, job.SceneNames()))
		}
		return err
	}
	if err := builtin.WriteGLB(c.Output, s); err != nil {
		return err
	}
	if s.Environment != "" {
		p.Log.Warn("glTF has no place for the sky of this scene: render the file with --env " + s.Environment)
	}
	if asked := options.Triangles; asked > 0 && len(s.Faces) > 2*asked {
		p.Log.Warn(fmt.Sprintf("%s has at least %d triangles", c.Name, len(s.Faces)))
	}
	p.Log.Info("written", "file", save.Absolute(c.Output), "triangles", len(s.Faces))
	return nil
}

// file writes a file with edits, or lists what can be edited in it.
func (c *sceneCommand) file(ctx context.Context, p *job.Process) error {
	s, err := scene.Load(ctx, c.Name, scene.Options{Scene: -1, Animated: true})
	if err != nil {
		return err
	}
	if s.Editable == nil {
		return errors.New("there is no memory for what can be edited: --load-memory")
	}
	if c.Output == "" && len(c.Edit) == 0 {
		return listProperties(p.Stdout, s)
	}
	edits, err := scene.ParseEdits(c.Edit)
	if err == nil {
		edits, err = s.Editable.CheckAll(edits)
	}
	if err != nil {
		return fmt.Errorf("--edit: %w", err)
	}
	if c.Output == "" {
		return errors.New("--edit: name a file to write: -o FILE.glb")
	}
	if err := save.CheckFile(save.Named{Flag: "-o", Path: c.Output}, job.SceneInputs(c.Name)...); err != nil {
		return err
	}
	var notes []string
	if err := imageio.WriteAtomic(c.Output, func(w io.WriteSeeker) (err error) {
		notes, err = scene.WriteEdited(ctx, w, c.Name, edits, nil)
		return err
	}); err != nil {
		return err
	}
	for _, note := range notes {
		p.Log.Warn(note)
	}
	p.Log.Info("written", "file", save.Absolute(c.Output), "edits", len(edits))
	return nil
}

// listProperties prints what --edit can change in a file: what it is now, and its limits.
func listProperties(w io.Writer, s *scene.Scene) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, object := range s.Editable.Objects() {
		fmt.Fprintf(t, "# %s\n", s.Editable.Label(object))
		for _, p := range s.Editable.Properties(object, nil) {
			fmt.Fprintf(t, "%s\t%s\n", scene.Edit{Pointer: p.Pointer, Value: p.Value}, p.Limits())
		}
	}
	return t.Flush()
}

func listScenes(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, i := range builtin.List() {
		fmt.Fprintf(t, "%s\t%s\n", i.Name, i.Help)
	}
	return t.Flush()
}
