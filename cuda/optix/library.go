package optix

import (
	"fmt"
	"unsafe"

	"github.com/ebitengine/purego"

	"glint/cuda/dynlib"
)

// Library is the loaded library, by the newest version of its interface that both sides know. It is never unloaded.
type Library struct {
	Version string // of OptiX
	abi     *abi
	proc    [entries]uintptr
}

// loadedLater is what the library loads from its own folder.
const loadedLater = "libnvidia-rtcore.so.*"

// Open loads the library; the driver's where path is empty. Errors: [ErrNotFound], [ErrTooOld], or another [*Error].
func Open(path string) (*Library, error) {
	if path == "" {
		path = defaultLibrary
	}
	opened, err := dynlib.Open(path, loadedLater)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w (%w): %s", path, ErrNotFound, err, findLibraryAdvice)
	}
	query, err := opened.Symbol("optixQueryFunctionTable")
	if err != nil {
		return nil, fmt.Errorf("load %s: %w (%w): %s", path, ErrTooOld, err, updateDriver)
	}
	for i := range abis {
		l := &Library{Version: abis[i].version, abi: &abis[i]}
		switch result, err := l.fill(query); {
		case err != nil:
			return nil, fmt.Errorf("load %s: %w", path, err)
		case result == success:
			return l, nil
		case result != unknownABI:
			return nil, fmt.Errorf("load %s: %w", path, &Error{Call: "optixQueryFunctionTable", Result: result, Name: "refused",
				Text: "OptiX " + l.Version + " by its name, but not its size"})
		}
	}
	return nil, fmt.Errorf("load %s: %w: it knows none of OptiX %s to %s: %s", path, ErrTooOld, abis[len(abis)-1].version, abis[0].version, updateDriver)
}

// fill asks for the functions of one version. A result other than success is the library's refusal.
func (l *Library) fill(query uintptr) (Result, error) {
	table := make([]uintptr, l.abi.functions)
	r, _, _ := purego.SyscallN(query, uintptr(l.abi.number), 0, 0, 0, uintptr(unsafe.Pointer(&table[0])), uintptr(8*len(table)))
	if result := Result(uint32(r)); result != success {
		return result, nil
	}
	for e, at := range l.abi.at {
		if l.proc[e] = table[at]; l.proc[e] == 0 {
			return success, fmt.Errorf("%w: OptiX %s has no %s: %s", ErrBadAnswer, l.Version, entryNames[e], updateDriver)
		}
	}
	return success, nil
}

// call runs one function. Memory whose address is converted to uintptr in the argument list itself stays where it is until the call
// returns.
//
//go:uintptrescapes
func (l *Library) call(e entry, args ...uintptr) error {
	r, _, _ := purego.SyscallN(l.proc[e], args...)
	if result := Result(uint32(r)); result != success {
		return &Error{Call: entryNames[e], Result: result, Name: l.describe(errorName, result), Text: l.describe(errorString, result)}
	}
	return nil
}

// describe asks the library for its name or text of a result.
func (l *Library) describe(e entry, result Result) string {
	r, _, _ := purego.SyscallN(l.proc[e], uintptr(result))
	if r == 0 {
		return "unknown error"
	}
	const longest = 4096 // of a text that has lost its end
	text := unsafe.Slice(*(**byte)(unsafe.Pointer(&r)), longest)
	for i, c := range text {
		if c == 0 {
			return string(text[:i])
		}
	}
	return "unknown error"
}

// answered is the error of a call that is to give a handle: also where it says that it has, and gives 0.
func answered[T ~uintptr | ~uint64](err error, e entry, handle *T) error {
	if err == nil && *handle == 0 {
		return fmt.Errorf("%s: %w, 0: %s", entryNames[e], ErrBadAnswer, updateDriver)
	}
	return err
}

// cString ends in a zero byte.
func cString(s string) *byte { return &append([]byte(s), 0)[0] }
