package bench

import (
	"fmt"
	"math"
)

// same is how far a ratio may be from 1 and still be called no difference: frames of one side differ by about as much.
const same = 0.03

// meaning is a sentence for each side after the first, what it does to speed here and what the reference saw, and why.
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
