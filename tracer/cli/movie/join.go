package movie

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"glint/tracer/cli/flags"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/job"
	"glint/tracer/cli/part"
	"glint/tracer/cli/save"
	"glint/tracer/document"
	"glint/tracer/guard"
	"glint/tracer/imageio"
)

// Join makes a video of frames that `glint video --frames` has written to a folder. Without own their frames per second stay.
func Join(ctx context.Context, p *job.Process, folder, output string, own *float64) error {
	begun := time.Now()
	film, err := readFrameFiles(folder)
	if err != nil {
		return err
	}
	if own != nil {
		film.fps = *own
	}
	e, err := NewEncoding(output, film.fps)
	if err != nil {
		return err
	}
	if err := save.CheckFile(save.Named{Flag: "-o", Path: output}); err != nil {
		return err
	}
	n, err := e.encode(ctx, p, pictures{film.width, film.height, len(film.files), film.frame})
	if err != nil {
		return err
	}
	p.Log.Info("written", "file", save.Absolute(output), "frames", n, "seconds", job.Seconds(time.Since(begun)))
	return nil
}

// frameFiles are the frames in a folder, all of them.
type frameFiles struct {
	files         []string // in their order
	width, height int
	fps           float64
}

// readFrameFiles finds the frames of a folder. They must belong together, and none of those that were asked for may be missing.
func readFrameFiles(folder string) (*frameFiles, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("--join %s: %w", folder, err)
	}
	there, wanted, ranges := map[int]string{}, map[int]bool{}, map[string]bool{}
	var first map[string]string
	var firstFile string
	for _, entry := range entries {
		file := filepath.Join(folder, entry.Name())
		if !strings.EqualFold(filepath.Ext(file), ".png") {
			continue
		}
		notes, err := imageio.ReadPNGText(file)
		if err != nil {
			return nil, fmt.Errorf("--join: %w: remove it, and render it again", err)
		}
		frame, err := strconv.Atoi(notes[document.NoteFrame])
		if err != nil || notes[part.NoteFilm] == "" {
			return nil, fmt.Errorf("--join: %s is no frame that glint video --frames has written: move it elsewhere", file)
		}
		if first == nil {
			first, firstFile = notes, file
		}
		if what := part.DifferingNote(sharedNotes(first), notes); what != "" {
			return nil, fmt.Errorf("--join: %s and %s do not belong together: they were made with another %s", firstFile, file, what)
		}
		if other, twice := there[frame]; twice {
			return nil, fmt.Errorf("--join: %s and %s are both frame %d: remove one", other, file, frame)
		}
		there[frame] = file
		if asked := notes[part.NoteFrames]; !ranges[asked] {
			ranges[asked] = true
			if err := addAsked(wanted, asked); err != nil {
				return nil, fmt.Errorf("--join: %s: %w: render it again", file, err)
			}
		}
	}
	if first == nil {
		return nil, fmt.Errorf("--join %s: no frames are there: render some with glint video --frames A:B -o %s", folder, folder)
	}
	maps.DeleteFunc(wanted, func(frame int, _ bool) bool { return there[frame] != "" })
	if missing := slices.Sorted(maps.Keys(wanted)); len(missing) > 0 {
		return nil, interrupt.Retry(fmt.Errorf("--join %s: %d frames are missing: %s: render them first", folder, len(missing),
			someOf(missing)))
	}
	out := &frameFiles{}
	for _, frame := range slices.Sorted(maps.Keys(there)) {
		out.files = append(out.files, there[frame])
	}
	if out.width, out.height, err = flags.ParseSize(first[document.NoteSize]); err != nil {
		return nil, fmt.Errorf("--join: %s: %w", out.files[0], err)
	}
	if out.fps, err = strconv.ParseFloat(first[part.NoteFPS], 64); err != nil {
		return nil, fmt.Errorf("--join: %s does not say its frames per second: say it by --fps", out.files[0])
	}
	return out, nil
}

// sharedNotes are those that all frames of a film have alike.
func sharedNotes(notes map[string]string) map[string]string {
	shared := map[string]string{}
	for _, key := range []string{part.NoteVersion, part.NoteContent, document.NoteSize, part.NoteFilm} {
		shared[key] = notes[key]
	}
	return shared
}

// addAsked adds the frames of a range with a step, A:B:N.
func addAsked(wanted map[int]bool, text string) error {
	at := max(strings.LastIndex(text, ":"), 0)
	var frames flags.Span
	every, err := strconv.Atoi(strings.TrimPrefix(text[at:], ":"))
	if err != nil || every < 1 || frames.UnmarshalText([]byte(text[:at])) != nil || frames.End > MaxFrames {
		return errors.New("it does not say of which frames it is one")
	}
	for frame := frames.First; frame < frames.End; frame += every {
		wanted[frame] = true
	}
	return nil
}

// someOf lists the first few numbers.
func someOf(numbers []int) string {
	const most = 10
	var words []string
	for _, n := range numbers[:min(len(numbers), most)] {
		words = append(words, strconv.Itoa(n))
	}
	if len(numbers) > most {
		words = append(words, "…")
	}
	return strings.Join(words, ", ")
}

// frame reads a picture.
func (f *frameFiles) frame(ctx context.Context, frame int) (*image.NRGBA, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	name := f.files[frame]
	file, err := guard.OpenRegular(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // only read from
	config, err := png.DecodeConfig(file)
	if err == nil && (config.Width != f.width || config.Height != f.height) {
		err = fmt.Errorf("it is not of %d×%d pixels", f.width, f.height)
	}
	if err == nil {
		_, err = file.Seek(0, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w: render it again", name, err)
	}
	img, err := png.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w: render it again", name, err)
	}
	out := image.NewNRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out, nil
}
