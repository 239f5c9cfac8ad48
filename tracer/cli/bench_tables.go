package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"
	"strings"
	"time"

	"glint/tracer/bench"
	"glint/tracer/builtin"
	"glint/tracer/guard"
	"glint/tracer/imageio"
	"glint/tracer/scene"
)

// The files of a report, except diagrams.
const (
	reportFile = "report.md"
	linesFile  = "figures.jsonl"
)

// runTables repeats published measurements, prints a line of JSON for each figure, and writes a report with --output.
func (c *benchCommand) runTables(ctx context.Context, p *Program) error {
	tables, err := bench.Choose(c.Tables)
	if err != nil {
		return fmt.Errorf("--tables: %w", err)
	}
	if c.Output != "" {
		if err := checkFolderOutput(c.Output); err != nil {
			return err
		}
	}
	r, err := c.open(p, loadForTables)
	if err != nil {
		return err
	}
	begun := time.Now()
	var lines strings.Builder
	results, err := c.measureTables(ctx, p, r, tables, &lines)
	var cut error
	if isInterrupted(ctx, err) {
		cut, err = c.cutTables(ctx, results, tables), nil
	}
	if err = errors.Join(err, r.Close()); err != nil || c.Output == "" {
		return cmp.Or(err, cut)
	}
	about := fmt.Sprintf("%s; at most %d frames a side, measured in %.0f s", c.sizeWords(), c.Frames, time.Since(begun).Seconds())
	return errors.Join(cut, c.writeReport(p, bench.Report{Machine: r.Machine(), About: about, Results: results}, lines.String()))
}

// cutTables is the error of a run whose context ended before all rows were measured.
func (c *benchCommand) cutTables(ctx context.Context, results []bench.Result, tables []bench.Table) error {
	done, all := 0, 0
	for _, r := range results {
		done += len(r.Figures)
	}
	for _, t := range tables {
		all += len(t.Rows)
	}
	return interrupted(ctx, fmt.Sprintf("%d of %d rows of tables were measured and are printed", done, all))
}

// loadForTables makes a built-in scene, if this build has it.
func loadForTables(_ context.Context, name string, _ *guard.Memory) (*scene.Scene, error) {
	if !slices.ContainsFunc(builtin.List(), func(i builtin.Info) bool { return i.Name == name }) {
		return nil, fmt.Errorf("scene %s: %w", name, bench.ErrNotHere)
	}
	return builtin.Make(name, builtin.Options{})
}

func (c *benchCommand) sizeWords() string {
	if c.Size != "" {
		return c.Size + " pixels"
	}
	return "800×800 pixels where a reference does not say otherwise"
}

func (c *benchCommand) measureTables(ctx context.Context, p *Program, r *bench.Run, tables []bench.Table, lines io.Writer) ([]bench.Result, error) {
	rows := 0
	for _, t := range tables {
		rows += len(t.Rows)
	}
	bar := newBar(p.Stderr, rows, "rows of tables")
	defer bar.finish()
	encoder := json.NewEncoder(io.MultiWriter(p.Stdout, lines))
	done := 0
	said := map[string]bool{}
	return r.Tables(ctx, tables, func(figures []bench.Figure) error {
		done++
		bar.set(done)
		for _, f := range figures {
			if f.Skipped != "" && !said[f.Skipped] {
				said[f.Skipped] = true
				p.log.Info("not measured", "table", f.Table, "row", f.Row, "side", f.Side, "why", f.Skipped)
			}
			if err := encoder.Encode(f); err != nil {
				return fmt.Errorf("write measurements: %w", err)
			}
		}
		return nil
	})
}

// writeReport writes the folder of --output.
func (c *benchCommand) writeReport(p *Program, report bench.Report, lines string) error {
	outputs := []output{
		{reportFile, func(path string) error { return writeText(path, report.Markdown()) }},
		{linesFile, func(path string) error { return writeText(path, lines) }},
	}
	for _, r := range report.Results {
		img, err := r.Diagram()
		if err != nil {
			return err
		}
		if img != nil {
			outputs = append(outputs, pictureOf(r.Picture(), img, r.Title))
		}
	}
	files := []string{summaryFile}
	for _, o := range outputs {
		files = append(files, o.name)
	}
	about := struct {
		bench.Machine
		About string   `json:"about"`
		Files []string `json:"files"`
	}{report.Machine, report.About, files}
	text, err := json.MarshalIndent(about, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", c.Output, err)
	}
	outputs = append(outputs, output{summaryFile, func(path string) error { return writeText(path, string(text)+"\n") }})
	if err := writeFolder(p, c.Output, outputs); err != nil {
		return fmt.Errorf("write %s: %w", c.Output, err)
	}
	p.log.Info("written", "folder", absolute(c.Output), "files", len(files))
	return nil
}

func pictureOf(name string, img *image.NRGBA, title string) output {
	return output{name, func(path string) error { return imageio.WritePNG(path, img, map[string]string{"title": title}) }}
}

func writeText(path, text string) error {
	return imageio.WriteAtomic(path, func(w io.WriteSeeker) error {
		_, err := io.WriteString(w, text)
		return err
	})
}
