package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"glint/tracer/diagnose"
	"glint/tracer/guard"
	"glint/tracer/integrator"
)

// Model collects what the session has to show.
func (s *Session) Model(statistics bool) *Model {
	m := &Model{
		Table: s.Sides.Table, Settings: s.Sides.Active.Settings, Compare: compareModel(s.Sides), Play: s.Stage.playModel(),
		Camera: s.Stage.Camera.Camera, Turning: s.Stage.Turntable.On, Unit: s.Stage.Camera.Unit, Focus: FocusText(s.Sides.Active.Settings, &s.Stage.Camera),
		Status: StatusLines(s.Frames), Frames: s.Frames.History, Statistics: s.Frames.Statistics, Rays: s.Sides.Active.Stats.Rays, Notes: NoteLines(s.Stage, s.Sides.Active),
		Scenes: s.Loader.sceneChoices(), Environments: s.Loader.environmentChoices(), Environment: s.Stage.environmentInUse(),
		Automatic: map[string]string{"integrator": s.Sides.Active.Integrator(), "denoise": cmp.Or(s.Sides.Active.Stats.Denoiser, "off")},
		Change:    s.Frames.Change.ShownText(statistics), Messages: s.Messages.Current(time.Now()), Marker: s.Editor.Marker,
	}
	if s.Stage.Shown != nil {
		shown := s.Stage.Shown.Scene
		m.Scene = &SceneModel{
			Name: shown.Name, Triangles: shown.Triangles(), Findings: s.Stage.Shown.report.Count, Camera: s.Stage.Shown.Camera,
			Variant: s.Stage.Shown.Variant, Variants: shown.Report.Variants,
			View: shown.CameraToFile(s.Stage.Camera.Camera),
		}
		for _, c := range shown.Cameras {
			m.Scene.Cameras = append(m.Scene.Cameras, guard.Name(c.Name))
		}
		m.Report, m.Black = s.Stage.Shown.report, s.Black.cause
		m.Findings = cmp.Or(s.Questions.findings(), s.Again.findings())
		m.Progress = progressLine(s.Frames)
		m.Legend = LegendOf(s.Sides.Active.Settings, s.Sides.Active.Stats)
		if m.Compare != nil && m.Compare.Show == BiasMap {
			m.Legend = s.Sides.Bias.legend()
		}
	}
	m.Background = s.Frames.Background.Text(time.Now())
	if s.Loader.Loading != nil {
		stage, fraction := s.Loader.Loading.State()
		m.Loading = &LoadingModel{Name: guard.Name(s.Loader.Loading.Name()), Stage: stage, Fraction: fraction, CanStop: !s.Loader.Loading.first}
	}
	return m
}

// progressLine says how far the picture is.
func progressLine(f *Frames) string {
	text := SamplesText(f.Active.Stats)
	if ms := f.History.Recent(); f.Idle {
		text += " · at rest, there are enough"
	} else if ms > 0 {
		text += fmt.Sprintf(" · %.0f frames a second", 1e3/ms)
	}
	return text
}

// errorOf is a side's error as a verdict needs it.
func errorOf(s *Side) diagnose.Measured {
	e := s.RefError
	return diagnose.Measured{Name: s.Name, Tiles: e.Tiles, Own: e.Own, Samples: e.Samples, Time: e.Spent}
}

// crossText says how far two devices agree; empty while that is not known.
func crossText(co *Comparison) string {
	x := &co.Cross
	if x.found == nil || x.epoch != co.Compare.epoch {
		return ""
	}
	text := "At " + Count(x.samples, "sample") + ": " + x.found.String()
	a, b := co.Sides[0].Used, co.Sides[1].Used
	if a.Integrator, b.Integrator = co.Sides[0].Integrator(), co.Sides[1].Integrator(); Restarts(co.Table, a, b) {
		text += " Their settings differ."
	}
	return text
}

// compareModel is nil while there is one side.
func compareModel(co *Comparison) *CompareModel {
	if !co.Comparing() {
		return nil
	}
	c, r := &co.Compare, co.Compare.Reference
	m := &CompareModel{
		Active: co.ActiveIndex(), Show: c.Show, Divider: c.Divider, Gain: c.Gain, Pacing: c.Pacing, Measured: r != nil,
		Cross: crossText(co),
	}
	if r != nil {
		m.Reference = r.Stats.Samples
	}
	if a, b := co.Sides[0], co.Sides[1]; a.RefError.Known && b.RefError.Known {
		m.Verdict = diagnose.Verdict(errorOf(a), errorOf(b))
	}
	for i, s := range co.Sides {
		m.Sides[i] = SideModel{
			Name: s.Name, Integrator: s.Integrator(), Timer: s.Timer, Shown: s.Stats.Shown, RefError: s.RefError,
		}
		if co.elsewhere() {
			m.Sides[i].Device = deviceName(s.Device)
		}
	}
	return m
}

// NoteLines are what the user should know about how the scene is rendered.
func NoteLines(s *Stage, side *Side) []string {
	var notes []string
	if s.Shown != nil {
		notes = slices.Concat(s.Shown.Prepared.Notes, side.Device.SceneNotes())
		if why := side.Stats.KernelsError; why != nil {
			notes = append(notes, "The general kernels render this scene: "+why.Error())
		}
	}
	if why := side.Device.Backend().Why; why != "" {
		notes = append(notes, "The CPU renders: "+why)
	}
	return notes
}

// StatusLines say what renders, how fast, and what of it is shown.
func StatusLines(f *Frames) []StatusLine {
	ms := f.History.Recent()
	frame, frameWhy := "–", ""
	if ms > 0 {
		frame = fmt.Sprintf("%.1f ms · %.0f fps", ms, 1e3/ms)
		frameWhy = fmt.Sprintf("of the last frame, rendering took %.1f ms", f.Active.Stats.Elapsed.Seconds()*1e3)
	}
	if f.Idle {
		frame = "at rest: enough samples"
	}
	way, why := f.Active.Picture.Transfer()
	backend := f.Active.Device.Backend()
	name := backend.Device + " (" + backend.Kind + ")"
	if helpers := f.Active.Device.Helpers(); len(helpers) > 0 {
		name += " and, at rest, " + strings.Join(helpers, ", ")
	}
	lines := []StatusLine{
		{Name: "picture", Value: SamplesText(f.Active.Stats) + " by " + f.Active.Stats.Integrator, Why: ""},
		{Name: "frame", Value: frame, Why: frameWhy},
		{Name: "paths", Value: SI(f.History.PathRate()) + "/s", Why: "camera paths in a second, of all sides"},
		{Name: "image", Value: ImageText(f.Rendered.View, f.Active.Stats), Why: ""},
		{Name: "device", Value: name, Why: backend.Why},
		{Name: "to screen", Value: way, Why: why},
	}
	if integrator.Reuses(f.Active.Stats.Integrator) {
		lines = append(lines, ReuseLine(f.Active.Stats))
	}
	if Denoises(f.Active.Settings, f.Active.Stats) {
		lines = append(lines, DenoiseLine(f.Active.Stats))
	}
	if f.Active.Settings.AOVView == TrustView {
		lines = append(lines, TrustLine(f.Active.Stats))
	}
	if f.Active.Settings.AutoExposure {
		found := fmt.Sprintf("%+.1f EV", f.Active.Stats.Metered)
		lines = append(lines, StatusLine{Name: "exposed by", Value: found, Why: "what auto exposure has found; exposure is added to it"})
	}
	if f.Active.Stats.NonFinite > 0 {
		lines = append(lines, StatusLine{Name: "dropped", Value: Count(int(f.Active.Stats.NonFinite), "sample"), Why: "not finite"})
	}
	return lines
}
