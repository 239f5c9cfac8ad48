package viewer

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"glint/tracer/guard"
	"glint/tracer/integrator"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

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

// model collects what is to be shown.
func (a *app) model() *model {
	m := &model{
		mode: a.mode, showPanel: a.showPanel, showKeys: a.showKeys, page: a.page,
		table: a.table, settings: a.active.settings, compare: a.compareModel(), play: a.playModel(),
		camera: a.controller.camera, unit: a.controller.unit, focus: focusText(a.active.settings, &a.controller),
		status: a.statusLines(), frames: a.history, statistics: a.statistics, notes: a.noteLines(),
		scenes: a.sceneChoices(), environments: a.environmentChoices(), environment: a.environmentInUse(),
		automatic: map[string]string{"integrator": a.active.integrator(), "denoise": cmp.Or(a.active.stats.Denoiser, "off")},
		reasons:   map[string]statusLine{"integrator": judgementReason(a.active.settings, a.active.stats)},
		change:    a.changeText(), messages: a.messages.current(time.Now()), marker: a.marker,
	}
	if a.shown != nil {
		s := a.shown.scene
		m.scene = &sceneModel{
			name: s.Name, triangles: s.Triangles(), findings: a.shown.report.count, camera: a.shown.camera,
			variant: a.shown.variant, variants: s.Report.Variants, dark: a.shown.prepared.Dark, view: s.CameraToFile(a.controller.camera),
		}
		for _, c := range s.Cameras {
			m.scene.cameras = append(m.scene.cameras, guard.Name(c.Name))
		}
		m.report = a.shown.report
		m.progress = a.progressLine()
		m.legend = legendOf(a.active.settings, a.active.stats)
	}
	m.background = a.background.text(time.Now())
	if a.loading != nil {
		stage, fraction := a.loading.state()
		m.loading = &loadingModel{name: guard.Name(a.loading.name()), stage: stage, fraction: fraction}
		if !a.loading.first {
			m.loading.hint = " · Esc cancels"
		}
	}
	return m
}

// sceneChoices are the built-in scenes and the files that were opened.
func (a *app) sceneChoices() []choice {
	var list []choice
	for _, path := range a.sceneFiles {
		list = append(list, choice{name: filepath.Base(path), value: path, help: path})
	}
	for _, s := range a.opts.Scenes {
		list = append(list, choice{name: s.Name, value: s.Name, help: s.Help})
	}
	return list
}

// environmentChoices are those that need no file and the files that were opened.
func (a *app) environmentChoices() []choice {
	list := environments()
	list[0].name = a.sceneEnvironment()
	for _, path := range a.environmentFiles {
		list = append(list, choice{name: filepath.Base(path), value: path, help: path})
	}
	return list
}

// samplesText says of how many samples the picture is that is shown, and how many there are by now where those are more.
func samplesText(stats view.Stats) string {
	if stats.Shown < stats.Samples {
		return grouped(stats.Shown) + " of " + count(stats.Samples, "sample")
	}
	return count(stats.Samples, "sample")
}

// progressLine says how far the picture is.
func (a *app) progressLine() string {
	text := samplesText(a.active.stats)
	if ms := a.history.recent(); a.idle {
		text += " · at rest, there are enough"
	} else if ms > 0 {
		text += fmt.Sprintf(" · %.0f frames a second", 1e3/ms)
	}
	return text
}

// compareModel is nil while there is one side.
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
		m.sides[i] = sideModel{
			name: s.name, integrator: s.integrator(), timer: s.timer, shown: s.stats.Shown, refError: s.refError, tooFew: r != nil && r.tooFew(s),
		}
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

// noteLines are what the user should know about how the scene is rendered.
func (a *app) noteLines() []string {
	var notes []string
	if a.shown != nil {
		notes = slices.Concat(a.shown.prepared.Notes, a.active.device.SceneNotes())
		if why := a.active.stats.KernelsError; why != nil {
			notes = append(notes, "The general kernels render this scene: "+why.Error())
		}
	}
	if why := a.active.device.Backend().Why; why != "" {
		notes = append(notes, "The CPU renders: "+why)
	}
	return notes
}

// focusText is the distance of the focal plane.
func focusText(s settings.Settings, r *cameraController) string {
	if s.Focus > 0 {
		return withUnit(s.Focus, "m")
	}
	return withUnit(r.distance(), "m") + " (target)"
}

// statusLines say what renders, how fast, and what of it is shown.
func (a *app) statusLines() []statusLine {
	ms := a.history.recent()
	frame, frameWhy := "–", ""
	if ms > 0 {
		frame = fmt.Sprintf("%.1f ms · %.0f fps", ms, 1e3/ms)
		frameWhy = fmt.Sprintf("of the last frame, rendering took %.1f ms", a.active.stats.Elapsed.Seconds()*1e3)
	}
	if a.idle {
		frame = "at rest: enough samples"
	}
	way, why := a.active.picture.Transfer()
	backend := a.active.device.Backend()
	name := backend.Device + " (" + backend.Kind + ")"
	if helpers := a.active.device.Helpers(); len(helpers) > 0 {
		name += " and, at rest, " + strings.Join(helpers, ", ")
	}
	lines := []statusLine{
		{"picture", samplesText(a.active.stats) + " by " + a.active.stats.Integrator, ""},
		{"frame", frame, frameWhy},
		{"paths", si(a.history.pathRate()) + "/s", "camera paths in a second, of all sides"},
		{"image", imageText(a.rendered.view, a.active.stats), ""},
		{"device", name, backend.Why},
		{"to screen", way, why},
	}
	if integrator.Reuses(a.active.stats.Integrator) {
		lines = append(lines, reuseLine(a.active.stats))
	}
	if a.denoises() {
		lines = append(lines, denoiseLine(a.active.stats))
	}
	if a.active.settings.AOVView == trustView {
		lines = append(lines, trustLine(a.active.stats))
	}
	if a.active.settings.AutoExposure {
		found := fmt.Sprintf("%+.1f EV", a.active.stats.Metered)
		lines = append(lines, statusLine{"exposed by", found, "what auto exposure has found; exposure is added to it"})
	}
	if a.active.stats.NonFinite > 0 {
		lines = append(lines, statusLine{"dropped", count(int(a.active.stats.NonFinite), "sample"), "not finite"})
	}
	return lines
}
