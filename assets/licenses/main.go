// Command licenses writes what the binary's parts ask to be told: the table of them in assets/LICENSES.md, and their texts in
// assets/LICENSES.txt. It reads the sources in the module cache, and needs no network.
//
//	make licenses
package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// The files that are written, below the repository's root, and what encloses the table.
const (
	tableFile  = "assets/LICENSES.md"
	textFile   = "assets/LICENSES.txt"
	tableBegin = "<!-- written by `make licenses` -->\n"
	tableEnd   = "<!-- end -->\n"
)

func main() {
	if err := write("."); err != nil {
		fmt.Fprintln(os.Stderr, "licenses:", err)
		os.Exit(1)
	}
}

// write renews both files.
func write(root string) error {
	files, err := generate(root)
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// part is something that is linked into the binary.
type part struct {
	name, version string
	texts         []string // of its licences
	kinds         []string // of them, by their usual short names
}

// generate makes both files.
func generate(root string) (map[string][]byte, error) {
	parts, err := linked(root)
	if err != nil {
		return nil, err
	}
	document, err := os.ReadFile(filepath.Join(root, tableFile))
	if err != nil {
		return nil, err
	}
	before, rest, ok := bytes.Cut(document, []byte(tableBegin))
	_, after, ended := bytes.Cut(rest, []byte(tableEnd))
	if !ok || !ended {
		return nil, fmt.Errorf("%s has no place for the table", tableFile)
	}
	return map[string][]byte{
		tableFile: slices.Concat(before, []byte(tableBegin), table(parts), []byte(tableEnd), after),
		textFile:  texts(parts),
	}, nil
}

// linked lists the modules of the binary, the Go runtime, and the foreign sources that modules bring along.
func linked(root string) ([]part, error) {
	out, err := run(root, "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", ".")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	slices.Sort(lines)
	folders := map[string]string{}
	var parts []part
	for _, line := range slices.Compact(lines) {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			continue // the standard library
		}
		folders[fields[0]] = fields[2]
		p, err := ofFolder(fields[0], fields[1], fields[2])
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	goRoot, err := run(root, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	folders["go"] = strings.TrimSpace(goRoot)
	for _, f := range foreign {
		p, err := f.part(folders)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// foreign is what modules bring along under licences of its own: C and C++, fonts. The text is a file, or lines of one.
var foreign = []embedded{
	{"the Go runtime and standard library", "go", "LICENSE", "", ""},
	{"Dear ImGui", gui, "cwrappers/imgui/LICENSE.txt", "", ""},
	{"stb_truetype, stb_rect_pack, stb_textedit (in Dear ImGui)", gui, "cwrappers/imgui/imstb_truetype.h", "This software is available under 2 licenses", "*/"},
	{"ProggyClean, a font (in Dear ImGui)", gui, "cwrappers/imgui/imgui_draw.cpp", "// ProggyClean.ttf\n// Copyright", "\n\n"},
	{"GLFW", "github.com/go-gl/glfw/v3.3/glfw", "glfw/LICENSE.md", "", ""},
	// The module that brings Draco has no copy of its licence; the text is the same everywhere.
	{"Draco, © The Draco Authors (in github.com/qmuntal/draco-go)", "github.com/ebitengine/purego", "LICENSE", "", ""},
}

const gui = "github.com/AllenDang/cimgui-go"

// embedded is a foreign part: in the file of a module, from a text (to be found once or first) up to another.
type embedded struct{ name, module, file, from, to string }

func (e embedded) part(folders map[string]string) (part, error) {
	folder, ok := folders[e.module]
	if !ok {
		return part{}, fmt.Errorf("%s is not linked any more", e.module)
	}
	data, err := os.ReadFile(filepath.Join(folder, e.file))
	if err != nil {
		return part{}, err
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	if e.from != "" {
		begin := strings.Index(text, e.from)
		if begin < 0 {
			return part{}, fmt.Errorf("%s does not hold %q", e.file, e.from)
		}
		text = text[begin:]
		end := strings.Index(text, e.to)
		if end < 0 {
			return part{}, fmt.Errorf("%s does not end with %q", e.file, e.to)
		}
		text = text[:end]
	}
	return newPart(e.name, "", []string{text})
}

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|ofl)`)

// ofFolder reads the licences that lie in a module's folder.
func ofFolder(name, version, folder string) (part, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return part{}, err
	}
	var texts []string
	for _, e := range entries {
		if !e.Type().IsRegular() || !licenceName.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return part{}, err
		}
		texts = append(texts, strings.ReplaceAll(string(text), "\r\n", "\n"))
	}
	if len(texts) == 0 {
		return part{}, fmt.Errorf("%s: no licence text in %s", name, folder)
	}
	return newPart(name, version, texts)
}

// kinds are licences by words that stand in their texts and in no other's. White space counts as one blank.
var kinds = []struct{ name, words string }{
	{"Apache-2.0", "Apache License Version 2.0"},
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy of this software"},
	{"MIT", "MIT license (see License.txt"},
	{"BSD-3-Clause", "may be used to endorse or promote products derived from this software"},
	{"BSD-2-Clause", "this list of conditions and the following disclaimer in the documentation"},
	{"Zlib", "This software is provided 'as-is', without any express or implied warranty"},
	{"OFL-1.1", "SIL OPEN FONT LICENSE Version 1.1"},
	{"CC-BY-4.0", "creativecommons.org/licenses/by/4.0"},
	{"CC-BY-4.0", "Creative Commons Attribution 4.0"},
	{"public domain", "This is free and unencumbered software released into the public domain"},
}

func newPart(name, version string, texts []string) (part, error) {
	p := part{name: name, version: version}
	for _, text := range texts {
		text = strings.TrimSpace(text) + "\n"
		p.texts = append(p.texts, text)
		words := strings.Join(strings.Fields(text), " ")
		for _, kind := range kinds {
			if strings.Contains(words, kind.words) && !slices.Contains(p.kinds, kind.name) {
				p.kinds = append(p.kinds, kind.name)
			}
		}
	}
	if i := slices.Index(p.kinds, "BSD-2-Clause"); i >= 0 && slices.Contains(p.kinds, "BSD-3-Clause") {
		p.kinds = slices.Delete(p.kinds, i, i+1) // which the other includes
	}
	if len(p.kinds) == 0 {
		return p, errors.New(name + ": none of the licences that are known here: look at it, and add a row to kinds")
	}
	return p, nil
}

// table is that of assets/LICENSES.md.
func table(parts []part) []byte {
	var b bytes.Buffer
	b.WriteString("| linked | version | licences in its text |\n|---|---|---|\n")
	for _, p := range parts {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", p.name, cmp.Or(p.version, "–"), strings.Join(p.kinds, ", "))
	}
	return b.Bytes()
}

// texts holds each text once, under the names of all that it belongs to.
func texts(parts []part) []byte {
	var order []string
	owners := map[string][]string{}
	for _, p := range parts {
		for _, text := range p.texts {
			if owners[text] == nil {
				order = append(order, text)
			}
			owners[text] = append(owners[text], p.name)
		}
	}
	var b bytes.Buffer
	b.WriteString("The licences of what is linked into glint. Written by `make licenses`.\n")
	for _, text := range order {
		fmt.Fprintf(&b, "\n%[1]s\n%[2]s\n%[1]s\n\n%[3]s", strings.Repeat("=", 80), strings.Join(owners[text], "\n"), text)
	}
	return b.Bytes()
}

// run runs the go command without a network.
func run(root string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "GOPROXY=off", "GOTOOLCHAIN=local")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, said.String())
	}
	return string(out), nil
}
