package bench

import (
	"strings"
	"testing"

	"glint/tracer/profile"
)

// example is a result with a gain, a loss, a side that was skipped and a row that was.
func example() Result {
	t := Table{Name: "example", Title: "An example", Reference: "009: this", Found: "that", Kernels: true,
		Sides: []Side{{Name: "off"}, {Name: "on"}, {Name: "magic"}}, Rows: []Row{{Name: "one"}, {Name: "two"}, {Name: "three"}}}
	skipped := Figure{Skipped: "--magic: not in this build"}
	kinds := []KindFigure{{Kind: profile.Generation, Ms: 1}, {Kind: profile.Extension, Ms: 6}}
	return Result{Table: t, Figures: [][]Figure{
		{{Side: "off", Ms: 10, Kinds: kinds}, {Side: "on", Ms: 5, Speed: 2, SpeedMin: 1.9, SpeedMax: 2.2, Reference: &Range{1.5, 1.6}}, skipped},
		{{Side: "off", Ms: 8}, {Side: "on", Ms: 10, Speed: 0.8, SpeedMin: 0.7, SpeedMax: 0.9, Reference: &Range{1, 1}}, skipped},
		{skipped, skipped, skipped},
	}}
}

func TestMarkdown(t *testing.T) {
	text := Report{Machine: Machine{"cpu", "2 threads"}, About: "small", Results: []Result{example()}}.Markdown()
	for _, want := range []string{
		"2 threads (cpu). small.", "Reference 009: this. It found: that.", "`glint bench --tables example`",
		"| one | 10.0 | 5.00 | 2.00× (1.90–2.20) | 1.50–1.60× |", "| two | 8.00 | 10.0 | 0.80× (0.70–0.90) | 1.00× |",
		"**on** against off gains here and costs there: 0.80× (two) to 2.00× (one); the reference saw 1.00–1.60×.",
		"| one | off | 1.00 | 6.00 |", "Not measured: --magic: not in this build.", "double precision", "![An example](example.png)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "| three |") {
		t.Error("a row that was not measured is in the table")
	}
}

func TestVerdict(t *testing.T) {
	for _, row := range []struct {
		low, high float64
		want      string
	}{{0.98, 1.02, "makes no difference"}, {0.99, 3, "gains"}, {0.2, 1.01, "costs"}, {0.5, 2, "gains here and costs there"}} {
		if got := verdict(row.low, row.high); got != row.want {
			t.Errorf("%g to %g %s", row.low, row.high, got)
		}
	}
}

func TestDiagrams(t *testing.T) {
	alive := Result{Table: Table{Name: "a", Alive: true, Sides: []Side{{}}, Rows: []Row{{Name: "open", Alive: []float64{50, 20}}}},
		Figures: [][]Figure{{{Alive: []float64{60, 30}}}}}
	for _, r := range []Result{example(), alive} {
		if img, err := r.Diagram(); err != nil || img == nil || img.Rect.Dx() != diagramWidth {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
	nothing := Result{Table: Table{Sides: []Side{{}}}, Figures: [][]Figure{{{Skipped: "no"}}}}
	if img, err := nothing.Diagram(); img != nil || err != nil {
		t.Errorf("a diagram of nothing: %v", err)
	}
}
