package compare

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"glint/tracer/chart"
	"glint/tracer/cli/interrupt"
	"glint/tracer/cli/job"
	"glint/tracer/cli/measure"
	"glint/tracer/cli/save"
	"glint/tracer/diagnose"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// write writes the folder.
func (c *comparison) write(folder string) error {
	ratios := c.ratios()
	c.verdict, c.biased = verdictOf(c), c.bias.Map()
	outputs := append(c.outputs(), save.Summary(func(files []string) any { return c.summary(ratios, files) }))
	if err := save.Folder(c.process.Leftovers, folder, outputs); err != nil {
		return err
	}
	for _, what := range slices.Sorted(maps.Keys(ratios)) {
		r := ratios[what]
		c.process.Log.Info("error of A over error of B", "at", what, "relMSE", job.Short(float64(r.RelMSE)), "trimmed",
			job.Short(float64(r.Trimmed)), "FLIP", job.Short(float64(r.FLIP)))
	}
	if c.verdict != "" {
		c.process.Log.Info(c.verdict)
	}
	if c.biased.Known() {
		c.process.Log.Info(c.biased.String(), "colours of bias.png", fmt.Sprintf("±%.0f %%", 100*c.biased.Scale))
	}
	c.process.Log.Info("written", "folder", save.Absolute(folder), "files", len(outputs))
	return nil
}

// verdictOf says in words which side has less error; empty where it is not known how that goes on, as after denoising, or where the reference
// is not good enough.
func verdictOf(c *comparison) string {
	own := c.reference.Noise
	if c.command.Reference != "" {
		own = 0 // a file is taken for the truth
	}
	var sides [2]diagnose.Measured
	for i, s := range c.sides {
		tiles, err := metric.TileErrors(s.final.Linear, c.reference.Image, diagnose.Tiles)
		if err != nil || s.settings.Denoise != "off" || !(own <= diagnose.UsableNoise*s.final.RelMSE) {
			return ""
		}
		sides[i] = diagnose.Measured{Name: s.name, Tiles: tiles, Own: own, Samples: s.samples,
			Time: time.Duration(s.seconds * float64(time.Second))}
	}
	return diagnose.Verdict(sides[0], sides[1])
}

// writeCut writes what there is when the context has ended: what both sides have accumulated, or the reference alone.
func (c *comparison) writeCut(ctx context.Context, folder string) error {
	a, b := c.sides[0], c.sides[1]
	switch {
	case c.reference == nil:
		return interrupt.NothingYet(ctx)
	case a.final == nil || b.final == nil:
		outputs := []save.File{
			save.Summary(func(files []string) any { return map[string][]string{"files": files} }),
			c.picture("reference", c.reference.Display, measure.ReferenceSettings(c.Settings), c.reference.Samples),
			c.linear("reference", c.reference.Image, measure.ReferenceSettings(c.Settings), c.reference.Samples),
		}
		if err := save.Folder(c.process.Leftovers, folder, outputs); err != nil {
			return err
		}
		return interrupt.New(ctx,
			fmt.Sprintf("%s holds the reference alone, of %d samples per pixel; --reference takes it from another folder", folder,
				c.reference.Samples))
	}
	if err := c.write(folder); err != nil {
		return err
	}
	return interrupt.New(ctx, fmt.Sprintf("%s compares the pictures so far, of %d and %d samples per pixel, with a reference of %d",
		folder, a.samples, b.samples, c.reference.Samples))
}

// outputs lists the files, except the summary.
func (c *comparison) outputs() []save.File {
	a, b := c.sides[0], c.sides[1]
	out := []save.File{
		c.picture("reference", c.reference.Display, measure.ReferenceSettings(c.Settings), c.reference.Samples),
		c.linear("reference", c.reference.Image, measure.ReferenceSettings(c.Settings), c.reference.Samples),
		c.picture("difference", measure.Difference(a.final.Linear, b.final.Linear, c.reference.Image).Picture, c.Settings, 0),
		{Name: "errors.csv", Write: func(path string) error {
			return c.writeCurves(path, "samples", func(s *side) []measure.Measurement { return s.curve })
		}},
		{Name: "errors.png", Write: c.writeDiagram},
		{Name: "sheet.png", Write: func(path string) error { return measure.DrawSheet(path, c.sheet()) }},
	}
	for _, s := range c.sides {
		out = append(out, c.pictureFiles(strings.ToLower(s.name), s, s.final)...)
		if s.last != nil {
			out = append(out, c.pictureFiles("live-"+strings.ToLower(s.name), s, s.last)...)
		}
	}
	if c.biased.Known() {
		out = append(out, c.picture("bias", c.biased.Picture(a.final.Linear), c.Settings, c.biased.Samples))
	}
	if a.last != nil && b.last != nil {
		out = append(out, save.File{Name: "live.csv", Write: func(path string) error {
			return c.writeCurves(path, "frame", func(s *side) []measure.Measurement { return s.live })
		}})
	}
	return out
}

// pictureFiles are the files of a result: as displayed, linear, and its FLIP map.
func (c *comparison) pictureFiles(name string, s *side, e *measure.Result) []save.File {
	return []save.File{
		c.picture(name, e.Display, s.settings, e.Samples),
		c.linear(name, e.Linear, s.settings, e.Samples),
		c.picture("flip-"+name, metric.Heatmap(e.Flip, 1), s.settings, e.Samples),
	}
}

func (c *comparison) picture(name string, img *image.NRGBA, s settings.Settings, samples int) save.File {
	return save.File{Name: name + ".png", Write: func(path string) error {
		about, err := c.Describe(c.View.Camera, s, samples)
		if err != nil {
			return err
		}
		return imageio.WritePNG(path, img, about)
	}}
}

func (c *comparison) linear(name string, img *imageio.Image, s settings.Settings, samples int) save.File {
	return save.File{Name: name + ".exr", Write: func(path string) error {
		about, err := c.Describe(c.View.Camera, s, samples)
		if err != nil {
			return err
		}
		return imageio.Write(path, img, about)
	}}
}

// writeDiagram draws the errors over time, over samples and over live frames.
func (c *comparison) writeDiagram(path string) error {
	seconds := func(m measure.Measurement) float64 { return m.Seconds }
	count := func(m measure.Measurement) float64 { return float64(m.Samples) }
	accumulated := func(s *side) []measure.Measurement { return s.curve }
	panels := []chart.Panel{
		c.panel("at equal time", "seconds of rendering", accumulated, seconds),
		c.panel("at equal samples", "samples a pixel", accumulated, count),
	}
	if c.sides[0].last != nil {
		panels = append(panels, c.panel("live, each frame by itself", "frame", func(s *side) []measure.Measurement { return s.live },
			count))
	}
	img, err := chart.Curves(760*len(panels), 720, panels...)
	if err != nil {
		return err
	}
	return imageio.WritePNG(path, img, map[string]string{"scene": strings.ToValidUTF8(c.Prepared.Scene.Name, "\uFFFD")})
}

// panel draws the errors of both sides over x, and the noise of the reference, below which nothing can be measured.
func (c *comparison) panel(title, label string, of func(*side) []measure.Measurement, x func(measure.Measurement) float64) chart.Panel {
	p := chart.Panel{Title: title, X: label, Y: "relMSE"}
	var low, high float64
	for i, s := range c.sides {
		whole := chart.Curve{Name: s.name + "  " + s.flags, Color: chart.Color(i)}
		trimmed := chart.Curve{Name: s.name + " without the worst 0.1 %", Color: chart.Color(i), Dashed: true}
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
	if c.reference.Noise > 0 {
		floor := []chart.Point{{X: low, Y: c.reference.Noise}, {X: high, Y: c.reference.Noise}}
		p.Curves = append(p.Curves, chart.Curve{Name: "noise of the reference", Points: floor, Color: chart.Gray(), Dashed: true})
	}
	return p
}

// sheet has two rows for the accumulated images and two for live frames.
func (c *comparison) sheet() chart.Sheet {
	a, b := c.sides[0], c.sides[1]
	s := chart.Sheet{
		Title:   strings.TrimSpace(fmt.Sprintf("%s, %d×%d   %s", c.Prepared.Scene.Name, c.View.Width, c.View.Height, c.verdict)),
		Columns: []string{"A  " + a.flags, "B  " + b.flags, "Reference"},
	}
	s.Rows = append(s.Rows, c.rows("accumulated", "%d samples", a.final, b.final)...)
	if a.last != nil && b.last != nil {
		s.Rows = append(s.Rows, c.rows("live", "frame %d", a.last, b.last)...)
	}
	return s
}

// rows are the pictures of both sides next to the reference, and below them their differences from it and from each other.
// count formats their number of samples.
func (c *comparison) rows(name, count string, a, b *measure.Result) []chart.Row {
	d := measure.Difference(a.Linear, b.Linear, c.reference.Image)
	return []chart.Row{
		{Name: name, Cells: []chart.Cell{{Picture: a.Display, Caption: captionOf(a, count)}, {Picture: b.Display, Caption: captionOf(b,
			count)},
			{Picture: c.reference.Display, Caption: c.command.About(c.reference)}}},
		{Name: "FLIP, A − B", Cells: []chart.Cell{{Picture: metric.Heatmap(a.Flip, 1), Caption: flipCaptionOf(a)},
			{Picture: metric.Heatmap(b.Flip, 1), Caption: flipCaptionOf(b)}, {Picture: d.Picture, Caption: d.Caption()}}},
	}
}

// captionOf says what was measured of a picture; count formats its number of samples.
func captionOf(e *measure.Result, count string) string {
	return fmt.Sprintf(count+", %.3g s\nrelMSE %.3g (%.3g without the worst 0.1 %%)", e.Samples, e.Seconds, e.RelMSE, e.Trimmed)
}

func flipCaptionOf(e *measure.Result) string {
	return fmt.Sprintf("mean %.3g as displayed, %.3g over all exposures\nblack: none, pale yellow: as large as can be", e.FLIP, e.HDRFLIP)
}

// summary is the JSON object about a comparison.
type summary struct {
	Scene     string            `json:"scene"`
	Triangles int               `json:"triangles"`
	Width     int               `json:"width"`
	Height    int               `json:"height"`
	Camera    scene.Camera      `json:"camera"`
	Settings  settings.Settings `json:"settings"` // that both sides share
	Backend   string            `json:"backend"`
	Device    string            `json:"device"`
	Reference referenceSummary  `json:"reference"`
	Sides     []sideSummary     `json:"sides"`
	Ratios    map[string]*ratio `json:"a_over_b"`          // errors of A over those of B: above 1 B is nearer to the truth
	Verdict   string            `json:"verdict,omitempty"` // the same in words, with its spread
	Bias      string            `json:"bias,omitempty"`    // whether the means differ, in words
	Files     []string          `json:"files"`
}

type referenceSummary struct {
	File    string  `json:"file,omitempty"`
	Samples int     `json:"samples,omitempty"`
	RelMSE  float64 `json:"relmse,omitempty"` // of its own noise, estimated
}

type sideSummary struct {
	Name        string             `json:"name"`
	Flags       string             `json:"flags"`
	Settings    settings.Settings  `json:"settings"`
	MsPerSample float64            `json:"ms_per_sample"`
	MsPerKernel map[string]float64 `json:"ms_per_kernel"` // mean of a sample
	measure.Measurement
	HDRFLIP   float64               `json:"hdr_flip"`
	NonFinite uint64                `json:"nan_count"`
	Live      *measure.Measurement  `json:"last_live_frame,omitempty"`
	Curve     []measure.Measurement `json:"curve"`
}

// ratio is the error of one side over that of the other, at the same samples, time or frame.
type ratio struct {
	Samples int     `json:"samples,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	RelMSE  factor  `json:"relmse"`
	Trimmed factor  `json:"relmse_trimmed"`
	FLIP    factor  `json:"flip"`
}

// factor is an error over another; infinite where that is zero, which JSON has as null.
type factor float64

// MarshalJSON writes it.
func (f factor) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(f), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

func (c *comparison) summary(ratios map[string]*ratio, files []string) *summary {
	b := c.Renderer.Engine().Backend()
	s := &summary{
		Scene: c.Prepared.Scene.Name, Triangles: c.Prepared.Scene.Triangles(), Width: c.View.Width, Height: c.View.Height,
		Camera: c.Prepared.Scene.CameraToFile(c.View.Camera), Settings: c.Settings, Backend: b.Kind, Device: b.Device, Files: files,
		Reference: referenceSummary{File: c.command.Reference},
		Ratios:    ratios,
		Verdict:   c.verdict,
	}
	if c.biased.Known() {
		s.Bias = c.biased.String()
	}
	if s.Reference.File == "" {
		s.Reference.Samples = c.reference.Samples
	}
	if c.reference.Noise > 0 {
		s.Reference.RelMSE = c.reference.Noise
	}
	for _, side := range c.sides {
		s.Sides = append(s.Sides, side.summary())
	}
	return s
}

func (s *side) summary() sideSummary {
	out := sideSummary{
		Name: s.name, Flags: s.flags, Settings: s.settings, MsPerSample: 1000 * s.seconds / float64(s.samples),
		MsPerKernel: map[string]float64{}, Measurement: s.final.Measurement, HDRFLIP: s.final.HDRFLIP, NonFinite: s.dropped, Curve: s.curve,
	}
	for kernel, ms := range s.kernels {
		out.MsPerKernel[kernel] = ms / float64(s.timed)
	}
	if s.last != nil {
		out.Live = &s.last.Measurement
	}
	return out
}

// ratios compares the sides at the same samples, after the same time, and in the same live frame.
func (c *comparison) ratios() map[string]*ratio {
	a, b := c.sides[0], c.sides[1]
	out := map[string]*ratio{}
	for _, x := range a.curve {
		for _, y := range b.curve {
			if x.Samples == y.Samples {
				out["equal_samples"] = over(x, y)
				out["equal_samples"].Samples = x.Samples
			}
		}
	}
	if seconds := min(a.seconds, b.seconds); seconds >= max(a.curve[0].Seconds, b.curve[0].Seconds) {
		out["equal_time"] = over(after(a.curve, seconds), after(b.curve, seconds))
		out["equal_time"].Seconds = seconds
	}
	if a.last != nil && b.last != nil {
		out["live"] = over(a.last.Measurement, b.last.Measurement)
		out["live"].Samples = a.last.Samples
	}
	return out
}

// over divides errors. Two that are zero are equal.
func over(a, b measure.Measurement) *ratio {
	divide := func(x, y float64) factor {
		if x == y {
			return 1
		}
		return factor(x / y)
	}
	return &ratio{RelMSE: divide(a.RelMSE, b.RelMSE), Trimmed: divide(a.Trimmed, b.Trimmed), FLIP: divide(a.FLIP, b.FLIP)}
}

// after interpolates a curve at a time, not before its first point: straight lines between points on logarithmic axes.
func after(curve []measure.Measurement, seconds float64) measure.Measurement {
	last := curve[len(curve)-1]
	for i, m := range curve {
		if m.Seconds < seconds {
			continue
		}
		if m.Seconds == seconds {
			return m
		}
		p := curve[i-1]
		x := math.Log(seconds/p.Seconds) / math.Log(m.Seconds/p.Seconds)
		between := func(from, to float64) float64 { return from * math.Pow(to/from, x) }
		return measure.Measurement{Seconds: seconds, RelMSE: between(p.RelMSE, m.RelMSE), Trimmed: between(p.Trimmed, m.Trimmed),
			FLIP: between(p.FLIP, m.FLIP)}
	}
	return last
}

// writeCurves writes measurements of both sides as CSV; count is the heading of the column that counts.
func (c *comparison) writeCurves(path, count string, of func(*side) []measure.Measurement) error {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	rows := [][]string{{"side", count, "seconds", "relmse", "relmse_trimmed", "flip"}}
	for _, s := range c.sides {
		for _, m := range of(s) {
			rows = append(rows, []string{s.name, strconv.Itoa(m.Samples), number(m.Seconds), number(m.RelMSE), number(m.Trimmed),
				number(m.FLIP)})
		}
	}
	return imageio.WriteAtomic(path, func(w io.WriteSeeker) error { return csv.NewWriter(w).WriteAll(rows) })
}
