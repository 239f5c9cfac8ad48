package cli

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"glint/tracer/imageio"
)

// numbered writes frames as pictures of their own. Each is whole or not there, and depends on its number alone: several processes
// may render parts of a film, be stopped and run again.
type numbered struct {
	pattern string // of the names, for Sprintf
	frames  *span  // nil: the whole film
	every   int
	shard   shard
}

// numbered checks the flags, and that pictures can be written.
func (c *videoCommand) numbered() (*numbered, error) {
	n := &numbered{pattern: c.Output, frames: c.Frames, every: c.Every, shard: c.Shard}
	if c.Every < 1 {
		return nil, fmt.Errorf("--every %d: want 1 for every frame, 2 for every second", c.Every)
	}
	if !strings.Contains(c.Output, "%") {
		if isVideo(c.Output) || strings.HasSuffix(c.Output, ".png") {
			return nil, fmt.Errorf("-o %s: --frames, --every and --shard write many files: name a folder, or a pattern such as shots/%%04d.png", c.Output)
		}
		n.pattern = filepath.Join(c.Output, framePattern)
	}
	if !regexp.MustCompile(`^[^%]*%(0[1-9])?d[^%]*\.png$`).MatchString(n.pattern) {
		return nil, fmt.Errorf("-o %s: want one %%d for the frame's number, and .png at the end", c.Output)
	}
	return n, checkNewFolder(n.name(0))
}

// framePattern names the frames in a folder.
const framePattern = "frame-%05d.png"

// record renders the frames that are missing. What fails once rendering has begun may go well the next time.
func (n *numbered) record(ctx context.Context, p *Program, r *frameRenderer) (int, error) {
	frames := n.frames
	if frames == nil {
		frames = &span{0, r.motion.frames}
	}
	if frames.end > r.motion.frames {
		return 0, fmt.Errorf("--frames %v: the film has %d frames, 0:%d", frames, r.motion.frames, r.motion.frames)
	}
	own := n.own(*frames, r)
	notes, err := r.filmNotes(p.Version, *frames, n.every)
	if err != nil {
		return 0, err
	}
	missing, err := n.missing(own, r, notes)
	if err != nil {
		return 0, err
	}
	if there := len(own) - len(missing); there > 0 {
		p.log.Info("frames are there already", "frames", there)
	}
	if err := os.MkdirAll(filepath.Dir(n.name(0)), 0o777); err != nil {
		return 0, &retryError{fmt.Errorf("write frames: %w", err)}
	}
	bar := newBar(p.Stderr, len(missing), "frames")
	defer bar.finish()
	for i, frame := range missing {
		err := n.write(ctx, r, frame, notes)
		if isInterrupted(ctx, err) {
			err = interrupted(ctx, fmt.Sprintf("%d frames were written: run it again to go on", i))
		}
		if err != nil {
			return i, &retryError{err}
		}
		bar.set(i + 1)
	}
	return len(missing), nil
}

// own are the frames of this part. Frames that share a history stay together.
func (n *numbered) own(frames span, r *frameRenderer) []int {
	var own []int
	runs, last := 0, -1
	for frame := frames.first; frame < frames.end; frame += n.every {
		if run := frame / r.run; run != last {
			last = run
			runs++
		}
		if n.shard.has(runs - 1) {
			own = append(own, frame)
		}
	}
	return own
}

func (n *numbered) name(frame int) string { return fmt.Sprintf(n.pattern, frame) }

func (n *numbered) write(ctx context.Context, r *frameRenderer, frame int, notes filmNotes) error {
	img, err := r.frameAlone(ctx, frame)
	if err != nil {
		return err
	}
	text, err := r.about(frame, notes)
	if err != nil {
		return err
	}
	text[noteFrames], text[noteFPS] = notes.frames, notes.fps
	return imageio.WritePNG(n.name(frame), img, text)
}

// missing are those of some frames that have no file yet. A file that shows something else is neither counted nor overwritten.
func (n *numbered) missing(frames []int, r *frameRenderer, notes filmNotes) ([]int, error) {
	var out []int
	for _, frame := range frames {
		name := n.name(frame)
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			out = append(out, frame)
			continue
		}
		have, err := imageio.ReadPNGText(name)
		if err != nil {
			return nil, fmt.Errorf("%w: remove it, or write elsewhere", err)
		}
		want, err := r.about(frame, notes)
		if err != nil {
			return nil, err
		}
		if what := differingNote(want, have); what != "" {
			return nil, fmt.Errorf("%s is there, but made with another %s: remove it, or write elsewhere", name, what)
		}
	}
	return out, nil
}

// filmNotes are the notes that all frames of a film share.
type filmNotes struct{ version, content, film, frames, fps string }

// filmNotes takes the camera and the scene of all frames into account: frames made for another path belong to another film.
func (r *frameRenderer) filmNotes(version string, frames span, every int) (filmNotes, error) {
	content := r.content()
	h := sha256.New()
	h.Write(content[:])
	about, err := json.Marshal(r.settings)
	if err != nil {
		return filmNotes{}, fmt.Errorf("describe the film: %w", err)
	}
	fmt.Fprintf(h, "%s %s %d %d %d\n", version, about, r.view.Width, r.view.Height, r.spp)
	for frame := range r.motion.frames {
		fmt.Fprintf(h, "%+v\n", r.motion.at(frame))
		if r.moment != nil {
			writePose(h, r.prepared.Scene.Motion.Pose(r.clip, r.moment(frame)))
		}
	}
	return filmNotes{version: version, content: shortHash(content[:]), film: shortHash(h.Sum(nil)), frames: fmt.Sprintf("%v:%d", frames, every),
		fps: strconv.FormatFloat(r.fps, 'g', -1, 64)}, nil
}

// about are the notes by which a frame is known.
func (r *frameRenderer) about(frame int, notes filmNotes) (map[string]string, error) {
	view, settings := r.viewOf(frame)
	text, err := r.describe(view.Camera, settings, r.spp)
	if err != nil {
		return nil, err
	}
	text[noteFrame], text[noteSize] = strconv.Itoa(frame), fmt.Sprintf("%dx%d", view.Width, view.Height)
	text[noteVersion], text[noteContent], text[noteFilm] = notes.version, notes.content, notes.film
	return text, nil
}
