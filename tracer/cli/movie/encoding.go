package movie

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/job"
	"glint/tracer/cli/save"
	"glint/tracer/cli/terminal"
)

// encoding hands frames to ffmpeg.
type encoding struct {
	path   string
	fps    float64
	ffmpeg string
}

const ffmpegFix = "install the package ffmpeg, or write pictures with --frames"

// NewEncoding looks for ffmpeg before anything is rendered.
func NewEncoding(path string, fps float64) (*encoding, error) {
	if !isVideo(path) {
		return nil, fmt.Errorf("-o %s: the name must end in .mp4, .mkv or .mov; for a folder of pictures add --frames", path)
	}
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		return nil, fmt.Errorf("ffmpeg was not found: %s", ffmpegFix)
	}
	return &encoding{path: path, fps: fps, ffmpeg: ffmpeg}, nil
}

func isVideo(path string) bool {
	return slices.Contains([]string{".mp4", ".mkv", ".mov"}, strings.ToLower(filepath.Ext(path)))
}

// Record renders every frame.
func (e *encoding) Record(ctx context.Context, p *job.Process, t *job.Team, on func(j *job.Job) *Renderer) (frames int, err error) {
	err = t.First(func(j *job.Job) error {
		if j.Settings.Background == "transparent" {
			return errors.New("a video cannot be transparent: give --background a colour, or write pictures with --frames")
		}
		r := on(j)
		frames, err = e.encode(ctx, p, pictures{r.View.Width, r.View.Height, r.motion.Frames, r.frame})
		return err
	})
	return frames, err
}

// pictures are the frames of a film in their order.
type pictures struct {
	width, height int
	count         int
	frame         func(ctx context.Context, frame int) (*image.NRGBA, error)
}

// encode makes a video of pictures. It gets its name once it is complete.
func (e *encoding) encode(ctx context.Context, p *job.Process, r pictures) (int, error) {
	if r.width < 2 || r.height < 2 {
		return 0, fmt.Errorf("--size %dx%d: a video needs two pixels each way", r.width, r.height)
	}
	if r.width%2 == 1 || r.height%2 == 1 {
		p.Log.Warn("a video has even sides: one line of pixels is cut off", "size", fmt.Sprintf("%dx%d", r.width&^1, r.height&^1))
	}
	part := save.Hidden(e.path)
	frames, err := e.pipe(ctx, p, r, part)
	cut := interrupt.Is(ctx, err)
	if cut && frames == 0 {
		err = interrupt.New(ctx, "no video is written")
	} else if err == nil || cut {
		err = os.Rename(part, e.path)
	}
	if err != nil {
		return 0, errors.Join(err, removeIfThere(part))
	}
	if cut {
		return frames, interrupt.New(ctx, fmt.Sprintf("%s holds the first %d frames", e.path, frames))
	}
	return frames, nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// patience is how long ffmpeg may take to complete a video when the context has ended.
const patience = 30 * time.Second

// pipe runs ffmpeg with the frames as its input, and returns how many it took. If the context ends, ffmpeg completes the video of
// those, and the error is the context's.
func (e *encoding) pipe(ctx context.Context, p *job.Process, r pictures, part string) (frames int, err error) {
	cmd := exec.Command(e.ffmpeg, e.arguments(r.width, r.height, part)...)
	cmd.SysProcAttr = interrupt.ApartFromTerminal() // Ctrl+C is for glint alone
	var said bytes.Buffer
	cmd.Stderr = &said
	input, err := cmd.StdinPipe()
	if err != nil {
		return 0, fmt.Errorf("ffmpeg: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("ffmpeg: %w: %s", err, ffmpegFix)
	}
	defer p.Leftovers.Add(part, cmd)()
	defer context.AfterFunc(ctx, func() {
		time.AfterFunc(patience, func() { _ = cmd.Process.Kill() }) // mostly it has long ended
	})()
	frames, err = e.feed(ctx, p, r, input)
	if interrupt.Is(ctx, err) && frames == 0 {
		_ = cmd.Process.Kill() // there is nothing to complete
	}
	ended := errors.Join(input.Close(), cmd.Wait())
	var broken *pipeError
	if err != nil && !errors.As(err, &broken) && (!interrupt.Is(ctx, err) || frames == 0) {
		return 0, err // ffmpeg failed for lack of input
	}
	if ended == nil && broken == nil {
		ended = checkVideo(part)
	}
	switch {
	case ctx.Err() != nil && (ended != nil || broken != nil):
		return 0, ctx.Err() // whatever it did to ffmpeg
	case ended != nil: // it says more than a broken pipe
		return 0, fmt.Errorf("ffmpeg: %w: %s", ended, strings.TrimSpace(said.String()))
	case broken != nil:
		return 0, fmt.Errorf("ffmpeg: %w: %s", err, strings.TrimSpace(said.String()))
	case said.Len() > 0:
		p.Log.Warn("ffmpeg complained, and completed the video", "words", strings.TrimSpace(said.String()))
	}
	return frames, err
}

// pipeError says that ffmpeg accepts no more input.
type pipeError struct{ error }

// feed renders the frames and writes them, until the context ends. It returns how many were written.
func (e *encoding) feed(ctx context.Context, p *job.Process, r pictures, to io.Writer) (frames int, err error) {
	bar := terminal.NewBar(p.Stderr, r.count, "frames")
	defer bar.Finish()
	for frame := range r.count {
		img, err := r.frame(ctx, frame)
		if err != nil {
			return frame, err
		}
		if _, err := to.Write(rgb24(img)); err != nil {
			return frame, &pipeError{err}
		}
		bar.Set(frame + 1)
	}
	return r.count, nil
}

// arguments make ffmpeg read raw frames and write H.264 that every player shows, in the colours that were rendered.
func (e *encoding) arguments(width, height int, part string) []string {
	args := []string{
		"-hide_banner", "-loglevel", "error", "-nostdin",
		"-f", "rawvideo", "-pix_fmt", "rgb24", "-video_size", fmt.Sprintf("%dx%d", width, height),
		"-framerate", strconv.FormatFloat(e.fps, 'f', -1, 64), "-i", "pipe:0",
		"-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,scale=out_color_matrix=bt709:out_range=tv",
		"-c:v", "libx264", "-preset", "medium", "-crf", "16", "-pix_fmt", "yuv420p",
		"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "iec61966-2-1", "-color_range", "tv",
	}
	if strings.ToLower(filepath.Ext(part)) != ".mkv" {
		args = append(args, "-movflags", "+faststart")
	}
	return append(args, "file:"+save.Absolute(part))
}

// rgb24 are a picture's bytes without alpha.
func rgb24(img *image.NRGBA) []byte {
	out := make([]byte, 0, len(img.Pix)/4*3)
	for i := 0; i < len(img.Pix); i += 4 {
		out = append(out, img.Pix[i:i+3]...)
	}
	return out
}
