package bench

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"glint/tracer/chart"
	"glint/tracer/profile"
)

// Report is the result of a run, for people.
type Report struct {
	Machine Machine
	About   string // sizes and frames
	Results []Result
}

// Markdown compares what each reference found with what was measured here. Diagrams have the names of Result.Picture.
func (r Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The tables of the references, on this machine\n\n%s (%s). %s.\n\n%s\n", r.Machine.Device, r.Machine.Backend, r.About, legend)
	for _, result := range r.Results {
		result.write(&b)
	}
	fmt.Fprintf(&b, "\n## Left out\n\n%s\n", Omitted)
	return b.String()
}

const legend = "Milliseconds are medians of whole frames: on a GPU by its own clock from the first launch to the last, on a CPU of " +
	"the processor's time of all threads, which other work disturbs less. " +
	"*Times as fast* is against the first side, the median over pairs of frames that followed each other, with the least and the most in brackets; " +
	"below 1 is slower. The references measured other programs on other machines: what can be compared is the sign and the size of an effect."

func (r Result) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\nReference %s. It found: %s.\n\n", r.Title, r.Reference, r.Found)
	fmt.Fprintf(b, "`glint bench --tables %s`", r.Name)
	if r.Flags != "" {
		fmt.Fprintf(b, " (all sides: `%s`)", r.Flags)
	}
	b.WriteString("\n")
	if !r.measured() {
		r.writeSkipped(b)
		return
	}
	b.WriteString("\n")
	if r.Alive {
		r.writeAlive(b)
	} else {
		r.writeSpeeds(b)
	}
	if r.Kernels || r.Segments {
		r.writeKinds(b)
	}
	for _, line := range r.meaning() {
		fmt.Fprintf(b, "\n%s\n", line)
	}
	fmt.Fprintf(b, "\n![%s](%s)\n", r.Title, r.Picture())
	r.writeSkipped(b)
}

// Picture is the name of the table's diagram.
func (r Result) Picture() string { return r.Name + ".png" }

// measured tells whether there are any figures.
func (r Result) measured() bool {
	return slices.ContainsFunc(slices.Concat(r.Figures...), func(f Figure) bool { return f.Ms > 0 || f.Alive != nil })
}

// shown are the sides after the first that were measured in some row.
func (r Result) shown() []int {
	var sides []int
	for i := range r.Sides[1:] {
		if slices.ContainsFunc(r.Figures, func(row []Figure) bool { return row[i+1].Speed > 0 }) {
			sides = append(sides, i+1)
		}
	}
	return sides
}

func (r Result) writeSpeeds(b *strings.Builder) {
	sides := r.shown()
	fmt.Fprintf(b, "| | %s, ms |", r.Sides[0].Name)
	for _, i := range sides {
		fmt.Fprintf(b, " %s, ms | times as fast | reference |", r.Sides[i].Name)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|---|---|", len(sides)) + "\n")
	for i, row := range r.Rows {
		figures := r.Figures[i]
		if figures[0].Ms == 0 {
			continue
		}
		name := row.Name
		if r.Exhaust {
			name += fmt.Sprintf(" (%d×%d pixels)", figures[0].Width, figures[0].Height)
		}
		fmt.Fprintf(b, "| %s | %s |", name, number(figures[0].Ms))
		for _, k := range sides {
			f := figures[k]
			speed := "–"
			if f.Speed > 0 {
				speed = fmt.Sprintf("%s× (%s–%s)", number(f.Speed), number(f.SpeedMin), number(f.SpeedMax))
			}
			fmt.Fprintf(b, " %s | %s | %s |", number(f.Ms), speed, f.Reference)
		}
		b.WriteString("\n")
	}
}

func (r Result) writeAlive(b *strings.Builder) {
	var counts int
	for _, row := range r.Figures {
		counts = max(counts, len(row[0].Alive))
	}
	b.WriteString("| paths alive, %, after bounce |")
	for i := range counts {
		fmt.Fprintf(b, " %d |", i+1)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", counts) + "\n")
	for i, row := range r.Rows {
		if r.Figures[i][0].Alive == nil {
			continue
		}
		if row.Alive != nil {
			writeShares(b, row.Name+", reference", row.Alive, counts)
		}
		writeShares(b, row.Name+", here", r.Figures[i][0].Alive, counts)
	}
}

func writeShares(b *strings.Builder, name string, shares []float64, counts int) {
	fmt.Fprintf(b, "| %s |", name)
	for i := range counts {
		share := 0.0
		if i < len(shares) {
			share = shares[i]
		}
		fmt.Fprintf(b, " %.1f |", share)
	}
	b.WriteString("\n")
}

// writeKinds lists the times of kinds of kernels per frame, or per million segments. Launches are timed one by one, so that
// their sum exceeds the time of a frame where launches overlap.
func (r Result) writeKinds(b *strings.Builder) {
	var kinds []profile.Kind
	for _, kind := range profile.Kinds() {
		if slices.ContainsFunc(slices.Concat(r.Figures...), func(f Figure) bool { return f.cost(kind) != KindFigure{} }) {
			kinds = append(kinds, kind)
		}
	}
	heading, of := "ms in a frame", func(c KindFigure) float64 { return c.Ms }
	if r.Segments {
		heading, of = "ms for a million segments", func(c KindFigure) float64 { return c.PerMillion }
	}
	fmt.Fprintf(b, "\n| %s | |", heading)
	for _, kind := range kinds {
		fmt.Fprintf(b, " %s |", kind)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(kinds)) + "\n")
	for i, row := range r.Rows {
		for _, f := range r.Figures[i] {
			if f.Ms == 0 {
				continue
			}
			fmt.Fprintf(b, "| %s | %s |", row.Name, f.Side)
			for _, kind := range kinds {
				fmt.Fprintf(b, " %s |", number(of(f.cost(kind))))
			}
			b.WriteString("\n")
		}
	}
}

// cost is the time of a kind of kernels.
func (f Figure) cost(kind profile.Kind) KindFigure {
	for _, c := range f.Kinds {
		if c.Kind == kind {
			return c
		}
	}
	return KindFigure{}
}

// writeSkipped lists the reasons why something was not measured, each once.
func (r Result) writeSkipped(b *strings.Builder) {
	var reasons []string
	for _, f := range slices.Concat(r.Figures...) {
		if f.Skipped != "" && !slices.Contains(reasons, f.Skipped) {
			reasons = append(reasons, f.Skipped)
		}
	}
	if len(reasons) > 0 {
		fmt.Fprintf(b, "\nNot measured: %s.\n", strings.Join(reasons, "; "))
	}
}

// String is the range as a report writes it.
func (r *Range) String() string {
	switch {
	case r == nil:
		return ""
	case r.Low == r.High:
		return number(r.Low) + "×"
	}
	return number(r.Low) + "–" + number(r.High) + "×"
}

// number formats x with three digits.
func number(x float64) string {
	switch {
	case x == 0:
		return "–"
	case x >= 0.0995:
		return chart.Figure(x)
	}
	return fmt.Sprintf("%.2g", x)
}

// same is how far from 1 a ratio is still called no difference: frames of one side differ by about as much.
const same = 0.03

// meaning has a sentence for each side after the first: its speed here and in the reference, and why.
func (r Result) meaning() []string {
	if r.Alive {
		return r.aliveMeaning()
	}
	var out []string
	for i, side := range r.Sides[1:] {
		if line := r.sideMeaning(i+1, side.Name); line != "" {
			out = append(out, line)
		}
	}
	if r.Meaning != "" {
		out = append(out, r.Meaning)
	}
	return out
}

func (r Result) sideMeaning(side int, name string) string {
	least, most := -1, -1
	published := Range{Low: math.Inf(1)}
	for i, row := range r.Figures {
		f := row[side]
		if f.Speed == 0 {
			continue
		}
		if least < 0 || f.Speed < r.Figures[least][side].Speed {
			least = i
		}
		if most < 0 || f.Speed > r.Figures[most][side].Speed {
			most = i
		}
		if f.Reference != nil {
			published = Range{min(published.Low, f.Reference.Low), max(published.High, f.Reference.High)}
		}
	}
	if least < 0 {
		return ""
	}
	low, high := r.Figures[least][side].Speed, r.Figures[most][side].Speed
	line := fmt.Sprintf("**%s** against %s %s: %s× (%s)", name, r.Sides[0].Name, verdict(low, high), number(low), r.Rows[least].Name)
	if number(high) != number(low) {
		line += fmt.Sprintf(" to %s× (%s)", number(high), r.Rows[most].Name)
	}
	if published.High > 0 {
		line += fmt.Sprintf("; the reference saw %s", &published)
	}
	return line + "."
}

// verdict puts a range of ratios into words.
func verdict(low, high float64) string {
	switch {
	case low > 1-same && high < 1+same:
		return "makes no difference"
	case low > 1-same:
		return "gains"
	case high < 1+same:
		return "costs"
	}
	return "gains here and costs there"
}

func (r Result) aliveMeaning() []string {
	var out []string
	for i, row := range r.Rows {
		alive := r.Figures[i][0].Alive
		if row.Alive == nil || len(alive) < 4 {
			continue
		}
		out = append(out, fmt.Sprintf("**%s**: after four bounces %.0f %% of the paths live here, %.0f %% in the reference's scene; what compaction can save is the rest.",
			row.Name, alive[3], row.Alive[3]))
	}
	return out
}
