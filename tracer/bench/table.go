package bench

// Table is a comparison that someone has published, and how it is made here.
type Table struct {
	Name      string // for --tables
	Title     string
	Reference string // which, and what it compared
	Found     string // its result, in its own words as far as they are figures
	Meaning   string // why one may expect an effect, in a sentence; may be empty
	Flags     string // settings of all sides
	Size      int    // side of the square image where the reference says one, pixels; 0 takes 800
	Live      bool   // frames follow each other in time, so that history counts
	Kernels   bool   // show what kinds of kernels take
	Segments  bool   // show that for each million rays
	Alive     bool   // count living paths in place of timing anything
	Exhaust   bool   // a side tests every triangle: images are as small as that takes
	Sides     []Side // the first is what the others are measured against
	Rows      []Row
}

// Side is one way to render.
type Side struct {
	Name  string
	Flags string
	Scene string // where it is the scene that differs; empty takes the row's
}

// Row is one situation in which the sides are compared.
type Row struct {
	Name  string
	Scene string
	Flags string
	// Seen is how many times as fast as the first side each of the others was to the reference; empty ranges are unknown.
	Seen []Range
	// Alive is the share of paths, %, that the reference saw go on after 1, 2, … bounces.
	Alive []float64
}

// Range is what a reference published: one figure, or from one to another.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// seen is one figure for each of the sides after the first.
func seen(ratios ...float64) []Range {
	out := make([]Range, len(ratios))
	for i, r := range ratios {
		out[i] = Range{r, r}
	}
	return out
}

// between is a range for the one other side.
func between(low, high float64) []Range { return []Range{{low, high}} }

// squareSize is the side of an image, pixels, where no reference says another.
const squareSize = 800
