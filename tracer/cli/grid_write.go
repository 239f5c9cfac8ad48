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

// gridSummary is the JSON object about a grid.
type gridSummary struct {
	Scene     string           `json:"scene"`
	Width     int              `json:"width"`
	Height    int              `json:"height"`
	Backend   string           `json:"backend"`
	Device    string           `json:"device"`
	Reference referenceSummary `json:"reference"`
	Variants  []variantSummary `json:"variants"`
	Files     []string         `json:"files"`
}

type variantSummary struct {
	Integrator  string         `json:"integrator"`
	Denoiser    string         `json:"denoiser"`
	MsPerSample float64        `json:"ms_per_sample"`
	MsDenoising float64        `json:"ms_denoising"`
	Moving      outcomeSummary `json:"moving"`
	Resting     outcomeSummary `json:"resting"`
}

type outcomeSummary struct {
	measurement
	Flicker float64 `json:"flicker,omitempty"`
}

// write writes the folder.
func (g *grid) write() error {
	outputs := []output{
		{gridFile, func(path string) error { return writeText(path, g.table()) }},
		g.sheet("moving", func(v *variant) *outcome { return v.moving }),
		g.sheet("resting", func(v *variant) *outcome { return v.resting }),
	}
	var files []string
	for _, o := range outputs {
		files = append(files, o.name)
	}
	text, err := json.MarshalIndent(g.summary(append(files, summaryFile)), "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", g.command.Output, err)
	}
	outputs = append(outputs, output{summaryFile, func(path string) error { return writeText(path, string(text)+"\n") }})
	if err := writeFolder(g.command.Output, outputs); err != nil {
		return fmt.Errorf("write %s: %w", g.command.Output, err)
	}
	g.program.log.Info("written", "folder", absolute(g.command.Output), "files", len(outputs))
	return nil
}

func (g *grid) summary(files []string) gridSummary {
	b := g.renderer.Engine().Backend()
	s := gridSummary{Scene: g.prepared.Scene.Name, Width: g.view.Width, Height: g.view.Height, Backend: b.Kind, Device: b.Device,
		Reference: referenceSummary{File: g.command.Reference, Samples: g.command.ReferenceSPP, RelMSE: short(g.reference.noise)}, Files: files}
	for _, v := range g.variants {
		s.Variants = append(s.Variants, variantSummary{v.integrator, v.denoiser, short(v.ms), short(v.denoising), v.moving.summary(), v.resting.summary()})
	}
	return s
}

func (v *outcome) summary() outcomeSummary {
	m := v.measurement
	m.RelMSE, m.Trimmed, m.FLIP, m.Seconds = short(m.RelMSE), short(m.Trimmed), short(m.FLIP), short(m.Seconds)
	return outcomeSummary{m, short(v.flicker)}
}

// table has a line for each variant, in Markdown.
func (g *grid) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s, %d×%d\n\n%s. Reference: %s.\n\n", g.prepared.Scene.Name, g.view.Width, g.view.Height,
		g.renderer.Engine().Backend().Device, strings.ReplaceAll(g.command.about(g.reference.noise), "\n", ", "))
	fmt.Fprintf(&b, "| | | ms a sample | denoising | moving: samples, ms | relMSE | FLIP | flicker | resting: samples, ms | relMSE | FLIP |\n|%s\n",
		strings.Repeat("---|", 11))
	for _, v := range g.variants {
		m, r := v.moving, v.resting
		fmt.Fprintf(&b, "| %s | %s | %.2f | %.2f | %d, %.1f | %.3g | %.4f | %.2f | %d, %.0f | %.3g | %.4f |\n", v.integrator, v.denoiser, v.ms, v.denoising,
			m.Samples, m.ms, m.RelMSE, m.FLIP, m.flicker, r.Samples, r.ms, r.RelMSE, r.FLIP)
	}
	return b.String()
}

// sheet shows the pictures: a row for each denoiser, a column for each integrator.
func (g *grid) sheet(name string, of func(*variant) *outcome) output {
	return output{name + ".png", func(path string) error {
		s := chart.Sheet{Title: fmt.Sprintf("%s, %s, %d×%d", g.prepared.Scene.Name, name, g.view.Width, g.view.Height)}
		for _, v := range g.variants {
			if !slices.Contains(s.Columns, v.integrator) {
				s.Columns = append(s.Columns, v.integrator)
			}
			if n := len(s.Rows); n == 0 || s.Rows[n-1].Name != "denoiser: "+v.denoiser {
				s.Rows = append(s.Rows, chart.Row{Name: "denoiser: " + v.denoiser})
			}
			row := &s.Rows[len(s.Rows)-1]
			row.Cells = append(row.Cells, of(v).cell())
		}
		s.Columns = append(s.Columns, "reference")
		s.Rows[0].Cells = append(s.Rows[0].Cells, chart.Cell{Picture: g.reference.display, Caption: g.command.about(g.reference.noise)})
		return drawSheet(path, s)
	}}
}

func (v *outcome) cell() chart.Cell {
	return chart.Cell{Picture: v.display, Caption: fmt.Sprintf("%d samples, %.1f ms\nrelMSE %.3g, FLIP %.4f", v.Samples, v.ms, v.RelMSE, v.FLIP)}
}

func drawSheet(path string, s chart.Sheet) error {
	img, err := s.Draw()
	if err != nil {
		return err
	}
	return imageio.WritePNG(path, img, map[string]string{"title": s.Title})
}
