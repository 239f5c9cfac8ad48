package cli

import (
	"fmt"
	"image"
	"maps"
	"slices"
	"strings"

	"glint/tracer/chart"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/settings"
)

// write makes the folder.
func (t *trial) write(folder string) error {
	outputs := t.outputs()
	files := make([]string, 0, len(outputs)+1)
	for _, o := range outputs {
		files = append(files, o.name)
	}
	files = append(files, summaryFile)
	s := t.summary(files)
	if err := writeFolder(folder, append(outputs, output{summaryFile, s.write})); err != nil {
		return fmt.Errorf("write %s: %w", folder, err)
	}
	for _, what := range slices.Sorted(maps.Keys(s.Ratios)) {
		r := s.Ratios[what]
		t.program.log.Info("error of A over error of B", "at", what, "relMSE", short(r.RelMSE), "trimmed", short(r.Trimmed), "FLIP", short(r.FLIP))
	}
	t.program.log.Info("written", "folder", absolute(folder), "files", len(files))
	return nil
}

// outputs lists the files, the summary apart.
func (t *trial) outputs() []output {
	a, b := t.sides[0], t.sides[1]
	out := []output{
		t.picture("reference", t.judge.display, t.referenceSettings(), t.asked.ReferenceSPP),
		t.linear("reference", t.judge.reference, t.referenceSettings(), t.asked.ReferenceSPP),
		t.picture("difference", difference(a.final.linear, b.final.linear, t.judge.reference).picture, t.settings, 0),
		{"errors.csv", func(path string) error {
			return t.writeCurves(path, "samples", func(s *side) []measurement { return s.curve })
		}},
		{"errors.png", t.writeDiagram},
		{"sheet.png", t.writeSheet},
	}
	for _, s := range t.sides {
		out = append(out, t.exhibits(strings.ToLower(s.name), s, s.final)...)
		if s.last != nil {
			out = append(out, t.exhibits("live-"+strings.ToLower(s.name), s, s.last)...)
		}
	}
	if t.asked.Live > 0 {
		out = append(out, output{"live.csv", func(path string) error {
			return t.writeCurves(path, "frame", func(s *side) []measurement { return s.live })
		}})
	}
	return out
}

// exhibits are the files of a picture: as displayed, linear, and where it can be seen to differ from the reference.
func (t *trial) exhibits(name string, s *side, e *exhibit) []output {
	return []output{
		t.picture(name, e.display, s.settings, e.Samples),
		t.linear(name, e.linear, s.settings, e.Samples),
		t.picture("flip-"+name, metric.Heatmap(e.flip, 1), s.settings, e.Samples),
	}
}

func (t *trial) picture(name string, img *image.NRGBA, s settings.Settings, samples int) output {
	return output{name + ".png", func(path string) error {
		about, err := t.describe(t.view.Camera, s, samples)
		if err != nil {
			return err
		}
		return imageio.WritePNG(path, img, about)
	}}
}

func (t *trial) linear(name string, img *imageio.Image, s settings.Settings, samples int) output {
	return output{name + ".exr", func(path string) error {
		about, err := t.describe(t.view.Camera, s, samples)
		if err != nil {
			return err
		}
		return imageio.Write(path, img, about)
	}}
}

// writeDiagram draws the errors over time, over samples and over live frames.
func (t *trial) writeDiagram(path string) error {
	seconds := func(m measurement) float64 { return m.Seconds }
	count := func(m measurement) float64 { return float64(m.Samples) }
	accumulated := func(s *side) []measurement { return s.curve }
	panels := []chart.Panel{
		t.panel("at equal time", "seconds of rendering", accumulated, seconds),
		t.panel("at equal samples", "samples a pixel", accumulated, count),
	}
	if t.asked.Live > 0 {
		panels = append(panels, t.panel("live, each frame by itself", "frame", func(s *side) []measurement { return s.live }, count))
	}
	img, err := chart.Curves(760*len(panels), 720, panels...)
	if err != nil {
		return err
	}
	return imageio.WritePNG(path, img, map[string]string{"scene": t.prepared.Scene.Name})
}

// panel draws the errors of both sides over x, and the noise of the reference below which nothing can be measured.
func (t *trial) panel(title, label string, of func(*side) []measurement, x func(measurement) float64) chart.Panel {
	p := chart.Panel{Title: title, X: label, Y: "relMSE"}
	var low, high float64
	for i, s := range t.sides {
		whole := chart.Curve{Name: s.name + "  " + s.flags, Colour: chart.Colour(i)}
		trimmed := chart.Curve{Name: s.name + " without the worst 0.1 %", Colour: chart.Colour(i), Dashed: true}
		for j, m := range of(s) {
			whole.Points = append(whole.Points, chart.Point{X: x(m), Y: m.RelMSE})
			trimmed.Points = append(trimmed.Points, chart.Point{X: x(m), Y: m.Trimmed})
			if i == 0 && j == 0 || x(m) < low {
				low = x(m)
			}
			high = max(high, x(m))
		}
		p.Curves = append(p.Curves, whole, trimmed)
	}
	if t.judge.noise > 0 {
		floor := []chart.Point{{X: low, Y: t.judge.noise}, {X: high, Y: t.judge.noise}}
		p.Curves = append(p.Curves, chart.Curve{Name: "noise of the reference", Points: floor, Colour: chart.Grey(), Dashed: true})
	}
	return p
}

// writeSheet draws everything on one page.
func (t *trial) writeSheet(path string) error {
	return drawSheet(path, t.sheet())
}

// sheet has a pair of rows for each way of looking: what accumulates, and live frames.
func (t *trial) sheet() chart.Sheet {
	a, b := t.sides[0], t.sides[1]
	s := chart.Sheet{
		Title:   fmt.Sprintf("%s, %d×%d", t.prepared.Scene.Name, t.view.Width, t.view.Height),
		Columns: []string{"A  " + a.flags, "B  " + b.flags, "Reference"},
	}
	s.Rows = append(s.Rows, t.rows("accumulated", "%d samples", a.final, b.final)...)
	if t.asked.Live > 0 {
		s.Rows = append(s.Rows, t.rows("live", "frame %d", a.last, b.last)...)
	}
	return s
}

// rows are the pictures of both sides beside the reference, and below them where they differ from it
// and from each other. count says what their samples are.
func (t *trial) rows(name, count string, a, b *exhibit) []chart.Row {
	d := difference(a.linear, b.linear, t.judge.reference)
	return []chart.Row{
		{Name: name, Cells: []chart.Cell{{Picture: a.display, Caption: a.caption(count)}, {Picture: b.display, Caption: b.caption(count)},
			{Picture: t.judge.display, Caption: t.asked.about(t.judge.noise)}}},
		{Name: "FLIP, A − B", Cells: []chart.Cell{{Picture: metric.Heatmap(a.flip, 1), Caption: a.flipCaption()},
			{Picture: metric.Heatmap(b.flip, 1), Caption: b.flipCaption()}, {Picture: d.picture, Caption: d.caption()}}},
	}
}

func (e *exhibit) caption(count string) string {
	return fmt.Sprintf(count+", %.3g s\nrelMSE %.3g (%.3g without the worst 0.1 %%)", e.Samples, e.Seconds, e.RelMSE, e.Trimmed)
}

func (e *exhibit) flipCaption() string {
	return fmt.Sprintf("mean %.3g as displayed, %.3g over all exposures\nblack: none, pale yellow: as large as can be", e.FLIP, e.HDRFLIP)
}
