// Command dockerfile checks a Dockerfile, which it reads from standard input, as BuildKit parses and lints it:
//
//	dockerfile < Dockerfile
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

func main() {
	if err := check(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "dockerfile:", err)
		os.Exit(1)
	}
}

// check tells what is wrong with a Dockerfile.
func check(r io.Reader) error {
	parsed, err := parser.Parse(r)
	if err != nil {
		return err
	}
	var warnings []error
	for _, w := range parsed.Warnings {
		warnings = append(warnings, errors.New(w.Short))
	}
	lint := linter.New(&linter.Config{Warn: func(rule, _, _, message string, _ []parser.Range) {
		warnings = append(warnings, fmt.Errorf("%s: %s", rule, message))
	}})
	_, _, err = instructions.Parse(parsed.AST, lint)
	return errors.Join(append(warnings, err)...)
}
