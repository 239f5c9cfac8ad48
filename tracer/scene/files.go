package scene

import (
	"os"
	"time"
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
