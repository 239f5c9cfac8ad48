package cli

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/denoise"
	"glint/tracer/integrator"
	"glint/tracer/settings"
	"glint/tracer/upscale"
	"glint/tracer/view"
)

// videoCommand is `glint video`.
type videoCommand struct {
	SceneFlags
	Output string  `short:"o" required:"" placeholder:"FILE.mp4" help:"Video to write: .mp4, .mkv or .mov (needs ffmpeg). With --frames a folder, or a pattern such as shots/%04d.png."`
	Orbit  int     `xor:"motion" placeholder:"N" help:"Turn once about the camera's target, in N frames."`
	Path   string  `xor:"motion" placeholder:"FILE" help:"Follow the key frames of this .toml or .json file (format above)."`
	Play   bool    `name:"animate" help:"Play the file's animation, from --at on: once, or in a loop as long as --orbit or --path say."`
	FPS    float64 `name:"fps" default:"30" placeholder:"N" help:"Frames per second. Default ${default}."`
	Frames string  `placeholder:"A-B" help:"Write frames A to B, counted from 0, as PNG files instead of a video. Files that exist are kept, so an interrupted run can be resumed."`
	SPP    int     `name:"spp" default:"16" placeholder:"N" help:"Samples per pixel in each frame. Default ${default}."`
}

// Help explains the files of --path.
func (c *videoCommand) Help() string {
	return `--path names a list of key frames. Each has a time in seconds, eye and target in metres, and optionally vfov in degrees
and focus (the distance in focus, in metres). The camera moves between them on a Catmull-Rom spline. As TOML:

    [[key]]
    time = 0
    eye = [0, 1.5, 4]
    target = [0, 1, 0]
    vfov = 40

    [[key]]
    time = 2.5
    eye = [3, 1.5, 2]
    target = [0, 1, 0]

The same as JSON: {"key": [{"time": 0, "eye": [0, 1.5, 4], "target": [0, 1, 0], "vfov": 40}, …]}.`
}

// Run renders all frames in order.
func (c *videoCommand) Run(ctx context.Context, p *Program) error {
	sink, err := c.sink()
	if err != nil {
		return err
	}
	keys, err := c.keys()
	if err != nil {
		return err
	}
	if c.Play && c.At == nil {
		c.At = new(0.0)
	}
	j, err := c.begin(ctx, p)
	if err != nil {
		return err
	}
	defer j.close() // by then everything is written
	m, err := c.motion(j, keys)
	if err != nil {
		return err
	}
	r := newFrameRenderer(j, m, c.SPP)
	if c.Play {
		r.moment = func(frame int) float64 { return c.moment(j, frame) }
	}
	n, err := sink.record(ctx, p, r)
	if isInterrupted(ctx, err) {
		return interrupted(ctx, sink.left(n))
	}
	if err != nil {
		return err
	}
	p.log.Info("written", "file", absolute(c.Output), "frames", n, "seconds", rounded(time.Since(j.begun)))
	return nil
}

// sink takes the frames of a film.
type sink interface {
	// record renders the frames and writes them; it returns how many. If the context ends, it writes those that are done by
	// then, and returns the context's error.
	record(ctx context.Context, p *Program, r *frameRenderer) (int, error)
	// left says what an interruption after so many frames leaves behind, for the user.
	left(frames int) string
}

// sink checks the flags and finds what is to be written.
func (c *videoCommand) sink() (sink, error) {
	switch {
	case c.SPP < 1:
		return nil, fmt.Errorf("--spp %d: want at least one sample per pixel", c.SPP)
	case !(c.FPS >= 0.01 && c.FPS <= 1000):
		return nil, fmt.Errorf("--fps %v: want 0.01 to 1000 frames a second", c.FPS)
	case c.Orbit < 0 || c.Orbit > maxFrames:
		return nil, fmt.Errorf("--orbit %d: want 1 to %d frames", c.Orbit, maxFrames)
	case c.Orbit == 0 && c.Path == "" && !c.Play:
		return nil, errors.New("video: choose what moves: --orbit N or --path FILE, --animate, or both")
	case c.Frames != "":
		n, err := newNumbered(c.Output, c.Frames)
		if err != nil {
			return nil, err
		}
		return n, checkNewFolder(n.name(n.first))
	}
	e, err := newEncoding(c.Output, c.FPS)
	if err != nil {
		return nil, err
	}
	return e, checkOutput(named{"-o", c.Output}, append(c.inputs(), named{"--path", c.Path})...)
}

func (c *videoCommand) keys() ([]key, error) {
	if c.Path == "" {
		return nil, nil
	}
	return readKeys(c.Path)
}

// motion is where the camera goes.
func (c *videoCommand) motion(j *job, keys []key) (motion, error) {
	if keys == nil && c.Orbit == 0 {
		return c.once(j)
	}
	if keys == nil {
		axis := mgl32.Vec3{0, 1, 0}
		if c.Up != nil {
			axis = j.view.Camera.Up
		}
		return orbit(j.view.Camera, axis, c.Orbit)
	}
	m, err := keyed(fromFile(keys, j.prepared.Scene), j.view.Camera, c.FPS)
	if err != nil {
		return motion{}, fmt.Errorf("--path %s: %w", c.Path, err)
	}
	return m, nil
}

// once plays the animation to its end. The camera is the file's own where the flags choose one, and moves with it.
func (c *videoCommand) once(j *job) (motion, error) {
	s := j.prepared.Scene
	frames := int((s.Motion.Clips[j.clip].Seconds-*c.At)*c.FPS+0.01) + 1
	if frames < 1 || frames > maxFrames {
		return motion{}, fmt.Errorf("--animate: %d frames: want 1 to %d", frames, maxFrames)
	}
	return motion{frames: frames, at: func(frame int) pose {
		now := posed(s, s.Motion.Pose(j.clip, c.moment(j, frame)))
		camera, err := c.Choose(now, float32(j.view.Width)/float32(j.view.Height))
		if err != nil || camera.Check() != nil { // one that was there in the first frame stays
			camera = j.view.Camera
		}
		return pose{camera: camera}
	}}, nil
}

// moment is the time of the animation that a frame shows, s.
func (c *videoCommand) moment(j *job, frame int) float64 {
	return j.prepared.Scene.Motion.Clips[j.clip].Time(*c.At+float64(frame)/c.FPS, true)
}

// frameRenderer renders the frames of a film.
type frameRenderer struct {
	*job
	motion motion
	moment func(frame int) float64 // of the animation, s; nil: it is not played
	spp    int
	warmUp int // frames to render before one that follows none, so that it has a full history
	last   int // frame rendered
}

// newFrameRenderer decides what auto stands for, so that the pictures can say so.
func newFrameRenderer(j *job, m motion, spp int) *frameRenderer {
	j.view.Live, j.view.Moving = true, true
	plan := j.renderer.Engine().Plan(j.view, j.settings)
	j.settings.Integrator = plan.Settings.Integrator
	r := &frameRenderer{job: j, motion: m, spp: spp, last: math.MinInt}
	if integrator.Reuses(j.settings.Integrator) && plan.Settings.RestirTemporal {
		// A history of as many samples as the cap is full.
		r.warmUp = (j.settings.RestirCap + spp - 1) / spp
	}
	pictures := (upscale.History + spp - 1) / spp
	if j.settings.Denoise != "off" {
		pictures = upscale.History // a picture is upscaled once, when it has been denoised
		if j.settings.DenoiseHistory {
			r.warmUp = max(r.warmUp, (denoise.Memory+spp-1)/spp)
		}
	}
	if j.settings.RenderScale < 1 {
		r.warmUp = max(r.warmUp, pictures)
	}
	return r
}

// frame renders a frame. If it does not follow the last one, some earlier frames are rendered first for their history;
// before frame 0 the camera rests.
func (r *frameRenderer) frame(ctx context.Context, frame int) (*image.NRGBA, error) {
	first := frame - r.warmUp
	if r.last < frame {
		first = max(first, r.last+1)
	}
	for f := first; f <= frame; f++ {
		if err := r.renderFrame(ctx, f); err != nil {
			return nil, err
		}
	}
	v, s := r.viewOf(frame)
	return r.renderer.Image().Picture(v, s)
}

func (r *frameRenderer) renderFrame(ctx context.Context, frame int) error {
	v, s := r.viewOf(frame)
	if r.moment != nil {
		pose := r.prepared.Scene.Motion.Pose(r.clip, r.moment(max(frame, 0)))
		if err := r.renderer.Engine().Pose(pose); err != nil {
			return err
		}
	}
	for sample := range r.spp {
		v.Unseen = sample < r.spp-1
		if err := ctx.Err(); err != nil {
			return err
		}
		stats, err := r.renderer.Render(v, s, view.Target{})
		if err != nil {
			return err
		}
		if stats.DenoiseError != nil {
			return stats.DenoiseError
		}
	}
	r.last = frame
	return nil
}

// viewOf is the view of a frame.
func (r *frameRenderer) viewOf(frame int) (view.View, settings.Settings) {
	v, s := r.view, r.settings
	p := r.motion.at(max(frame, 0))
	v.Camera, v.Frame = p.camera, frame
	if p.focus > 0 {
		s.Focus = p.focus
	}
	return v, s
}
