package scene

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"time"

	"glint/tracer/guard"
)

// File is a file that a scene was read from, as it was then.
type File struct {
	Path  string
	State FileState
}

// FileState tells one state of a file from another; the zero value is that of a file that is not there.
type FileState struct {
	Modified time.Time
	Size     int64
}

func stateOf(info os.FileInfo) FileState { return FileState{info.ModTime(), info.Size()} }

// Now is the file as it is now.
func (f File) Now() File {
	f.State = FileState{}
	if info, err := os.Stat(f.Path); err == nil && info.Mode().IsRegular() {
		f.State = stateOf(info)
	}
	return f
}

// Fingerprint is a hash of the contents of files, in their order; empty where one that was there cannot be read. It tells whether a scene
// has changed since a picture of it was made.
func Fingerprint(files []File) string {
	h := sha256.New()
	for _, f := range files {
		if f.State == (FileState{}) {
			continue // named, but never there
		}
		n, err := copyFile(h, f.Path)
		if err != nil {
			return ""
		}
		fmt.Fprintln(h, n) // tells where one file ends and the next begins
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func copyFile(to io.Writer, path string) (int64, error) {
	file, err := guard.OpenRegular(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = file.Close() }() // only read from
	return io.Copy(to, file)
}
