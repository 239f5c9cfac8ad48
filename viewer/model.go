package viewer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"glint/tracer/guard"
	"glint/tracer/integrator"
	"glint/viewer/session"
)

// model collects what is to be shown.
func (a *app) model() *session.Model {
	m := &session.Model{
		Mode: a.mode, ShowPanel: a.showPanel, ShowKeys: a.showKeys, Page: a.page,
		Table: a.table, Keys: a.keys, Settings: a.active.Settings, Compare: a.compareModel(), Play: a.playModel(),
		Camera: a.controller.Camera, Unit: a.controller.Unit, Focus: session.FocusText(a.active.Settings, &a.controller),
		Status: a.statusLines(), Frames: a.history, Statistics: a.statistics, Notes: a.noteLines(),
		Scenes: a.sceneChoices(), Environments: a.environmentChoices(), Environment: a.environmentInUse(),
		Automatic: map[string]string{"integrator": a.active.Integrator(), "denoise": cmp.Or(a.active.Stats.Denoiser, "off")},
		Reasons:   map[string]session.StatusLine{"integrator": session.JudgementReason(a.active.Settings, a.active.Stats)},
		Change:    a.changeText(a.page == session.StatisticsPage), Messages: a.messages.Current(time.Now()), Marker: a.marker,
	}
	if a.shown != nil {
		s := a.shown.scene
		m.Scene = &session.SceneModel{
			Name: s.Name, Triangles: s.Triangles(), Findings: a.shown.report.Count, Camera: a.shown.camera,
			Variant: a.shown.variant, Variants: s.Report.Variants, Dark: a.shown.prepared.Dark, View: s.CameraToFile(a.controller.Camera),
		}
		for _, c := range s.Cameras {
			m.Scene.Cameras = append(m.Scene.Cameras, guard.Name(c.Name))
		}
		m.Report = a.shown.report
		m.Progress = a.progressLine()
		m.Legend = session.LegendOf(a.active.Settings, a.active.Stats)
	}
	if a.showKeys {
		m.Printed = keyRows(printedName)
	}
	m.Background = a.background.text(time.Now())
	if a.loading != nil {
		stage, fraction := a.loading.state()
		m.Loading = &session.LoadingModel{Name: guard.Name(a.loading.name()), Stage: stage, Fraction: fraction}
		if !a.loading.first {
			m.Loading.Hint = " · Esc cancels"
		}
	}
	return m
}

// progressLine says how far the picture is.
func (a *app) progressLine() string {
	text := session.SamplesText(a.active.Stats)
	if ms := a.history.Recent(); a.idle {
		text += " · at rest, there are enough"
	} else if ms > 0 {
		text += fmt.Sprintf(" · %.0f frames a second", 1e3/ms)
	}
	return text
}

// compareModel is nil while there is one side.
func (a *app) compareModel() *session.CompareModel {
	if !a.comparing() {
		return nil
	}
	c, r := &a.compare, a.compare.reference
	m := &session.CompareModel{
		Active: a.activeIndex(), Show: c.show, Divider: c.divider, Gain: c.gain, Pacing: c.pacing, Measured: r != nil,
		OverDivider: a.input.grabbed || a.overDivider(a.input.x, a.input.y),
	}
	if r != nil {
		m.Reference = r.stats.Samples
	}
	for i, s := range a.sides {
		m.Sides[i] = session.SideModel{
			Name: s.Name, Integrator: s.Integrator(), Timer: s.Timer, Shown: s.Stats.Shown, RefError: s.RefError, TooFew: r != nil && r.tooFew(s),
		}
	}
	return m
}

// noteLines are what the user should know about how the scene is rendered.
func (a *app) noteLines() []string {
	var notes []string
	if a.shown != nil {
		notes = slices.Concat(a.shown.prepared.Notes, a.active.Device.SceneNotes())
		if why := a.active.Stats.KernelsError; why != nil {
			notes = append(notes, "The general kernels render this scene: "+why.Error())
		}
	}
	if why := a.active.Device.Backend().Why; why != "" {
		notes = append(notes, "The CPU renders: "+why)
	}
	return notes
}

// statusLines say what renders, how fast, and what of it is shown.
func (a *app) statusLines() []session.StatusLine {
	ms := a.history.Recent()
	frame, frameWhy := "–", ""
	if ms > 0 {
		frame = fmt.Sprintf("%.1f ms · %.0f fps", ms, 1e3/ms)
		frameWhy = fmt.Sprintf("of the last frame, rendering took %.1f ms", a.active.Stats.Elapsed.Seconds()*1e3)
	}
	if a.idle {
		frame = "at rest: enough samples"
	}
	way, why := a.active.Picture.Transfer()
	backend := a.active.Device.Backend()
	name := backend.Device + " (" + backend.Kind + ")"
	if helpers := a.active.Device.Helpers(); len(helpers) > 0 {
		name += " and, at rest, " + strings.Join(helpers, ", ")
	}
	lines := []session.StatusLine{
		{Name: "picture", Value: session.SamplesText(a.active.Stats) + " by " + a.active.Stats.Integrator, Why: ""},
		{Name: "frame", Value: frame, Why: frameWhy},
		{Name: "paths", Value: session.SI(a.history.PathRate()) + "/s", Why: "camera paths in a second, of all sides"},
		{Name: "image", Value: session.ImageText(a.rendered.view, a.active.Stats), Why: ""},
		{Name: "device", Value: name, Why: backend.Why},
		{Name: "to screen", Value: way, Why: why},
	}
	if integrator.Reuses(a.active.Stats.Integrator) {
		lines = append(lines, session.ReuseLine(a.active.Stats))
	}
	if a.denoises() {
		lines = append(lines, session.DenoiseLine(a.active.Stats))
	}
	if a.active.Settings.AOVView == session.TrustView {
		lines = append(lines, session.TrustLine(a.active.Stats))
	}
	if a.active.Settings.AutoExposure {
		found := fmt.Sprintf("%+.1f EV", a.active.Stats.Metered)
		lines = append(lines, session.StatusLine{Name: "exposed by", Value: found, Why: "what auto exposure has found; exposure is added to it"})
	}
	if a.active.Stats.NonFinite > 0 {
		lines = append(lines, session.StatusLine{Name: "dropped", Value: session.Count(int(a.active.Stats.NonFinite), "sample"), Why: "not finite"})
	}
	return lines
}
