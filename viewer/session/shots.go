package session

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"

	"glint/tracer/document"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// Shots writes images in the working directory, in the background.
type Shots struct {
	Writes sync.WaitGroup  // those on their way to disk
	taken  map[string]bool // of all of them
	out    io.Writer       // gets the paths

	tasks    *Mailbox
	messages *Messages
	log      *slog.Logger
}

// longestBase bounds the scene's part of a file name, in characters.
const longestBase = 50

// shotName is the name of a file that shows a scene, but for its extension: scene.YYYYMMDD-HHMMSS.NNNNsamp.
func shotName(scene string, at time.Time, samples int) string {
	base := filepath.Base(scene)
	base = strings.Trim(strings.TrimSuffix(base, filepath.Ext(base)), ".")
	base = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, base)
	if runes := []rune(base); len(runes) > longestBase {
		base = string(runes[:longestBase])
	}
	if base == "" {
		base = "scene"
	}
	return fmt.Sprintf("%s.%s.%04dsamp", base, at.Format("20060102-150405"), samples)
}

func (s *Shots) shotFailed(err error) {
	s.log.Error("save the image", "err", err)
	s.messages.Warn("Save the image: " + err.Error())
}

// writeShot writes an image of a scene, with what it says of itself, in the background.
func (s *Shots) writeShot(of *scene.Scene, extension string, d document.Document, write func(path string, notes map[string]string) error) {
	path, err := filepath.Abs(shotName(of.Name, time.Now(), d.Samples) + extension)
	if err != nil {
		s.shotFailed(err)
		return
	}
	path = s.freePath(path)
	s.Writes.Add(1)
	guard.Go(func() error {
		notes, err := notesOf(of, d)
		if err != nil {
			return err
		}
		if err := write(path, notes); err != nil {
			return err
		}
		if _, err := fmt.Fprintln(s.out, path); err != nil { // nobody listens, and the file is there
			s.log.Debug("print the name of an image", "err", err)
		}
		return nil
	}, func(err error) {
		defer s.Writes.Done()
		s.tasks.Post(func() {
			if err != nil {
				s.shotFailed(err)
			} else {
				s.messages.Say("saved " + path)
			}
		})
	})
}

// notesOf are the notes of a picture of a scene.
func notesOf(of *scene.Scene, d document.Document) (map[string]string, error) {
	if d.File != "" {
		d.FileHash = scene.Fingerprint(of.Report.Files)
	}
	return d.Notes()
}

// freePath is path, or one numbered from 2 on where that is taken: by a file, or by one that is still being written.
func (s *Shots) freePath(path string) string {
	extension := filepath.Ext(path)
	for n := 2; ; n++ {
		if _, err := os.Lstat(path); err != nil && !s.taken[path] {
			s.taken[path] = true
			return path
		}
		path = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(strings.TrimSuffix(path, extension), fmt.Sprintf("-%d", n-1)), n, extension)
	}
}
