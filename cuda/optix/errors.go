package optix

import (
	"errors"
	"fmt"
	"strings"
)

// What callers ask an error for, by errors.Is.
var (
	// ErrNotFound: the library cannot be loaded, so hardware traces no rays here.
	ErrNotFound = errors.New("no OptiX library")
	// ErrTooOld: the driver's version of OptiX is older than what is known.
	ErrTooOld = errors.New("no known version of OptiX")
	// ErrBadAnswer: a call says that it has succeeded, and its answer cannot be.
	ErrBadAnswer = errors.New("OptiX gives an impossible answer")
)

const updateDriver = "update the NVIDIA driver (530 or newer)"

// Result is what every function returns.
type Result uint32

const success Result = 0

// What the library says of other versions than it knows.
const unknownABI Result = 7801

// Error is a call that OptiX refused.
type Error struct {
	Call   string
	Result Result
	Name   string
	Text   string
	Log    string // what the compiler says
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s: %s (%s, %d)", e.Call, e.Text, e.Name, e.Result)
	if e.Log != "" {
		text += ": " + strings.TrimSpace(e.Log)
	}
	return text
}
