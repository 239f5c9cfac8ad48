package cli

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// settingsFlags turns the settings table into flags: one field of a struct made at run time for each row.
type settingsFlags struct {
	rows    []settings.Setting
	value   reflect.Value // of the struct
	command string        // that they are for
}

func newSettingsFlags() *settingsFlags {
	defaults := settings.Defaults()
	rows := tracer.SettingsTable()
	fields := make([]reflect.StructField, len(rows))
	for i, row := range rows {
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("Setting%d", i), Type: reflect.TypeFor[string](),
			Tag: reflect.StructTag(flagTag(row, &defaults)),
		}
	}
	return &settingsFlags{rows: rows, value: reflect.New(reflect.StructOf(fields)).Elem()}
}

func (f *settingsFlags) target() any { return f.value.Addr().Interface() }

// flagTag is kong's description of a setting.
func flagTag(row settings.Setting, defaults *settings.Settings) string {
	help := row.Help
	var enum []string
	placeholder := "N"
	switch row.Value(defaults).(type) {
	case *bool:
		enum = []string{"on", "off"}
	case *string:
		enum = row.Choices
	case *float64:
		placeholder = "X"
	}
	if row.Unit != "" {
		help += " (" + row.Unit + ")"
	}
	tag := fmt.Sprintf("name:%q help:%q default:%q group:%q", row.Name, help+"; default ${default}", row.Text(defaults), row.Group)
	if enum != nil {
		return tag + fmt.Sprintf(" enum:%q placeholder:%q", strings.Join(enum, ","), strings.Join(enum, "|"))
	}
	return tag + fmt.Sprintf(" placeholder:%q", placeholder)
}

// settings reads the parsed flags back.
func (f *settingsFlags) settings() (settings.Settings, error) {
	s := settings.Defaults()
	for i, row := range f.rows {
		if err := row.Parse(&s, f.value.Field(i).String()); err != nil {
			return s, fmt.Errorf("--%s: %w", row.Name, err)
		}
	}
	return f.without(s), nil
}

// DeviceFlags choose what renders.
type DeviceFlags struct {
	Backend string `enum:"auto,cuda,cpu" default:"auto" placeholder:"auto|cuda|cpu" help:"What renders; auto takes CUDA when it works. Default ${default}."`
	Device  int    `default:"0" placeholder:"N" help:"Which GPU. Default ${default}."`
}

func (f DeviceFlags) options() tracer.Options {
	return tracer.Options{Backend: f.Backend, Device: f.Device}
}

// CameraFlags choose a camera of the file, or place one.
type CameraFlags struct {
	Camera string  `placeholder:"INDEX|NAME" help:"A camera of the file."`
	Eye    vector  `placeholder:"X,Y,Z" help:"Where the camera stands (m)."`
	Target vector  `placeholder:"X,Y,Z" help:"What it looks at (m)."`
	Up     vector  `placeholder:"X,Y,Z" help:"Which way is up."`
	VFov   float32 `name:"vfov" placeholder:"DEG" help:"Vertical field of view (degrees)."`
}

// vector is three numbers on the command line; nil when not given.
type vector []float32

// UnmarshalText reads "X,Y,Z".
func (v *vector) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), ",")
	if len(parts) != 3 {
		return fmt.Errorf("%q: want three numbers, X,Y,Z", text)
	}
	*v = make(vector, 3)
	for i, p := range parts {
		x, err := strconv.ParseFloat(strings.TrimSpace(p), 32)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%q: %q is not a number", text, p)
		}
		(*v)[i] = float32(x)
	}
	return nil
}

func (f CameraFlags) given() bool {
	return f.Camera != "" || f.Eye != nil || f.Target != nil || f.Up != nil || f.VFov != 0
}

// Choose is the camera that the flags ask for.
func (f CameraFlags) Choose(s *scene.Scene, aspect float32) (scene.Camera, error) {
	c := s.DefaultCamera(aspect)
	if f.Camera != "" {
		i, err := findCamera(s, f.Camera)
		if err != nil {
			return c, err
		}
		c = s.Cameras[i]
	}
	for _, row := range []struct {
		from vector
		to   *mgl32.Vec3
	}{{f.Eye, &c.Eye}, {f.Target, &c.Target}, {f.Up, &c.Up}} {
		if row.from != nil {
			*row.to = mgl32.Vec3(row.from)
		}
	}
	if f.VFov != 0 {
		if !(f.VFov > 0 && f.VFov < 180) {
			return c, fmt.Errorf("--vfov %v: a field of view lies between 0 and 180 degrees", f.VFov)
		}
		c.VFov, c.Orthographic = f.VFov, 0
	}
	return c, nil
}

func findCamera(s *scene.Scene, which string) (int, error) {
	names := make([]string, len(s.Cameras))
	for i, c := range s.Cameras {
		names[i] = c.Name
		if c.Name == which {
			return i, nil
		}
	}
	if i, err := strconv.Atoi(which); err == nil && i >= 0 && i < len(s.Cameras) {
		return i, nil
	}
	return 0, fmt.Errorf("--camera %s: %s has %d cameras: %s", which, s.Name, len(s.Cameras), strings.Join(names, ", "))
}

// parseSize reads WIDTHxHEIGHT.
func parseSize(text string) (width, height int, err error) {
	w, h, ok := strings.Cut(strings.ToLower(text), "x")
	if ok {
		width, _ = strconv.Atoi(w)
		height, _ = strconv.Atoi(h)
	}
	if width <= 0 || height <= 0 || width > 1<<15 || height > 1<<15 {
		return 0, 0, fmt.Errorf("--size %q: want WIDTHxHEIGHT in pixels, such as 1280x720", text)
	}
	return width, height, nil
}
