package cli

import (
	"maps"
	"path/filepath"
	"slices"

	"glint/tracer/view"
)

// These notes are stored in a picture that is a part of something, besides those of every picture (view.Subject): a frame of a film, some
// samples of a still. By them parts are found to belong together.
const (
	noteVersion = "version"    // of glint
	noteContent = "scene hash" // of everything that light depends on
	noteSize    = "size"

	noteFrame  = "frame"
	noteFilm   = "film"   // a hash of what all frames are made of
	noteFrames = "frames" // that were asked for, A:B:N
	noteFPS    = "fps"
)

// differingNote names a note that two pictures do not share, though the first has it; empty if there is none. What says most comes
// first: where the scene is another one, so is the film.
func differingNote(want, have map[string]string) string {
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
	if key == view.NoteFile || key == view.NoteEnvironment {
		return filepath.Base(a) == filepath.Base(b)
	}
	return a == b
}

// noteRank is when a note is compared: hashes come last.
func noteRank(key string) int {
	switch key {
	case view.NoteScene:
		return -1
	case noteContent:
		return 1
	case noteFilm:
		return 2
	}
	return 0
}
