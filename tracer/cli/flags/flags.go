// Package flags are the flags that commands share, and the values that they take.
package flags

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/go-gl/mathgl/mgl64"

	"glint/cuda/driver"
	"glint/tracer"
	"glint/tracer/cli/terminal"
	"glint/tracer/device"
	"glint/tracer/guard"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// SettingsFlags are the settings that a command offers, as flags: a command embeds them, and has no flag that would do
// nothing.
type SettingsFlags struct {
	kong.Plugins // one struct made at run time, with a field for each row
	rows         []settings.Setting
	value        reflect.Value // of that struct
}

// NewSettingsFlags makes a flag of each setting that a command offers.
func NewSettingsFlags(offers func(settings.Setting) bool) SettingsFlags {
	defaults := settings.Defaults()
	rows := slices.DeleteFunc(tracer.SettingsTable(), func(row settings.Setting) bool { return !offers(row) })
	fields := make([]reflect.StructField, len(rows))
	for i, row := range rows {
		fields[i] = reflect.StructField{
			Name: fmt.Sprintf("Setting%d", i), Type: reflect.TypeFor[string](),
			Tag: reflect.StructTag(flagTag(row, &defaults)),
		}
	}
	value := reflect.New(reflect.StructOf(fields)).Elem()
	return SettingsFlags{Plugins: kong.Plugins{value.Addr().Interface()}, rows: rows, value: value}
}

// AnySetting takes all settings.
func AnySetting(settings.Setting) bool { return true }

// StillSetting tells whether a setting means something to a picture that stands alone.
func StillSetting(row settings.Setting) bool { return row.Views == settings.AllViews }

// FilmSetting tells whether a setting means something to the frames of a film.
func FilmSetting(row settings.Setting) bool { return row.Views <= settings.MovingViews }

// MeasuredSetting tells whether a setting changes radiance, what that costs or how it is shown. The views that show
// something in place of the radiance do not.
func MeasuredSetting(row settings.Setting) bool {
	return row.Views <= settings.LiveViews && row.Name != "aov-view" && row.Name != "reuse-view"
}

// CostSetting tells whether a setting changes what a frame costs where none is displayed.
func CostSetting(row settings.Setting) bool {
	return MeasuredSetting(row) && row.Scope != settings.PerScreen
}

// BenchSetting leaves out what `glint bench` has a flag of that name for.
func BenchSetting(row settings.Setting) bool { return CostSetting(row) && row.Name != "rays" }

// VariantSetting leaves out what `glint grid` varies by itself.
func VariantSetting(row settings.Setting) bool {
	return MeasuredSetting(row) && row.Name != "integrator" && row.Name != "denoise"
}

// MemorySetting tells whether a setting changes how much memory a scene and its picture take.
func MemorySetting(row settings.Setting) bool {
	return slices.Contains([]string{"bvh", "integrator", "exec", "denoise", "first-hit-cache", "restir-neighbours", "texture-filter", "background"},
		row.Name)
}

// ForExperts tells whether a flag is a setting that few need.
func ForExperts(f *kong.Flag) bool { return f.Tag.Has("experts") }

// flagTag describes a setting to kong.
func flagTag(row settings.Setting, defaults *settings.Settings) string {
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
	standard := row.Text(defaults)
	if row.Unit != "" {
		standard += " " + row.Unit
	}
	help := fmt.Sprintf("%s Default %s.", row.Help, standard)
	tag := fmt.Sprintf("name:%q help:%q default:%q group:%q", row.Name, help, row.Text(defaults), row.Group)
	if row.Level != settings.First {
		tag += ` experts:""`
	}
	if row.Colors { // which kong cannot list
		return tag + fmt.Sprintf(" placeholder:%q", strings.Join(append(enum, "#rrggbb"), "|"))
	}
	if enum != nil {
		return tag + fmt.Sprintf(" enum:%q placeholder:%q", strings.Join(enum, ","), strings.Join(enum, "|"))
	}
	return tag + fmt.Sprintf(" placeholder:%q", placeholder)
}

// Settings reads the parsed flags back. What the command does not offer stays at its default.
func (f *SettingsFlags) Settings() (settings.Settings, error) {
	s := settings.Defaults()
	for i, row := range f.rows {
		if err := row.Parse(&s, f.value.Field(i).String()); err != nil {
			return s, fmt.Errorf("--%s: %w", row.Name, err)
		}
	}
	return s, nil
}

// Parse reads settings written as flags over others. It takes those that the command offers.
func (f *SettingsFlags) Parse(flags string, base settings.Settings) (settings.Settings, error) {
	s, err := settings.ParseFlags(f.rows, flags, base)
	var unknown settings.UnknownError
	if !errors.As(err, &unknown) {
		return s, err
	}
	if _, elsewhere := settings.Lookup(tracer.SettingsTable(), unknown.Name); elsewhere {
		err = fmt.Errorf("--%s has no effect in this command", unknown.Name)
	}
	return s, err
}

// DeviceFlags choose what renders.
type DeviceFlags struct {
	Backend string `enum:"auto,cuda,cpu" default:"auto" placeholder:"auto|cuda|cpu" help:"Device to render on. auto takes CUDA if it works, else the CPU. Default ${default}."`
	Device  int    `default:"0" placeholder:"N" help:"Number of the GPU. Default ${default}."`
}

// Options are those of a device that tracer.Open takes.
func (f DeviceFlags) Options() tracer.Options {
	return tracer.Options{Backend: f.Backend, Device: f.Device}
}

// Exists refuses a number that no GPU has, before anything is loaded for it.
func (f DeviceFlags) Exists() error {
	if f.Backend == device.KindCPU || f.Device == 0 {
		return nil
	}
	if err := driver.CheckOrdinal(driver.Options{Ordinal: f.Device}); err != nil {
		return fmt.Errorf("--device: %w", err)
	}
	return nil
}

// LoadFlags say what of a file is loaded, and what it may cost.
type LoadFlags struct {
	Variant    string  `placeholder:"INDEX|NAME" help:"Variant of the file's materials (KHR_materials_variants); glint info lists them."`
	LoadMemory float64 `name:"load-memory" default:"4" placeholder:"GIB" help:"Memory that loading a scene may take, in GiB: a larger one is refused. Default ${default}."`
}

// Bytes is the memory that loading may take.
func (f LoadFlags) Bytes() (int64, error) {
	if !(f.LoadMemory > 0 && f.LoadMemory <= 1<<20) {
		return 0, fmt.Errorf("--load-memory %v: want a number of GiB above 0, such as 8", f.LoadMemory)
	}
	return int64(f.LoadMemory * (1 << 30)), nil
}

// Memory counts what loading takes, up to that.
func (f LoadFlags) Memory() (*guard.Memory, error) {
	bytes, err := f.Bytes()
	return guard.NewMemory(bytes), err
}

// PoseFlags choose a moment of a file's animation, and change what the file says.
type PoseFlags struct {
	At   *float64 `name:"at" placeholder:"SECONDS" help:"Moment of the animation to show. Without it: the file at rest."`
	Clip string   `placeholder:"INDEX|NAME" help:"Animation of the file; glint info lists them, and all plays them together. Without it: the first."`
	Edit []string `sep:"none" placeholder:"POINTER=VALUE" help:"Change a property of the file, such as /materials/0/pbrMetallicRoughness/roughnessFactor=0.3; may be given more than once. glint scene FILE lists what can be changed."`
}

// Edits are those of the flags, over others.
func (f PoseFlags) Edits(over scene.Edits) (scene.Edits, error) {
	edits, err := scene.ParseEdits(f.Edit)
	if err != nil {
		return nil, fmt.Errorf("--edit: %w", err)
	}
	for _, e := range edits {
		over = over.With(e)
	}
	return over, nil
}

// Check refuses times that mean nothing.
func (f PoseFlags) Check() error {
	switch {
	case f.At != nil && !(*f.At >= 0 && *f.At <= MaxSeconds):
		return fmt.Errorf("--at %v: want 0 to %g seconds", *f.At, float64(MaxSeconds))
	case f.At == nil && f.Clip != "":
		return fmt.Errorf("--clip %s: say which moment to show, too: --at SECONDS", guard.Name(f.Clip))
	}
	return nil
}

// MaxSeconds bounds a moment of an animation, s.
const MaxSeconds = 1e6

// FindClip is the one that the flags name.
func (f PoseFlags) FindClip(s *scene.Scene) (int, error) {
	if s.Motion == nil || len(s.Motion.Clips) == 0 {
		return 0, fmt.Errorf("%s has no animation that glint can play%s", guard.Name(s.Name), whyNoAnimation(s))
	}
	if i := s.Motion.Find(f.Clip); i >= 0 {
		return i, nil
	}
	names := terminal.Names(s.Motion.Clips, func(clip scene.Clip) string { return clip.Name })
	return 0, fmt.Errorf("--clip %s: no animation has this name or number (glint info lists them)%s%s", guard.Name(f.Clip),
		terminal.Suggestion(f.Clip, names), whyNoAnimation(s))
}

// whyNoAnimation is what the file's report says about its animations.
func whyNoAnimation(s *scene.Scene) string {
	var why strings.Builder
	for _, n := range s.Report.Notes {
		if strings.HasPrefix(n.Object, "animation ") {
			why.WriteString("; " + n.String())
		}
	}
	return why.String()
}

// CameraFlags choose a camera of the file, or place one.
type CameraFlags struct {
	Camera string   `placeholder:"INDEX|NAME" help:"Camera of the file to start from."`
	Eye    vector   `placeholder:"X,Y,Z" help:"Position of the camera, in metres."`
	Target vector   `placeholder:"X,Y,Z" help:"Point that the camera looks at, in metres."`
	Up     vector   `placeholder:"X,Y,Z" help:"Direction that is up in the image."`
	VFov   *float32 `name:"vfov" placeholder:"DEG" help:"Vertical field of view, in degrees."`
	Ortho  *float32 `name:"ortho" placeholder:"M" help:"A parallel view: half of its height, in metres." experts:""`
}

// vector is three numbers on the command line; nil when not given.
type vector []float64

// UnmarshalText reads "X,Y,Z".
func (v *vector) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), ",")
	if len(parts) != 3 {
		return fmt.Errorf("%q: want three numbers, X,Y,Z", text)
	}
	*v = make(vector, 3)
	for i, p := range parts {
		x, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%q: %q is not a number", text, p)
		}
		(*v)[i] = x
	}
	return nil
}

// Given tells whether any of the flags is.
func (f CameraFlags) Given() bool {
	return f.Camera != "" || f.Eye != nil || f.Target != nil || f.Up != nil || f.VFov != nil || f.Ortho != nil
}

// Eyes are where the flags place the camera.
func (f CameraFlags) Eyes() []mgl64.Vec3 {
	if f.Eye == nil {
		return nil
	}
	return []mgl64.Vec3{mgl64.Vec3(f.Eye)}
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
		to   *mgl64.Vec3
	}{{f.Eye, &c.Eye}, {f.Target, &c.Target}} {
		if row.from != nil {
			*row.to = s.FromFile(mgl64.Vec3(row.from))
		}
	}
	if f.Up != nil {
		c.Up = scene.Single(mgl64.Vec3(f.Up))
	}
	if f.VFov != nil {
		if !(*f.VFov > 0 && *f.VFov < 180) {
			return c, fmt.Errorf("--vfov %v: a field of view lies between 0 and 180 degrees", *f.VFov)
		}
		c.VFov, c.Orthographic = *f.VFov, 0
	}
	if f.Ortho != nil {
		if f.VFov != nil || !(*f.Ortho > 0) {
			return c, fmt.Errorf("--ortho %v: want a length above 0 m, and no --vfov", *f.Ortho)
		}
		c.VFov, c.Orthographic = 0, *f.Ortho
	}
	switch {
	case f.Up != nil && c.Up.Len() == 0:
		return c, errors.New("--up 0,0,0: want a direction")
	case (f.Eye != nil || f.Target != nil) && c.Eye == c.Target:
		return c, errors.New("--eye and --target: the camera stands on its target")
	}
	return c, c.Check()
}

func findCamera(s *scene.Scene, which string) (int, error) {
	names := make([]string, len(s.Cameras))
	for i, c := range s.Cameras {
		names[i] = strings.TrimSpace(fmt.Sprintf("%d %s", i, guard.Name(c.Name)))
		if c.Name == which {
			return i, nil
		}
	}
	if i, err := strconv.Atoi(which); err == nil && i >= 0 && i < len(s.Cameras) {
		return i, nil
	}
	return 0, fmt.Errorf("--camera %s: %s has these cameras: %s", which, s.Name, strings.Join(names, ", "))
}

// Duration is a time on the command line: 90s, 1m30s, 500ms, or a plain number of seconds.
type Duration time.Duration

// UnmarshalText reads it.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		parsed, err = time.ParseDuration(string(text) + "s")
	}
	if err != nil || parsed <= 0 {
		return fmt.Errorf("%q: want a time above 0, such as 30s, 2m or 500ms; a plain number is in seconds", text)
	}
	*d = Duration(parsed)
	return nil
}

// String is the time as Go writes it.
func (d Duration) String() string { return time.Duration(d).String() }

// ParseSize reads WIDTHxHEIGHT, or the name of a size.
func ParseSize(text string) (width, height int, err error) { return ParseSizeOf("--size", text) }

// ParseSizeOf reads what a flag says.
func ParseSizeOf(flag, text string) (width, height int, err error) {
	if named, ok := view.FindSize(text); ok {
		return named.Width, named.Height, nil
	}
	w, h, ok := strings.Cut(strings.ToLower(text), "x")
	if ok {
		width, _ = strconv.Atoi(w)
		height, _ = strconv.Atoi(h)
	}
	if width <= 0 || height <= 0 || width > view.MaxSide || height > view.MaxSide {
		return 0, 0, fmt.Errorf("%s %q: want WIDTHxHEIGHT in pixels, such as 1280x720, each at most %d, or %s", flag, text, view.MaxSide, view.SizeNames())
	}
	if err := imageio.CheckSize(width, height); err != nil {
		return 0, 0, fmt.Errorf("%s %s: %w", flag, text, err)
	}
	return width, height, nil
}
