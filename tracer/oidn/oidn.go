// Package oidn denoises pictures by Intel Open Image Denoise 2, which it looks for at run time: programs that import it
// start without it and are told by [Find] what is missing.
//
//	library, err := oidn.Find()
//	device, err := library.CPU()              // or library.CUDA(ordinal, stream)
//	denoiser := device.Denoiser()
//	err = denoiser.Denoise(oidn.Task{…})      // as often as wanted
//	denoiser.Release()
//	err = device.Close()
//
// Memory belongs to the caller: tasks name addresses that the device reads and writes in place. On a GPU the work is queued
// on the caller's stream, and Denoise does not wait for it.
//
// Source of all signatures and numbers: include/OpenImageDenoise/oidn.h of version 2.5.
package oidn

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/ebitengine/purego"

	"glint/cuda/dynlib"
)

var (
	// ErrNotFound says that there is no library.
	ErrNotFound = errors.New("OIDN 2 was not found")
	// ErrUnfit says that a library was found that cannot be used.
	ErrUnfit = errors.New("OIDN cannot be used")
)

// advice ends the message of a library that cannot be loaded.
const advice = "run `make oidn` in a clone of glint, or unpack a release of OIDN 2 and set OIDN_DIR to its folder"

// Library is a loaded OIDN. It is never unloaded: it keeps threads of its own.
type Library struct {
	// Path is what was loaded; without a folder when the system found it.
	Path string
	call functions
}

// Find loads OIDN from $OIDN_DIR; where that is not set, from the folder beside the program or from where the system has it. The error
// is [ErrNotFound] or [ErrUnfit], and says where was looked and what to do.
func Find() (*Library, error) { return find(candidates()) }

func find(paths []string) (*Library, error) {
	var failures []error
	for _, path := range paths {
		if filepath.IsAbs(path) {
			if _, err := os.Stat(path); err != nil {
				continue
			}
		}
		l, err := load(path)
		if err == nil {
			return l, nil
		}
		failures = append(failures, err)
	}
	for _, err := range failures {
		if errors.Is(err, ErrUnfit) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%w (%s): %s", ErrNotFound, strings.Join(paths, ", "), advice)
}

// candidates are the files that are tried, in order; one without a folder is the system's.
func candidates() []string {
	if dir := os.Getenv("OIDN_DIR"); dir != "" {
		if whole, err := filepath.Abs(dir); err == nil {
			dir = whole
		}
		return []string{filepath.Join(dir, libraryFolder, libraryName)}
	}
	var paths []string
	if program, err := os.Executable(); err == nil {
		paths = append(paths, filepath.Join(filepath.Dir(program), libraryFolder, libraryName))
	}
	return append(paths, libraryName)
}

// loadedLater are the parts that it loads itself, by the device that is opened.
const loadedLater = "libOpenImageDenoise_*"

// load opens one file and finds every function in it. A file that does not exist where the system looks is ErrNotFound.
func load(path string) (*Library, error) {
	opened, err := dynlib.Open(path, loadedLater)
	if err != nil {
		kind := ErrNotFound
		if filepath.IsAbs(path) || errors.Is(err, dynlib.ErrDamaged) {
			kind = ErrUnfit
		}
		return nil, fmt.Errorf("load %s: %w (%w): %s", path, kind, err, advice)
	}
	l := &Library{Path: path}
	for field, function := range reflect.ValueOf(&l.call).Elem().Fields() {
		address, err := opened.Symbol("oidn" + field.Name)
		if err != nil {
			return nil, fmt.Errorf("load %s: %w: it has no oidn%s: %s", path, ErrUnfit, field.Name, advice)
		}
		purego.RegisterFunc(function.Addr().Interface(), address)
	}
	return l, nil
}
