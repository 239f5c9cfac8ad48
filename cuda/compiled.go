package cuda

import (
	_ "embed"
	"sync"

	"glint/cuda/images"
)

// Compiled is the kernels as `make kernels` compiled them for GPUs: machine code for each generation, and PTX.
func Compiled() images.Archive { return compiled }

//go:embed images_gen.tar.zst
var compiled []byte

// Image is the kernels, suited to every scene, for a GPU of compute capability major.minor: machine code where there is some
// that it runs, which loads at once, else PTX, which the driver compiles first.
func Image(major, minor int) (images.Image, error) {
	i, err := Compiled().For(major, minor)
	if err != nil || !i.Target.IsPTX() {
		return i, err
	}
	return PTX(0)
}

// PTX is the kernels without code for what a scene lacks, for the driver to compile: see images.Lacking.
func PTX(lacks uint32) (images.Image, error) {
	i, err := unpackedPTX()
	i.Data = images.Lacking(i.Data, lacks)
	return i, err
}

// unpackedPTX is kept: every scene with other features wants it.
var unpackedPTX = sync.OnceValues(func() (images.Image, error) { return Compiled().PTX() })
