package movie

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
	"slices"
	"strconv"
	"strings"
	"sync"

	"glint/tracer/cli/flags"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/job"
	"glint/tracer/cli/part"
	"glint/tracer/cli/save"
	"glint/tracer/cli/terminal"
	"glint/tracer/document"
	"glint/tracer/imageio"
)

// Numbered writes frames as pictures of their own. Each is whole or not there, and depends on its number alone: several processes
// may render parts of a film, be stopped and run again.
type Numbered struct {
	pattern string      // of the names, for Sprintf
	frames  *flags.Span // nil: the whole film
	every   int
	shard   flags.Shard
}

// NewNumbered checks what the flags say, and that pictures can be written.
func NewNumbered(output string, frames *flags.Span, every int, own flags.Shard) (*Numbered, error) {
	n := &Numbered{pattern: output, frames: frames, every: every, shard: own}
	if every < 1 {
		return nil, fmt.Errorf("--every %d: want 1 for every frame, 2 for every second", every)
	}
	if !strings.Contains(output, "%") {
		if isVideo(output) || strings.HasSuffix(output, ".png") {
			return nil, fmt.Errorf("-o %s: --frames, --every and --shard write many files: name a folder, or a pattern such as shots/%%04d.png", output)
		}
		n.pattern = filepath.Join(output, framePattern)
	}
	if !regexp.MustCompile(`^[^%]*%(0[1-9])?d[^%]*\.png$`).MatchString(n.pattern) {
		return nil, fmt.Errorf("-o %s: want one %%d for the frame's number, and .png at the end", output)
	}
	return n, save.CheckNewFolder(n.name(0))
}

// framePattern names the frames in a folder.
const framePattern = "frame-%05d.png"

// Record renders the frames that are missing. What fails once rendering has begun may go well the next time.
func (n *Numbered) Record(ctx context.Context, p *job.Process, t *job.Team, on func(j *job.Job) *Renderer) (int, error) {
	renderers := map[*job.Member]*Renderer{}
	var missing [][]int
	var notes filmNotes
	err := t.First(func(j *job.Job) (err error) {
		r := on(j)
		for _, m := range t.Members {
			m.Job.Settings.Integrator = r.Settings.Integrator // auto may stand for another on each
		}
		missing, notes, err = n.plan(p, r)
		return err
	})
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(filepath.Dir(n.name(0)), 0o777); err != nil {
		return 0, interrupt.Retry(fmt.Errorf("write frames: %w", err))
	}
	bar := terminal.NewBar(p.Stderr, len(slices.Concat(missing...)), "frames")
	defer bar.Finish()
	var mu sync.Mutex // guards both
	done := map[int]bool{}
	err = t.Each(ctx, len(missing), func(ctx context.Context, m *job.Member, run int) (func() error, error) {
		mu.Lock()
		r := renderers[m]
		if r == nil {
			r = on(m.Job)
			renderers[m] = r
		}
		mu.Unlock()
		for _, frame := range missing[run] {
			if err := n.write(ctx, r, frame, notes); err != nil {
				return nil, err
			}
			mu.Lock()
			done[frame] = true
			bar.Set(len(done))
			mu.Unlock()
		}
		return func() error { return nil }, nil
	})
	if interrupt.Is(ctx, err) {
		err = interrupt.New(ctx, fmt.Sprintf("%d frames were written: run it again to go on", len(done)))
	}
	if err != nil {
		return len(done), interrupt.Retry(err)
	}
	return len(done), nil
}

// plan finds the frames that are missing, in runs that share a history.
func (n *Numbered) plan(p *job.Process, r *Renderer) (missing [][]int, notes filmNotes, err error) {
	frames := n.frames
	if frames == nil {
		frames = &flags.Span{First: 0, End: r.motion.Frames}
	}
	if frames.End > r.motion.Frames {
		return nil, notes, fmt.Errorf("--frames %v: the film has %d frames, 0:%d", frames, r.motion.Frames, r.motion.Frames)
	}
	if notes, err = r.filmNotes(p.Version, *frames, n.every); err != nil {
		return nil, notes, err
	}
	there := 0
	for _, run := range n.own(*frames, r) {
		lacking, err := n.missing(run, r, notes)
		if err != nil {
			return nil, notes, err
		}
		there += len(run) - len(lacking)
		if len(lacking) > 0 {
			missing = append(missing, lacking)
		}
	}
	if there > 0 {
		p.Log.Info("frames are there already", "frames", there)
	}
	return missing, notes, nil
}

// own are the frames of this part. Those that share a history stay together.
func (n *Numbered) own(frames flags.Span, r *Renderer) [][]int {
	var runs [][]int
	last := -1
	for frame := frames.First; frame < frames.End; frame += n.every {
		if run := frame / r.run; run != last {
			last = run
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], frame)
	}
	var own [][]int
	for i, run := range runs {
		if n.shard.Has(i) {
			own = append(own, run)
		}
	}
	return own
}

func (n *Numbered) name(frame int) string { return fmt.Sprintf(n.pattern, frame) }

func (n *Numbered) write(ctx context.Context, r *Renderer, frame int, notes filmNotes) error {
	img, err := r.frameAlone(ctx, frame)
	if err != nil {
		return err
	}
	text, err := r.about(frame, notes)
	if err != nil {
		return err
	}
	text[part.NoteFrames], text[part.NoteFPS] = notes.frames, notes.fps
	return imageio.WritePNG(n.name(frame), img, text)
}

// missing are those of some frames that have no file yet. A file that shows something else is neither counted nor overwritten.
func (n *Numbered) missing(frames []int, r *Renderer, notes filmNotes) ([]int, error) {
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
		if what := part.DifferingNote(want, have); what != "" {
			return nil, fmt.Errorf("%s is there, but made with another %s: remove it, or write elsewhere", name, what)
		}
	}
	return out, nil
}

// filmNotes are the notes that all frames of a film share.
type filmNotes struct{ version, content, film, frames, fps string }

// filmNotes takes the camera and the scene of all frames into account: frames made for another path belong to another film.
func (r *Renderer) filmNotes(version string, frames flags.Span, every int) (filmNotes, error) {
	content := job.ContentKey(r.Prepared.Scene, r.Environment)
	h := sha256.New()
	h.Write(content[:])
	about, err := json.Marshal(r.Settings)
	if err != nil {
		return filmNotes{}, fmt.Errorf("describe the film: %w", err)
	}
	fmt.Fprintf(h, "%s %s %d %d %d\n", version, about, r.View.Width, r.View.Height, r.spp)
	if r.Moment == nil && r.Pose != nil { // with edits, which all frames show
		job.WritePose(h, r.Pose)
	}
	for frame := range r.motion.Frames {
		at := r.motion.At(frame)
		fmt.Fprintf(h, "{camera:%+v focus:%v}\n", at.Camera, at.focus)
		if r.Moment != nil {
			job.WritePose(h, r.PoseAt(r.Prepared.Scene, r.Moment(frame)))
		}
	}
	return filmNotes{version: version, content: job.ShortHash(content[:]), film: job.ShortHash(h.Sum(nil)), frames: fmt.Sprintf("%v:%d",
		frames, every),
		fps: strconv.FormatFloat(r.fps, 'g', -1, 64)}, nil
}

// about are the notes by which a frame is known.
func (r *Renderer) about(frame int, notes filmNotes) (map[string]string, error) {
	v, settings := r.viewOf(frame)
	text, err := r.Describe(v.Camera, settings, r.spp)
	if err != nil {
		return nil, err
	}
	text[document.NoteFrame] = strconv.Itoa(frame)
	if r.Moment != nil {
		text[document.NoteAt] = strconv.FormatFloat(r.Moment(frame), 'g', -1, 64)
	}
	text[part.NoteVersion], text[part.NoteContent], text[part.NoteFilm] = notes.version, notes.content, notes.film
	return text, nil
}
