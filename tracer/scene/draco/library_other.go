//go:build !(linux && cgo && amd64)

package draco

import (
	"errors"
	"os"
	"syscall"
)

// Available tells whether this build can decode.
const Available = false

var errNotHere = errors.New("this build of glint has no Draco decoder")

func ownProgram() (string, error) { return os.Executable() }

func ownGroup() *syscall.SysProcAttr { return nil }

func confine(int64, uint64) error { return errNotHere }

func tighterLimits(int64, uint64) string { return "" }

func decode(Request) (Mesh, error) { return Mesh{}, errNotHere }
