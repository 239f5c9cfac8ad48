package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/alecthomas/kong"
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/cli/flags"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/job"
	"glint/tracer/cli/movie"
	"glint/tracer/cli/save"
	"glint/tracer/guard"
)

// videoCommand is `glint video`.
type videoCommand struct {
	job.SceneFlags
	job.TeamFlags
	Output string      `short:"o" required:"" placeholder:"FILE.mp4" help:"Video to write: .mp4, .mkv or .mov (needs ffmpeg). With --frames, --every or --shard a folder, or a pattern such as shots/%04d.png."`
	Orbit  int         `xor:"motion" placeholder:"N" help:"Turn once about the camera's target, in N frames."`
	Path   string      `xor:"motion" placeholder:"FILE" help:"Follow the key frames of this .toml or .json file (format above)."`
	Play   bool        `name:"animate" help:"Play the file's animation, from --at on: once, or in a loop as long as --orbit or --path say."`
	FPS    *float64    `name:"fps" placeholder:"N" help:"Frames per second. Default 30; with --join those of the frames."`
	Frames *flags.Span `placeholder:"A:B" help:"Write frames A to B-1, counted from 0, as PNG files instead of a video. Files that exist are kept, so an interrupted run can be resumed."`
	Every  int         `default:"1" placeholder:"N" help:"Write every N-th of the frames, as PNG files. Default ${default}."`
	Shard  flags.Shard `placeholder:"I/N" help:"Write part I of N of the frames, counted from 0, as PNG files: so many processes or machines make one film (docs/farm.md)."`
	Join   string      `placeholder:"DIR" help:"Make the video of the frames in this folder. All must be there, and belong to one film. Nothing is rendered."`
	SPP    int         `name:"spp" default:"16" placeholder:"N" help:"Samples per pixel in each frame. Default ${default}."`
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
func (c *videoCommand) Run(ctx context.Context, p *job.Process, line *kong.Context) error {
	if c.Join != "" {
		if c.Scene != "" {
			return fmt.Errorf("--join %s: leave out the scene %s: nothing is rendered", c.Join, guard.Name(c.Scene))
		}
		if err := flags.RefuseIdle(line, "--join, which renders nothing", flags.Others(line, "join", "output", "fps")); err != nil {
			return err
		}
		return movie.Join(ctx, p, c.Join, c.Output, c.FPS)
	}
	sink, err := c.sink()
	if err != nil {
		return err
	}
	err = c.film(ctx, p, sink)
	if _, task := sink.(*movie.Numbered); task {
		return interrupt.AsTask(ctx, err)
	}
	return err
}

// film renders the frames into a sink.
func (c *videoCommand) film(ctx context.Context, p *job.Process, into sink) error {
	var keys []movie.Key
	var err error
	if c.Path != "" {
		if keys, err = movie.ReadKeys(c.Path); err != nil {
			return err
		}
	}
	if c.Play && c.At == nil {
		c.At = new(0.0)
	}
	t, err := c.OpenTeam(ctx, p, c.TeamFlags)
	if err != nil {
		return err
	}
	defer t.Close() // by then everything is written
	var begun time.Time
	var m movie.Motion
	if err := t.First(func(j *job.Job) (err error) {
		begun = j.Begun
		m, err = c.motion(j, keys)
		return err
	}); err != nil {
		return err
	}
	n, err := into.Record(ctx, p, t, func(j *job.Job) *movie.Renderer {
		r := movie.NewRenderer(j, m, c.fps(), c.SPP)
		if c.Play {
			r.Moment = func(frame int) float64 { return c.moment(j, frame) }
		}
		return r
	})
	if err != nil {
		return err
	}
	p.Log.Info("written", "file", save.Absolute(c.Output), "frames", n, "seconds", job.Seconds(time.Since(begun)))
	return nil
}

// sink takes the frames of a film.
type sink interface {
	// Record renders the frames and writes them; it returns how many. If the context ends, it writes those that are done by
	// then, and the error says what is left behind. What it renders with on a device, on makes there.
	Record(ctx context.Context, p *job.Process, t *job.Team, on func(j *job.Job) *movie.Renderer) (int, error)
}

// sink checks the flags and finds what is to be written.
func (c *videoCommand) sink() (sink, error) {
	if err := flags.CheckSamples("--spp", c.SPP, 1); err != nil {
		return nil, err
	}
	switch {
	case !(c.fps() >= 0.01 && c.fps() <= 1000):
		return nil, fmt.Errorf("--fps %v: want 0.01 to 1000 frames a second", c.fps())
	case c.Orbit < 0 || c.Orbit > movie.MaxFrames:
		return nil, fmt.Errorf("--orbit %d: want 1 to %d frames", c.Orbit, movie.MaxFrames)
	case c.Orbit == 0 && c.Path == "" && !c.Play:
		return nil, errors.New("video: choose what moves: --orbit N or --path FILE, --animate, or both")
	case len(c.Devices) > 1 && c.Frames == nil && c.Every == 1 && c.Shard.Count == 0:
		return nil, errors.New("--devices: several devices write frames in any order: write pictures with --frames, and then --join them")
	case c.Frames != nil || c.Every != 1 || c.Shard.Count > 0:
		return movie.NewNumbered(c.Output, c.Frames, c.Every, c.Shard)
	}
	e, err := movie.NewEncoding(c.Output, c.fps())
	if err != nil {
		return nil, err
	}
	return e, save.CheckFile(save.Named{Flag: "-o", Path: c.Output}, append(c.Inputs(), save.Named{Flag: "--path", Path: c.Path})...)
}

// fps is how many frames make a second.
func (c *videoCommand) fps() float64 {
	if c.FPS == nil {
		return 30
	}
	return *c.FPS
}

// motion is where the camera goes.
func (c *videoCommand) motion(j *job.Job, keys []movie.Key) (movie.Motion, error) {
	if keys == nil && c.Orbit == 0 {
		return c.once(j)
	}
	if keys == nil {
		axis := mgl32.Vec3{0, 1, 0}
		if c.Up != nil {
			axis = j.View.Camera.Up
		}
		return movie.Orbit(j.View.Camera, axis, c.Orbit)
	}
	m, err := movie.Keyed(movie.InScene(keys, j.Prepared.Scene), j.View.Camera, c.fps())
	if err != nil {
		return movie.Motion{}, fmt.Errorf("--path %s: %w", c.Path, err)
	}
	return m, nil
}

// once plays the animation to its end. The camera is the file's own where the flags choose one, and moves with it.
func (c *videoCommand) once(j *job.Job) (movie.Motion, error) {
	s := j.Prepared.Scene
	if end := s.Motion.Clips[j.Clip].Seconds; *c.At > end {
		return movie.Motion{}, fmt.Errorf("--at %v: the animation ends at %.4g s", *c.At, end)
	}
	frames := int((s.Motion.Clips[j.Clip].Seconds-*c.At)*c.fps()+0.01) + 1
	if frames < 1 || frames > movie.MaxFrames {
		return movie.Motion{}, fmt.Errorf("--animate: %d frames: want 1 to %d", frames, movie.MaxFrames)
	}
	return movie.Motion{Frames: frames, At: func(frame int) movie.Pose {
		now := job.Posed(s, j.PoseAt(s, c.moment(j, frame)))
		camera, err := c.Choose(now, float32(j.View.Width)/float32(j.View.Height))
		if err != nil || camera.Check() != nil { // one that was there in the first frame stays
			camera = j.View.Camera
		}
		return movie.Pose{Camera: camera}
	}}, nil
}

// moment is the time of the animation that a frame shows, s. Where the camera says how long the film is, the animation begins again.
func (c *videoCommand) moment(j *job.Job, frame int) float64 {
	return j.Prepared.Scene.Motion.Clips[j.Clip].Time(*c.At+float64(frame)/c.fps(), c.Orbit != 0 || c.Path != "")
}
