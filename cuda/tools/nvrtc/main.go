//go:build linux

// Command nvrtc compiles the kernels of a folder to PTX with NVIDIA's run-time compiler, which needs no GPU.
//
//	go run ./cuda/tools/nvrtc                 cuda/kernels → cuda/ptx/glint_75.ptx, glint_90.ptx
//	go run ./cuda/tools/nvrtc -library libnvrtc.so.12 -sources DIR -main sample.cuh -out DIR -arch 75 -name sample
//
// The first line of each PTX names the hash of the sources (package sources).
package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

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
	library string   // path of libnvrtc, empty for the unpacked one
	sources string   // folder
	main    string   // file in it
	out     string   // folder
	name    string   // of the PTX files, before the architecture
	archs   []string // compute capabilities without the point
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
	for _, arch := range j.archs {
		ptx, log, err := n.compile(files, j.main, "compute_"+arch)
		if err != nil {
			return err
		}
		if log != "" {
			fmt.Fprintln(out, log)
		}
		file := filepath.Join(j.out, fmt.Sprintf("%s_%s.ptx", j.name, arch))
		if err := write(file, sources.Stamp(ptx, sources.Hash(files))); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s: %d kernels, %d bytes\n", file, bytes.Count(ptx, []byte(".entry ")), len(ptx))
	}
	return nil
}

func parse(args []string, out io.Writer) (job, error) {
	var j job
	flags := flag.NewFlagSet("nvrtc", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&j.library, "library", os.Getenv("NVRTC_LIBRARY"),
		"path of libnvrtc.so.12 (default $NVRTC_LIBRARY, else below .tools)")
	flags.StringVar(&j.sources, "sources", filepath.Join("cuda", "kernels"), "folder of the kernel sources")
	flags.StringVar(&j.main, "main", sources.Main, "source that includes all kernels")
	flags.StringVar(&j.out, "out", filepath.Join("cuda", "ptx"), "folder for the PTX")
	flags.StringVar(&j.name, "name", "glint", "PTX files are named NAME_ARCH.ptx")
	archs := flags.String("arch", "75,90", "virtual architectures, by compute capability")
	err := flags.Parse(args)
	j.archs = strings.Split(*archs, ",")
	return j, err
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
func write(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write PTX: %w", err)
	}
	temporary := path + ".tmp"
	if err := os.WriteFile(temporary, text, 0o644); err != nil {
		return fmt.Errorf("write PTX: %w", err)
	}
	if err := os.Rename(temporary, path); err != nil {
		return fmt.Errorf("write PTX: %w", err)
	}
	return nil
}
