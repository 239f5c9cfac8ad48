package document

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/kballard/go-shellquote"

	"glint/tracer/scene"
	"glint/tracer/settings"
)

// Flag is a flag of the command line and its value.
type Flag struct{ Name, Value string }

// Flags are the flags that make a picture again, with numbers to their last digit.
func (d Document) Flags(table []settings.Setting) []Flag {
	flags := d.subjectFlags()
	for _, row := range table {
		flags = append(flags, Flag{row.Name, row.Text(&d.Settings)})
	}
	return flags
}

// ViewFlags are those of camera, lens and moment.
func (d Document) ViewFlags(table []settings.Setting) []Flag {
	flags := d.viewFlags()
	for _, name := range []string{"dof", "aperture", "focus"} {
		if row, ok := settings.Lookup(table, name); ok {
			flags = append(flags, Flag{name, row.Text(&d.Settings)})
		}
	}
	return flags
}

// subjectFlags are those that are no settings.
func (d Document) subjectFlags() []Flag {
	flags := d.viewFlags()
	for _, f := range []Flag{{"variant", d.Variant}, {"env", d.Environment}} {
		if f.Value != "" {
			flags = append(flags, f)
		}
	}
	for _, edit := range d.Edits.Texts() {
		flags = append(flags, Flag{"edit", edit})
	}
	return flags
}

// viewFlags are those of the camera and of the moment.
func (d Document) viewFlags() []Flag {
	c := d.Camera
	flags := []Flag{{"eye", coordinates(c.Eye)}, {"target", coordinates(c.Target)}, {"up", singles(c.Up)}}
	if c.Orthographic > 0 {
		flags = append(flags, Flag{"ortho", short(c.Orthographic)})
	} else {
		flags = append(flags, Flag{"vfov", short(c.VFov)})
	}
	if d.At != nil {
		flags = append(flags, Flag{"at", number(*d.At)})
		if d.Clip != "" {
			flags = append(flags, Flag{"clip", d.Clip})
		}
	}
	return flags
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func short(x float32) string { return strconv.FormatFloat(float64(x), 'g', -1, 32) }

func singles(v mgl32.Vec3) string { return short(v[0]) + "," + short(v[1]) + "," + short(v[2]) }

func coordinates(p mgl64.Vec3) string { return number(p[0]) + "," + number(p[1]) + "," + number(p[2]) }

// Text is a line that makes the picture again where it follows `glint` or `glint render`, and that the window takes when it is pasted:
// the scene, then the flags that are not as usual.
func (d Document) Text(table []settings.Setting) string {
	words := []string{d.SceneWord()}
	for _, f := range d.subjectFlags() {
		words = append(words, "--"+f.Name, f.Value)
	}
	return shellquote.Join(append(words, settings.Flags(table, d.Settings)...)...)
}

// ReadText reads a line of Text, also one that begins with `glint` or `glint render`. Where it begins with flags, the rest is as in d. Where
// it names a scene, settings that it does not name are as usual, and without a camera the zero value stands for the scene's own.
func (d Document) ReadText(table []settings.Setting, text string) (Document, error) {
	words, err := shellquote.Split(text)
	if err != nil {
		return d, fmt.Errorf("%q: %w", text, err)
	}
	for _, name := range []string{"glint", "render", "view"} {
		if len(words) > 0 && words[0] == name {
			words = words[1:]
		}
	}
	switch {
	case len(words) == 0:
		return d, errors.New("want a line that glint has copied: a scene and flags, such as Fox.glb --eye 1,2,3 --target 0,0,0")
	case !strings.HasPrefix(words[0], "--"):
		d = Document{Settings: settings.Defaults(), Subject: Subject{Scene: words[0]}}
		if IsFile(words[0]) {
			if d.File, err = filepath.Abs(words[0]); err != nil {
				return d, err
			}
		}
		words = words[1:]
	}
	return d, d.setAll(table, words)
}

// setAll takes what flags say.
func (d *Document) setAll(table []settings.Setting, words []string) error {
	for len(words) > 0 {
		name, value, joined := strings.Cut(words[0], "=")
		words = words[1:]
		if !strings.HasPrefix(name, "--") {
			return fmt.Errorf("%q: want flags as --name value", name)
		}
		if !joined {
			if len(words) == 0 {
				return fmt.Errorf("%s: its value is missing", name)
			}
			value, words = words[0], words[1:]
		}
		if err := d.set(table, name[2:], value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if d.Camera == (scene.Camera{}) {
		return nil
	}
	return d.Camera.Check()
}

// set takes what a flag says.
func (d *Document) set(table []settings.Setting, name, value string) (err error) {
	c := &d.Camera
	switch name {
	case "eye":
		c.Eye, err = point(value)
	case "target":
		c.Target, err = point(value)
	case "up":
		var up mgl64.Vec3
		up, err = point(value)
		c.Up = scene.Single(up)
	case "vfov":
		c.VFov, err = single(value)
		c.Orthographic = 0
	case "ortho":
		c.Orthographic, err = single(value)
		c.VFov = 0
	case "at":
		var at float64
		if at, err = strconv.ParseFloat(value, 64); err == nil && !(at >= 0) {
			err = fmt.Errorf("%q: want a time of 0 s or later", value)
		}
		d.At = &at
	case "clip":
		d.Clip = value
	case "variant":
		d.Variant = value
	case "env":
		d.Environment = value
	case "edit":
		var edit scene.Edit
		if edit, err = scene.ParseEdit(value); err == nil {
			d.Edits = d.Edits.With(edit)
		}
	default:
		row, ok := settings.Lookup(table, name)
		if !ok {
			return errors.New("it is no flag of a picture")
		}
		err = row.Parse(&d.Settings, value)
	}
	return err
}

func single(text string) (float32, error) {
	x, err := strconv.ParseFloat(text, 32)
	if err != nil {
		return 0, fmt.Errorf("%q: want a number", text)
	}
	return float32(x), nil
}

func point(text string) (p mgl64.Vec3, err error) {
	parts := strings.Split(text, ",")
	if len(parts) != len(p) {
		return p, fmt.Errorf("%q: want three numbers, X,Y,Z", text)
	}
	for i := range p {
		if p[i], err = strconv.ParseFloat(parts[i], 64); err != nil {
			return p, fmt.Errorf("%q: %q is no number", text, parts[i])
		}
	}
	return p, nil
}
