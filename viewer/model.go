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

// model collects what the session has to show.
func (s *Session) model(statistics bool) *session.Model {
	m := &session.Model{
		Table: s.table, Settings: s.active.Settings, Compare: compareModel(s.comparison), Play: s.playModel(),
		Camera: s.controller.Camera, Unit: s.controller.Unit, Focus: session.FocusText(s.active.Settings, &s.controller),
		Status: statusLines(s.frames), Frames: s.history, Statistics: s.statistics, Notes: noteLines(s.stage, s.active),
		Scenes: s.sceneChoices(), Environments: s.environmentChoices(), Environment: s.environmentInUse(),
		Automatic: map[string]string{"integrator": s.active.Integrator(), "denoise": cmp.Or(s.active.Stats.Denoiser, "off")},
		Reasons:   map[string]session.StatusLine{"integrator": session.JudgementReason(s.active.Settings, s.active.Stats)},
		Change:    s.change.shownText(statistics), Messages: s.messages.Current(time.Now()), Marker: s.marker,
	}
	if s.shown != nil {
		shown := s.shown.scene
		m.Scene = &session.SceneModel{
			Name: shown.Name, Triangles: shown.Triangles(), Findings: s.shown.report.Count, Camera: s.shown.camera,
			Variant: s.shown.variant, Variants: shown.Report.Variants, Dark: s.shown.prepared.Dark, View: shown.CameraToFile(s.controller.Camera),
		}
		for _, c := range shown.Cameras {
			m.Scene.Cameras = append(m.Scene.Cameras, guard.Name(c.Name))
		}
		m.Report = s.shown.report
		m.Progress = progressLine(s.frames)
		m.Legend = session.LegendOf(s.active.Settings, s.active.Stats)
	}
	m.Background = s.background.text(time.Now())
	if s.loading != nil {
		stage, fraction := s.loading.state()
		m.Loading = &session.LoadingModel{Name: guard.Name(s.loading.name()), Stage: stage, Fraction: fraction}
		if !s.loading.first {
			m.Loading.Hint = " · Esc cancels"
		}
	}
	return m
}

// progressLine says how far the picture is.
func progressLine(f *frames) string {
	text := session.SamplesText(f.active.Stats)
	if ms := f.history.Recent(); f.idle {
		text += " · at rest, there are enough"
	} else if ms > 0 {
		text += fmt.Sprintf(" · %.0f frames a second", 1e3/ms)
	}
	return text
}

// compareModel is nil while there is one side.
func compareModel(co *comparison) *session.CompareModel {
	if !co.comparing() {
		return nil
	}
	c, r := &co.compare, co.compare.reference
	m := &session.CompareModel{
		Active: co.activeIndex(), Show: c.show, Divider: c.divider, Gain: c.gain, Pacing: c.pacing, Measured: r != nil,
	}
	if r != nil {
		m.Reference = r.stats.Samples
	}
	for i, s := range co.sides {
		m.Sides[i] = session.SideModel{
			Name: s.Name, Integrator: s.Integrator(), Timer: s.Timer, Shown: s.Stats.Shown, RefError: s.RefError, TooFew: r != nil && r.tooFew(s),
		}
	}
	return m
}

// noteLines are what the user should know about how the scene is rendered.
func noteLines(s *stage, side *session.Side) []string {
	var notes []string
	if s.shown != nil {
		notes = slices.Concat(s.shown.prepared.Notes, side.Device.SceneNotes())
		if why := side.Stats.KernelsError; why != nil {
			notes = append(notes, "The general kernels render this scene: "+why.Error())
		}
	}
	if why := side.Device.Backend().Why; why != "" {
		notes = append(notes, "The CPU renders: "+why)
	}
	return notes
}

// statusLines say what renders, how fast, and what of it is shown.
func statusLines(f *frames) []session.StatusLine {
	ms := f.history.Recent()
	frame, frameWhy := "–", ""
	if ms > 0 {
		frame = fmt.Sprintf("%.1f ms · %.0f fps", ms, 1e3/ms)
		frameWhy = fmt.Sprintf("of the last frame, rendering took %.1f ms", f.active.Stats.Elapsed.Seconds()*1e3)
	}
	if f.idle {
		frame = "at rest: enough samples"
	}
	way, why := f.active.Picture.Transfer()
	backend := f.active.Device.Backend()
	name := backend.Device + " (" + backend.Kind + ")"
	if helpers := f.active.Device.Helpers(); len(helpers) > 0 {
		name += " and, at rest, " + strings.Join(helpers, ", ")
	}
	lines := []session.StatusLine{
		{Name: "picture", Value: session.SamplesText(f.active.Stats) + " by " + f.active.Stats.Integrator, Why: ""},
		{Name: "frame", Value: frame, Why: frameWhy},
		{Name: "paths", Value: session.SI(f.history.PathRate()) + "/s", Why: "camera paths in a second, of all sides"},
		{Name: "image", Value: session.ImageText(f.rendered.view, f.active.Stats), Why: ""},
		{Name: "device", Value: name, Why: backend.Why},
		{Name: "to screen", Value: way, Why: why},
	}
	if integrator.Reuses(f.active.Stats.Integrator) {
		lines = append(lines, session.ReuseLine(f.active.Stats))
	}
	if session.Denoises(f.active.Settings, f.active.Stats) {
		lines = append(lines, session.DenoiseLine(f.active.Stats))
	}
	if f.active.Settings.AOVView == session.TrustView {
		lines = append(lines, session.TrustLine(f.active.Stats))
	}
	if f.active.Settings.AutoExposure {
		found := fmt.Sprintf("%+.1f EV", f.active.Stats.Metered)
		lines = append(lines, session.StatusLine{Name: "exposed by", Value: found, Why: "what auto exposure has found; exposure is added to it"})
	}
	if f.active.Stats.NonFinite > 0 {
		lines = append(lines, session.StatusLine{Name: "dropped", Value: session.Count(int(f.active.Stats.NonFinite), "sample"), Why: "not finite"})
	}
	return lines
}
