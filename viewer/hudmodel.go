package viewer

import (
	"slices"
	"time"

	"glint/tracer/scene"
	"glint/tracer/settings"
)

const markerFor = 900 * time.Millisecond

// focusMarker is where the user focused, screen coordinates.
type focusMarker struct {
	x, y  float64
	until time.Time
}

func newFocusMarker(x, y float64) focusMarker {
	return focusMarker{x: x, y: y, until: time.Now().Add(markerFor)}
}

// model is what panel and overlays show in a frame. It is made once a frame, and nobody writes to it: what the user does in
// the panel becomes a command.
type model struct {
	mode                Mode
	showPanel, showKeys bool
	page                page

	table      []settings.Setting
	settings   settings.Settings // of the active side
	scene      *sceneModel       // nil until the first scene is ready
	report     *reportModel      // of that scene's file
	loading    *loadingModel     // nil when nothing is being loaded
	background string            // what goes on meanwhile; empty: nothing
	compare    *compareModel     // nil while there is one side
	play       *playModel        // nil where nothing is animated

	scenes       []choice // built-in ones, and files that were opened
	environments []choice
	environment  string                // the name of the one in use
	automatic    map[string]string     // by setting: what renders, which auto may stand for
	reasons      map[string]statusLine // by setting: why auto stands for that
	progress     string                // samples and frame rate

	camera     scene.Camera
	unit       float32 // m, of steps of lengths
	focus      string
	status     []statusLine
	frames     frameLog
	statistics statsModel
	notes      []string
	legend     legend
	change     string // what the last change of a setting costs; empty when that is not to be shown
	messages   messages
	marker     focusMarker
}

// sceneModel is the scene on the screen.
type sceneModel struct {
	name      string
	triangles int
	findings  int // what of its file the report tells
	camera    int // the one of the file that was chosen last; −1: none
	cameras   []string
	variant   string // of its materials, empty for its default
	variants  []string
	dark      bool         // nothing lights it
	view      scene.Camera // that shows it, in the coordinates of its file
}

// loadingModel is how far a scene is.
type loadingModel struct {
	name, stage string
	fraction    float64
	hint        string // how to stop it
}

// compareModel is how two sides are compared.
type compareModel struct {
	sides       [2]sideModel
	active      int
	show        show
	divider     float64
	gain        int
	pacing      pacing
	measured    bool // there is a reference
	reference   int  // its samples
	overDivider bool // the mouse is where it drags the divider
}

// sideModel is one of two sides.
type sideModel struct {
	name, integrator string
	timer            sampleTimer
	shown            int // samples of the picture, which may be fewer
	refError         refError
	tooFew           bool // the reference has too few samples to measure the side by
}

// sideName is the name of the active side, when there are two.
func (m *model) sideName() string {
	if m.compare == nil {
		return ""
	}
	return m.compare.sides[m.compare.active].name
}

// perImage tells whether a group of settings has one that each side may have its own of.
func (m *model) perImage(group string) bool {
	return slices.ContainsFunc(m.table, func(row settings.Setting) bool {
		return row.Group == group && row.Scope == settings.PerImage
	})
}

// choice is one of a list. What it stands for is written as on the command line.
type choice struct{ name, value, help string }

// page is what is shown at the right.
type page int

const (
	noPage page = iota
	statisticsPage
	reportPage
)

// Mode is a way to move.
type Mode int

// The two ways to move.
const (
	Orbit Mode = iota // about a point of the scene
	Fly               // through the scene
	modes
)

// String is the mode's name.
func (m Mode) String() string {
	return [...]string{"orbit", "fly"}[m]
}

// show is how two sides are seen.
type show int

const (
	sideBySide show = iota // A left of a divider, B right of it
	oneSide                // the active side, over the whole window
	difference             // of the displayed images, amplified
	shows
)

// String is the name in the panel.
func (s show) String() string { return [...]string{"side by side", "one", "difference"}[s] }

const (
	defaultGain = 8
	maxGain     = 64
	lineWidth   = 4 // of the divider at a content scale of 1, including its dark edges
)

// keyRow is a row of the key table as it is shown.
type keyRow struct {
	group, help string
	setting     string        // that it changes, if it is one
	keys        [modes]string // in each mode; empty: none
}
