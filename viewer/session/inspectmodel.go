package session

import (
	"glint/tracer/diagnose"
	"glint/tracer/replay"
)

// InspectModel is what the inspector shows.
type InspectModel struct {
	Side   int    // that it is of, 0 or 1
	Size   [2]int // of the image, pixels
	Pixel  [2]int // in it; what follows is empty while the mouse is elsewhere
	Pinned bool
	Facts  []Fact
	Title  string        // of the steps
	Steps  []replay.Step // of the path or the shared samples
	Reuses bool          // they are the samples that ReSTIR shares
	Sample int           // of Samples, from 0
	Lo     [3]float32    // its light, nit
	Lines  []PathLine
	Marks  []diagnose.Outlier

	Samples int
	Zoom    int
	Values  [][3]float32 // of the magnified pixels, row by row, nit; empty where there is no room for numbers
	Texture uint32       // the image, for OpenGL; 0: there is none
	Shown   [3]uint8     // the pixel's colour on the screen
}

// Fact is a line of what is known of a pixel.
type Fact struct{ Name, Value string }

func (m *InspectModel) lines(name, value string) { m.Facts = append(m.Facts, Fact{name, value}) }

// PathLine is a line of a path as the image shows it, from one point to another, 0…1 from the image's top left.
type PathLine struct {
	From, To [2]float32
	Kind     LineKind
}

// LineKind is what a line of a path is.
type LineKind int

// The kinds of lines.
const (
	LineOfPath  LineKind = iota // from vertex to vertex
	LineToLight                 // to a light that arrives
	LineHidden                  // to a light that does not
)
