package cli

import (
	"io"

	"glint/tracer/cli/job"
)

// keysCommand is `glint keys`.
type keysCommand struct {
	Markdown bool `help:"Print Markdown, for the documentation."`
}

// Run prints the table.
func (c *keysCommand) Run(out *job.Process, p *Program) error {
	_, err := io.WriteString(out.Stdout, p.Keys(c.Markdown, p.config.keys))
	return err
}
