//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"glint/cuda/sources"
)

// options are the compiler's, besides the architecture. No contraction: the C++ twin of the kernels has none either.
var options = []string{"--std=c++17", "--fmad=false", "-default-device"}

// compile makes PTX for a virtual architecture (compute_75) of the main source, with all files as headers. The log
// holds warnings, or in the error what is wrong, with file and line.
func (n *nvrtc) compile(files []sources.File, main, arch string) (ptx []byte, log string, err error) {
	if !slices.ContainsFunc(files, func(f sources.File) bool { return f.Name == main }) {
		return nil, "", fmt.Errorf("compile for %s: the kernel sources hold no %s", arch, main)
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

	var args []*byte
	for _, o := range append([]string{"--gpu-architecture=" + arch}, options...) {
		args = append(args, cString([]byte(o)))
	}
	compiled := n.check("nvrtcCompileProgram", n.compileProgram(program, int32(len(args)), args))
	log, err = n.log(program)
	if compiled != nil {
		return nil, "", errors.Join(fmt.Errorf("compile %s for %s: %w\n%s", main, arch, compiled, log), err)
	}
	if err != nil {
		return nil, "", err
	}
	ptx, err = n.ptx(program)
	return ptx, log, err
}

func (n *nvrtc) log(program uintptr) (string, error) {
	var size uint64
	if err := n.check("nvrtcGetProgramLogSize", n.getLogSize(program, &size)); err != nil || size == 0 {
		return "", err
	}
	log := make([]byte, size)
	if err := n.check("nvrtcGetProgramLog", n.getLog(program, log)); err != nil {
		return "", err
	}
	return strings.TrimSpace(string(bytes.TrimRight(log, "\x00"))), nil
}

func (n *nvrtc) ptx(program uintptr) ([]byte, error) {
	var size uint64
	if err := n.check("nvrtcGetPTXSize", n.getPTXSize(program, &size)); err != nil {
		return nil, err
	}
	if size == 0 {
		return nil, errors.New("nvrtcGetPTXSize: no PTX was made")
	}
	ptx := make([]byte, size)
	if err := n.check("nvrtcGetPTX", n.getPTX(program, ptx)); err != nil {
		return nil, err
	}
	return bytes.TrimRight(ptx, "\x00"), nil
}
