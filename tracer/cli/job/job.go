// Package job is a scene that is rendered without a window: what flags choose of it, on one device or on a team of several.
package job

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"glint/tracer"
	"glint/tracer/cli/flags"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/save"
	"glint/tracer/document"
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/imageio"
	"glint/tracer/integrator"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/schedule"
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
	Size string `default:"1280x720" placeholder:"WxH" help:"Size of the image in pixels, or ${sizes}. Default ${default}."`
	Env  string `placeholder:"NAME|FILE|R,G,B" help:"Environment: built in (${environments}; sky:30 has the sun at 30 degrees), an .hdr or .exr file, or a constant radiance."`
	flags.CameraFlags
	flags.PoseFlags
	flags.DeviceFlags
	flags.LoadFlags
	flags.SettingsFlags
}

// Job is one headless rendering under way.
type Job struct {
	Renderer    *tracer.Renderer
	Subject     Subject
	Clip        int         // of the scene's motion
	Edits       scene.Edits // of the file
	Pose        *scene.Pose // that is shown; nil: at rest, without edits
	Prepared    *gpuscene.Prepared
	Environment *gpuscene.Environment // nil: the scene decides
	View        schedule.Request
	Settings    settings.Settings
	Begun       time.Time
	Loaded      time.Duration
	Last        view.Stats
	Dropped     uint64 // samples of blocks that were not finite
	fileHash    string // of the scene's files, once it is asked for
}

// Subject is what of a scene a picture shows, besides what settings and camera say, as flags say it.
type Subject struct {
	scene       string   // its name, without what is merged into it
	File        string   `json:"file,omitempty"` // full path; none for a built-in scene
	Merged      []string `json:"merged,omitempty"`
	Environment string   `json:"environment,omitempty"`
	Variant     string   `json:"variant,omitempty"`
	At          *float64 `json:"at,omitempty"` // s
	Clip        string   `json:"clip,omitempty"`
	Edits       []string `json:"edits,omitempty"`
}

// Inputs are the files that render the scene: itself, what it refers to, and the environment.
func (c *SceneFlags) Inputs() []save.Named {
	return append(SceneInputs(c.Scene), save.Named{Flag: "--env", Path: c.Env})
}

// Open loads and prepares a scene, a file or a built-in one by its name, and opens the device that the flags ask for.
func (c *ImageFlags) Open(ctx context.Context, p *Process, name string) (*Job, error) {
	if err := c.Exists(); err != nil {
		return nil, err
	}
	j, err := c.load(ctx, p, name, c.Options())
	if err != nil {
		return nil, err
	}
	if err := j.openOn(p, c.Options()); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, errors.Join(interrupt.NothingYet(ctx), j.Renderer.Close())
	}
	j.Loaded = time.Since(j.Begun)
	announce(p, j)
	return j, nil
}

// WithoutWindow are the settings of commands: the denoiser auto is for windows.
func WithoutWindow(s settings.Settings) settings.Settings {
	if s.Denoise == "auto" {
		s.Denoise = "off"
	}
	return s
}

// load loads and prepares a scene, as it suits a device.
func (c *ImageFlags) load(ctx context.Context, p *Process, name string, on tracer.Options) (*Job, error) {
	j := &Job{Begun: time.Now(), View: schedule.Request{Stop: ctx.Done()}, Subject: Subject{Environment: gpuscene.FullEnvironment(c.Env),
		Variant: c.Variant}}
	var err error
	if j.Settings, err = c.Settings(); err != nil {
		return nil, err
	}
	j.Settings = WithoutWindow(j.Settings)
	if j.View.Width, j.View.Height, err = flags.ParseSize(c.Size); err != nil {
		return nil, err
	}
	memory, err := c.Memory()
	if err != nil {
		return nil, err
	}
	defer memory.HoldCollector()()
	if j.Environment, err = LoadEnvironment(c.Env, memory); err != nil {
		return nil, err
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	if j.Edits, err = c.Edits(p.restoredEdits()); err != nil {
		return nil, err
	}
	o := scene.Options{Variant: c.Variant, Memory: memory, Animated: c.At != nil, Eyes: c.Eyes(), Edits: j.Edits}
	s, err := LoadScene(ctx, name, on, o)
	if err != nil {
		return nil, err
	}
	if j.Subject.scene = s.Name; len(s.Report.Files) > 0 {
		j.Subject.File = save.Absolute(s.Report.Files[0].Path)
	}
	if s, err = p.asRestored(ctx, s, on, o); err != nil {
		return nil, err
	}
	if p.Restored != nil {
		j.Subject.Merged = p.Restored.Merged
	}
	if err := j.pose(p, s, c.PoseFlags); err != nil {
		return nil, err
	}
	if j.View.Camera, err = c.Choose(Posed(s, j.Pose), float32(j.View.Width)/float32(j.View.Height)); err != nil {
		return nil, err
	}
	_, onGPU := tracer.GPU(on)
	if j.Prepared, err = gpuscene.Prepare(ctx, s, gpuscene.Options{
		Environment: j.Environment, Floor: j.Settings.Floor, Mipmaps: j.Settings.Mipmaps(), BVH: j.Settings.BVH, OnDevice: onGPU, Memory: memory, Reserve: reserveOf(on, j.View, j.Settings),
	}); err != nil {
		return nil, err
	}
	for _, note := range append(j.Prepared.Notes, s.Report.Summary()...) {
		p.Log.Warn(note)
	}
	return j, nil
}

// pose takes the moment that flags choose, with edits.
func (j *Job) pose(p *Process, s *scene.Scene, c flags.PoseFlags) (err error) {
	if j.Edits != nil {
		if s.Editable == nil {
			return errors.New("--edit: only files can be edited, where there is memory for it (--load-memory)")
		}
		if j.Edits, err = s.Editable.CheckAll(j.Edits); err != nil {
			return err
		}
		j.Subject.Edits = j.Edits.Texts()
	}
	switch {
	case c.At != nil:
		if j.Clip, err = c.FindClip(s); err != nil {
			return err
		}
		j.Pose, j.Subject.At, j.Subject.Clip = j.PoseAt(s, *c.At), c.At, s.Motion.Word(j.Clip)
		if end := s.Motion.Clips[j.Clip].Seconds; *c.At > end {
			p.Log.Warn(fmt.Sprintf("animation %s ends at %.4g s: its last moment is shown", guard.Name(j.Subject.Clip), end))
		}
	case j.Edits != nil && s.Motion != nil:
		j.Pose = s.Motion.Pose(-1, 0, j.Edits...)
	}
	return nil
}

// PoseAt is the scene at a moment of the clip, with the edits.
func (j *Job) PoseAt(s *scene.Scene, seconds float64) *scene.Pose {
	return s.Motion.Pose(j.Clip, seconds, j.Edits...)
}

// openOn gives a job that was loaded a renderer on a device, which belongs to the calling goroutine.
func (j *Job) openOn(p *Process, o tracer.Options) error {
	o.Log = p.Log
	var err error
	if j.Renderer, err = p.Open(o, profile.Policy{}); err != nil {
		return err
	}
	engine := j.Renderer.Engine()
	err = errors.Join(engine.CheckDenoiser(j.Settings), j.checkReuse(p), CheckMemory(engine, j.View, j.Settings))
	if err == nil {
		announceMemory(p.Log, engine.Device(), j.Prepared, j.View, j.Settings)
		err = engine.Use(j.Prepared)
	}
	if err == nil && j.Pose != nil {
		err = engine.Pose(j.Pose)
	}
	if err != nil {
		return errors.Join(err, j.Renderer.Close())
	}
	for _, note := range engine.SceneNotes() {
		p.Log.Warn(note)
	}
	if why := engine.EnsureRays(j.Settings); why != nil {
		p.Log.Warn(why.Error())
	}
	return nil
}

// checkReuse refuses to show what is not there, and says where an engine is replaced.
func (j *Job) checkReuse(p *Process) error {
	s := j.Renderer.Engine().Plan(j.View, j.Settings).Settings
	reuses := integrator.Reuses(s.Integrator)
	if s.ReuseView != "off" && !reuses {
		return fmt.Errorf("--reuse-view %s: %s shares nothing: choose --integrator restir", s.ReuseView, s.Integrator)
	}
	if s.Exec == "regeneration" && reuses {
		p.Log.Warn("--exec regeneration is not for " + s.Integrator + ": the megakernel renders")
	}
	return nil
}

// Posed is a scene with the cameras that it has in a pose; nil is at rest.
func Posed(s *scene.Scene, pose *scene.Pose) *scene.Scene {
	if pose == nil {
		return s
	}
	out := *s
	out.Cameras = pose.Cameras
	return &out
}

// announce says what is rendered, and on what.
func announce(p *Process, j *Job) {
	b, s := j.Renderer.Engine().Backend(), j.Prepared.Scene
	p.Log.Info("loaded", "scene", s.Name, "triangles", s.Triangles(), "seconds", Seconds(j.Loaded), "backend", b.Kind, "device", b.Device)
	if b.Why != "" {
		p.Log.Info("rendering on the CPU", "why", b.Why)
	}
}

// Linear is what a renderer shows of a view, linear: denoised, if the settings say so.
func Linear(r *tracer.Renderer, v schedule.Request, s settings.Settings) (*imageio.Image, error) {
	if s.Denoise != "off" {
		return r.Image().Denoised(v, s)
	}
	return r.Image().Radiance()
}

// Close frees the device. Errors no longer matter then.
func (j *Job) Close() { _ = j.Renderer.Close() }

// Describe is stored in an image so that it can be rendered again.
func (j *Job) Describe(camera scene.Camera, s settings.Settings, samples int) (map[string]string, error) {
	of, shown := j.Subject, j.Prepared.Scene
	if j.fileHash == "" && len(shown.Report.Files) > 0 {
		j.fileHash = scene.Fingerprint(shown.Report.Files)
	}
	return document.Document{
		Subject: document.Subject{Scene: of.scene, File: of.File, FileHash: j.fileHash, Merged: of.Merged, Environment: of.Environment,
			Variant: of.Variant, At: of.At, Clip: of.Clip, Edits: j.Edits, Camera: shown.CameraToFile(camera)},
		Settings: j.Renderer.Engine().Plan(j.View, s).Settings, Samples: samples, Frame: j.View.Frame, Width: j.View.Width, Height: j.View.Height,
	}.Notes()
}

// Short rounds to four significant digits.
func Short(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	if err != nil {
		return x
	}
	return y
}

// Seconds rounds to milliseconds.
func Seconds(d time.Duration) float64 { return math.Round(d.Seconds()*1000) / 1000 }
