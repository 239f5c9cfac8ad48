// Package settings is what a user may change about how a scene is rendered, and what it is called. Everything that speaks
// to users follows from its table: flags, the window's panel, the settings file, help and docs.
package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Settings are all that a user may change about how a scene is rendered. Table has a row for each.
type Settings struct {
	Integrator         string
	Sampling           string
	Exec               string
	Compaction         string
	Sort               string
	FirstHitCache      bool
	BVH                string
	Bounces            int
	Roulette           bool
	RouletteMinDepth   int
	EnergyCompensation bool
	Fresnel            string
	Antialias          bool
	DepthOfField       bool
	Aperture           float64 // diameter, m
	Focus              float64 // m; 0 is the camera's target
	Exposure           float64 // EV
	AutoExposure       bool
	WhiteBalance       float64 // K
	Tint               float64 // thousandths of ⅓ of CIE 1960 uv
	Bloom              float64 // share of light
	Dither             bool
	ToneMap            string
	LightScale         float64
	EnvStrength        float64
	EnvRotation        float64 // degrees
	Seed               int
	Show               string
	RestirMode         string
	RestirTemporal     bool
	RestirSpatial      bool
	RestirMIS          string
	RestirCap          int
	RestirNeighbours   int
	RestirBoost        int
	RestirRadius       float64
	RestirNormal       float64 // degrees
	RestirDepth        float64
	RestirMaterial     float64
	RestirNear         float64
	RestirBoiling      float64
	RestirPermutation  bool
	RestirDecorrelate  string
	RestirVisibility   bool
	RestirFuse         bool
	RestirSettle       int
	ReuseView          string
	Denoise            string
	DenoiseQuality     string
	DenoiseHistory     bool
	AOVView            string
	RenderScale        float64
	TargetFPS          float64 // 0: none
}

// Setting is one row of the settings table: flag, HUD widget, settings file, key help and docs all follow from it.
type Setting struct {
	Name     string // flag and settings-file key
	Group    string // heading in the HUD
	Help     string
	Unit     string
	Min, Max float64  // of numbers
	Step     float64  // of one key press or notch
	Choices  []string // of words
	Restarts bool     // whether a change restarts accumulation
	Scope    Scope    // who shares it
	Views    Views    // for which it means something
	// Value points at the field: *bool, *int, *float64 or *string.
	Value func(*Settings) any
}

// Scope says who shares a setting where two images are rendered to be compared.
type Scope uint8

// The scopes.
const (
	PerImage  Scope = iota // how light is found: each image may have its own
	PerScene               // what is looked at: in a window images beside each other have it in common
	PerScreen              // how a picture is shown: all that are compared are shown alike
)

// Views are the views for which a setting means something.
type Views uint8

// The kinds of views.
const (
	AllViews    Views = iota
	MovingViews       // in a window and in films
	WindowViews       // in a window
)

// Choice is a word that a setting may have.
type Choice struct{ Name, Help string }

// Vocabulary are the choices that other packages list: each integrator, AOV and view of reuse is a row of a table there.
type Vocabulary struct{ Integrators, AOVs, ReuseViews []Choice }

func names(first []string, choices []Choice) []string {
	for _, c := range choices {
		first = append(first, c.Name)
	}
	return first
}

// describe says what each choice does.
func describe(choices []Choice) string {
	var all []string
	for _, c := range choices {
		all = append(all, c.Name+" "+c.Help)
	}
	return strings.Join(all, ", ")
}

// Table lists every setting in the order in which help and panel show them.
func Table(v Vocabulary) []Setting {
	return []Setting{
		{Name: "integrator", Group: "Light transport", Choices: names([]string{"auto"}, v.Integrators), Restarts: true,
			Help:  describe(v.Integrators) + "; auto is restir-gi in a window on a GPU, else path",
			Value: func(s *Settings) any { return &s.Integrator }},
		{Name: "sampling", Group: "Light transport", Choices: []string{"bsdf", "light", "mis"}, Restarts: true,
			Help:  "what path and direct sample: the surface, the lights, or both by multiple importance sampling",
			Value: func(s *Settings) any { return &s.Sampling }},
		{Name: "exec", Group: "Execution", Choices: []string{"auto", "megakernel", "regeneration", "wavefront"}, Restarts: true,
			Help:  "trace a path by one kernel that does it all, by the same whose threads begin another path when theirs ends (not restir-gi), or paths by waves of small kernels; auto is the faster: waves on a GPU, from about 400×400 pixels",
			Value: func(s *Settings) any { return &s.Exec }},
		{Name: "compaction", Group: "Execution", Choices: []string{"off", "atomic", "scan"}, Restarts: true,
			Help:  "wavefront: queue living paths only, appended as they come or moved up in their order by a scan, or launch every path at every depth. In images of more pixels than there are paths under way (1 to 8 million, by the device's memory) the places of paths that have ended go to the next pixels, in each of these ways",
			Value: func(s *Settings) any { return &s.Compaction }},
		{Name: "first-hit-cache", Group: "Execution", Restarts: true,
			Help:  "a resting view traces its camera rays once (with antialiasing or depth of field: 16 sets of them by turns, replaced after 128 samples)",
			Value: func(s *Settings) any { return &s.FirstHitCache }},
		{Name: "sort", Group: "Execution", Choices: []string{"none", "key", "class"}, Restarts: true,
			Help:  "wavefront: shade hits as they come, sorted by material, or in a queue for each class of materials",
			Value: func(s *Settings) any { return &s.Sort }},
		{Name: "bvh", Group: "Execution", Choices: []string{"auto", "off", "fast", "high"},
			Help:  "the tree that rays go through: auto suits most, fast is built quickest, high parts triangles for quicker rays; off tests every triangle, for comparison. All give the same image",
			Value: func(s *Settings) any { return &s.BVH }},
		{Name: "bounces", Group: "Light transport", Min: 0, Max: 256, Step: 1, Restarts: true,
			Help:  "scattering events at most; 1 is direct light only",
			Value: func(s *Settings) any { return &s.Bounces }},
		{Name: "rr", Group: "Light transport", Restarts: true,
			Help:  "Russian roulette ends dim paths early, without bias",
			Value: func(s *Settings) any { return &s.Roulette }},
		{Name: "rr-min-depth", Group: "Light transport", Min: 1, Max: 64, Step: 1, Restarts: true,
			Help:  "scattering events before roulette begins",
			Value: func(s *Settings) any { return &s.RouletteMinDepth }},
		{Name: "show", Group: "Light transport", Choices: []string{"all", "direct", "indirect"}, Restarts: true,
			Help:  "which light to show: indirect was scattered at least twice, mirrors and smooth glass apart",
			Value: func(s *Settings) any { return &s.Show }},
		{Name: "energy-compensation", Group: "Light transport", Restarts: true,
			Help:  "give back the light that scatters between microfacets (Turquin 2019)",
			Value: func(s *Settings) any { return &s.EnergyCompensation }},
		{Name: "fresnel", Group: "Light transport", Choices: []string{"exact", "schlick"}, Restarts: true,
			Help:  "how much glass and coats reflect at an angle: Fresnel's equations, or Schlick's approximation to compare with",
			Value: func(s *Settings) any { return &s.Fresnel }},
		{Name: "antialias", Group: "Camera", Scope: PerScene, Restarts: true,
			Help:  "sample the whole pixel, not its centre",
			Value: func(s *Settings) any { return &s.Antialias }},
		{Name: "dof", Group: "Camera", Scope: PerScene, Restarts: true,
			Help:  "depth of field: use the aperture",
			Value: func(s *Settings) any { return &s.DepthOfField }},
		{Name: "aperture", Group: "Camera", Scope: PerScene, Unit: "m", Min: 0, Max: 10, Step: 0.1, Restarts: true,
			Help:  "diameter of the lens",
			Value: func(s *Settings) any { return &s.Aperture }},
		{Name: "focus", Group: "Camera", Scope: PerScene, Unit: "m", Min: 0, Max: 1e4, Step: 0.5, Restarts: true,
			Help:  "distance to the plane in focus; 0 takes the point the camera looks at",
			Value: func(s *Settings) any { return &s.Focus }},
		{Name: "exposure", Group: "Display", Scope: PerScreen, Unit: "EV", Min: -16, Max: 16, Step: 0.25,
			Help:  "brightness in stops; with auto exposure on top of what that finds",
			Value: func(s *Settings) any { return &s.Exposure }},
		{Name: "auto-exposure", Group: "Display", Scope: PerScreen,
			Help:  "bring what is shown to middle grey: the mean of its luminance, the darkest and the brightest tenth apart",
			Value: func(s *Settings) any { return &s.AutoExposure }},
		{Name: "white-balance", Group: "Display", Scope: PerScreen, Unit: "K", Min: 2000, Max: 15000, Step: 100,
			Help:  "temperature of the light that is to look white; 6500 changes nothing, less makes the picture bluer",
			Value: func(s *Settings) any { return &s.WhiteBalance }},
		{Name: "tint", Group: "Display", Scope: PerScreen, Min: -100, Max: 100, Step: 5,
			Help:  "how green the light is that is to look white: more makes the picture more magenta, less greener",
			Value: func(s *Settings) any { return &s.Tint }},
		{Name: "tonemap", Group: "Display", Scope: PerScreen, Choices: []string{"none", "reinhard", "aces", "agx", "neutral"},
			Help:  "curve from scene light to display light",
			Value: func(s *Settings) any { return &s.ToneMap }},
		{Name: "bloom", Group: "Display", Scope: PerScreen, Min: 0, Max: 1, Step: 0.01,
			Help:  "share of light that strays in eye and lens, as glare around what is bright; 0 is off, 0.05 shows",
			Value: func(s *Settings) any { return &s.Bloom }},
		{Name: "dither", Group: "Display", Scope: PerScreen,
			Help:  "round to 8 bits up or down by chance, the same in every frame, so that slow gradients have no bands",
			Value: func(s *Settings) any { return &s.Dither }},
		{Name: "light-scale", Group: "Light", Scope: PerScene, Min: 0, Max: 1e4, Step: 0.25, Restarts: true,
			Help:  "multiplies every light of the scene",
			Value: func(s *Settings) any { return &s.LightScale }},
		{Name: "env-strength", Group: "Light", Scope: PerScene, Min: 0, Max: 1e4, Step: 0.25, Restarts: true,
			Help:  "multiplies the environment",
			Value: func(s *Settings) any { return &s.EnvStrength }},
		{Name: "env-rotation", Group: "Light", Scope: PerScene, Unit: "deg", Min: -360, Max: 360, Step: 5, Restarts: true,
			Help:  "turns the environment about the vertical axis",
			Value: func(s *Settings) any { return &s.EnvRotation }},
		{Name: "seed", Group: "Light transport", Min: 0, Max: 1 << 30, Step: 1, Restarts: true,
			Help:  "the same seed gives the same image",
			Value: func(s *Settings) any { return &s.Seed }},
		{Name: "restir-mode", Group: "Reuse", Choices: []string{"reference", "interactive"}, Restarts: true,
			Help:  "reference is unbiased; interactive is quicker while the view moves: weights without visibility rays, shuffled and bounded history",
			Value: func(s *Settings) any { return &s.RestirMode }},
		{Name: "restir-temporal", Group: "Reuse", Restarts: true,
			Help:  "share samples with the frame before",
			Value: func(s *Settings) any { return &s.RestirTemporal }},
		{Name: "restir-spatial", Group: "Reuse", Restarts: true,
			Help:  "share samples with neighbouring pixels",
			Value: func(s *Settings) any { return &s.RestirSpatial }},
		{Name: "restir-mis", Group: "Reuse", Choices: []string{"auto", "naive", "basic", "full"}, Restarts: true,
			Help:  "weights of shared samples: naive 1/M (biased), basic without and full with visibility rays (unbiased); auto follows the mode",
			Value: func(s *Settings) any { return &s.RestirMIS }},
		{Name: "restir-cap", Group: "Reuse", Min: 1, Max: 100, Step: 1, Restarts: true,
			Help:  "history counts for at most so many fresh samples",
			Value: func(s *Settings) any { return &s.RestirCap }},
		{Name: "restir-neighbours", Group: "Reuse", Min: 0, Max: 8, Step: 1, Restarts: true,
			Help:  "pixels that the spatial pass asks",
			Value: func(s *Settings) any { return &s.RestirNeighbours }},
		{Name: "restir-boost", Group: "Reuse", Min: 0, Max: 8, Step: 1, Restarts: true,
			Help:  "pixels that the spatial pass asks where history is young, as behind what has moved away",
			Value: func(s *Settings) any { return &s.RestirBoost }},
		{Name: "restir-radius", Group: "Reuse", Unit: "px", Min: 1, Max: 200, Step: 1, Restarts: true,
			Help:  "how far the spatial pass looks, at 1080 lines",
			Value: func(s *Settings) any { return &s.RestirRadius }},
		{Name: "restir-normal", Group: "Reuse", Unit: "deg", Min: 0, Max: 180, Step: 5, Restarts: true,
			Help:  "pixels share samples only if their normals differ by no more",
			Value: func(s *Settings) any { return &s.RestirNormal }},
		{Name: "restir-depth", Group: "Reuse", Min: 0, Max: 10, Step: 0.05, Restarts: true,
			Help:  "pixels share samples only if their distances differ by no more than this share",
			Value: func(s *Settings) any { return &s.RestirDepth }},
		{Name: "restir-material", Group: "Reuse", Min: 0, Max: 1, Step: 0.05, Restarts: true,
			Help:  "pixels share samples only if colour and reflectance differ by no more, and roughness by no more than twice that share",
			Value: func(s *Settings) any { return &s.RestirMaterial }},
		{Name: "restir-near", Group: "Reuse", Min: 0, Max: 1, Step: 0.005, Restarts: true,
			Help:  "samples nearer to their surface than this share of its distance from the camera are not shared",
			Value: func(s *Settings) any { return &s.RestirNear }},
		{Name: "restir-boiling", Group: "Reuse", Min: 0, Max: 1, Step: 0.05, Restarts: true,
			Help:  "drop samples far brighter than those around them, in interactive mode while the view moves or settles: 0 none, 0.1 from 91 times their mean, 0.2 from 41 times, 1 all above it",
			Value: func(s *Settings) any { return &s.RestirBoiling }},
		{Name: "restir-permutation", Group: "Reuse", Restarts: true,
			Help:  "in interactive mode, shuffle history inside 4×4 blocks, so that neighbours hold different samples, as denoisers count on",
			Value: func(s *Settings) any { return &s.RestirPermutation }},
		{Name: "restir-decorrelate", Group: "Reuse", Choices: []string{"auto", "off", "on"}, Restarts: true,
			Help:  "keep neighbours from holding the same samples while the view moves or settles, at the price of more noise: history counts for at most 8 samples; on: in interactive mode for less where pixels around hold the same one; auto: the former alone, where a denoiser cleans what moves",
			Value: func(s *Settings) any { return &s.RestirDecorrelate }},
		{Name: "restir-final-visibility", Group: "Reuse", Restarts: true,
			Help:  "look whether the sample that was kept is in sight; without (biased) light shines through walls where weights are not full",
			Value: func(s *Settings) any { return &s.RestirVisibility }},
		{Name: "restir-fuse", Group: "Reuse", Restarts: true,
			Help:  "find partners and share with them by one kernel, where no visibility rays come between (weights naive and basic); the same image",
			Value: func(s *Settings) any { return &s.RestirFuse }},
		{Name: "restir-settle", Group: "Reuse", Min: 0, Max: 100000, Step: 1, Restarts: true,
			Help:  "frames of a resting view that share history before independent frames are averaged",
			Value: func(s *Settings) any { return &s.RestirSettle }},
		{Name: "reuse-view", Group: "Reuse", Choices: names([]string{"off"}, v.ReuseViews),
			Help:  "show what reuse does in false colours, in place of the image (restir-gi alone; docs/restir-gi.md tells the colours)",
			Value: func(s *Settings) any { return &s.ReuseView }},
		{Name: "denoise", Group: "Denoising", Choices: []string{"auto", "off", "atrous", "oidn"},
			Help:  "auto is atrous in a window on a GPU, else off; atrous is built in; oidn is Intel Open Image Denoise, where it is installed (glint doctor, make oidn), and better for stills",
			Value: func(s *Settings) any { return &s.Denoise }},
		{Name: "denoise-quality", Group: "Denoising", Choices: []string{"auto", "fast", "balanced", "high"},
			Help:  "of oidn: auto is fast where frames follow each other (window, video), high for stills, whose guides are denoised first",
			Value: func(s *Settings) any { return &s.DenoiseQuality }},
		{Name: "denoise-history", Group: "Denoising",
			Help:  "in a live view, blend each denoised picture with those before, moved to where their surfaces are now: steadier, and much cleaner after a few frames",
			Value: func(s *Settings) any { return &s.DenoiseHistory }},
		{Name: "aov-view", Group: "Denoising", Choices: names([]string{"off"}, v.AOVs),
			Help:  "show what is kept of each pixel besides its light, in place of the image",
			Value: func(s *Settings) any { return &s.AOVView }},
		{Name: "render-scale", Group: "Upscaling", Views: MovingViews, Min: 0.25, Max: 1, Step: 0.05,
			Help:  "live views are rendered at this share of their width and height, and brought to full size by what is known of each pixel; a resting view goes on at full size. 1 upscales nothing",
			Value: func(s *Settings) any { return &s.RenderScale }},
		{Name: "target-fps", Group: "Upscaling", Scope: PerScreen, Views: WindowViews, Unit: "fps", Min: 0, Max: 240, Step: 30,
			Help:  "while the view moves, choose render-scale from 0.33 to 1 so that there are so many frames a second; 0 leaves it as it is",
			Value: func(s *Settings) any { return &s.TargetFPS }},
	}
}

// NeutralWhite is the temperature that stands for the display's own white, D65, K.
const NeutralWhite = 6500

// Defaults are the settings that a user starts with.
func Defaults() Settings {
	return Settings{
		Integrator: "auto", Sampling: "mis", Exec: "auto", Compaction: "atomic", Sort: "none", BVH: "auto", Bounces: 8, Roulette: true,
		RouletteMinDepth: 3, EnergyCompensation: true, Fresnel: "exact",
		Antialias: true, DepthOfField: true, WhiteBalance: NeutralWhite, ToneMap: "agx", Dither: true, LightScale: 1, EnvStrength: 1,
		Show: "all", RestirMode: "reference", RestirTemporal: true, RestirSpatial: true, RestirMIS: "auto", RestirCap: 20,
		RestirNeighbours: 3, RestirBoost: 8, RestirRadius: 32, RestirNormal: 53, RestirDepth: 0.1, RestirMaterial: 0.25,
		RestirNear: 0.01, RestirBoiling: 0.1, RestirPermutation: true, RestirDecorrelate: "auto", RestirVisibility: true, RestirFuse: true, RestirSettle: 8, ReuseView: "off",
		Denoise: "auto", DenoiseQuality: "auto", DenoiseHistory: true, AOVView: "off", RenderScale: 1,
	}
}

// OfImage are the settings with all that accumulation does not depend on at their defaults.
func (s Settings) OfImage() Settings {
	defaults := Defaults()
	for _, row := range Table(Vocabulary{}) {
		if !row.Restarts {
			row.Copy(&s, &defaults)
		}
	}
	return s
}

// Text is the setting's value as flags and files write it.
func (row Setting) Text(s *Settings) string {
	switch v := row.Value(s).(type) {
	case *bool:
		if *v {
			return "on"
		}
		return "off"
	case *int:
		return strconv.Itoa(*v)
	case *float64:
		return strconv.FormatFloat(*v, 'g', -1, 64)
	case *string:
		return *v
	}
	return ""
}

// Parse sets the value from text. It refuses what is out of range or unknown, and says what would do.
func (row Setting) Parse(s *Settings, text string) error {
	switch v := row.Value(s).(type) {
	case *bool:
		if text != "on" && text != "off" {
			return fmt.Errorf("%q: want on or off", text)
		}
		*v = text == "on"
	case *int:
		n, err := strconv.Atoi(text)
		if err != nil || float64(n) < row.Min || float64(n) > row.Max {
			return fmt.Errorf("%q: want a whole number from %g to %g", text, row.Min, row.Max)
		}
		*v = n
	case *float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= row.Min && x <= row.Max) {
			return fmt.Errorf("%q: want a number from %g to %g", text, row.Min, row.Max)
		}
		*v = x
	case *string:
		if !slices.Contains(row.Choices, text) {
			return fmt.Errorf("%q: want one of %s", text, strings.Join(row.Choices, ", "))
		}
		*v = text
	}
	return nil
}

// Copy copies this setting's value from one set of settings to another.
func (row Setting) Copy(to, from *Settings) {
	switch dst := row.Value(to).(type) {
	case *bool:
		*dst = *row.Value(from).(*bool)
	case *int:
		*dst = *row.Value(from).(*int)
	case *float64:
		*dst = *row.Value(from).(*float64)
	case *string:
		*dst = *row.Value(from).(*string)
	}
}

// Same tells whether two sets of settings have the same value.
func (row Setting) Same(a, b *Settings) bool { return row.Text(a) == row.Text(b) }

// Lookup finds a row by its name.
func Lookup(table []Setting, name string) (Setting, bool) {
	i := slices.IndexFunc(table, func(row Setting) bool { return row.Name == name })
	if i < 0 {
		return Setting{}, false
	}
	return table[i], true
}

// UnknownError is a setting that a table does not have.
type UnknownError struct{ Name string }

func (e UnknownError) Error() string { return fmt.Sprintf("there is no setting --%s", e.Name) }

// ParseFlags reads settings written as on the command line, "--integrator path --bounces=4", over base. The error is an
// UnknownError where the table lacks a setting.
func ParseFlags(table []Setting, flags string, base Settings) (Settings, error) {
	words := strings.Fields(flags)
	for len(words) > 0 {
		word, ok := strings.CutPrefix(words[0], "--")
		if !ok {
			return base, fmt.Errorf("%q: want settings as --name value", words[0])
		}
		words = words[1:]
		name, value, joined := strings.Cut(word, "=")
		row, known := Lookup(table, name)
		if !known {
			return base, UnknownError{name}
		}
		if !joined {
			if len(words) == 0 {
				return base, fmt.Errorf("--%s: its value is missing", name)
			}
			value, words = words[0], words[1:]
		}
		if err := row.Parse(&base, value); err != nil {
			return base, fmt.Errorf("--%s %w", name, err)
		}
	}
	return base, nil
}
