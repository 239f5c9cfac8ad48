package cuda

import (
	"embed"
	"io/fs"
)

// Embedding the kernels' text makes Go rebuild this package when one changes, which its build cache would not see otherwise.
//
//go:embed kernels
var kernelTree embed.FS

// Sources are the kernels as text, by their names in an #include: a test compares their hash with that of the committed kernels.
func Sources() (fs.FS, error) { return fs.Sub(kernelTree, "kernels") }
