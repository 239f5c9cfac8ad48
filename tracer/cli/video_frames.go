package cli

import (
	"context"
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

// numbered writes frames as pictures of their own.
type numbered struct {
	pattern     string // of the names, for Sprintf
	first, last int
}

// newNumbered reads A-B, and a folder or a pattern with one %d.
func newNumbered(output, frames string) (*numbered, error) {
	n := &numbered{pattern: output}
	a, b, ok := strings.Cut(frames, "-")
	var errA, errB error
	n.first, errA = strconv.Atoi(a)
	n.last, errB = strconv.Atoi(b)
	if !ok || errA != nil || errB != nil || n.first < 0 || n.last < n.first {
		return nil, fmt.Errorf("--frames %q: want the first and the last frame, such as 0-99", frames)
	}
	if !strings.Contains(output, "%") {
		if isVideo(output) || strings.HasSuffix(output, ".png") {
			return nil, fmt.Errorf("-o %s: --frames writes many files: name a folder, or a pattern such as shots/%%04d.png", output)
		}
		n.pattern = filepath.Join(output, "frame-%05d.png")
	}
	if !regexp.MustCompile(`^[^%]*%(0[1-9])?d[^%]*\.png$`).MatchString(n.pattern) {
		return nil, fmt.Errorf("-o %s: want one %%d for the frame's number, and .png at the end", output)
	}
	return n, nil
}

func (n *numbered) left(frames int) string {
	return fmt.Sprintf("%d frames were written: run it again to go on", frames)
}

// record renders the frames that are missing.
func (n *numbered) record(ctx context.Context, p *Program, r *frameRenderer) (int, error) {
	if n.last >= r.motion.frames {
		return 0, fmt.Errorf("--frames %d-%d: the film has frames 0 to %d", n.first, n.last, r.motion.frames-1)
	}
	missing, err := n.missing(r)
	if err != nil {
		return 0, err
	}
	if there := n.last - n.first + 1 - len(missing); there > 0 {
		p.log.Info("frames are there already", "frames", there)
	}
	if err := os.MkdirAll(filepath.Dir(n.name(n.first)), 0o777); err != nil {
		return 0, fmt.Errorf("write frames: %w", err)
	}
	bar := newBar(p.Stderr, len(missing), "frames")
	defer bar.finish()
	for i, frame := range missing {
		img, err := r.frame(ctx, frame)
		if err != nil {
			return i, err
		}
		about, err := r.about(frame)
		if err != nil {
			return i, err
		}
		if err := imageio.WritePNG(n.name(frame), img, about); err != nil {
			return i, err
		}
		bar.set(i + 1)
	}
	return len(missing), nil
}

func (n *numbered) name(frame int) string { return fmt.Sprintf(n.pattern, frame) }

// missing are the frames that have no file yet. A file that shows something else is neither counted nor overwritten.
func (n *numbered) missing(r *frameRenderer) ([]int, error) {
	var out []int
	for frame := n.first; frame <= n.last; frame++ {
		name := n.name(frame)
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			out = append(out, frame)
			continue
		}
		have, err := imageio.ReadPNGText(name)
		if err != nil {
			return nil, fmt.Errorf("%w: remove it, or write elsewhere", err)
		}
		want, err := r.about(frame)
		if err != nil {
			return nil, err
		}
		for what, value := range want {
			if have[what] != value {
				return nil, fmt.Errorf("%s is there, but made with another %s: remove it, or write elsewhere", name, what)
			}
		}
	}
	return out, nil
}

// about is the text stored in a frame's image.
func (r *frameRenderer) about(frame int) (map[string]string, error) {
	view, settings := r.viewOf(frame)
	text, err := r.describe(view.Camera, settings, r.spp)
	if err != nil {
		return nil, err
	}
	text["frame"], text["size"] = strconv.Itoa(frame), fmt.Sprintf("%dx%d", view.Width, view.Height)
	return text, nil
}
