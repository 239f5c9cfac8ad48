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

// options are the compiler's, besides the architecture. No contraction: the C++ twin of the kernels has none either. Division and square root
// are approximate; what must have the bits of that twin asks for exact ones (core/device.h).
var options = []string{"--std=c++17", "--fmad=false", "--prec-div=false", "--prec-sqrt=false", "-default-device"}

// compile makes PTX of the main source, with all files as headers. The log holds warnings, or in the error what is wrong, with file and
// line.
func (n *nvrtc) compile(files []sources.File, main string, target images.Target, more ...string) (ptx []byte, log string, err error) {
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
	err = n.check("nvrtcCreateProgram", n.CreateProgram(&program, source, "glint.cu", int32(len(files)), texts, names))
	if err != nil {
		return nil, "", err
	}
	defer n.DestroyProgram(&program)

	var args []*byte
	for _, o := range slices.Concat([]string{"--gpu-architecture=" + target.Architecture()}, options, more) {
		args = append(args, cString([]byte(o)))
	}
	compiled := n.check("nvrtcCompileProgram", n.CompileProgram(program, int32(len(args)), args))
	log, err = n.log(program)
	if compiled != nil {
		return nil, "", errors.Join(fmt.Errorf("compile %s for %s: %w\n%s", main, target, compiled, log), err)
	}
	if err != nil {
		return nil, "", err
	}
	ptx, err = n.read(program, "nvrtcGetPTXSize", n.GetPTXSize, "nvrtcGetPTX", n.GetPTX)
	return shorten(bytes.TrimRight(ptx, "\x00")), log, err
}

// shorten gives approximate quotients and roots their shortest instructions, which take denormal numbers for 0 and give 0 for a divisor
// beyond 2¹²⁶. What the others do for such numbers is a tenth of a shading kernel, and no light that can be seen depends on it; but a divisor
// that may be so small needs a guard (LEAST_DIVISOR in core/device.h). The compiler has an option that flushes denormal numbers (--ftz), but
// in sums and products as well, and it keeps its guards against huge divisors.
func shorten(ptx []byte) []byte {
	return []byte(strings.NewReplacer(shortened...).Replace(string(ptx)))
}

// shortened are instructions, each followed by what shorten replaces it with.
var shortened = []string{
	"div.full.f32", "div.approx.ftz.f32",
	"rcp.approx.f32", "rcp.approx.ftz.f32",
	"sqrt.approx.f32", "sqrt.approx.ftz.f32", // those of rsqrt, too
}

func (n *nvrtc) log(program uintptr) (string, error) {
	log, err := n.read(program, "nvrtcGetProgramLogSize", n.GetProgramLogSize, "nvrtcGetProgramLog", n.GetProgramLog)
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
