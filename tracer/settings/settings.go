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
	Rays               string
	Bounces            int
	Roulette           bool
	RouletteMinDepth   int
	Clamp              float64 // nit; 0: off
	LightChoice        string
	EnergyCompensation bool
	Fresnel            string
	TextureFilter      string
	Antialias          bool
	Cull               bool
	Background         string // a choice, or a colour as #rrggbb
	DepthOfField       bool
	Aperture           float64 // diameter, m
	Blades             int     // of the aperture, 3 at least; 0: it is round
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
	Floor              bool
	Seed               int
	Show               string
	RestirMode         string
	RestirTemporal     bool
	RestirSpatial      bool
	RestirMIS          string
	RestirCap          int
	RestirLights       int
	RestirNeighbors    int
	RestirBoost        int
	RestirRadius       float64
	RestirPaths        int
	RestirNormal       float64 // degrees
	RestirDepth        float64
	RestirMaterial     float64
	RestirNear         float64
	RestirBoiling      float64
	RestirDecorrelate  string
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
	Label    string // the same in words
	Group    string // heading in the HUD
	Help     string
	Words    string // others that users look for it by
	Unit     string
	Min, Max float64  // of numbers
	Step     float64  // of one key press or notch
	Zero     string   // what the number 0 means, where it is no amount
	Choices  []string // of words
	Colors   bool     // a colour as #rrggbb is a choice, too
	Restarts bool     // whether a change restarts accumulation
	Scope    Scope    // who shares it
	Level    Level    // who needs it
	Views    Views    // for which it means something
	Engine   string   // the only one that it concerns; empty: all
	// Value points at the field: *bool, *int, *float64 or *string.
	Value func(*Settings) any
}

// Scope says who shares a setting where two images are rendered to be compared.
type Scope uint8

// The scopes.
const (
	PerImage  Scope = iota // how light is found: each image may have its own
	PerScene               // what is looked at: in a window images beside each other have it in common
	PerDevice              // what a device is given: all images that it renders have it in common
	PerScreen              // how a picture is shown: all that are compared are shown alike
)

// Level says who needs a setting. Help and panel show the first level; the rest is one step away (--help-all, folded groups).
type Level uint8

// The levels.
const (
	Expert     Level = iota // who tunes a picture
	First                   // everybody
	Experiment              // who compares methods, or measures: the default suits all pictures
)

// Views are the views for which a setting means something.
type Views uint8

// The kinds of views.
const (
	AllViews    Views = iota
	LiveViews         // whose frames follow each other: in a window and in films, and where such frames are measured
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
		{Name: "integrator", Label: "integrator", Group: "Light transport", Level: First, Choices: names([]string{"auto"}, v.Integrators), Restarts: true,
			Help:  "How light is found. " + describe(v.Integrators) + ". auto is restir in a window and for films on a GPU where nothing is denoised, else path.",
			Words: "algorithm renderer path tracing global illumination GI",
			Value: func(s *Settings) any { return &s.Integrator }},
		{Name: "sampling", Label: "light sampling", Group: "Light transport", Level: Experiment, Choices: []string{"bsdf", "light", "mis"}, Restarts: true,
			Help:  "How path and direct find light: by sampling the surface (bsdf), by sampling lights (light), or by both, weighted by multiple importance sampling (mis). bsdf and light are for comparison.",
			Words: "next-event estimation NEE MIS",
			Value: func(s *Settings) any { return &s.Sampling }},
		{Name: "light-choice", Label: "choice of lights", Group: "Light transport", Level: Experiment, Choices: []string{"place", "power"}, Restarts: true,
			Help:  "How one of many lights is chosen: by place, that is, by what each may send to the point that it is to light, or by its power alone. By place costs more for each sample; scenes that would gain little from it use power even then.",
			Words: "many lights light tree",
			Value: func(s *Settings) any { return &s.LightChoice }},
		{Name: "exec", Label: "engine", Group: "Execution", Level: Experiment, Choices: []string{"auto", "megakernel", "regeneration", "wavefront"}, Restarts: true,
			Help:  "Engine that runs the paths. megakernel: one kernel traces a whole path. regeneration: the same, but a thread whose path has ended starts another one (not for restir). wavefront: many small kernels, each does one step of all paths. auto: wavefront on a GPU for images of 131,072 pixels (362×362) or more, else megakernel. All give the same image.",
			Words: "CUDA GPU kernel speed",
			Value: func(s *Settings) any { return &s.Exec }},
		{Name: "compaction", Label: "path compaction", Group: "Execution", Level: Experiment, Choices: []string{"off", "atomic", "scan"}, Restarts: true, Engine: "wavefront",
			Help:  "Which paths each step of the wavefront engine launches. off: all. atomic: those still alive, in any order. scan: those still alive, in order. An image with more pixels than there are slots for paths (1 to 8 million, by the memory of the device) gives the slots of paths that have ended to its next pixels. All give the same image.",
			Value: func(s *Settings) any { return &s.Compaction }},
		{Name: "first-hit-cache", Label: "first-hit cache", Group: "Execution", Level: Experiment, Restarts: true,
			Help:  "Trace the camera rays of a resting view once and reuse their hits. With antialiasing or depth of field 16 sets are used in turn, each renewed after 128 samples.",
			Value: func(s *Settings) any { return &s.FirstHitCache }},
		{Name: "sort", Label: "shading order", Group: "Execution", Level: Experiment, Choices: []string{"none", "key", "class"}, Restarts: true, Engine: "wavefront",
			Help:  "Order in which the wavefront engine shades hits. none: as they come. key: sorted by material. class: one queue for each class of materials. All give the same image.",
			Value: func(s *Settings) any { return &s.Sort }},
		{Name: "bvh", Label: "ray acceleration", Group: "Execution", Level: Experiment, Choices: []string{"auto", "off", "fast"},
			Help:  "Acceleration structure of the scene. auto suits most scenes, fast is built quickest, off tests every triangle, for comparison. All give the same image but for last digits where a ray meets an edge.",
			Words: "tree acceleration structure speed",
			Value: func(s *Settings) any { return &s.BVH }},
		{Name: "rays", Label: "ray tracing by", Group: "Execution", Level: Experiment, Choices: []string{"auto", "software", "hardware"}, Engine: "wavefront",
			Help:  "What finds the hits of rays: glint's own kernels (software), or OptiX of an NVIDIA driver, which uses RT cores where the GPU has them (hardware). auto is software for now. Camera rays are always traced in software. Both give the same image but for last digits where a ray meets an edge.",
			Words: "RTX RT cores OptiX hardware ray tracing speed",
			Value: func(s *Settings) any { return &s.Rays }},
		{Name: "bounces", Label: "bounces", Group: "Light transport", Min: 0, Max: 256, Step: 1, Restarts: true,
			Help:  "Scattering events of a path at most. 1 is direct light alone.",
			Words: "max depth ray depth indirect reflections global illumination GI",
			Value: func(s *Settings) any { return &s.Bounces }},
		{Name: "rr", Label: "Russian roulette", Group: "Light transport", Restarts: true,
			Help:  "Russian roulette: end dim paths early, without bias.",
			Value: func(s *Settings) any { return &s.Roulette }},
		{Name: "rr-min-depth", Label: "roulette after", Group: "Light transport", Level: Experiment, Min: 1, Max: 64, Step: 1, Restarts: true,
			Help:  "Scattering events of a path before Russian roulette starts.",
			Value: func(s *Settings) any { return &s.RouletteMinDepth }},
		{Name: "clamp", Label: "clamp samples", Group: "Light transport", Max: 1e6, Step: 1, Zero: "off", Unit: "nit", Restarts: true,
			Help:  "Dim samples whose largest channel is brighter than this. Fewer bright dots, but too little light: biased. 0: off.",
			Words: "firefly fireflies outliers bright dots bias",
			Value: func(s *Settings) any { return &s.Clamp }},
		{Name: "show", Label: "light shown", Group: "Light transport", Choices: []string{"all", "direct", "indirect"}, Restarts: true,
			Help:  "Light to show: all of it, direct light alone, or indirect light alone (scattered at least twice, not counting mirrors and smooth glass).",
			Words: "indirect only direct only",
			Value: func(s *Settings) any { return &s.Show }},
		{Name: "energy-compensation", Label: "energy compensation", Group: "Light transport", Level: Experiment, Restarts: true,
			Help:  "Add the light that microfacet models lose between the facets (Turquin 2019).",
			Words: "rough metal dark multiscattering",
			Value: func(s *Settings) any { return &s.EnergyCompensation }},
		{Name: "fresnel", Label: "reflectance of glass", Group: "Light transport", Level: Experiment, Choices: []string{"exact", "schlick"}, Restarts: true,
			Help:  "Reflectance of glass and coats: exact (Fresnel's equations), or Schlick's approximation for comparison.",
			Words: "reflection glass",
			Value: func(s *Settings) any { return &s.Fresnel }},
		{Name: "texture-filter", Label: "texture filter", Group: "Light transport", Scope: PerDevice, Choices: []string{"bilinear", "mipmap"}, Restarts: true,
			Help:  "How textures are looked up: between the nearest texels of the whole image (bilinear), or in copies that get smaller with the distance (mipmap). With mipmap far textures shimmer less in motion, and what few samples show of them is less noisy. It averages a little more than the surroundings of a hit, and takes a third more memory for textures of colour. Roughness, normals, emission and alpha are looked up in the whole image either way.",
			Words: "mipmaps anisotropic shimmer",
			Value: func(s *Settings) any { return &s.TextureFilter }},
		{Name: "antialias", Label: "antialiasing", Group: "Camera", Scope: PerScene, Restarts: true,
			Help:  "Sample the whole area of a pixel, not only its centre.",
			Words: "anti-aliasing AA jagged edges smooth pixel filter samples",
			Value: func(s *Settings) any { return &s.Antialias }},
		{Name: "cull", Label: "hidden backs", Group: "Camera", Scope: PerScene, Restarts: true,
			Help:  "Look through the backs of single-sided surfaces, as glTF asks, so that a room can be seen from outside. Light and reflections meet both sides.",
			Words: "backface culling back faces two-sided double-sided walls",
			Value: func(s *Settings) any { return &s.Cull }},
		{Name: "background", Label: "background", Group: "Camera", Scope: PerScene, Choices: []string{"scene", "transparent", "black", "grey", "white"}, Colors: true, Restarts: true,
			Help:  "What is seen where there is no surface: the scene's environment, nothing (transparent: PNG and EXR files get an alpha channel, the window a checkerboard), or a colour, also as #rrggbb. The environment lights the scene all the same, and glass and mirrors show it.",
			Words: "alpha channel cutout cut out backdrop film transparent product",
			Value: func(s *Settings) any { return &s.Background }},
		{Name: "dof", Label: "depth of field", Group: "Camera", Scope: PerScene, Restarts: true,
			Help:  "Depth of field: use the aperture.",
			Words: "bokeh blur out of focus",
			Value: func(s *Settings) any { return &s.DepthOfField }},
		{Name: "aperture", Label: "aperture", Group: "Camera", Level: First, Scope: PerScene, Unit: "m", Min: 0, Max: 10, Step: 0.1, Restarts: true,
			Help:  "Diameter of the lens. 0 keeps everything sharp.",
			Words: "f-stop f-number iris bokeh blur depth of field DOF lens",
			Value: func(s *Settings) any { return &s.Aperture }},
		{Name: "blades", Label: "aperture blades", Group: "Camera", Scope: PerScene, Max: 16, Step: 1, Restarts: true,
			Help:  "Blades of the aperture: points of light out of focus become polygons of so many corners. With 0 the aperture is round; 1 and 2 count as 3.",
			Words: "bokeh shape iris polygon hexagon blur depth of field DOF",
			Value: func(s *Settings) any { return &s.Blades }},
		{Name: "focus", Label: "focus distance", Group: "Camera", Level: First, Scope: PerScene, Unit: "m", Min: 0, Max: 1e4, Step: 0.5, Zero: "look-at point", Restarts: true,
			Help:  "Distance of the plane in focus. 0 takes the distance of the point that the camera looks at.",
			Words: "focal distance sharp bokeh blur depth of field DOF",
			Value: func(s *Settings) any { return &s.Focus }},
		{Name: "exposure", Label: "exposure", Group: "Display", Level: First, Scope: PerScreen, Unit: "EV", Min: -16, Max: 16, Step: 0.25,
			Help:  "Brightness in stops. Auto exposure adds its own.",
			Words: "brightness darker brighter EV gamma stops gain",
			Value: func(s *Settings) any { return &s.Exposure }},
		{Name: "auto-exposure", Label: "auto exposure", Group: "Display", Scope: PerScreen,
			Help:  "Expose so that the mean luminance is middle grey. The darkest and the brightest tenth of the pixels do not count.",
			Words: "automatic brightness metering eye adaptation",
			Value: func(s *Settings) any { return &s.AutoExposure }},
		{Name: "white-balance", Label: "white balance", Group: "Display", Scope: PerScreen, Unit: "K", Min: 2000, Max: 15000, Step: 100,
			Help:  "Colour temperature of the light that shall look white. 6500 changes nothing, less makes the picture bluer.",
			Words: "color temperature kelvin warm cool warmth",
			Value: func(s *Settings) any { return &s.WhiteBalance }},
		{Name: "tint", Label: "tint", Group: "Display", Scope: PerScreen, Min: -100, Max: 100, Step: 5,
			Help:  "Correct light that is too green (above 0: the picture gets more magenta) or too magenta (below 0: greener).",
			Words: "green magenta color correction",
			Value: func(s *Settings) any { return &s.Tint }},
		{Name: "tonemap", Label: "tone curve", Group: "Display", Scope: PerScreen, Choices: []string{"none", "reinhard", "aces", "agx", "neutral"},
			Help:  "Tone curve from scene light to display light.",
			Words: "tone mapping tonemapping filmic contrast look HDR view transform",
			Value: func(s *Settings) any { return &s.ToneMap }},
		{Name: "bloom", Label: "bloom", Group: "Display", Scope: PerScreen, Min: 0, Max: 1, Step: 0.01,
			Help:  "Share of the light that strays in eye and lens and glares around bright spots. 0 is off, 0.05 is visible.",
			Words: "glow glare halo lens flare",
			Value: func(s *Settings) any { return &s.Bloom }},
		{Name: "dither", Label: "dithering", Group: "Display", Level: Experiment, Scope: PerScreen,
			Help:  "Add fixed noise before rounding to 8 bits, so that slow gradients have no bands.",
			Words: "banding gradient",
			Value: func(s *Settings) any { return &s.Dither }},
		{Name: "light-scale", Label: "light strength", Group: "Light", Scope: PerScene, Min: 0, Max: 1e4, Step: 0.25, Restarts: true,
			Help:  "Factor for every light of the scene.",
			Words: "lamps intensity brightness power",
			Value: func(s *Settings) any { return &s.LightScale }},
		{Name: "env-strength", Label: "environment strength", Group: "Light", Level: First, Scope: PerScene, Min: 0, Max: 1e4, Step: 0.25, Restarts: true,
			Help:  "Factor for the environment.",
			Words: "HDRI sky background world intensity brightness",
			Value: func(s *Settings) any { return &s.EnvStrength }},
		{Name: "env-rotation", Label: "environment rotation", Group: "Light", Level: First, Scope: PerScene, Unit: "deg", Min: -360, Max: 360, Step: 5, Restarts: true,
			Help:  "Turn the environment about the vertical axis.",
			Words: "HDRI sky background world rotate turn sun direction",
			Value: func(s *Settings) any { return &s.EnvRotation }},
		{Name: "floor", Label: "floor", Group: "Light", Level: First, Scope: PerDevice,
			Help:  "Stand the scene on a wide floor that catches its shadows and fades into the environment. It is as bright as the environment below the horizon.",
			Words: "ground plane shadow catcher",
			Value: func(s *Settings) any { return &s.Floor }},
		{Name: "seed", Label: "random seed", Group: "Light transport", Min: 0, Max: 1 << 30, Step: 1, Restarts: true,
			Help:  "Seed of the random numbers. The same seed gives the same image.",
			Words: "noise pattern",
			Value: func(s *Settings) any { return &s.Seed }},
		{Name: "restir-mode", Label: "reuse mode", Group: "Reuse", Views: LiveViews, Choices: []string{"reference", "interactive"}, Restarts: true,
			Help:  "reference is unbiased. interactive is faster while the view moves, and a little too dark: it weights samples without visibility rays, and shortens the history.",
			Value: func(s *Settings) any { return &s.RestirMode }},
		{Name: "restir-temporal", Label: "temporal reuse", Group: "Reuse", Views: LiveViews, Restarts: true,
			Help:  "Reuse samples of the previous frame.",
			Words: "history ghosting",
			Value: func(s *Settings) any { return &s.RestirTemporal }},
		{Name: "restir-spatial", Label: "spatial reuse", Group: "Reuse", Restarts: true,
			Help:  "Reuse samples of neighbouring pixels.",
			Value: func(s *Settings) any { return &s.RestirSpatial }},
		{Name: "restir-mis", Label: "reuse weights", Group: "Reuse", Level: Experiment, Choices: []string{"auto", "naive", "basic", "full"}, Restarts: true,
			Help:  "Weights of reused samples: full traces visibility rays and is unbiased, basic does without and is too dark where neighbours see differently, naive (1/M) is wrong, for demonstration. auto is basic in interactive mode while frames share history, else full.",
			Value: func(s *Settings) any { return &s.RestirMIS }},
		{Name: "restir-cap", Label: "history length", Group: "Reuse", Level: Experiment, Views: LiveViews, Min: 1, Max: 100, Step: 1, Restarts: true,
			Help:  "History counts as this many new samples at most.",
			Value: func(s *Settings) any { return &s.RestirCap }},
		{Name: "restir-lights", Label: "light samples", Group: "Reuse", Level: Experiment, Min: 1, Max: 64, Step: 1, Restarts: true,
			Help:  "Light samples of which restir chooses one for each pixel. Only the chosen one takes a shadow ray.",
			Words: "many lights candidates",
			Value: func(s *Settings) any { return &s.RestirLights }},
		{Name: "restir-paths", Label: "paths of a frame", Group: "Reuse", Level: Experiment, Min: 1, Max: 64, Step: 1, Restarts: true,
			Help:  "How many samples of a pixel restir may collect before it shares them, in a window. More make sharing cheaper, but all go through one point of pixel and lens. A moving view collects only where a frame has no time to share twice.",
			Words: "samples per pixel spp",
			Value: func(s *Settings) any { return &s.RestirPaths }},
		{Name: "restir-neighbours", Label: "neighbours", Group: "Reuse", Min: 0, Max: 8, Step: 1, Restarts: true,
			Help:  "Neighbouring pixels that the spatial pass reads.",
			Value: func(s *Settings) any { return &s.RestirNeighbors }},
		{Name: "restir-boost", Label: "extra neighbours", Group: "Reuse", Level: Experiment, Views: LiveViews, Min: 0, Max: 8, Step: 1, Restarts: true,
			Help:  "Neighbouring pixels that the spatial pass reads where there is little history, such as areas that have just come into view.",
			Value: func(s *Settings) any { return &s.RestirBoost }},
		{Name: "restir-radius", Label: "reuse radius", Group: "Reuse", Unit: "px", Min: 1, Max: 200, Step: 1, Restarts: true,
			Help:  "How far around a pixel the spatial pass looks for neighbours, in an image of 1080 lines. The radius grows with the square root of the height. A small one leaves noise in blotches, a large one finds fewer neighbours that are alike.",
			Value: func(s *Settings) any { return &s.RestirRadius }},
		{Name: "restir-normal", Label: "normal tolerance", Group: "Reuse", Level: Experiment, Unit: "deg", Min: 0, Max: 180, Step: 5, Restarts: true,
			Help:  "Largest angle between the normals of two pixels that share samples.",
			Value: func(s *Settings) any { return &s.RestirNormal }},
		{Name: "restir-depth", Label: "depth tolerance", Group: "Reuse", Level: Experiment, Min: 0, Max: 10, Step: 0.05, Restarts: true,
			Help:  "Largest relative difference of depth between two pixels that share samples.",
			Value: func(s *Settings) any { return &s.RestirDepth }},
		{Name: "restir-material", Label: "material tolerance", Group: "Reuse", Level: Experiment, Min: 0, Max: 1, Step: 0.05, Restarts: true,
			Help:  "Largest difference of colour and reflectance between two pixels that share samples. Roughness may differ by twice as much.",
			Value: func(s *Settings) any { return &s.RestirMaterial }},
		{Name: "restir-near", Label: "shortest distance", Group: "Reuse", Level: Experiment, Min: 0, Max: 1, Step: 0.005, Restarts: true,
			Help:  "Smallest distance over which a sample is shared, as a share of its surface's distance from the camera. Closer ones are not shared.",
			Value: func(s *Settings) any { return &s.RestirNear }},
		{Name: "restir-boiling", Label: "boiling filter", Group: "Reuse", Level: Experiment, Views: LiveViews, Min: 0, Max: 1, Step: 0.05, Restarts: true,
			Help:  "Drop samples that are much brighter than those around them, in interactive mode while frames share history. 0 drops none, 0.1 those above 91 times the mean, 0.2 those above 41 times, 1 all above the mean.",
			Words: "fireflies outliers flicker",
			Value: func(s *Settings) any { return &s.RestirBoiling }},
		{Name: "restir-decorrelate", Label: "decorrelation", Group: "Reuse", Level: Experiment, Views: LiveViews, Choices: []string{"auto", "off", "on"}, Restarts: true,
			Help:  "Reduce copies of the same sample among neighbours while frames share history, at the price of more noise. auto: no history where the built-in denoiser is on, of 2 samples for OIDN. on: bound history to 4 samples, and in interactive mode further where neighbours hold copies.",
			Value: func(s *Settings) any { return &s.RestirDecorrelate }},
		{Name: "restir-settle", Label: "warm-up samples", Group: "Reuse", Level: Experiment, Views: LiveViews, Min: 0, Max: 100000, Step: 1, Restarts: true,
			Help:  "Samples of a resting view that still share history. Those after them are independent. All are averaged.",
			Value: func(s *Settings) any { return &s.RestirSettle }},
		{Name: "reuse-view", Label: "reuse view", Group: "Reuse", Choices: names([]string{"off"}, v.ReuseViews),
			Help:  "Show in false colours what restir reuses, in place of the image. docs/restir.md explains the colours.",
			Value: func(s *Settings) any { return &s.ReuseView }},
		{Name: "denoise", Label: "denoiser", Group: "Denoising", Level: First, Choices: []string{"auto", "off", "atrous", "learned", "oidn"},
			Help:  "Denoiser. atrous is built in and fast. learned is built in, too: a neural network chooses the weights, which keeps more detail and takes more memory. oidn is Intel Open Image Denoise, better for stills; it must be installed (see glint doctor). auto is a built-in one in a window (learned on a GPU with enough memory, else atrous), otherwise off.",
			Words: "noise noisy grain grainy fireflies smooth samples clean OIDN",
			Value: func(s *Settings) any { return &s.Denoise }},
		{Name: "denoise-quality", Label: "OIDN quality", Group: "Denoising", Choices: []string{"auto", "fast", "balanced", "high"},
			Help:  "Quality of oidn. auto is fast in a window and for video, and high for stills, whose guide images are denoised first.",
			Words: "noise",
			Value: func(s *Settings) any { return &s.DenoiseQuality }},
		{Name: "denoise-history", Label: "denoising history", Group: "Denoising", Views: LiveViews,
			Help:  "Blend each denoised frame with the previous ones, reprojected to where their surfaces are now. Steadier, and much cleaner after a few frames.",
			Words: "temporal ghosting flicker noise",
			Value: func(s *Settings) any { return &s.DenoiseHistory }},
		{Name: "aov-view", Label: "AOV view", Group: "Denoising", Choices: names([]string{"off"}, v.AOVs),
			Help:  "Show an AOV (albedo, normal, depth, …) in place of the image.",
			Words: "passes buffers render layers debug normals albedo depth",
			Value: func(s *Settings) any { return &s.AOVView }},
		{Name: "render-scale", Label: "scale in motion", Group: "Upscaling", Views: MovingViews, Min: 0.25, Max: 1, Step: 0.05,
			Help:  "Render at this share of the full width and height while the view moves, and upscale. A resting view continues at full size. 1 does not upscale.",
			Words: "resolution upscale DLSS FSR speed",
			Value: func(s *Settings) any { return &s.RenderScale }},
		{Name: "target-fps", Label: "target frame rate", Group: "Upscaling", Scope: PerScreen, Views: WindowViews, Unit: "fps", Min: 0, Max: 240, Step: 30, Zero: "none",
			Help:  "Frames a second to reach while the view moves: on a GPU it chooses render-scale from 0.33 to 1, on the CPU the size of the small image. 0 leaves that alone.",
			Words: "FPS speed slow lag framerate performance",
			Value: func(s *Settings) any { return &s.TargetFPS }},
	}
}

// Mipmaps tells whether textures are to have mipmaps.
func (s *Settings) Mipmaps() bool { return s.TextureFilter == "mipmap" }

// HidesBackground tells whether the camera does not see the environment.
func (s *Settings) HidesBackground() bool { return s.Background != "scene" }

// Color is the colour that a word stands for, 0xRRGGBB as it is displayed: a name, or #rrggbb.
func Color(word string) (color uint32, ok bool) {
	if color, ok = map[string]uint32{"black": 0x000000, "grey": 0x808080, "white": 0xffffff}[word]; ok {
		return color, true
	}
	digits, ok := strings.CutPrefix(word, "#")
	if !ok || len(digits) != 6 {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	return uint32(n), err == nil
}

// NeutralWhite is the temperature that stands for the display's own white, D65, K.
const NeutralWhite = 6500

// Defaults are the settings that a user starts with.
func Defaults() Settings {
	return Settings{
		Integrator: "auto", Sampling: "mis", LightChoice: "place", Exec: "auto", Compaction: "atomic", Sort: "none", BVH: "auto", Rays: "auto", Bounces: 8, Roulette: true,
		RouletteMinDepth: 3, EnergyCompensation: true, Fresnel: "exact", TextureFilter: "bilinear",
		Antialias: true, Cull: true, Background: "scene", DepthOfField: true, WhiteBalance: NeutralWhite, ToneMap: "agx", Dither: true, LightScale: 1, EnvStrength: 1,
		Show: "all", RestirMode: "reference", RestirTemporal: true, RestirSpatial: true, RestirMIS: "auto", RestirCap: 10,
		RestirLights: 4, RestirPaths: 2, RestirNeighbors: 3, RestirBoost: 4, RestirRadius: 20, RestirNormal: 53, RestirDepth: 0.1, RestirMaterial: 0.25,
		RestirNear: 0.01, RestirBoiling: 0.1, RestirDecorrelate: "auto", RestirSettle: 4, ReuseView: "off",
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
			return fmt.Errorf("%q: want a whole number from %.0f to %.0f", text, row.Min, row.Max)
		}
		*v = n
	case *float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= row.Min && x <= row.Max) {
			return fmt.Errorf("%q: want a number from %g to %g", text, row.Min, row.Max)
		}
		*v = x
	case *string:
		_, isColor := Color(text)
		if !slices.Contains(row.Choices, text) && (!row.Colors || !isColor) {
			return fmt.Errorf("%q: want one of %s", text, row.words())
		}
		*v = text
	}
	return nil
}

// words are what the setting may be.
func (row Setting) words() string {
	words := strings.Join(row.Choices, ", ")
	if row.Colors {
		words += ", or a colour as #rrggbb"
	}
	return words
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

// ValueError is a value that a setting cannot have.
type ValueError struct {
	Name string // of the setting
	Err  error  // what is wrong with the value
}

func (e ValueError) Error() string { return fmt.Sprintf("--%s %v", e.Name, e.Err) }

// Unwrap gives what is wrong with the value.
func (e ValueError) Unwrap() error { return e.Err }

// ParseFlags reads settings written as on the command line, "--integrator path --bounces=4", over base. The error is an
// UnknownError where the table lacks a setting, and a ValueError where a setting cannot have a value.
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
			return base, ValueError{name, err}
		}
	}
	return base, nil
}

// Flags are the words by which ParseFlags makes settings of the defaults.
func Flags(table []Setting, s Settings) (words []string) {
	usual := Defaults()
	for _, row := range table {
		if !row.Same(&s, &usual) {
			words = append(words, "--"+row.Name, row.Text(&s))
		}
	}
	return words
}
