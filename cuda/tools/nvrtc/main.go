//go:build linux

// Command nvrtc compiles the kernels of a folder with NVIDIA's run-time compiler and assembler, which need no GPU, and packs what they
// made (package images): PTX, which drivers compile for what a scene needs, and machine code of it for each generation of GPUs.
//
//	go run ./cuda/tools/nvrtc                 cuda/kernels → cuda/compiled/archive/kernels.tar.zst
//	go run ./cuda/tools/nvrtc -library DIR/libnvrtc.so.12 -ptxas DIR/ptxas -sources DIR -main sample.cuh -out sample.tar.zst -targets compute_75,sm_75
//
// The archive names the hash of the sources (package sources) and of the compilers. One that has all that is wanted stays as it is, and what
// was compiled once comes from a cache, so that switching between branches costs nothing.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
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
	rays    string          // file of the programs for hardware that traces rays; empty: there are none
	cache   string          // folder; empty: none
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
	files, err := sources.Read(os.DirFS(j.sources))
	if err != nil {
		return fmt.Errorf("%s: %w", j.sources, err)
	}
	manifest := images.Manifest{Sources: sources.Hash(files), Targets: j.targets}
	if j.rays != "" {
		manifest.Targets = append(slices.Clone(j.targets), images.Rays)
	}
	if manifest.Compilers, err = hashOf(j.library, string(j.ptxas)); err != nil {
		return err
	}
	if has(j.out, manifest) {
		return nil
	}
	made, err := j.makeAll(cache{folder: j.cache, manifest: manifest}, files, out)
	if err != nil {
		return err
	}
	archive, err := images.Pack(manifest, made)
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

// has tells whether the archive at path was made as wanted and has all targets, and maybe more.
func has(path string, wanted images.Manifest) bool {
	data, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	m, err := images.Archive(data).Manifest()
	if err != nil || m.Sources != wanted.Sources || m.Compilers != wanted.Compilers {
		return false
	}
	return !slices.ContainsFunc(wanted.Targets, func(t images.Target) bool { return !slices.Contains(m.Targets, t) })
}

// makeAll makes the image of each target, PTX last, or takes it from the cache.
func (j job) makeAll(c cache, files []sources.File, out io.Writer) ([]images.Image, error) {
	ptx := images.Image{Target: j.targets[0]}
	var made []images.Image
	var missing []images.Target
	for _, target := range j.targets[1:] {
		if data, found := c.read(target); found {
			made = append(made, images.Image{Target: target, Data: data})
		} else {
			missing = append(missing, target)
		}
	}
	if err := j.makePTX(c, files, j.main, &ptx, out); err != nil {
		return nil, err
	}
	assembled, err := j.ptxas.assembleAll(ptx.Data, missing, out)
	if err != nil {
		return nil, err
	}
	for _, i := range assembled {
		if err := c.write(i); err != nil {
			return nil, err
		}
	}
	made = append(made, assembled...)
	slices.SortFunc(made, func(a, b images.Image) int {
		return slices.Index(j.targets, a.Target) - slices.Index(j.targets, b.Target)
	})
	made = append(made, ptx)
	if j.rays != "" {
		programs := images.Image{Target: images.Rays}
		if err := j.makePTX(c, files, j.rays, &programs, out, "-DGLINT_RAYS"); err != nil {
			return nil, err
		}
		made = append(made, programs)
	}
	return made, nil
}

// makePTX compiles a source, or takes what came of it from the cache.
func (j job) makePTX(c cache, files []sources.File, main string, to *images.Image, out io.Writer, more ...string) error {
	var found bool
	if to.Data, found = c.read(to.Target); found {
		return nil
	}
	n, err := loadNVRTC(j.library)
	if err != nil {
		return err
	}
	var log string
	if to.Data, log, err = n.compile(files, main, to.Target, more...); err != nil {
		return err
	}
	if log != "" {
		fmt.Fprintln(out, log)
	}
	return c.write(*to)
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
	flags.StringVar(&j.rays, "rays", "", "source of the programs for hardware that traces rays, such as hardware/rays.cuh")
	flags.StringVar(&j.out, "out", filepath.Join("cuda", "compiled", "archive", "kernels.tar.zst"), "archive to write")
	flags.StringVar(&j.cache, "cache", "", "folder that keeps what was compiled; without one, all is compiled")
	targets := flags.String("targets", "compute_75,sm_75,sm_80,sm_86,sm_89,sm_90,sm_100,sm_120",
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
