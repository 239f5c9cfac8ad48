package cuda

import _ "embed"

//go:generate go run ./tools/nvrtc -sources kernels -out ptx

// The PTX of all kernels: for any GPU since Turing, and for Hopper and later.
var (
	//go:embed ptx/glint_75.ptx
	ptx75 []byte
	//go:embed ptx/glint_90.ptx
	ptx90 []byte
)
