package grid

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"glint/tracer/chart"
	"glint/tracer/cli/job"
	"glint/tracer/cli/measure"
	"glint/tracer/cli/save"
	"glint/tracer/imageio"
)

const gridFile = "grid.md"

// report is what `glint grid` has found so far.
type report struct {
	summary
	command *Command
	sheets  []sheetFile
}

// sceneSummary says what a scene was measured against.
type sceneSummary struct {
	Name   string             `json:"name"`
	Noise  map[string]float64 `json:"reference_relmse"` // of the noise of references, estimated, by motion
	Change map[string]float64 `json:"change"`           // of a displayed pixel from reference to reference, of 255, by motion
}

// sheetFile is a finished sheet of pictures.
type sheetFile struct {
	name string
	png  []byte
}

// summary is the JSON object about a grid.
type summary struct {
	Backend          string           `json:"backend"`
	Device           string           `json:"device"`
	Size             string           `json:"size"`
	ReferenceSamples int              `json:"reference_samples"`
	Frames           int              `json:"frames"`
	WarmUp           int              `json:"warm_up_frames"`
	Scenes           []sceneSummary   `json:"scenes"`
	Outcomes         []*outcome       `json:"outcomes"`
	Ratios           []comparedRatios `json:"over_first"` // errors over those of the first integrator: below 1 is nearer to the truth
	Files            []string         `json:"files"`
}

// add takes over what was measured of a scene, and draws its sheets.
func (r *report) add(g *grid) error {
	b := g.Renderer.Engine().Backend()
	r.Backend, r.Device = b.Kind, b.Device
	s := sceneSummary{Name: g.Prepared.Scene.Name, Noise: g.noise(), Change: map[string]float64{}}
	if slices.ContainsFunc(r.Scenes, func(other sceneSummary) bool { return other.Name == s.Name }) {
		return fmt.Errorf("two scenes are called %s: name each once", s.Name)
	}
	for _, m := range g.motions {
		s.Change[m.name] = job.Short(m.change)
	}
	sheets, err := g.sheets(len(r.Scenes) + 1)
	if err != nil {
		return err
	}
	r.sheets = append(r.sheets, sheets...)
	for _, o := range g.outcomes {
		o.picture = nil // the sheets have it
	}
	r.Outcomes, r.Scenes = append(r.Outcomes, g.outcomes...), append(r.Scenes, s)
	r.Ratios = ratiosOver(r.Outcomes, r.command.Integrators[0])
	return nil
}

// sheets are the pictures of a scene: one for each motion and budget, and one at rest. The number keeps files of scenes of like names apart.
func (g *grid) sheets(number int) ([]sheetFile, error) {
	base := strings.TrimSuffix(filepath.Base(g.Prepared.Scene.Name), filepath.Ext(g.Prepared.Scene.Name))
	var setups []setup
	for _, o := range g.outcomes {
		at := o.setup
		at.Denoiser = ""
		if !slices.Contains(setups, at) {
			setups = append(setups, at)
		}
	}
	var files []sheetFile
	for _, at := range setups {
		reference := g.resting
		name := restMotion
		for _, m := range g.motions {
			if m.name == at.Motion {
				reference = m.references[len(m.references)-1]
				name = fmt.Sprintf("%s-%gms", m.name, at.Budget)
			}
		}
		s := g.sheet(at, reference)
		img, err := s.Draw()
		if err != nil {
			return nil, err
		}
		png, err := imageio.EncodePNG(img, map[string]string{"title": s.Title})
		if err != nil {
			return nil, err
		}
		files = append(files, sheetFile{fmt.Sprintf("%02d-%s-%s.png", number, base, name), png})
	}
	return files, nil
}

// sheet shows the last frames of a motion: a row for each denoiser, a column for each integrator and one for the reference.
func (g *grid) sheet(at setup, reference *measure.Reference) chart.Sheet {
	s := chart.Sheet{Title: fmt.Sprintf("%s, %s, %g ms, %d×%d", g.Prepared.Scene.Name, at.Motion, at.Budget, g.View.Width, g.View.Height),
		Columns: append(slices.Clone(g.command.Integrators), "reference")}
	for _, o := range g.outcomes {
		if o.Motion != at.Motion || o.Budget != at.Budget {
			continue
		}
		heading := "denoiser: " + o.Denoiser
		if n := len(s.Rows); n == 0 || s.Rows[n-1].Name != heading {
			s.Rows = append(s.Rows, chart.Row{Name: heading})
		}
		row := &s.Rows[len(s.Rows)-1]
		row.Cells = append(row.Cells, chart.Cell{Picture: o.picture, Caption: o.caption()})
	}
	for i := range s.Rows {
		s.Rows[i].Cells = append(s.Rows[i].Cells, chart.Cell{Picture: reference.Display,
			Caption: fmt.Sprintf("path, %d samples per pixel\nrelMSE of its noise %.2g", g.command.ReferenceSPP, reference.Noise)})
	}
	return s
}

func (o *outcome) caption() string {
	return fmt.Sprintf("%d samples, %.1f ms\nrelMSE %.3g, FLIP %.4f", o.Samples, o.Ms, o.RelMSE, o.FLIP)
}

// write writes the folder.
func (r *report) write(p *job.Process) error {
	outputs := []save.File{{Name: gridFile, Write: func(path string) error { return save.Text(path, r.markdown()) }},
		save.Summary(func(files []string) any {
			r.Files = files
			return r.summary
		})}
	for _, s := range r.sheets {
		outputs = append(outputs, save.File{Name: s.name, Write: func(path string) error { return save.Text(path, string(s.png)) }})
	}
	return save.Folder(p.Leftovers, r.command.Output, outputs)
}

// markdown has the ratios over all scenes, and then a table for each scene.
func (r *report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Errors in equal time, %s\n\n%s. References: path, %d samples per pixel. Means of %d frames after %d.\n\n",
		r.Size, r.Device, r.ReferenceSamples, r.Frames, r.WarmUp)
	fmt.Fprintf(&b, "Errors over those of %s: geometric mean of the scenes; worst of them.\n\n%s", r.command.Integrators[0], r.ratioTable())
	for _, s := range r.Scenes {
		fmt.Fprintf(&b, "\n## %s\n\n", s.Name)
		fmt.Fprintf(&b, "relMSE of the references' noise: at rest %.2g", s.Noise[restMotion])
		for _, m := range r.command.Motion {
			fmt.Fprintf(&b, "; %s %.2g, where a displayed pixel changes by %.2g of 255 a frame", m, s.Noise[m], s.Change[m])
		}
		fmt.Fprintf(&b,
			".\n\n| | budget, ms | denoiser | | ms a sample | gathered | denoising | samples, ms | relMSE | trimmed | FLIP | over %s | flicker | dots |\n|%s\n",
			r.command.Integrators[0], strings.Repeat("---|", 14))
		for _, o := range r.Outcomes {
			if o.Scene != s.Name {
				continue
			}
			fmt.Fprintf(&b, "| %s | %g | %s | %s | %.2f | %.2f | %.2f | %d, %.1f | %.3g | %.3g | %.4f | %s | %.2f | %.1f |\n",
				o.Motion, o.Budget, o.Denoiser, o.Integrator, o.MsSample, o.MsGather, o.MsDenoise, o.Samples, o.Ms, o.RelMSE, o.Trimmed, o.FLIP, r.flipRatio(o), o.Flicker, o.Dots)
		}
	}
	return b.String()
}

// flipRatio is the FLIP of an outcome over that of the first integrator, as text.
func (r *report) flipRatio(o *outcome) string {
	for _, row := range r.Ratios {
		if row.setup == o.setup && row.Integrator == o.Integrator {
			if x, ok := row.Ratios["flip"].Scenes[o.Scene]; ok {
				return fmt.Sprintf("%.2f", x)
			}
		}
	}
	return ""
}

// ratioTable has a line for each setup and integrator except the first, in Markdown.
func (r *report) ratioTable() string {
	var b strings.Builder
	b.WriteString("| | budget, ms | denoiser | |")
	for _, m := range errorKinds() {
		fmt.Fprintf(&b, " %s | worst |", m.name)
	}
	fmt.Fprintf(&b, "\n|%s\n", strings.Repeat("---|", 4+2*len(errorKinds())))
	for _, row := range r.Ratios {
		fmt.Fprintf(&b, "| %s | %g | %s | %s |", row.Motion, row.Budget, row.Denoiser, row.Integrator)
		for _, m := range errorKinds() {
			if x, ok := row.Ratios[m.key]; ok {
				fmt.Fprintf(&b, " %.2f | %.2f %s |", x.Mean, x.Worst, x.Scene)
			} else {
				b.WriteString(" | |")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
