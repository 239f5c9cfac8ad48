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
)

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
