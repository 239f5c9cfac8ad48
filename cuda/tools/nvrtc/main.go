//go:build linux

// Command nvrtc compiles the kernels of a folder with NVIDIA's run-time compiler and assembler, which need no GPU, and packs what they
// made (package images): PTX, which drivers compile for what a scene needs, and machine code of it for each generation of GPUs.
//
//	go run ./cuda/tools/nvrtc                 cuda/kernels → cuda/images_gen.tar.zst
//	go run ./cuda/tools/nvrtc -library DIR/libnvrtc.so.12 -ptxas DIR/ptxas -sources DIR -main sample.cuh -out sample.tar.zst -targets compute_75,sm_75
//
// The archive names the hash of the sources (package sources).
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"glint/cuda/images"
	"glint/cuda/sources"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "nvrtc:", err)
		os.Exit(2)
	}
}

// job is what to compile, and where to.
type job struct {
	library string          // path of libnvrtc
	ptxas   assembler       // path of ptxas
	sources string          // folder
	main    string          // file in it
	out     string          // archive
	targets []images.Target // PTX first
}

// run is the command: it prints the compiler's warnings and what it wrote.
func run(args []string, out io.Writer) error {
	j, err := parse(args, out)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := errors.Join(find(&j.library), find((*string)(&j.ptxas))); err != nil {
		return err
	}
	n, err := loadNVRTC(j.library)
	if err != nil {
		return err
	}
	files, err := sources.Read(os.DirFS(j.sources))
	if err != nil {
		return fmt.Errorf("%s: %w", j.sources, err)
	}
	ptx, log, err := n.compile(files, j.main, j.targets[0])
	if err != nil {
		return err
	}
	if log != "" {
		fmt.Fprintln(out, log)
	}
	made, err := j.ptxas.assembleAll(ptx, j.targets[1:], out)
	if err != nil {
		return err
	}
	made = append(made, images.Image{Target: j.targets[0], Data: ptx})
	archive, err := images.Pack(sources.Hash(files), made)
	if err != nil {
		return err
	}
	if err := write(j.out, archive); err != nil {
		return err
	}
	for _, i := range made {
		fmt.Fprintf(out, "%s: %d bytes\n", i.Target, len(i.Data))
	}
	fmt.Fprintf(out, "%s: %d bytes\n", j.out, len(archive))
	return nil
}

func parse(args []string, out io.Writer) (job, error) {
	var j job
	flags := flag.NewFlagSet("nvrtc", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&j.library, "library", cmp.Or(os.Getenv("NVRTC_LIBRARY"), ".tools/nvrtc/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"),
		"path of libnvrtc.so.12, or $NVRTC_LIBRARY")
	flags.StringVar((*string)(&j.ptxas), "ptxas", cmp.Or(os.Getenv("PTXAS"), ".tools/nvrtc/nvidia/cuda_nvcc/bin/ptxas"),
		"path of the assembler, or $PTXAS")
	flags.StringVar(&j.sources, "sources", filepath.Join("cuda", "kernels"), "folder of the kernel sources")
	flags.StringVar(&j.main, "main", sources.Main, "source that includes all kernels")
	flags.StringVar(&j.out, "out", filepath.Join("cuda", "images_gen.tar.zst"), "archive to write")
	targets := flags.String("targets", "compute_75,sm_75,sm_80,sm_86,sm_89,sm_90",
		"what to compile for: first PTX, compute_75 that for compute capability 7.5 and later, then machine code, sm_86 that for 8.6")
	if err := flags.Parse(args); err != nil {
		return j, err
	}
	for _, t := range strings.Split(*targets, ",") {
		if err := images.Target(t).Check(); err != nil {
			return j, err
		}
		j.targets = append(j.targets, images.Target(t))
	}
	for i, t := range j.targets {
		if t.IsPTX() != (i == 0) {
			return j, fmt.Errorf("targets %s: want one of PTX, and that first", *targets)
		}
	}
	return j, nil
}

// find makes a path absolute, and fails where nothing lies there.
func find(path *string) error {
	absolute, err := filepath.Abs(*path)
	if err == nil {
		_, err = os.Stat(absolute)
	}
	if err != nil {
		return fmt.Errorf("find NVIDIA's compilers: %w: run `make kernels`, which fetches them, or give -library and -ptxas", err)
	}
	*path = absolute
	return nil
}

// write replaces a file whole or not at all.
func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write the kernels: %w", err)
	}
	temporary := path + ".tmp"
	if err := os.WriteFile(temporary, data, 0o644); err != nil {
		return fmt.Errorf("write the kernels: %w", err)
	}
	if err := os.Rename(temporary, path); err != nil {
		return fmt.Errorf("write the kernels: %w", err)
	}
	return nil
}
