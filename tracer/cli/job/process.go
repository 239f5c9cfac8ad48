package job

import (
	"io"
	"log/slog"
	"os"

	"glint/tracer"
	"glint/tracer/cli/save"
	"glint/tracer/document"
	"glint/tracer/profile"
)

// Process is what commands have of the process that they run in.
type Process struct {
	Version   string
	Stdout    io.Writer
	Stderr    *os.File
	Log       *slog.Logger
	Leftovers *save.Leftovers
	Restored  *document.Document                                             // that is rendered again; nil: the scene is no picture
	Open      func(tracer.Options, profile.Policy) (*tracer.Renderer, error) // opens devices
}
