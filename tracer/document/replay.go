package document

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"

	"glint/tracer/imageio"
)

// Replay is a sample of a pixel that a file tells of: a test case, that is to be traced again.
type Replay struct {
	X, Y, Sample int
	Lo           [3]float32 // nit; may be no numbers
}

// Where is the sample as --replay has it.
func (r Replay) Where() string { return fmt.Sprintf("%d,%d,%d", r.X, r.Y, r.Sample) }

// note is the sample as a file stores it.
func (r Replay) note() string {
	return fmt.Sprintf("%s: %v %v %v", r.Where(), r.Lo[0], r.Lo[1], r.Lo[2])
}

// parseReplay reads what note wrote.
func parseReplay(text string) (r Replay, err error) {
	if _, err := fmt.Sscanf(text, "%d,%d,%d: %g %g %g", &r.X, &r.Y, &r.Sample, &r.Lo[0], &r.Lo[1], &r.Lo[2]); err != nil {
		return r, fmt.Errorf("%q is no sample of a pixel", text)
	}
	if r.X < 0 || r.Y < 0 || r.Sample < 0 {
		return r, errors.New("a sample's numbers begin at 0")
	}
	return r, nil
}

// Same tells whether the sample has the same bits; numbers that are none are all alike.
func (r Replay) Same(lo [3]float32) bool {
	for k := range lo {
		a, b := float64(lo[k]), float64(r.Lo[k])
		if a != b && !(math.IsNaN(a) && math.IsNaN(b)) {
			return false
		}
	}
	return true
}

// WriteReplay writes the notes of a document whose Replay is set, as JSON.
func WriteReplay(path string, notes map[string]string) error {
	text, err := json.MarshalIndent(notes, "", "\t")
	if err == nil {
		err = os.WriteFile(path, append(text, '\n'), 0o666)
	}
	if err != nil {
		return fmt.Errorf("save the sample: %w", err)
	}
	return nil
}

// readReplay reads the notes of such a file.
func readReplay(path string) (notes imageio.Meta, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read a sample: %w", err)
	}
	if err := json.Unmarshal(text, &notes); err != nil {
		return nil, fmt.Errorf("%s is no sample that glint saved: %w", path, err)
	}
	return notes, nil
}
