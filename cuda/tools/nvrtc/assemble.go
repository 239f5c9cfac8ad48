//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"

	"glint/cuda/images"
)

// assembler is the path of ptxas, which makes machine code of PTX.
type assembler string

// assemble makes machine code for a target. It is made before any scene is known, so it lacks nothing.
func (a assembler) assemble(ptx []byte, target images.Target) ([]byte, error) {
	folder, err := os.MkdirTemp("", "glint-ptxas-")
	if err != nil {
		return nil, fmt.Errorf("assemble for %s: %w", target, err)
	}
	defer os.RemoveAll(folder)
	in, out := filepath.Join(folder, "kernels.ptx"), filepath.Join(folder, "kernels.cubin")
	if err := os.WriteFile(in, images.Lacking(ptx, 0), 0o644); err != nil {
		return nil, fmt.Errorf("assemble for %s: %w", target, err)
	}
	said, err := exec.Command(string(a), "--gpu-name", string(target), "--output-file", out, in).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("assemble for %s with %s: %w\n%s", target, a, err, bytes.TrimSpace(said))
	}
	return os.ReadFile(out)
}

// assembleAll makes machine code for all targets, as many at a time as there are processors.
func (a assembler) assembleAll(ptx []byte, targets []images.Target) ([]images.Image, error) {
	made, errs := make([]images.Image, len(targets)), make([]error, len(targets))
	var all sync.WaitGroup
	free := make(chan struct{}, runtime.NumCPU())
	for i, target := range targets {
		all.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			made[i].Target = target
			made[i].Data, errs[i] = a.assemble(ptx, target)
		})
	}
	all.Wait()
	return made, errors.Join(errs...)
}
