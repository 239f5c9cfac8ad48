package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
)

const goOnFlag = "--go-on"

// startAgain replaces the process by another one, with the same arguments, that goes on with a file. Where a system cannot replace
// processes, the other one is started, and this one ends.
func (p *Program) startAgain(file string) error {
	path, err := os.Executable()
	if err == nil {
		args := append([]string{os.Args[0]}, goOnArgs(p.args, file)...)
		if syscall.Exec(path, args, os.Environ()) != nil { // else it does not come back
			_, err = os.StartProcess(path, args, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
		}
	}
	if err != nil {
		return fmt.Errorf("start glint again: %w: `glint %s %s` goes on with the window", err, goOnFlag, file)
	}
	return nil
}

// goOnArgs are arguments with a file to go on with, in place of one that they may have.
func goOnArgs(args []string, file string) []string {
	args = slices.Clone(args)
	end := len(args)
	if i := slices.Index(args, "--"); i >= 0 {
		end = i
	}
	flags, rest := args[:end:end], args[end:]
	if i := slices.Index(flags, goOnFlag); i >= 0 {
		flags = slices.Delete(flags, i, min(i+2, len(flags)))
	}
	flags = slices.DeleteFunc(flags, func(arg string) bool { return strings.HasPrefix(arg, goOnFlag+"=") })
	return slices.Concat(flags, []string{goOnFlag + "=" + file}, rest)
}
