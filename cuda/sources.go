package cuda

import (
	"embed"
	"io/fs"
)

// Embedding the kernels' text makes Go rebuild this package when one changes, which its build cache would not see otherwise.
//
//go:embed kernels
var kernelTree embed.FS

// Sources are the kernels as text, by their names in an #include: their hash tells which compiled kernels are theirs.
func Sources() (fs.FS, error) { return fs.Sub(kernelTree, "kernels") }
