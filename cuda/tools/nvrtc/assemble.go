//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"

	"glint/cuda/images"
)

// assembler is the path of ptxas, which makes machine code of PTX.
type assembler string

// assemble makes machine code for a target. It is made before any scene is known, so it lacks nothing. The log holds warnings.
func (a assembler) assemble(ptx []byte, target images.Target) (machine, log []byte, err error) {
	folder, err := os.MkdirTemp("", "glint-ptxas-")
	if err != nil {
		return nil, nil, fmt.Errorf("assemble for %s: %w", target, err)
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if ptx, err = target.Instructions(images.Lacking(ptx, 0)); err != nil {
		return nil, nil, err
	}
	in, out := filepath.Join(folder, "kernels.ptx"), filepath.Join(folder, "kernels.cubin")
	if err := os.WriteFile(in, ptx, 0o644); err != nil {
		return nil, nil, fmt.Errorf("assemble for %s: %w", target, err)
	}
	log, err = exec.Command(string(a), "--gpu-name", string(target), "--output-file", out, in).CombinedOutput()
	if err != nil {
		return nil, nil, fmt.Errorf("assemble for %s with %s: %w\n%s", target, a, err, bytes.TrimSpace(log))
	}
	if machine, err = os.ReadFile(out); err != nil {
		return nil, nil, fmt.Errorf("assemble for %s: %w", target, err)
	}
	return machine, log, nil
}

// assembleAll makes machine code for all targets, as many at a time as there are processors, and prints warnings.
func (a assembler) assembleAll(ptx []byte, targets []images.Target, out io.Writer) ([]images.Image, error) {
	made, logs, errs := make([]images.Image, len(targets)), make([][]byte, len(targets)), make([]error, len(targets))
	var all sync.WaitGroup
	free := make(chan struct{}, runtime.NumCPU())
	for i, target := range targets {
		all.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			made[i].Target = target
			made[i].Data, logs[i], errs[i] = a.assemble(ptx, target)
		})
	}
	all.Wait()
	for i, log := range logs {
		if len(log) > 0 {
			fmt.Fprintf(out, "%s: %s\n", targets[i], bytes.TrimSpace(log))
		}
	}
	return made, errors.Join(errs...)
}
