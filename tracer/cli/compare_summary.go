package cli

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"strconv"

	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
)

// summary is the JSON object that a comparison ends in.
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
	Ratios    map[string]*ratio `json:"a_over_b"` // errors of A over those of B: above 1 B is nearer to the truth
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
	measurement
	HDRFLIP   float64       `json:"hdr_flip"`
	NonFinite uint64        `json:"nan_count"`
	Live      *measurement  `json:"last_live_frame,omitempty"`
	Curve     []measurement `json:"curve"`
}

// ratio is the error of one side over that of the other, at the same samples, time or frame.
type ratio struct {
	Samples int     `json:"samples,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	RelMSE  float64 `json:"relmse"`
	Trimmed float64 `json:"relmse_trimmed"`
	FLIP    float64 `json:"flip"`
}

func (t *trial) summary(files []string) *summary {
	b := t.renderer.Backend()
	s := &summary{
		Scene: t.prepared.Scene.Name, Triangles: t.prepared.Scene.Triangles(), Width: t.view.Width, Height: t.view.Height,
		Camera: t.view.Camera, Settings: t.settings, Backend: b.Kind, Device: b.Device, Files: files,
		Reference: referenceSummary{File: t.asked.Reference, RelMSE: t.judge.noise},
		Ratios:    t.ratios(),
	}
	if s.Reference.File == "" {
		s.Reference.Samples = t.asked.ReferenceSPP
	}
	for _, side := range t.sides {
		s.Sides = append(s.Sides, side.summary())
	}
	return s
}

func (s *side) summary() sideSummary {
	out := sideSummary{
		Name: s.name, Flags: s.flags, Settings: s.settings, MsPerSample: 1000 * s.seconds / float64(s.samples),
		MsPerKernel: map[string]float64{}, measurement: s.final.measurement, HDRFLIP: s.final.HDRFLIP, NonFinite: s.dropped, Curve: s.curve,
	}
	for kernel, ms := range s.kernels {
		out.MsPerKernel[kernel] = ms / float64(s.timed)
	}
	if s.last != nil {
		out.Live = &s.last.measurement
	}
	return out
}

// ratios compares the sides at the same samples, after the same time, and in the same live frame.
func (t *trial) ratios() map[string]*ratio {
	a, b := t.sides[0], t.sides[1]
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
		out["live"] = over(a.last.measurement, b.last.measurement)
		out["live"].Samples = a.last.Samples
	}
	return out
}

// over divides errors. Where there is none to divide by, it says 0, since JSON knows no infinity.
func over(a, b measurement) *ratio {
	divide := func(x, y float64) float64 {
		if y == 0 {
			return 0
		}
		return x / y
	}
	return &ratio{RelMSE: divide(a.RelMSE, b.RelMSE), Trimmed: divide(a.Trimmed, b.Trimmed), FLIP: divide(a.FLIP, b.FLIP)}
}

// after is what a curve says at a time from its first point on: between points straight lines on logarithmic axes.
func after(curve []measurement, seconds float64) measurement {
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
		return measurement{Seconds: seconds, RelMSE: between(p.RelMSE, m.RelMSE), Trimmed: between(p.Trimmed, m.Trimmed),
			FLIP: between(p.FLIP, m.FLIP)}
	}
	return last
}

func (s *summary) write(path string) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return imageio.WriteAtomic(path, func(w io.WriteSeeker) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

// writeCurves writes measurements of both sides as CSV; count is the heading of the column that counts.
func (t *trial) writeCurves(path, count string, of func(*side) []measurement) error {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	rows := [][]string{{"side", count, "seconds", "relmse", "relmse_trimmed", "flip"}}
	for _, s := range t.sides {
		for _, m := range of(s) {
			rows = append(rows, []string{s.name, strconv.Itoa(m.Samples), number(m.Seconds), number(m.RelMSE), number(m.Trimmed), number(m.FLIP)})
		}
	}
	return imageio.WriteAtomic(path, func(w io.WriteSeeker) error { return csv.NewWriter(w).WriteAll(rows) })
}
