package meshopt

import (
	"errors"
	"fmt"
	"math"
)

// Mode says how elements are stored.
type Mode int

// The modes, by their names in glTF.
const (
	Attributes Mode = iota // ATTRIBUTES: elements of any kind
	Triangles              // TRIANGLES: indices of triangle lists
	Indices                // INDICES: other indices
)

// Filter says what is made of elements after they are decoded.
type Filter int

// The filters, by their names in glTF.
const (
	None        Filter = iota // NONE
	Octahedral                // OCTAHEDRAL: unit vectors
	Quaternion                // QUATERNION: rotations
	Exponential               // EXPONENTIAL: floats
	Color                     // COLOR
)

// Layout is what one compressed buffer view holds.
type Layout struct {
	Mode   Mode
	Filter Filter
	Count  int // of elements
	Stride int // of an element, bytes
}

// Bytes is the size of the decoded elements.
func (l Layout) Bytes() int { return l.Count * l.Stride }

// Check says what is wrong with a layout; Bytes does not overflow where nothing is.
func (l Layout) Check() error {
	switch {
	case l.Count < 1 || l.Count > math.MaxUint32:
		return fmt.Errorf("count %d is out of range", l.Count)
	case l.Mode == Attributes && (l.Stride < 4 || l.Stride > 256 || l.Stride%4 != 0):
		return fmt.Errorf("byteStride %d is no multiple of 4 up to 256", l.Stride)
	case l.Mode != Attributes && l.Stride != 2 && l.Stride != 4:
		return fmt.Errorf("byteStride %d of indices is neither 2 nor 4", l.Stride)
	case l.Mode != Attributes && l.Filter != None:
		return errors.New("indices have no filter")
	case l.Mode == Triangles && l.Count%3 != 0:
		return fmt.Errorf("count %d of indices makes no whole triangles", l.Count)
	case (l.Filter == Octahedral || l.Filter == Color) && l.Stride != 4 && l.Stride != 8:
		return fmt.Errorf("byteStride %d is neither 4 nor 8, as its filter needs", l.Stride)
	case l.Filter == Quaternion && l.Stride != 8:
		return fmt.Errorf("byteStride %d is not 8, as its filter needs", l.Stride)
	}
	return nil
}

// Of data that is no stream of its layout.
var (
	errHeader = errors.New("the data does not start as its mode does")
	errShort  = errors.New("the data ends too early")
	errRest   = errors.New("bytes are left over")
)
