package session

import (
	"slices"
	"strings"
	"time"

	"glint/tracer/diagnose"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// MarkerFor is how long a focus marker is seen.
const MarkerFor = 900 * time.Millisecond

// FocusMarker is where the user focused, screen coordinates.
type FocusMarker struct {
	X, Y  float64
	Until time.Time
}

// NewFocusMarker marks a point from now on.
func NewFocusMarker(x, y float64) FocusMarker {
	return FocusMarker{X: x, Y: y, Until: time.Now().Add(MarkerFor)}
}

// Model is what panel and overlays show in a frame. It is made once a frame, and nobody writes to it: what the user does in
// the panel becomes a command.
type Model struct {
	Mode                Mode
	Turning             bool // about the pivot
	ShowPanel, ShowKeys bool
	Page                Page
	Size                view.Size   // of the image
	Sizes               []view.Size // that the window can be given

	Table      []settings.Setting
	Keys       KeyRows           // by the names of a US keyboard
	Printed    KeyRows           // by what is printed on the user's; nil while keys are not shown
	Settings   settings.Settings // of the active side
	Scene      *SceneModel       // nil until the first scene is ready
	Report     *ReportModel      // of that scene's file
	Black      *diagnose.Cause   // why the picture is black; nil: it is not
	Findings   *Findings         // what the user asked about the view; nil: nothing
	Edit       *ScenePageModel   // what is in the file; nil while that is not shown
	Inspect    *InspectModel     // what the user looks at; nil while the inspector is closed
	Loading    *LoadingModel     // nil when nothing is being loaded
	Background string            // what goes on meanwhile; empty: nothing
	Compare    *CompareModel     // nil while there is one side
	Play       *PlayModel        // nil where nothing is animated

	Scenes       []Choice // built-in ones, and files that were opened
	Environments []Choice
	Environment  string            // the name of the one in use
	Automatic    map[string]string // by setting: what renders, which auto may stand for
	Progress     string            // samples and frame rate

	Camera     scene.Camera
	Unit       float32 // m, of steps of lengths
	Focus      string
	Status     []StatusLine
	Frames     FrameLog
	Statistics StatsModel
	Rays       string // who traces them, and why
	Notes      []string
	Legend     Legend
	Change     string // what the last change of a setting costs; empty when that is not to be shown
	Messages   Messages
	Marker     FocusMarker
}

// SceneModel is the scene on the screen.
type SceneModel struct {
	Name      string
	Triangles int
	Findings  int // what of its file the report tells
	Camera    int // the one of the file that was chosen last; −1: none
	Cameras   []string
	Variant   string // of its materials, empty for its default
	Variants  []string
	View      scene.Camera // that shows it, in the coordinates of its file
}

// LoadingModel is how far a scene is.
type LoadingModel struct {
	Name, Stage string
	Fraction    float64
	CanStop     bool
}

// CompareModel is how two sides are compared.
type CompareModel struct {
	Sides       [2]SideModel
	Active      int
	Show        Show
	Divider     float64
	Gain        int
	Pacing      schedule.Pacing
	Measured    bool   // there is a reference
	Reference   int    // its samples
	Verdict     string // which side has less error; empty while that is not known
	Cross       string // how far two devices agree, likewise
	OverDivider bool   // the mouse is where it drags the divider
}

// SideModel is one of two sides.
type SideModel struct {
	Name, Integrator string
	Device           string // empty where both have the same
	Timer            schedule.SampleTimer
	Shown            int // samples of the picture, which may be fewer
	RefError         RefError
}

// SideName is the name of the active side, when there are two.
func (m *Model) SideName() string {
	if m.Compare == nil {
		return ""
	}
	return m.Compare.Sides[m.Compare.Active].Name
}

// PerImage tells whether a group of settings has one that each side may have its own of.
func (m *Model) PerImage(group string) bool {
	return slices.ContainsFunc(m.Table, func(row settings.Setting) bool {
		return row.Group == group && row.Scope == settings.PerImage
	})
}

// Choice is one of a list. What it stands for is written as on the command line.
type Choice struct{ Name, Value, Help string }

// Page is what is shown at the right.
type Page int

// The pages.
const (
	NoPage Page = iota
	StatisticsPage
	ReportPage
	InspectorPage
	EditPage // of what is in the file
)

// Mode is a way to move.
type Mode int

// The two ways to move.
const (
	Orbit Mode = iota // about a point of the scene
	Fly               // through the scene
	Modes
)

// String is the mode's name.
func (m Mode) String() string {
	return [...]string{"orbit", "fly"}[m]
}

// Show is how two sides are seen.
type Show int

// The ways to see two sides.
const (
	SideBySide Show = iota // A left of a divider, B right of it
	OneSide                // the active side, over the whole window
	Difference             // of the displayed images, amplified
	BiasMap                // where their means differ by more than chance
	Shows
)

// String is the name in the panel.
func (s Show) String() string { return [...]string{"side by side", "one", "difference", "bias map"}[s] }

// Of the difference, and of the divider.
const (
	DefaultGain = 8
	MaxGain     = 64
	LineWidth   = 4 // of the divider at a content scale of 1, including its dark edges
)

// KeyRow is a row of the key table as it is shown.
type KeyRow struct {
	Name, Group, Help string
	Setting           string        // that it changes, if it is one
	Keys              [Modes]string // in each mode; empty: none
}

// KeyRows are the rows of the key table.
type KeyRows []KeyRow

// Of is the first key of a row in a mode; empty: none.
func (rows KeyRows) Of(name string, mode Mode) string {
	for _, row := range rows {
		if row.Name == name {
			first, _, _ := strings.Cut(row.Keys[mode], ", ")
			return first
		}
	}
	return ""
}

// PlayModel is what the panel shows of the animation.
type PlayModel struct {
	Clips   []string // number and name
	Clip    int      // −1: at rest
	Seconds float64
	Length  float64 // s
	Playing bool
	Once    bool
	Speed   float64
}
