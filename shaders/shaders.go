// Package shaders holds the GLSL 4.1 of the window's passes.
//
//	vertex, fragment := shaders.PresentVertex, shaders.PresentFragment
package shaders

import _ "embed"

// PresentVertex covers the window with one triangle. It needs no buffers: draw three vertices.
//
//go:embed present.vert.glsl
var PresentVertex string

// PresentFragment shows the texture of unit 0, which film has encoded for the display already.
//
//go:embed present.frag.glsl
var PresentFragment string
