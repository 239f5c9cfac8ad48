package cuda

import "embed"

// Sources are the kernels as text. Embedding them makes Go rebuild this package when a kernel changes, which its build
// cache would not see otherwise; tests compare their hash with the one in the PTX.
//
//go:embed *.cuh *.h lobes/*.cuh
var Sources embed.FS
