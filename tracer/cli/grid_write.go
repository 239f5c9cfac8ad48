package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"glint/tracer/chart"
	"glint/tracer/imageio"
)

const gridFile = "grid.md"

// gridSummary is the JSON object that a grid ends in.
type gridSummary struct {
	Scene     string           `json:"scene"`
	Width     int              `json:"width"`
	Height    int              `json:"height"`
	Backend   string           `json:"backend"`
	Device    string           `json:"device"`
	Reference referenceSummary `json:"reference"`
	Looks     []lookSummary    `json:"looks"`
	Files     []string         `json:"files"`
}

type lookSummary struct {
	Integrator  string        `json:"integrator"`
	Denoiser    string        `json:"denoiser"`
	MsPerSample float64       `json:"ms_per_sample"`
	MsDenoising float64       `json:"ms_denoising"`
	Moving      glanceSummary `json:"moving"`
	Resting     glanceSummary `json:"resting"`
}

type glanceSummary struct {
	measurement
	Flicker float64 `json:"flicker,omitempty"`
}

// write makes the folder.
func (g *grid) write() error {
	outputs := []output{
		{gridFile, func(path string) error { return writeText(path, g.table()) }},
		g.sheet("moving", func(l *look) *glance { return l.moving }),
		g.sheet("resting", func(l *look) *glance { return l.resting }),
	}
	var files []string
	for _, o := range outputs {
		files = append(files, o.name)
	}
	text, err := json.MarshalIndent(g.summary(append(files, summaryFile)), "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", g.asked.Output, err)
	}
	outputs = append(outputs, output{summaryFile, func(path string) error { return writeText(path, string(text)+"\n") }})
	if err := writeFolder(g.asked.Output, outputs); err != nil {
		return fmt.Errorf("write %s: %w", g.asked.Output, err)
	}
	g.program.log.Info("written", "folder", absolute(g.asked.Output), "files", len(outputs))
	return nil
}

func (g *grid) summary(files []string) gridSummary {
	b := g.renderer.Backend()
	s := gridSummary{Scene: g.prepared.Scene.Name, Width: g.view.Width, Height: g.view.Height, Backend: b.Kind, Device: b.Device,
		Reference: referenceSummary{File: g.asked.Reference, Samples: g.asked.ReferenceSPP, RelMSE: short(g.judge.noise)}, Files: files}
	for _, l := range g.looks {
		s.Looks = append(s.Looks, lookSummary{l.integrator, l.denoiser, short(l.ms), short(l.denoising), l.moving.summary(), l.resting.summary()})
	}
	return s
}

func (v *glance) summary() glanceSummary {
	m := v.measurement
	m.RelMSE, m.Trimmed, m.FLIP, m.Seconds = short(m.RelMSE), short(m.Trimmed), short(m.FLIP), short(m.Seconds)
	return glanceSummary{m, short(v.flicker)}
}

// table has a line for each look, in Markdown.
func (g *grid) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s, %d×%d\n\n%s. Reference: %s.\n\n", g.prepared.Scene.Name, g.view.Width, g.view.Height,
		g.renderer.Backend().Device, strings.ReplaceAll(g.asked.about(g.judge.noise), "\n", ", "))
	fmt.Fprintf(&b, "| | | ms a sample | denoising | moving: samples, ms | relMSE | FLIP | flicker | resting: samples, ms | relMSE | FLIP |\n|%s\n",
		strings.Repeat("---|", 11))
	for _, l := range g.looks {
		m, r := l.moving, l.resting
		fmt.Fprintf(&b, "| %s | %s | %.2f | %.2f | %d, %.1f | %.3g | %.4f | %.2f | %d, %.0f | %.3g | %.4f |\n", l.integrator, l.denoiser, l.ms, l.denoising,
			m.Samples, m.ms, m.RelMSE, m.FLIP, m.flicker, r.Samples, r.ms, r.RelMSE, r.FLIP)
	}
	return b.String()
}

// sheet shows the pictures: a row for each denoiser, a column for each integrator.
func (g *grid) sheet(name string, of func(*look) *glance) output {
	return output{name + ".png", func(path string) error {
		s := chart.Sheet{Title: fmt.Sprintf("%s, %s, %d×%d", g.prepared.Scene.Name, name, g.view.Width, g.view.Height)}
		for _, l := range g.looks {
			if !slices.Contains(s.Columns, l.integrator) {
				s.Columns = append(s.Columns, l.integrator)
			}
			if n := len(s.Rows); n == 0 || s.Rows[n-1].Name != "denoiser: "+l.denoiser {
				s.Rows = append(s.Rows, chart.Row{Name: "denoiser: " + l.denoiser})
			}
			row := &s.Rows[len(s.Rows)-1]
			row.Cells = append(row.Cells, of(l).cell())
		}
		s.Columns = append(s.Columns, "reference")
		s.Rows[0].Cells = append(s.Rows[0].Cells, chart.Cell{Picture: g.judge.display, Caption: g.asked.about(g.judge.noise)})
		return drawSheet(path, s)
	}}
}

func (v *glance) cell() chart.Cell {
	return chart.Cell{Picture: v.display, Caption: fmt.Sprintf("%d samples, %.1f ms\nrelMSE %.3g, FLIP %.4f", v.Samples, v.ms, v.RelMSE, v.FLIP)}
}

func drawSheet(path string, s chart.Sheet) error {
	img, err := s.Draw()
	if err != nil {
		return err
	}
	return imageio.WritePNG(path, img, map[string]string{"title": s.Title})
}
