// Command gen reads the kernel sources and writes what follows from them: the Go twins of the structs that cross between Go
// and the kernels with the table that tests hold them against, the lists of kernels, for C++ and for Go,
// and the table of AOVs.
//
//	go run ./tools/gen        (in cuda/; `make kernels` does it)
package main

import (
	"fmt"
	"go/format"
	"io/fs"
	"log"
	"os"
	"strings"
)

func main() {
	log.SetFlags(0)
	files, err := generate(os.DirFS("."))
	if err != nil {
		log.Fatal("gen: ", err)
	}
	for name, content := range files {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			log.Fatal("gen: ", err)
		}
	}
}

// generate returns what gen writes for a folder laid out like cuda, by name.
func generate(cuda fs.FS) (map[string][]byte, error) {
	structs, enums, err := readParams(cuda)
	if err != nil {
		return nil, err
	}
	kernels, err := readKernels(cuda)
	if err != nil {
		return nil, err
	}
	aovs, err := readAOVs(cuda)
	if err != nil {
		return nil, err
	}
	lobes, err := lobeIncludes(cuda)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{
		"params_gen.go":                  goParams(structs, enums),
		"params_gen_test.go":             goStructs(structs),
		"../tracer/scene/params_gen.go":  goSceneEnums(enums),
		"layout_gen.h":                   layout(structs),
		"aovs_gen.go":                    goAOVs(aovs),
		"kernels_gen.go":                 goKernels(kernels),
		"kernels/core/kernel_list_gen.h": kernelList(kernels),
		"kernels/kernels_gen.cuh":        includes(kernels),
		"kernels/bsdf/lobes_gen.cuh":     lobes,
	}
	for name, content := range files {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		if files[name], err = format.Source(content); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return files, nil
}
