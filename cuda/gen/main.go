// Command gen reads params.h, tree.h, material.h, lights.h, upscale.h, display.h and views.h and writes the Go twins of its structs and the table that tests hold them against.
//
//	go run ./gen        (in cuda/; `make kernels` does it)
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"os"
	"regexp"
	"strings"
)

type field struct {
	ctype, name, comment string
	count                string // array length, or empty
}

type structure struct {
	name, comment string
	fields        []field
}

type enum struct {
	name   string
	values []field // ctype holds the value
}

var (
	structLine = regexp.MustCompile(`^struct (?:alignas\(16\) )?(\w+) \{`)
	enumLine   = regexp.MustCompile(`^enum (\w+) : uint32_t \{`)
	fieldLine  = regexp.MustCompile(`^\s+(\w+) (\w+)(?:\[(\d+)\])?;\s*//\s*(.*)$`)
	valueLine  = regexp.MustCompile(`^\s+(\w+) = (\w+),?(?:\s*//\s*(.*))?$`)
)

// goTypes maps what may stand in params.h to Go. Vectors are arrays: float4 is 16-aligned in C, 4-aligned in Go, which
// the layout test watches.
var goTypes = map[string]string{
	"float": "float32", "uint32_t": "uint32", "int32_t": "int32", "uint64_t": "uint64",
	"float2": "[2]float32", "float3": "[3]float32", "float4": "[4]float32",
}

func main() {
	log.SetFlags(0)
	var structs []structure
	var enums []enum
	for _, name := range []string{"tree.h", "material.h", "lights.h", "upscale.h", "display.h", "params.h", "views.h"} {
		source, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		moreStructs, moreEnums, err := parse(string(source))
		if err != nil {
			log.Fatal(name, ": ", err)
		}
		structs, enums = append(structs, moreStructs...), append(enums, moreEnums...)
	}
	code, err := format.Source(goSource(structs, enums))
	if err != nil {
		log.Fatal("params_gen.go: ", err)
	}
	for name, content := range map[string][]byte{"params_gen.go": code, "layout_gen.h": layout(structs)} {
		if err := os.WriteFile(name, content, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// parse understands the line-by-line subset of C that params.h promises to keep to.
func parse(source string) (structs []structure, enums []enum, err error) {
	comment := ""
	var inStruct, inEnum bool
	for i, line := range strings.Split(source, "\n") {
		switch {
		case structLine.MatchString(line):
			structs = append(structs, structure{name: structLine.FindStringSubmatch(line)[1], comment: comment})
			inStruct = true
		case enumLine.MatchString(line):
			enums = append(enums, enum{name: enumLine.FindStringSubmatch(line)[1]})
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

func goSource(structs []structure, enums []enum) []byte {
	var b bytes.Buffer
	b.WriteString("// Code generated from params.h, tree.h, material.h, lights.h, display.h and views.h by cuda/gen; DO NOT EDIT.\n\npackage cuda\n\n")
	for _, e := range enums {
		fmt.Fprintf(&b, "// Values of enum %s.\nconst (\n", e.name)
		for _, v := range e.values {
			fmt.Fprintf(&b, "\t%s uint32 = %s // %s\n", camel(strings.ToLower(v.name)), v.ctype, v.comment)
		}
		b.WriteString(")\n\n")
	}
	for _, s := range structs {
		fmt.Fprintf(&b, "// %s is struct %s of params.h.\n", s.name, s.name)
		for _, l := range strings.Split(strings.TrimRight(s.comment, "\n"), "\n") {
			fmt.Fprintf(&b, "//%s\n", l)
		}
		fmt.Fprintf(&b, "type %s struct {\n", s.name)
		for _, f := range s.fields {
			t, ok := goTypes[f.ctype]
			if !ok {
				t = f.ctype
			}
			if f.count != "" {
				t = "[" + f.count + "]" + t
			}
			fmt.Fprintf(&b, "\t%s %s // %s\n", camel(f.name), t, f.comment)
		}
		b.WriteString("}\n\n")
	}
	return b.Bytes()
}

// layout lists sizeof and offsetof of everything, as the compiler that includes it sees them.
func layout(structs []structure) []byte {
	var b bytes.Buffer
	b.WriteString("// Code generated from params.h, tree.h, material.h, lights.h, display.h and views.h by cuda/gen; DO NOT EDIT.\n")
	b.WriteString("// LAYOUT(S, F): S(struct) for each struct, F(struct, field) for each of its fields.\n#pragma once\n\n#define LAYOUT(S, F)")
	for _, s := range structs {
		fmt.Fprintf(&b, " \\\n  S(%s)", s.name)
		for _, f := range s.fields {
			fmt.Fprintf(&b, " \\\n  F(%s, %s)", s.name, f.name)
		}
	}
	b.WriteString("\n")
	return b.Bytes()
}

// camel turns c_style or cStyle into an exported Go name.
func camel(name string) string {
	parts := strings.Split(name, "_")
	for i, p := range parts {
		if p != "" {
			parts[i] = strings.ToUpper(p[:1]) + p[1:]
		}
	}
	return strings.Join(parts, "")
}
