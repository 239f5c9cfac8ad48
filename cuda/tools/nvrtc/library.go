//go:build linux

package main

import (
	"bytes"
	"fmt"

	"github.com/ebitengine/purego"
)

// nvrtc is NVIDIA's run-time compiler. Source of the signatures: the NVRTC reference, version 12.1.
// A char** is a []*byte: each name or text ends in a zero byte.
type nvrtc struct {
	version        func(major, minor *int32) int32
	createProgram  func(program *uintptr, source, name string, count int32, headers, names []*byte) int32
	compileProgram func(program uintptr, count int32, options []*byte) int32
	getPTXSize     func(program uintptr, size *uint64) int32
	getPTX         func(program uintptr, ptx []byte) int32
	getLogSize     func(program uintptr, size *uint64) int32
	getLog         func(program uintptr, log []byte) int32
	destroyProgram func(program *uintptr) int32
	getErrorString func(result int32) string
}

// loadNVRTC loads the compiler's library; its libnvrtc-builtins must lie beside it.
func loadNVRTC(path string) (*nvrtc, error) {
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("load NVRTC: %w", err)
	}
	n := &nvrtc{}
	for _, f := range []struct {
		name     string
		function any
	}{
		{"nvrtcVersion", &n.version},
		{"nvrtcCreateProgram", &n.createProgram},
		{"nvrtcCompileProgram", &n.compileProgram},
		{"nvrtcGetPTXSize", &n.getPTXSize},
		{"nvrtcGetPTX", &n.getPTX},
		{"nvrtcGetProgramLogSize", &n.getLogSize},
		{"nvrtcGetProgramLog", &n.getLog},
		{"nvrtcDestroyProgram", &n.destroyProgram},
		{"nvrtcGetErrorString", &n.getErrorString},
	} {
		symbol, err := purego.Dlsym(handle, f.name)
		if err != nil {
			return nil, fmt.Errorf("load NVRTC from %s: %w", path, err)
		}
		purego.RegisterFunc(f.function, symbol)
	}
	return n, nil
}

// check puts a result into words; 0 is success.
func (n *nvrtc) check(call string, result int32) error {
	if result == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s (%d)", call, n.getErrorString(result), result)
}

// cString is text with a zero byte after it.
func cString(text []byte) *byte {
	return &append(bytes.Clone(text), 0)[0]
}
