package main

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// aov is a row of LIGHT_AOVS or VIEW_AOVS; params/film.h says what its columns mean.
type aov struct {
	light                      bool
	name, source, plane, first string
	channels, scale, help      string
}

const (
	aovFile = "kernels/params/film.h"
	quoted  = `((?:"[^"]*"\s*)+)`
)

var (
	aovLists = regexp.MustCompile(`(?m)^#define (LIGHT|VIEW)_AOVS\(X\)((?:.*\\\n)*.*)`)
	aovRow   = regexp.MustCompile(`X\((\w+),\s+(\w+),\s+(\w+),\s+(\d),\s+(?:\w+,\s+)?` + quoted + `,\s+(?:` + quoted + `,\s+)?` + quoted + `\)`)
	pieces   = regexp.MustCompile(`"\s*"`)
)

// readAOVs finds the rows of AOVs, those that are light first.
func readAOVs(cuda fs.FS) ([]aov, error) {
	source, err := fs.ReadFile(cuda, aovFile)
	if err != nil {
		return nil, err
	}
	var aovs []aov
	for _, list := range aovLists.FindAllStringSubmatch(string(source), -1) {
		if want := [...]string{"LIGHT", "VIEW"}; list[1] != want[min(len(aovs), 1)] {
			return nil, fmt.Errorf("%s: LIGHT_AOVS must come before VIEW_AOVS", aovFile)
		}
		rows := strings.ReplaceAll(list[2], "\\\n", "\n")
		for _, m := range aovRow.FindAllStringSubmatch(rows, -1) {
			aovs = append(aovs, aov{light: list[1] == "LIGHT", name: m[1], source: m[2], plane: m[3], first: m[4],
				channels: text(m[5]), scale: text(m[6]), help: text(m[7])})
		}
		if rest := strings.TrimSpace(aovRow.ReplaceAllString(rows, "")); rest != "" {
			return nil, fmt.Errorf("%s: want rows as the comment there says, have %q", aovFile, rest)
		}
	}
	return aovs, nil
}

// text is what a string literal holds, in one piece or several.
func text(literal string) string {
	return strings.Trim(pieces.ReplaceAllString(strings.TrimSpace(literal), ""), `"`)
}

// goAOVs is the table of AOVs.
func goAOVs(aovs []aov) []byte {
	b := generated(aovFile)
	b.WriteString("\npackage cuda\n\n// What of AOVs film shows.\nconst (\n")
	lights := 0
	for i, a := range aovs {
		fmt.Fprintf(b, "Shown%s = ShownAovs + %d\n", constant(a.name), i)
		if a.light {
			lights++
		}
	}
	fmt.Fprintf(b, "ShownLightEnd = ShownAovs + %d // what is below is light\n", lights)
	b.WriteString(")\n\nvar aovs = []AOV{\n")
	for _, a := range aovs {
		fmt.Fprintf(b, "{Name: %q, Help: %q, Channels: %#v, Shown: Shown%s,\n", strings.ToLower(a.name), a.help, strings.Fields(a.channels), constant(a.name))
		if a.scale != "" {
			fmt.Fprintf(b, "Scale: %#v,\n", strings.Split(a.scale, " | "))
		}
		if a.source != "Own" {
			fmt.Fprintf(b, "source: aov%s, plane: %s, first: %s,\n", a.source, constant(a.plane), a.first)
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	return b.Bytes()
}
