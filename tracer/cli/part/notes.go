package part

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"glint/tracer/document"
)

// These notes are stored in a picture that is a part of something, besides those of every picture (document.Subject): a frame of a film, some
// samples of a still. By them parts are found to belong together.
const (
	NoteVersion = "version"    // of glint
	NoteContent = "scene hash" // of everything that light depends on

	NoteFilm   = "film"   // a hash of what all frames are made of
	NoteFrames = "frames" // that were asked for, A:B:N
	NoteFPS    = "fps"
)

// DifferingNote names a note that two pictures do not share, though the first has it; empty if there is none. What says most comes
// first: where the scene is another one, so is the film.
func DifferingNote(want, have map[string]string) string {
	keys := slices.SortedFunc(maps.Keys(want), func(a, b string) int { return noteRank(a) - noteRank(b) })
	for _, key := range keys {
		if !sameNote(key, have[key], want[key]) {
			return key
		}
	}
	return ""
}

// sameNote tells whether two pictures have a note in common. Files may lie elsewhere on another machine: hashes tell what is in them.
func sameNote(key, a, b string) bool {
	if key == document.NoteFile || key == document.NoteEnvironment {
		return filepath.Base(a) == filepath.Base(b)
	}
	return a == b
}

// noteRank is when a note is compared: hashes come last.
func noteRank(key string) int {
	switch key {
	case document.NoteScene:
		return -1
	case NoteContent:
		return 1
	case NoteFilm:
		return 2
	}
	return 0
}

// inUTF8 is text for a file that holds no other, as pictures' notes are.
func inUTF8(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
