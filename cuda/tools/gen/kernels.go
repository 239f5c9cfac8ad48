package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// kernel is a definition such as `KERNEL(name, threads, blocks, category)`; core/device.h says what these mean.
type kernel struct {
	name, threads, blocks, category string
	fetches                         bool   // RAY_KERNEL
	program                         bool   // has a program for hardware that traces rays
	file                            string // from the folder kernels
}

var (
	kernelStart = regexp.MustCompile(`^\w*KERNEL\(`)
	programLine = regexp.MustCompile(`(?m)^PROGRAM\(raygen, (\w+)\)`)
	kernelLine  = regexp.MustCompile(`^(|QUEUE_|RAY_|BLOCK_)KERNEL\((\w+), (\d+), (\d+), (\w+)(?:, .+)?\) \{`)
)

// readKernels finds the kernels, by file and place in it.
func readKernels(cuda fs.FS) ([]kernel, error) {
	var kernels []kernel
	defined, programs := map[string]string{}, map[string]bool{}
	err := fs.WalkDir(cuda, "kernels", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(file) != ".cuh" {
			return err
		}
		source, err := fs.ReadFile(cuda, file)
		if err != nil {
			return err
		}
		for _, m := range programLine.FindAllSubmatch(source, -1) {
			programs[string(m[1])] = true
		}
		for i, line := range strings.Split(string(source), "\n") {
			if !kernelStart.MatchString(line) {
				continue
			}
			m := kernelLine.FindStringSubmatch(line)
			if m == nil {
				return fmt.Errorf("%s, line %d: want `KERNEL(name, threads, blocks, category) {`, have %q", file, i+1, line)
			}
			if first, again := defined[m[2]]; again {
				return fmt.Errorf("%s, line %d: %s is defined in %s, too", file, i+1, m[2], first)
			}
			defined[m[2]] = file
			kernels = append(kernels, kernel{name: m[2], threads: m[3], blocks: m[4], category: m[5], fetches: m[1] == "RAY_",
				file: strings.TrimPrefix(file, "kernels/")})
		}
		return nil
	})
	for i := range kernels {
		kernels[i].program = programs[kernels[i].name]
		delete(programs, kernels[i].name)
	}
	for name := range programs {
		err = errors.Join(err, fmt.Errorf("program %s has no kernel of that name", name))
	}
	if err == nil && len(kernels) == 0 {
		err = errors.New("kernels/ defines no kernel")
	}
	return kernels, err
}

const kernelFiles = "kernels/**/*.cuh"

// kernelList is an X-macro of all kernels.
func kernelList(kernels []kernel) []byte {
	b := generated(kernelFiles)
	b.WriteString("// KERNELS(X): X(name, threads, blocks) for each kernel, in the order in which Go numbers them.\n#pragma once\n\n#define KERNELS(X)")
	for _, k := range kernels {
		fmt.Fprintf(b, " \\\n  X(%s, %s, %s)", k.name, k.threads, k.blocks)
	}
	b.WriteString("\n")
	return b.Bytes()
}

// includes is the source that includes all kernels.
func includes(kernels []kernel) []byte {
	b := generated(kernelFiles)
	b.WriteString("#pragma once\n\n")
	before := ""
	for _, k := range kernels {
		if k.file != before {
			fmt.Fprintf(b, "#include %q\n", k.file)
		}
		before = k.file
	}
	return b.Bytes()
}

const lobeFiles = "kernels/bsdf/lobes/*.cuh"

// lobeIncludes is the source that includes all lobes.
func lobeIncludes(cuda fs.FS) ([]byte, error) {
	files, err := fs.Glob(cuda, lobeFiles)
	if err != nil {
		return nil, err
	}
	b := generated(lobeFiles)
	b.WriteString("#pragma once\n\n")
	for _, file := range files {
		fmt.Fprintf(b, "#include %q\n", strings.TrimPrefix(file, "kernels/"))
	}
	return b.Bytes(), nil
}

// goKernels numbers the kernels for Go.
func goKernels(kernels []kernel) []byte {
	b := generated(kernelFiles)
	b.WriteString("\npackage cuda\n\n// The kernels, by file and place in it.\nconst (\n")
	for i, k := range kernels {
		b.WriteString(camel(k.name))
		if i == 0 {
			b.WriteString(" Kernel = iota")
		}
		b.WriteString("\n")
	}
	b.WriteString("KernelCount\n)\n\nvar kernels = [KernelCount]kernelRow{\n")
	for _, k := range kernels {
		fmt.Fprintf(b, "%s: {name: %q, threads: %s, blocks: %s, category: Category%s", camel(k.name), k.name, k.threads, k.blocks, camel(k.category))
		if k.fetches {
			b.WriteString(", fetches: true")
		}
		if k.program {
			b.WriteString(", program: true")
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	return b.Bytes()
}
