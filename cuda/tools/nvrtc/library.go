//go:build linux

package main

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/ebitengine/purego"
)

// nvrtc is NVIDIA's run-time compiler: its functions, by their names without "nvrtc" before them.
// Source of the signatures: the NVRTC reference, version 12.1.
// A char** is a []*byte: each name or text ends in a zero byte.
type nvrtc struct {
	Version           func(major, minor *int32) int32
	CreateProgram     func(program *uintptr, source, name string, count int32, headers, names []*byte) int32
	CompileProgram    func(program uintptr, count int32, options []*byte) int32
	GetPTXSize        func(program uintptr, size *uint64) int32
	GetPTX            func(program uintptr, ptx []byte) int32
	GetProgramLogSize func(program uintptr, size *uint64) int32
	GetProgramLog     func(program uintptr, log []byte) int32
	DestroyProgram    func(program *uintptr) int32
	GetErrorString    func(result int32) string
}

// loadNVRTC loads the compiler's library; its libnvrtc-builtins must lie beside it.
func loadNVRTC(path string) (*nvrtc, error) {
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("load NVRTC: %w", err)
	}
	n := &nvrtc{}
	for field, function := range reflect.ValueOf(n).Elem().Fields() {
		symbol, err := purego.Dlsym(handle, "nvrtc"+field.Name)
		if err != nil {
			return nil, fmt.Errorf("load NVRTC from %s: %w", path, err)
		}
		purego.RegisterFunc(function.Addr().Interface(), symbol)
	}
	return n, nil
}

// check puts a result into words; 0 is success.
func (n *nvrtc) check(call string, result int32) error {
	if result == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s (%d)", call, n.GetErrorString(result), result)
}

// cString is text with a zero byte after it.
func cString(text []byte) *byte {
	return &append(bytes.Clone(text), 0)[0]
}
