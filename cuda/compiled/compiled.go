// Package compiled holds the kernels as they were compiled for GPUs, where this build has them: machine code for some generations, and PTX.
package compiled

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"glint/cuda"
	"glint/cuda/images"
	"glint/cuda/sources"
)

// ErrMissing is the error of a build that cannot use a GPU.
var ErrMissing = errors.New("this build has no GPU kernels: run `make kernels`, then `make build`")

// Git ignores the archive, so a README keeps the folder.
//
//go:embed archive
var folder embed.FS

// Archive is the kernels that were compiled from the sources of this build. Without any, or with those of other sources, it is ErrMissing.
var Archive = sync.OnceValues(func() (images.Archive, error) { return open(folder) })

// open is Archive, of any folder.
func open(folder fs.FS) (images.Archive, error) {
	data, err := fs.ReadFile(folder, "archive/kernels.tar.zst")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, fmt.Errorf("read the GPU kernels: %w", err)
	}
	tree, err := cuda.Sources()
	if err != nil {
		return nil, err
	}
	files, err := sources.Read(tree)
	if err != nil {
		return nil, err
	}
	archive := images.Archive(data)
	made, err := archive.Manifest()
	if err != nil {
		return nil, err
	}
	if made.Sources != sources.Hash(files) {
		return nil, fmt.Errorf("%w (what was compiled came from other sources)", ErrMissing)
	}
	return archive, nil
}

// Image is the kernels, suited to every scene, for a GPU of compute capability major.minor: machine code where there is some
// that it runs, which loads at once, else PTX, which the driver compiles first.
func Image(major, minor int) (images.Image, error) {
	archive, err := Archive()
	if err != nil {
		return images.Image{}, err
	}
	i, err := archive.For(major, minor)
	if err != nil || !i.Target.IsPTX() {
		return i, err
	}
	return PTX(0, major)
}

// PTX is the kernels without code for what a scene lacks, for the driver of a GPU of that major compute capability to compile: see
// images.Lacking and images.Instructions.
func PTX(lacks uint32, major int) (images.Image, error) {
	i, err := unpackedPTX()
	i.Data = images.Instructions(images.Lacking(i.Data, lacks), major)
	return i, err
}

// unpackedPTX is kept: every scene with other features wants it.
var unpackedPTX = sync.OnceValues(func() (images.Image, error) {
	archive, err := Archive()
	if err != nil {
		return images.Image{}, err
	}
	return archive.PTX()
})

// Rays is the programs by which hardware traces rays, without code for what a scene lacks.
func Rays(lacks uint32) ([]byte, error) {
	i, err := unpackedRays()
	return images.Lacking(i.Data, lacks), err
}

var unpackedRays = sync.OnceValues(func() (images.Image, error) {
	archive, err := Archive()
	if err != nil {
		return images.Image{}, err
	}
	return archive.Rays()
})
