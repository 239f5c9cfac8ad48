package session

import "glint/tracer/scene"

// ScenePageModel is what the page shows.
type ScenePageModel struct {
	Why        string // nothing can be edited; empty: it can
	CanWrite   bool   // but the scene can be written to a file, where it can
	Merged     string // what is not edited here; empty: nothing
	Search     string
	Selected   string // pointer of an object; empty: none
	Label      string // its name
	Properties []PropertyRow
	Objects    []ObjectRow // materials, lights and cameras that were found
	Nodes      []TreeRow   // likewise
	Edits      int         // in all
	Outline    uint32      // around what is selected, white on nothing, for OpenGL; 0: there is none
}

// PropertyRow is a property of the object that is selected.
type PropertyRow struct {
	scene.Property
	Name   string
	Color  bool
	Edited bool
	More   bool // it is of an extension, and as the file has it
}

// ObjectRow is a material, a light or a camera.
type ObjectRow struct {
	Object, Label string
	Edited        bool
	Used          bool // by the node that is selected
}

// TreeRow is a node in the tree.
type TreeRow struct {
	scene.TreeNode
	Visible bool // by itself
	Seen    bool // and all above it are
	Found   bool // it is what was searched, and not just above that
}
