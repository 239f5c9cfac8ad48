//go:build linux

// Command nvrtc compiles the kernels of a folder with NVIDIA's run-time compiler, which needs no GPU, and packs what it made
// (package images): machine code for each generation of GPUs, and PTX, which drivers compile for others and for what a scene
// needs.
//
//	go run ./cuda/tools/nvrtc                 cuda/kernels → cuda/images_gen.tar.zst
//	go run ./cuda/tools/nvrtc -library libnvrtc.so.12 -sources DIR -main sample.cuh -out sample.tar.zst -targets sm_75,compute_75
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
	"runtime"
	"strings"
	"sync"

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
	library string // path of libnvrtc, empty for the unpacked one
	sources string // folder
	main    string // file in it
	out     string // archive
	targets []images.Target
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
	path, err := findNVRTC(j.library)
	if err != nil {
		return err
	}
	n, err := loadNVRTC(path)
	if err != nil {
		return err
	}
	files, err := sources.Read(os.DirFS(j.sources))
	if err != nil {
		return fmt.Errorf("%s: %w", j.sources, err)
	}
	made, err := n.compileAll(files, j.main, j.targets, out)
	if err != nil {
		return err
	}
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

// compileAll compiles for all targets, as many at a time as there are processors, and prints the compiler's warnings.
func (n *nvrtc) compileAll(files []sources.File, main string, targets []images.Target, out io.Writer) ([]images.Image, error) {
	made, logs, errs := make([]images.Image, len(targets)), make([]string, len(targets)), make([]error, len(targets))
	var all sync.WaitGroup
	free := make(chan struct{}, runtime.NumCPU())
	for i, target := range targets {
		all.Go(func() {
			free <- struct{}{}
			defer func() { <-free }()
			made[i].Target = target
			made[i].Data, logs[i], errs[i] = n.compile(files, main, target)
		})
	}
	all.Wait()
	for i, log := range logs {
		if log != "" {
			fmt.Fprintf(out, "%s: %s\n", targets[i], log)
		}
	}
	return made, errors.Join(errs...)
}

func parse(args []string, out io.Writer) (job, error) {
	var j job
	flags := flag.NewFlagSet("nvrtc", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&j.library, "library", os.Getenv("NVRTC_LIBRARY"),
		"path of libnvrtc.so.12 (default $NVRTC_LIBRARY, else below .tools)")
	flags.StringVar(&j.sources, "sources", filepath.Join("cuda", "kernels"), "folder of the kernel sources")
	flags.StringVar(&j.main, "main", sources.Main, "source that includes all kernels")
	flags.StringVar(&j.out, "out", filepath.Join("cuda", "images_gen.tar.zst"), "archive to write")
	targets := flags.String("targets", "sm_75,sm_80,sm_86,sm_89,sm_90,compute_75",
		"what to compile for: sm_86 is machine code for compute capability 8.6, compute_75 PTX for 7.5 and later")
	if err := flags.Parse(args); err != nil {
		return j, err
	}
	for _, t := range strings.Split(*targets, ",") {
		if err := images.Target(t).Check(); err != nil {
			return j, err
		}
		j.targets = append(j.targets, images.Target(t))
	}
	return j, nil
}

// findNVRTC is the given library, or the one that `make kernels` unpacks.
func findNVRTC(given string) (string, error) {
	const unpacked = ".tools/nvrtc/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"
	path, err := filepath.Abs(cmp.Or(given, unpacked))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("find NVRTC: %w: run `make kernels`, which fetches it, or give -library", err)
	}
	return path, nil
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
