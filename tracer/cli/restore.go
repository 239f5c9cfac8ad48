package cli

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"

	"github.com/alecthomas/kong"

	"glint/tracer"
	"glint/tracer/document"
)

// restoring gives flags the values that a picture says, where the command line has a picture in the place of a scene. What the command
// line says itself goes before that.
type restoring struct {
	file     *config
	asked    bool
	scene    *kong.Positional
	document *document.Document // nil: the scene is no picture
	values   map[string]string
	err      error
}

// resolve gives a flag its value: that of the picture, and of the settings file where the picture does not speak of such a flag.
func (r *restoring) resolve(ctx *kong.Context, path *kong.Path, flag *kong.Flag) (any, error) {
	if !r.asked {
		r.asked = true
		r.read(ctx)
	}
	value, ok := r.values[flag.Name]
	switch {
	case ok && accepts(flag, value) == nil:
		return value, nil
	case ok, r.document != nil && slices.Contains(unsaid, flag.Name):
		return nil, nil
	}
	return r.file.resolve(ctx, path, flag)
}

// unsaid are flags that a picture speaks of by leaving them out.
var unsaid = []string{"eye", "target", "up", "vfov", "ortho", "camera", "at", "clip", "variant", "env", "edit", "time", "frame"}

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
			d, err := document.Read(picture, tracer.SettingsTable())
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
	delete(r.values, "edit") // of which there are several: job.Process.Restored has them
	if d.Width > 0 {
		r.values["size"] = fmt.Sprintf("%dx%d", d.Width, d.Height)
	}
	if d.Samples > 0 && !given["time"] && !given["samples"] {
		r.values["spp"] = strconv.Itoa(d.Samples)
	}
	if d.Replay != nil {
		r.values["replay"] = d.Replay.Where()
	}
	if d.Frame > 0 {
		r.values["frame"] = strconv.Itoa(d.Frame)
	}
	for name, others := range map[string][]string{"camera": {"eye", "target", "up", "vfov", "ortho"}, "vfov": {"ortho"}, "ortho": {"vfov"}} {
		for _, other := range others {
			if given[name] { // which says it otherwise
				delete(r.values, other)
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
