// Package shaders holds the GLSL 4.1 of the window's passes.
//
//	vertex, fragment := shaders.PresentVertex, shaders.PresentFragment
package shaders

import _ "embed"

// PresentVertex covers the window with one triangle. It needs no buffers: draw three vertices.
//
//go:embed present.vert.glsl
var PresentVertex string

// PresentFragment shows the textures of units 0 and 1 (A and B), which are encoded for the screen already: A left of a
// divider and B right of it, or their difference.
//
//go:embed present.frag.glsl
var PresentFragment string
