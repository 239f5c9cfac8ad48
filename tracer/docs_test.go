package tracer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	docsPage   = regexp.MustCompile(`^(README|docs/[^/]*)\.md$`)
	sourceFile = regexp.MustCompile(`\.(go|cuh|h|cpp|glsl|sh|py)$|^Makefile$|^docs/reference/`)
	code       = regexp.MustCompile("(?s)```.*?\n```|`[^`]+`|\n    [^\n]*")
	link       = regexp.MustCompile(`\]\(([^)#:]+)`)
	fileName   = regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+$|^[\w-]+\.(go|cuh|h|cpp|md|sh)$`)
	identifier = regexp.MustCompile(`^[A-Za-z_][\w-]*([.+][A-Za-z_]\w*)*(\([^)]*\))?$`)
	word       = regexp.MustCompile(`(--)?\w+(-\w+)*`)
)

// TestDocsNameWhatExists: files, flags, tests and identifiers that README and docs write as code exist, and so do the
// pages that they link to.
func TestDocsNameWhatExists(t *testing.T) {
	files, pages, known := trackedFiles(t), map[string]string{}, map[string]bool{"bin/glint": true}
	for _, file := range files {
		text, _ := os.ReadFile(filepath.Join(repositoryRoot(t), file)) // a file that was just deleted names nothing
		if docsPage.MatchString(file) {
			pages[file] = string(text)
		} else if sourceFile.MatchString(file) {
			for _, w := range word.FindAllString(string(text), -1) {
				for _, name := range append(strings.Split(w, "-"), w) {
					known[name] = true
				}
			}
		}
	}
	tree, tests := "/"+strings.Join(files, "/\n/")+"/", fmt.Sprint(known)
	isFile := func(name string) bool { return known[name] || strings.Contains(tree, "/"+name+"/") }
	for page, text := range pages {
		check := func(name string, exists bool) {
			if !exists {
				t.Errorf("%s: %s does not exist", page, name)
			}
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			check(m[1], isFile(filepath.Join(filepath.Dir(page), m[1])))
		}
		for _, c := range code.FindAllString(text, -1) {
			c = strings.Trim(c, "`")
			check(c, isFile(c) || !fileName.MatchString(c))
			name, flags := !fileName.MatchString(c) && identifier.MatchString(c), strings.HasPrefix(c, "--")
			for line := range strings.Lines(c) {
				flags = flags || strings.Contains(line, "glint ")
				for _, w := range word.FindAllString(line, -1) {
					name := name || flags && strings.HasPrefix(w, "--")
					test := strings.HasPrefix(w, "Test") // may be the beginning of some
					check(w, !name && !test || known[w] || test && strings.Contains(tests, w))
				}
				flags = flags && strings.HasSuffix(line, "\\\n") // other programs have flags of their own
			}
		}
	}
}
