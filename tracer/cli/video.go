package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/alecthomas/kong"
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/guard"
)

// videoCommand is `glint video`.
type videoCommand struct {
	SceneFlags
	TeamFlags
	Output string   `short:"o" required:"" placeholder:"FILE.mp4" help:"Video to write: .mp4, .mkv or .mov (needs ffmpeg). With --frames, --every or --shard a folder, or a pattern such as shots/%04d.png."`
	Orbit  int      `xor:"motion" placeholder:"N" help:"Turn once about the camera's target, in N frames."`
	Path   string   `xor:"motion" placeholder:"FILE" help:"Follow the key frames of this .toml or .json file (format above)."`
	Play   bool     `name:"animate" help:"Play the file's animation, from --at on: once, or in a loop as long as --orbit or --path say."`
	FPS    *float64 `name:"fps" placeholder:"N" help:"Frames per second. Default 30; with --join those of the frames."`
	Frames *span    `placeholder:"A:B" help:"Write frames A to B-1, counted from 0, as PNG files instead of a video. Files that exist are kept, so an interrupted run can be resumed."`
	Every  int      `default:"1" placeholder:"N" help:"Write every N-th of the frames, as PNG files. Default ${default}."`
	Shard  shard    `placeholder:"I/N" help:"Write part I of N of the frames, counted from 0, as PNG files: so many processes or machines make one film (docs/farm.md)."`
	Join   string   `placeholder:"DIR" help:"Make the video of the frames in this folder. All must be there, and belong to one film. Nothing is rendered."`
	SPP    int      `name:"spp" default:"16" placeholder:"N" help:"Samples per pixel in each frame. Default ${default}."`
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
func (c *videoCommand) Run(ctx context.Context, p *Process, line *kong.Context) error {
	if c.Join != "" {
		if c.Scene != "" {
			return fmt.Errorf("--join %s: leave out the scene %s: nothing is rendered", c.Join, guard.Name(c.Scene))
		}
		if err := refuseIdle(line, "--join, which renders nothing", flagsBut(line, "join", "output", "fps")); err != nil {
			return err
		}
		return joinFrames(ctx, p, c.Join, c.Output, c.FPS)
	}
	sink, err := c.sink()
	if err != nil {
		return err
	}
	err = c.film(ctx, p, sink)
	if _, task := sink.(*numbered); task {
		return asTask(ctx, err)
	}
	return err
}

// film renders the frames into a sink.
func (c *videoCommand) film(ctx context.Context, p *Process, into sink) error {
	keys, err := c.keys()
	if err != nil {
		return err
	}
	if c.Play && c.At == nil {
		c.At = new(0.0)
	}
	t, err := c.openTeam(ctx, p, c.TeamFlags)
	if err != nil {
		return err
	}
	defer t.close() // by then everything is written
	var begun time.Time
	var m motion
	if err := t.first(func(j *job) (err error) {
		begun = j.begun
		m, err = c.motion(j, keys)
		return err
	}); err != nil {
		return err
	}
	n, err := into.record(ctx, p, t, func(j *job) *frameRenderer {
		r := newFrameRenderer(j, m, c.fps(), c.SPP)
		if c.Play {
			r.moment = func(frame int) float64 { return c.moment(j, frame) }
		}
		return r
	})
	if err != nil {
		return err
	}
	p.Log.Info("written", "file", absolute(c.Output), "frames", n, "seconds", rounded(time.Since(begun)))
	return nil
}

// sink takes the frames of a film.
type sink interface {
	// record renders the frames and writes them; it returns how many. If the context ends, it writes those that are done by
	// then, and the error says what is left behind. What it renders with on a device, on makes there.
	record(ctx context.Context, p *Process, t *team, on func(j *job) *frameRenderer) (int, error)
}

// sink checks the flags and finds what is to be written.
func (c *videoCommand) sink() (sink, error) {
	if err := checkSamples("--spp", c.SPP, 1); err != nil {
		return nil, err
	}
	switch {
	case !(c.fps() >= 0.01 && c.fps() <= 1000):
		return nil, fmt.Errorf("--fps %v: want 0.01 to 1000 frames a second", c.fps())
	case c.Orbit < 0 || c.Orbit > maxFrames:
		return nil, fmt.Errorf("--orbit %d: want 1 to %d frames", c.Orbit, maxFrames)
	case c.Orbit == 0 && c.Path == "" && !c.Play:
		return nil, errors.New("video: choose what moves: --orbit N or --path FILE, --animate, or both")
	case len(c.Devices) > 1 && c.Frames == nil && c.Every == 1 && c.Shard.count == 0:
		return nil, errors.New("--devices: several devices write frames in any order: write pictures with --frames, and then --join them")
	case c.Frames != nil || c.Every != 1 || c.Shard.count > 0:
		return newNumbered(c.Output, c.Frames, c.Every, c.Shard)
	}
	e, err := newEncoding(c.Output, c.fps())
	if err != nil {
		return nil, err
	}
	return e, checkOutput(named{"-o", c.Output}, append(c.inputs(), named{"--path", c.Path})...)
}

// fps is how many frames make a second.
func (c *videoCommand) fps() float64 {
	if c.FPS == nil {
		return 30
	}
	return *c.FPS
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
	m, err := keyed(fromFile(keys, j.prepared.Scene), j.view.Camera, c.fps())
	if err != nil {
		return motion{}, fmt.Errorf("--path %s: %w", c.Path, err)
	}
	return m, nil
}

// once plays the animation to its end. The camera is the file's own where the flags choose one, and moves with it.
func (c *videoCommand) once(j *job) (motion, error) {
	s := j.prepared.Scene
	if end := s.Motion.Clips[j.clip].Seconds; *c.At > end {
		return motion{}, fmt.Errorf("--at %v: the animation ends at %.4g s", *c.At, end)
	}
	frames := int((s.Motion.Clips[j.clip].Seconds-*c.At)*c.fps()+0.01) + 1
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

// moment is the time of the animation that a frame shows, s. Where the camera says how long the film is, the animation begins again.
func (c *videoCommand) moment(j *job, frame int) float64 {
	return j.prepared.Scene.Motion.Clips[j.clip].Time(*c.At+float64(frame)/c.fps(), c.Orbit != 0 || c.Path != "")
}
