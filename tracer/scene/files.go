package scene

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
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

// list is every file of the folder that was asked for, found or not, sorted.
func (f *folder) list() (list []File) {
	for _, name := range slices.Sorted(maps.Keys(f.names)) {
		file := File{Path: filepath.Join(f.root.Name(), name)}
		if info := f.names[name].info; info != nil {
			file.State = stateOf(info)
		}
		list = append(list, file)
	}
	return list
}
