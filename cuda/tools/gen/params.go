package main

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

type field struct {
	ctype, name, comment string
	count                string // array length, a number or the name of an enum value, or empty
}

type structure struct {
	name, comment string
	fields        []field
}

type enum struct {
	name, comment string
	values        []field // ctype holds the value
}

var (
	structLine = regexp.MustCompile(`^struct (?:alignas\(16\) )?(\w+) \{`)
	enumLine   = regexp.MustCompile(`^enum (\w+) : uint32_t \{`)
	fieldLine  = regexp.MustCompile(`^\s+(\w+) (\w+)(?:\[(\w+)\])?;\s*//\s*(.*)$`)
	valueLine  = regexp.MustCompile(`^\s+(\w+) = (\w+),?(?:\s*//\s*(.*))?$`)
)

// params are the headers that hold the shared structs.
const params = "kernels/params/*.h"

// goTypes maps what may stand in a shared struct to Go. Vectors are arrays: float4 is 16-aligned in C, 4-aligned in Go, which
// the layout test watches.
var goTypes = map[string]string{
	"float": "float32", "uint32_t": "uint32", "int32_t": "int32", "uint64_t": "uint64",
	"float2": "[2]float32", "float3": "[3]float32", "float4": "[4]float32",
}

// readParams reads all shared structs.
func readParams(cuda fs.FS) (structs []structure, enums []enum, err error) {
	names, err := fs.Glob(cuda, params)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		source, err := fs.ReadFile(cuda, name)
		if err != nil {
			return nil, nil, err
		}
		moreStructs, moreEnums, err := parse(string(source))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		structs, enums = append(structs, moreStructs...), append(enums, moreEnums...)
	}
	return structs, enums, nil
}

// parse understands the line-by-line subset of C that params/frame.h promises to keep to.
func parse(source string) (structs []structure, enums []enum, err error) {
	comment := ""
	var inStruct, inEnum bool
	for i, line := range strings.Split(source, "\n") {
		switch {
		case structLine.MatchString(line):
			structs = append(structs, structure{name: structLine.FindStringSubmatch(line)[1], comment: comment})
			inStruct = true
		case enumLine.MatchString(line):
			enums = append(enums, enum{name: enumLine.FindStringSubmatch(line)[1], comment: comment})
			inEnum = true
		case strings.HasPrefix(line, "};"):
			inStruct, inEnum = false, false
		case inStruct:
			m := fieldLine.FindStringSubmatch(line)
			if m == nil {
				return nil, nil, fmt.Errorf("line %d: want `type name;  // what [unit]`, have %q", i+1, line)
			}
			s := &structs[len(structs)-1]
			s.fields = append(s.fields, field{ctype: m[1], name: m[2], count: m[3], comment: m[4]})
		case inEnum:
			m := valueLine.FindStringSubmatch(line)
			if m == nil {
				return nil, nil, fmt.Errorf("line %d: want `NAME = value,`, have %q", i+1, line)
			}
			e := &enums[len(enums)-1]
			e.values = append(e.values, field{name: m[1], ctype: m[2], comment: m[3]})
		}
		if strings.HasPrefix(line, "//") {
			comment += strings.TrimPrefix(line, "//") + "\n"
		} else {
			comment = ""
		}
	}
	return structs, enums, nil
}

// goParams is the Go twins.
func goParams(structs []structure, enums []enum) []byte {
	b := generated(params)
	b.WriteString("\npackage cuda\n\n")
	for _, e := range enums {
		fmt.Fprintf(b, "// Values of enum %s.\nconst (\n", e.name)
		for _, v := range e.values {
			fmt.Fprintf(b, "\t%s uint32 = %s // %s\n", constant(v.name), v.ctype, v.comment)
		}
		b.WriteString(")\n\n")
	}
	for _, s := range structs {
		fmt.Fprintf(b, "// %s is the struct of that name in the kernels.\n", s.name)
		b.WriteString(goComment(s.comment))
		fmt.Fprintf(b, "type %s struct {\n", s.name)
		for _, f := range s.fields {
			t, ok := goTypes[f.ctype]
			if !ok {
				t = f.ctype
			}
			if f.count != "" {
				t = "[" + constant(f.count) + "]" + t
			}
			fmt.Fprintf(b, "\t%s %s // %s\n", camel(f.name), t, f.comment)
		}
		b.WriteString("}\n\n")
	}
	return b.Bytes()
}

// constant is the Go name of an enum value; a number stays what it is.
func constant(name string) string { return camel(strings.ToLower(name)) }

// sceneEnums are the enumerations that package scene speaks of, too.
var sceneEnums = []string{"Feature", "TextureUse"}

// goSceneEnums is those enumerations for package scene, as types.
func goSceneEnums(enums []enum) []byte {
	b := generated(params)
	b.WriteString("\npackage scene\n\n")
	for _, e := range enums {
		if !slices.Contains(sceneEnums, e.name) {
			continue
		}
		fmt.Fprintf(b, "// %s is the enumeration of that name in the kernels.\n%stype %s uint32\n\n", e.name, goComment(e.comment), e.name)
		fmt.Fprintf(b, "// Values of %s.\nconst (\n", e.name)
		for _, v := range e.values {
			fmt.Fprintf(b, "\t%s %s = %s // %s\n", constant(v.name), e.name, v.ctype, v.comment)
		}
		b.WriteString(")\n\n")
	}
	return b.Bytes()
}

// goComment is the text of a comment as lines of a Go comment.
func goComment(text string) string {
	var b strings.Builder
	for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		fmt.Fprintf(&b, "//%s\n", l)
	}
	return b.String()
}

// goStructs lists the Go twins for the test of their layout.
func goStructs(structs []structure) []byte {
	b := generated(params)
	b.WriteString("\npackage cuda_test\n\nimport \"glint/cuda\"\n\n// shared has one of each shared struct.\nvar shared = []any{\n")
	for _, s := range structs {
		fmt.Fprintf(b, "\tcuda.%s{},\n", s.name)
	}
	b.WriteString("}\n")
	return b.Bytes()
}

// layout lists sizeof and offsetof of everything, as the compiler that includes it sees them.
func layout(structs []structure) []byte {
	b := generated(params)
	b.WriteString("// LAYOUT(S, F): S(struct) for each struct, F(struct, field) for each of its fields.\n#pragma once\n\n#define LAYOUT(S, F)")
	for _, s := range structs {
		fmt.Fprintf(b, " \\\n  S(%s)", s.name)
		for _, f := range s.fields {
			fmt.Fprintf(b, " \\\n  F(%s, %s)", s.name, f.name)
		}
	}
	b.WriteString("\n")
	return b.Bytes()
}
