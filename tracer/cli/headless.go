package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/imageio"
	"glint/tracer/integrator"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// SceneFlags are common to the commands that render one scene without a window.
type SceneFlags struct {
	Scene string `arg:"" optional:"" help:"A .glb or .gltf file, or the name of a built-in scene (glint scene lists them). Without it: the default scene."`
	ImageFlags
}

// ImageFlags say how a scene is rendered without a window.
type ImageFlags struct {
	Size string `default:"1280x720" placeholder:"WxH" help:"Size of the image in pixels. Default ${default}."`
	Env  string `placeholder:"NAME|FILE|R,G,B" help:"Environment: built in (${environments}; sky:30 has the sun at 30 degrees), an .hdr or .exr file, or a constant radiance."`
	CameraFlags
	PoseFlags
	DeviceFlags
	LoadFlags
	SettingsFlags
}

// job is one headless rendering under way.
type job struct {
	renderer    *tracer.Renderer
	subject     subject
	clip        int         // of the scene's motion
	pose        *scene.Pose // that is shown; nil: at rest
	prepared    *gpuscene.Prepared
	environment *gpuscene.Environment // nil: the scene decides
	view        view.View
	settings    settings.Settings
	begun       time.Time
	loaded      time.Duration
	last        view.Stats
	dropped     uint64 // samples of blocks that were not finite
}

// subject is what of a scene a picture shows, besides what settings and camera say, as flags say it.
type subject struct {
	File        string   `json:"file,omitempty"` // full path; none for a built-in scene
	Environment string   `json:"environment,omitempty"`
	Variant     string   `json:"variant,omitempty"`
	At          *float64 `json:"at,omitempty"` // s
	Clip        string   `json:"clip,omitempty"`
}

// inputs are the files that render the scene: itself, what it refers to, and the environment.
func (c *SceneFlags) inputs() []named {
	return append(sceneInputs(c.Scene), named{"--env", c.Env})
}

// sceneInputs are a scene's file and those that it refers to. What cannot be read is left to the loader.
func sceneInputs(scene string) []named {
	files := []named{{"the scene", scene}}
	if !strings.EqualFold(filepath.Ext(scene), ".gltf") {
		return files
	}
	const most = 1 << 28 // bytes
	text, err := imageio.ReadBounded(scene, most)
	if err != nil {
		return files
	}
	var document struct{ Buffers, Images []struct{ URI string } }
	if json.Unmarshal(text, &document) != nil {
		return files
	}
	for _, part := range append(document.Buffers, document.Images...) {
		if part.URI == "" || strings.HasPrefix(part.URI, "data:") {
			continue
		}
		if path, err := url.PathUnescape(part.URI); err == nil {
			files = append(files, named{"the scene", filepath.Join(filepath.Dir(scene), path)})
		}
	}
	return files
}

// begin loads and prepares everything.
func (c *SceneFlags) begin(ctx context.Context, p *Process) (*job, error) {
	return c.open(ctx, p, c.Scene)
}

// open loads and prepares a scene, a file or a built-in one by its name, and opens the device that the flags ask for.
func (c *ImageFlags) open(ctx context.Context, p *Process, name string) (*job, error) {
	if err := c.exists(); err != nil {
		return nil, err
	}
	j, err := c.load(ctx, p, name, c.options())
	if err != nil {
		return nil, err
	}
	if err := j.openOn(p, c.options()); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, errors.Join(nothingYet(ctx), j.renderer.Close())
	}
	j.loaded = time.Since(j.begun)
	announce(p, j)
	return j, nil
}

// withoutWindow are the settings of commands: the denoiser auto is for windows.
func withoutWindow(s settings.Settings) settings.Settings {
	if s.Denoise == "auto" {
		s.Denoise = "off"
	}
	return s
}

// load loads and prepares a scene, as it suits a device.
func (c *ImageFlags) load(ctx context.Context, p *Process, name string, on tracer.Options) (*job, error) {
	j := &job{begun: time.Now(), view: view.View{Stop: ctx.Done()}, subject: subject{Environment: gpuscene.FullEnvironment(c.Env), Variant: c.Variant}}
	var err error
	if j.settings, err = c.settings(); err != nil {
		return nil, err
	}
	j.settings = withoutWindow(j.settings)
	if j.view.Width, j.view.Height, err = parseSize(c.Size); err != nil {
		return nil, err
	}
	memory, err := c.memory()
	if err != nil {
		return nil, err
	}
	defer memory.HoldCollector()()
	if j.environment, err = loadEnvironment(c.Env, memory); err != nil {
		return nil, err
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	s, err := LoadScene(ctx, name, on, scene.Options{Variant: c.Variant, Memory: memory, Animated: c.At != nil, Eyes: c.eyes()})
	if err != nil {
		return nil, err
	}
	if len(s.Report.Files) > 0 {
		j.subject.File = absolute(s.Report.Files[0].Path)
	}
	if c.At != nil {
		if j.clip, err = c.clip(s); err != nil {
			return nil, err
		}
		clip := &s.Motion.Clips[j.clip]
		j.pose, j.subject.At, j.subject.Clip = s.Motion.Pose(j.clip, *c.At), c.At, s.Motion.Word(j.clip)
		if *c.At > clip.Seconds {
			p.Log.Warn(fmt.Sprintf("animation %s ends at %.4g s: its last moment is shown", guard.Name(j.subject.Clip), clip.Seconds))
		}
	}
	if j.view.Camera, err = c.Choose(posed(s, j.pose), float32(j.view.Width)/float32(j.view.Height)); err != nil {
		return nil, err
	}
	_, onGPU := tracer.GPU(on)
	if j.prepared, err = gpuscene.Prepare(ctx, s, gpuscene.Options{
		Environment: j.environment, Floor: j.settings.Floor, Mipmaps: j.settings.Mipmaps(), BVH: j.settings.BVH, OnDevice: onGPU, Memory: memory, Reserve: reserveOf(on, j.view, j.settings),
	}); err != nil {
		return nil, err
	}
	for _, note := range append(j.prepared.Notes, s.Report.Summary()...) {
		p.Log.Warn(note)
	}
	return j, nil
}

// openOn gives a job that was loaded a renderer on a device, which belongs to the calling goroutine.
func (j *job) openOn(p *Process, o tracer.Options) error {
	o.Log = p.Log
	var err error
	if j.renderer, err = p.Open(o, profile.Policy{}); err != nil {
		return err
	}
	engine := j.renderer.Engine()
	err = errors.Join(engine.CheckDenoiser(j.settings), j.checkReuse(p), checkMemory(engine, j.view, j.settings))
	if err == nil {
		announceMemory(p.Log, engine.Device(), j.prepared, j.view, j.settings)
		err = engine.Use(j.prepared)
	}
	if err == nil && j.pose != nil {
		err = engine.Pose(j.pose)
	}
	if err != nil {
		return errors.Join(err, j.renderer.Close())
	}
	for _, note := range engine.SceneNotes() {
		p.Log.Warn(note)
	}
	return nil
}

// checkReuse refuses to show what is not there, and says where an engine is replaced.
func (j *job) checkReuse(p *Process) error {
	s := j.renderer.Engine().Plan(j.view, j.settings).Settings
	reuses := integrator.Reuses(s.Integrator)
	if s.ReuseView != "off" && !reuses {
		return fmt.Errorf("--reuse-view %s: %s shares nothing: choose --integrator restir", s.ReuseView, s.Integrator)
	}
	if s.Exec == "regeneration" && reuses {
		p.Log.Warn("--exec regeneration is not for " + s.Integrator + ": the megakernel renders")
	}
	return nil
}

// posed is a scene with the cameras that it has in a pose; nil is at rest.
func posed(s *scene.Scene, pose *scene.Pose) *scene.Scene {
	if pose == nil {
		return s
	}
	out := *s
	out.Cameras = pose.Cameras
	return &out
}

// loadEnvironment reads what --env says.
func loadEnvironment(spec string, memory *guard.Memory) (*gpuscene.Environment, error) {
	env, err := gpuscene.LoadEnvironment(spec, memory)
	if _, noFile := os.Stat(spec); err != nil && noFile != nil {
		err = fmt.Errorf("%w; built in are %s", err, environmentNames())
	}
	return env, err
}

// environmentNames lists the environments that need no file.
func environmentNames() string {
	var names []string
	for _, e := range gpuscene.BuiltinEnvironments() {
		names = append(names, e.Spec)
	}
	return strings.Join(names, ", ")
}

// announce says what is rendered, and on what.
func announce(p *Process, j *job) {
	b, s := j.renderer.Engine().Backend(), j.prepared.Scene
	p.Log.Info("loaded", "scene", s.Name, "triangles", s.Triangles(), "seconds", rounded(j.loaded), "backend", b.Kind, "device", b.Device)
	if b.Why != "" {
		p.Log.Info("rendering on the CPU", "why", b.Why)
	}
}

// close frees the device. Errors no longer matter then.
func (j *job) close() { _ = j.renderer.Close() }

// describe is stored in an image so that it can be rendered again.
func (j *job) describe(camera scene.Camera, s settings.Settings, samples int) (map[string]string, error) {
	of := j.subject
	about := view.Subject{Scene: j.prepared.Scene.Name, File: of.File, Environment: of.Environment, Variant: of.Variant, At: of.At, Clip: of.Clip,
		Camera: j.prepared.Scene.CameraToFile(camera)}
	return about.Notes(j.renderer.Engine().Plan(j.view, s).Settings, samples)
}

// short rounds to four significant digits.
func short(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil {
		return x
	}
	return y
}

func rounded(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }

// LoadScene opens a file, or makes the built-in scene of that name; the empty name is the default scene. Meshes that repeat are
// kept as instances where that suits the device. Of the options it takes Variant, Animated, Progress and Memory, and Instancing if it is
// not the zero value.
func LoadScene(ctx context.Context, name string, on tracer.Options, o scene.Options) (*scene.Scene, error) {
	if ctx.Err() != nil {
		return nil, nothingYet(ctx)
	}
	if name == "" {
		name = builtin.Default
	}
	info, err := os.Stat(name)
	if slices.Contains(sceneNames(), name) && (err != nil || info.IsDir()) { // a file comes first
		if o.Variant != "" {
			return nil, fmt.Errorf("%s has no variants, and %s was asked for", name, guard.Name(o.Variant))
		}
		return builtin.Make(name, builtin.Options{})
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w; glint scene lists the built-in scenes%s", err, suggestion(name, sceneNames()))
	}
	how, baked := tracer.Repeats(on)
	o.Scene, o.BakedBytes, o.Instancing = -1, baked, cmp.Or(o.Instancing, how)
	return scene.Load(ctx, name, o)
}
