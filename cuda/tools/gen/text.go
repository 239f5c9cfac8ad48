package main

import (
	"bytes"
	"fmt"
	"strings"
)

// generated begins a generated file.
func generated(from string) *bytes.Buffer {
	return bytes.NewBufferString(fmt.Sprintf("// Code generated from %s by cuda/tools/gen; DO NOT EDIT.\n", from))
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
