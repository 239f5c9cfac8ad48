package cli

import (
	"fmt"
	"os"
	"reflect"
	"strconv"

	"github.com/alecthomas/kong"

	"glint/tracer"
	"glint/tracer/document"
)

// restoring gives flags the values that a picture says, where the command line has a picture in the place of a scene. What the command
// line says itself goes before that.
type restoring struct {
	asked    bool
	scene    *kong.Positional
	document *document.Document // nil: the scene is no picture
	values   map[string]string
	err      error
}

// resolve gives a flag its value.
func (r *restoring) resolve(ctx *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if !r.asked {
		r.asked = true
		r.read(ctx)
	}
	value, ok := r.values[flag.Name]
	if !ok || accepts(flag, value) != nil {
		return nil, nil
	}
	return value, nil
}

// read reads the picture.
func (r *restoring) read(ctx *kong.Context) {
	given := map[string]bool{}
	for _, path := range ctx.Path {
		switch {
		case path.Flag != nil:
			given[path.Flag.Name] = true
		case path.Positional != nil && path.Positional.Name == "scene" && path.Positional.Target.Kind() == reflect.String:
			r.scene = path.Positional
			picture := ctx.Value(path).String()
			if info, err := os.Stat(picture); err != nil || !info.Mode().IsRegular() || !document.IsPicture(picture) {
				continue
			}
			table := tracer.SettingsTable()
			d, err := document.Read(picture, table)
			if err == nil {
				err = d.Locate(picture)
			}
			if err != nil {
				r.err = err
				return
			}
			r.document = &d
		}
	}
	if r.document == nil {
		return
	}
	d := r.document
	r.values = map[string]string{}
	for _, f := range d.Flags(tracer.SettingsTable()) {
		r.values[f.Name] = f.Value
	}
	if d.Width > 0 {
		r.values["size"] = fmt.Sprintf("%dx%d", d.Width, d.Height)
	}
	if d.Samples > 0 && !given["time"] && !given["samples"] {
		r.values["spp"] = strconv.Itoa(d.Samples)
	}
	if d.Frame > 0 {
		r.values["frame"] = strconv.Itoa(d.Frame)
	}
	for _, group := range [][]string{{"eye", "target", "up", "vfov", "ortho", "camera"}, {"at", "clip"}} { // what says one says all
		for _, name := range group {
			if given[name] {
				for _, other := range group {
					delete(r.values, other)
				}
			}
		}
	}
}

// apply puts the picture's scene in its place.
func (r *restoring) apply() (*document.Document, error) {
	if r.err == nil && r.document != nil {
		r.scene.Target.SetString(r.document.SceneWord())
	}
	return r.document, r.err
}
