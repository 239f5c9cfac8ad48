package cli

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"glint/tracer"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// gridCommand is `glint grid`: integrators in equal time on many scenes, raw and denoised, in motion and at rest.
type gridCommand struct {
	Scenes       []string   `arg:"" optional:"" name:"scene" help:".glb or .gltf files, or names of built-in scenes (glint scene lists them), measured one after the other. Without any: the default scene."`
	Output       string     `short:"o" required:"" placeholder:"DIR" help:"Folder to write: tables of errors and of their ratios, sheets of images, a summary. It is written anew after each scene."`
	Integrators  []string   `default:"path,restir-gi,restir" placeholder:"NAME,…" help:"Integrators to compare. Errors are divided by those of the first. Default ${default}."`
	Denoisers    []string   `default:"off,atrous,oidn" placeholder:"NAME,…" help:"Denoisers to measure each integrator with. One that is not installed is left out. Default ${default}."`
	Motion       []string   `default:"orbit,walk" enum:"orbit,walk,play" placeholder:"NAME,…" help:"What moves: orbit turns the camera about its target by 1 degree a frame, walk moves it forward and to the right by 1 % of the target's distance a frame, play rests the camera and plays the animation (--clip) from --at or its beginning, 60 frames a second. Default ${default}."`
	Budget       []duration `default:"2ms,4ms,8ms,16ms" placeholder:"DURATION,…" help:"Times for a frame in motion, including denoising: each is measured. Default ${default}."`
	Rest         duration   `default:"1s" placeholder:"DURATION" help:"Time for the image of the resting view. Default ${default}."`
	Frames       int        `default:"8" placeholder:"N" help:"Frames of each motion to measure. Default ${default}."`
	WarmUp       int        `name:"warm-up" default:"16" placeholder:"N" help:"Frames of each motion before those that are measured, so that reuse and denoising have their history. Default ${default}."`
	ReferenceSPP int        `name:"reference-spp" default:"1024" placeholder:"N" help:"Samples per pixel of the references, of which each measured frame has its own, by path. Default ${default}."`
	Cache        string     `placeholder:"DIR" help:"Folder that keeps references, so that they are rendered once. Without it: one in the user's cache. Empty it when path itself has changed."`
	ImageFlags
}

// Run measures scene after scene.
func (c *gridCommand) Run(ctx context.Context, p *Program) error {
	if err := c.check(); err != nil {
		return err
	}
	cache, err := openReferenceCache(c.Cache)
	if err != nil {
		return err
	}
	scenes := c.Scenes
	if len(scenes) == 0 {
		scenes = []string{""}
	}
	report := &gridReport{command: c}
	for _, name := range scenes {
		err := c.measureScene(ctx, p, name, cache, report)
		if isInterrupted(ctx, err) {
			break
		}
		if err != nil {
			return fmt.Errorf("grid %s: %w", name, err)
		}
		if err := report.write(p); err != nil {
			return err
		}
	}
	if len(report.outcomes) == 0 && ctx.Err() == nil {
		return errors.New("nothing was measured: this machine has none of the denoisers that --denoisers names")
	}
	if len(report.scenes) == 0 {
		return nothingYet(ctx)
	}
	p.log.Info("written", "folder", absolute(c.Output))
	if _, err = fmt.Fprint(p.Stdout, report.ratioTable()); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return interrupted(ctx, fmt.Sprintf("%s holds the tables so far, of %d of %d scenes", c.Output, len(report.scenes), len(scenes)))
	}
	return nil
}

func (c *gridCommand) check() error {
	if c.Frames < 2 {
		return fmt.Errorf("--frames %d: want at least two, to see what changes", c.Frames)
	}
	if c.WarmUp < 0 {
		return fmt.Errorf("--warm-up %d: want a number of frames", c.WarmUp)
	}
	if err := checkSamples("--reference-spp", c.ReferenceSPP, 2); err != nil {
		return err // of two the noise is known
	}
	for _, list := range []struct {
		flag, setting string
		names         []string
	}{{"integrators", "integrator", c.Integrators}, {"denoisers", "denoise", c.Denoisers}} {
		row, _ := settings.Lookup(tracer.SettingsTable(), list.setting)
		if err := checkNames(list.names, row.Choices); err != nil {
			return fmt.Errorf("--%s: %w", list.flag, err)
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(c.Motion)))) < len(c.Motion) {
		return fmt.Errorf("--motion %s: name each motion once", strings.Join(c.Motion, ","))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(c.Budget)))) < len(c.Budget) {
		return errors.New("--budget: name each time once")
	}
	called := map[string]string{}
	for _, name := range c.Scenes {
		if err := checkScene(name); err != nil {
			return err
		}
		short := filepath.Base(name)
		if other, taken := called[short]; taken {
			return fmt.Errorf("%s and %s: tables call both %s: rename one", other, name, short)
		}
		called[short] = name
	}
	if slices.Contains(c.Motion, playMotion) && c.At == nil {
		c.At = new(float64) // its beginning
	}
	inputs := []named{{"--env", c.Env}, {"--cache", c.Cache}}
	for _, name := range c.Scenes {
		inputs = append(inputs, sceneInputs(name)...)
	}
	return checkFolderOutput(c.Output, inputs...)
}

// checkNames refuses names that are not among the choices, auto, which stands for another, and any name given twice.
func checkNames(names, choices []string) error {
	choices = slices.DeleteFunc(slices.Clone(choices), func(name string) bool { return name == "auto" })
	for i, name := range names {
		if !slices.Contains(choices, name) {
			return fmt.Errorf("%q is none of %s", name, strings.Join(choices, ", "))
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("%s is named twice", name)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("name at least one of %s", strings.Join(choices, ", "))
	}
	return nil
}

// measureScene adds what is measured of a scene to the report. Once the context has ended that is what was measured by then, or its
// error where that is nothing.
func (c *gridCommand) measureScene(ctx context.Context, p *Program, name string, cache *referenceCache, report *gridReport) error {
	j, err := c.open(ctx, p, name)
	if err != nil {
		return err
	}
	defer j.close()                                                                            // by then everything has been read back
	if _, err := j.renderer.Render(j.view, j.referenceSettings(), view.Target{}); err != nil { // makes room for pictures of this size
		return err
	}
	if err := j.renderer.Engine().WaitForKernels(); err != nil {
		return err
	}
	g := &grid{job: j, program: p, command: c, taken: j.pose}
	if err := g.findReferences(ctx, cache); err != nil {
		return err
	}
	for _, denoiser := range c.Denoisers {
		err := g.measureDenoiser(ctx, denoiser)
		if isInterrupted(ctx, err) && len(g.outcomes) > 0 {
			break
		}
		if err != nil {
			return fmt.Errorf("denoiser %s: %w", denoiser, err)
		}
	}
	g.warnOfNoise()
	return report.add(g)
}

// grid is the work of `glint grid` on one scene.
type grid struct {
	*job
	program  *Program
	command  *gridCommand
	motions  []gridMotion
	resting  *reference
	outcomes []*outcome
	taken    *scene.Pose // that the scene has
	frame    int         // numbers the pictures, so that each has noise of its own
}

// gridMotion is a motion of the camera or of the scene, with the references of the frames that are measured.
type gridMotion struct {
	motion
	name       string
	moment     func(frame int) float64 // s, of the animation; nil where the scene rests
	references []*reference            // of the frames after those that warm up
	change     float64                 // of a displayed pixel from reference to reference, of 255
}

// findReferences reads or renders the reference of the resting view and those of each motion. All are exposed as the first.
func (g *grid) findReferences(ctx context.Context, cache *referenceCache) error {
	warmUp, frames := g.command.WarmUp, g.command.Frames
	from := sceneKey(g.prepared.Scene, g.environment)
	find := func(v view.View, s settings.Settings, pose *scene.Pose) (*reference, error) {
		if err := g.take(pose); err != nil {
			return nil, err
		}
		img, noise, err := cache.find(ctx, g, keyInPose(from, pose), v)
		if err != nil {
			return nil, err
		}
		ref, err := newReference(g.renderer, s, img)
		if err != nil {
			return nil, fmt.Errorf("reference: %w", err)
		}
		ref.noise = noise
		return ref, nil
	}
	var err error
	if g.resting, err = find(g.view, g.settings, g.pose); err != nil {
		return err
	}
	for _, name := range g.command.Motion {
		m, err := gridMotionOf(name, g.view.Camera, warmUp+frames)
		if err != nil {
			return err
		}
		if name == playMotion {
			m.moment = g.moment
		}
		for i := range frames {
			v := g.view
			v.Camera, v.Frame = m.at(warmUp+i).camera, 1+i
			ref, err := find(v, g.resting.settings, g.poseOf(&m, warmUp+i))
			if err != nil {
				return err
			}
			if i > 0 {
				m.change += meanDifference(ref.display, m.references[i-1].display) / float64(frames-1)
			}
			m.references = append(m.references, ref)
		}
		if m.change == 0 {
			return fmt.Errorf("--motion %s shows the same picture in every frame: choose another camera%s", name, map[bool]string{true: ", --clip or --at"}[m.moment != nil])
		}
		g.motions = append(g.motions, m)
	}
	return nil
}

// moment is where the animation is in a frame of motion play, s.
func (g *grid) moment(frame int) float64 {
	clip := &g.prepared.Scene.Motion.Clips[g.clip]
	return clip.Time(*g.command.At+float64(frame)/playFPS, true)
}

// poseOf is that of a frame; nil is at rest.
func (g *grid) poseOf(m *gridMotion, frame int) *scene.Pose {
	if m.moment == nil {
		return g.pose
	}
	return g.prepared.Scene.Motion.Pose(g.clip, m.moment(frame))
}

// take poses the scene, unless it stands like that already. Nil is a scene that is never posed.
func (g *grid) take(pose *scene.Pose) error {
	if pose == nil || pose == g.taken {
		return nil
	}
	g.taken = pose
	return g.renderer.Engine().Pose(pose)
}

// noise is the relMSE of the references by motion, estimated: of the noisiest of their frames.
func (g *grid) noise() map[string]float64 {
	noise := map[string]float64{restMotion: short(g.resting.noise)}
	for _, m := range g.motions {
		for _, r := range m.references {
			noise[m.name] = max(noise[m.name], short(r.noise))
		}
	}
	return noise
}

// warnOfNoise warns where the noise of the references is not small beside the errors that they measure.
func (g *grid) warnOfNoise() {
	var worst *outcome
	noise, count := g.noise(), 0
	for _, o := range g.outcomes {
		if noise[o.Motion] <= 0.1*o.RelMSE {
			continue
		}
		count++
		if worst == nil || noise[o.Motion]*worst.RelMSE > noise[worst.Motion]*o.RelMSE {
			worst = o
		}
	}
	if worst != nil {
		g.program.log.Warn("the references are too noisy for some errors, which look larger and more alike than they are: raise --reference-spp",
			"scene", worst.Scene, "errors", fmt.Sprintf("%d of %d", count, len(g.outcomes)), "smallest relMSE", short(worst.RelMSE),
			"of its reference", noise[worst.Motion], "motion", worst.Motion, "denoiser", worst.Denoiser)
	}
}

// meanDifference is by how much the luma of two displayed pictures differs on average, of 255.
func meanDifference(a, b *image.NRGBA) float64 {
	sum := 0.0
	for i := range len(a.Pix) / 4 {
		sum += math.Abs(shownLuma(a, i) - shownLuma(b, i))
	}
	return sum / float64(len(a.Pix)/4)
}
