//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"glint/cuda/images"
	"glint/cuda/sources"
)

// options are the compiler's, besides the architecture. No contraction: the C++ twin of the kernels has none either. Division and root
// are approximate; what must have the bits of that twin asks for exact ones (core/device.h).
var options = []string{"--std=c++17", "--fmad=false", "--prec-div=false", "--prec-sqrt=false", "-default-device"}

// machineOptions are those for machine code. It is made before any scene is known, so it lacks nothing: see has().
var machineOptions = []string{"--define-macro=EVERY_FEATURE"}

// compile makes the image for a target of the main source, with all files as headers. The log holds warnings, or in the
// error what is wrong, with file and line.
func (n *nvrtc) compile(files []sources.File, main string, target images.Target) (image []byte, log string, err error) {
	if !slices.ContainsFunc(files, func(f sources.File) bool { return f.Name == main }) {
		return nil, "", fmt.Errorf("compile for %s: the kernel sources hold no %s", target, main)
	}
	var texts, names []*byte
	for _, f := range files {
		texts = append(texts, cString(f.Text))
		names = append(names, cString([]byte(f.Name)))
	}
	var program uintptr
	source := fmt.Sprintf("#include %q\n", main)
	err = n.check("nvrtcCreateProgram", n.createProgram(&program, source, "glint.cu", int32(len(files)), texts, names))
	if err != nil {
		return nil, "", err
	}
	defer n.destroyProgram(&program)

	all := append([]string{"--gpu-architecture=" + string(target)}, options...)
	if !target.IsPTX() {
		all = append(all, machineOptions...)
	}
	var args []*byte
	for _, o := range all {
		args = append(args, cString([]byte(o)))
	}
	compiled := n.check("nvrtcCompileProgram", n.compileProgram(program, int32(len(args)), args))
	log, err = n.log(program)
	if compiled != nil {
		return nil, "", errors.Join(fmt.Errorf("compile %s for %s: %w\n%s", main, target, compiled, log), err)
	}
	if err != nil {
		return nil, "", err
	}
	if target.IsPTX() {
		image, err = n.read(program, "nvrtcGetPTXSize", n.getPTXSize, "nvrtcGetPTX", n.getPTX)
		return bytes.TrimRight(image, "\x00"), log, err
	}
	image, err = n.read(program, "nvrtcGetCUBINSize", n.getCubinSize, "nvrtcGetCUBIN", n.getCubin)
	return image, log, err
}

func (n *nvrtc) log(program uintptr) (string, error) {
	log, err := n.read(program, "nvrtcGetProgramLogSize", n.getLogSize, "nvrtcGetProgramLog", n.getLog)
	return strings.TrimSpace(string(bytes.TrimRight(log, "\x00"))), err
}

// read fetches what a pair of functions tells about a program, one its size and one the thing itself.
func (n *nvrtc) read(program uintptr, sizeName string, size func(uintptr, *uint64) int32,
	name string, get func(uintptr, []byte) int32,
) ([]byte, error) {
	var length uint64
	if err := n.check(sizeName, size(program, &length)); err != nil || length == 0 {
		return nil, err
	}
	data := make([]byte, length)
	if err := n.check(name, get(program, data)); err != nil {
		return nil, err
	}
	return data, nil
}
