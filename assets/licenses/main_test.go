package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLicensesAreCurrent: what is linked is named with its licence and its text.
func TestLicensesAreCurrent(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no Go here to list the modules with")
	}
	root := filepath.Join("..", "..")
	files, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		have, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || !bytes.Equal(have, want) {
			t.Errorf("%s is not of these modules: run `make licenses` (%v)", name, err)
		}
	}
}

// TestModulesOfTheBinary: the build information of a binary, where one was built, names no module that the table lacks.
func TestModulesOfTheBinary(t *testing.T) {
	binary := filepath.Join("..", "..", "bin", "glint")
	if _, err := os.Stat(binary); err != nil {
		t.Skip("needs bin/glint: `make` builds it")
	}
	out, err := run(".", "version", "-m", binary)
	if err != nil {
		t.Skip("needs the go command, to read what bin/glint is made of: ", err)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", tableFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(out, "\n") {
		if fields := strings.Fields(line); len(fields) > 2 && fields[0] == "dep" && !strings.Contains(string(text), "| "+fields[1]+" | "+fields[2]+" |") {
			t.Errorf("%s does not name %s %s", tableFile, fields[1], fields[2])
		}
	}
}

func TestUnknownLicence(t *testing.T) {
	if _, err := newPart("some", "v1", []string{"All rights reserved."}); err == nil {
		t.Error("a text of no known licence is taken")
	}
}

// TestTextsAreWhole: each part's text is there, once, below its name.
func TestTextsAreWhole(t *testing.T) {
	parts := []part{{name: "one", texts: []string{"shared text\n", "own text\n"}}, {name: "two", texts: []string{"shared text\n"}}}
	got := string(texts(parts))
	if strings.Count(got, "shared text") != 1 || !strings.Contains(got, "one\ntwo\n") || !strings.Contains(got, "own text") {
		t.Error(got)
	}
}
