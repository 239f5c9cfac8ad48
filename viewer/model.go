package viewer

import (
	"slices"

	"glint/tracer/scene"
	"glint/tracer/settings"
)

// model is what panel and overlays show in a frame. It is made once a frame, and nobody writes to it: what the user does in
// the panel becomes an action.
type model struct {
	mode                           Mode
	showPanel, showKeys, showStats bool

	table    []settings.Setting
	settings settings.Settings // of the active side
	scene    *sceneModel       // nil until the first scene is ready
	loading  *loadingModel     // nil when nothing is being loaded
	compare  *compareModel     // nil while there is one side

	camera     scene.Camera
	unit       float32 // m, of steps of lengths
	focus      string
	status     []statusLine
	frames     frameLog
	statistics statsModel
	notes      []string
	legend     legend
	change     string // what the last change of a setting costs; empty when that is not to be shown
	message    message
	marker     focusMarker
}

// sceneModel is the scene on the screen.
type sceneModel struct {
	name            string
	triangles       int
	camera, cameras int // the one chosen last, and how many the file has
}

// loadingModel is how far a scene is.
type loadingModel struct {
	name, stage string
	fraction    float64
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
	refError         refError
	tooFew           bool // the reference has too few samples to measure the side by
}

// action is what the user has asked for in the panel.
type action func(a *app)

// model collects what is to be shown.
func (a *app) model() *model {
	m := &model{
		mode: a.mode, showPanel: a.showPanel, showKeys: a.showKeys, showStats: a.showStats,
		table: a.table, settings: a.active.settings, compare: a.compareModel(),
		camera: a.controller.camera, unit: a.controller.unit, focus: focusText(a.active.settings, &a.controller),
		status: statusLines(a), frames: a.history, statistics: a.statistics, notes: noteLines(a),
		change: a.changeText(), message: a.message, marker: a.marker,
	}
	if a.shown != nil {
		s := a.shown.scene
		m.scene = &sceneModel{name: s.Name, triangles: s.Triangles(), camera: a.shown.camera, cameras: len(s.Cameras)}
		m.legend = legendOf(a.active.settings, a.active.stats.Integrator)
	}
	if a.loading != nil {
		stage, fraction := a.loading.state()
		m.loading = &loadingModel{name: a.loading.name(), stage: stage, fraction: fraction}
	}
	return m
}

func (a *app) compareModel() *compareModel {
	if !a.comparing() {
		return nil
	}
	c, r := &a.compare, a.compare.reference
	m := &compareModel{
		active: a.activeIndex(), show: c.show, divider: c.divider, gain: c.gain, pacing: c.pacing, measured: r != nil,
		overDivider: a.input.grabbed || a.overDivider(a.input.x, a.input.y),
	}
	if r != nil {
		m.reference = r.stats.Samples
	}
	for i, s := range a.sides {
		m.sides[i] = sideModel{name: s.name, integrator: s.integrator(), timer: s.timer, refError: s.refError, tooFew: r != nil && r.tooFew(s)}
	}
	return m
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
