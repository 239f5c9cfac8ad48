package jpeg

import "errors"

// Markers of segments.
const (
	baseline         = 0xc0
	extended         = 0xc1
	progressive      = 0xc2
	huffTables       = 0xc4
	arithmetic       = 0xc9
	arithmeticP      = 0xca // progressive
	arithmeticTables = 0xcc
	firstReset       = 0xd0
	lastReset        = 0xd7
	start            = 0xd8
	end              = 0xd9
	scanStart        = 0xda
	quantTables      = 0xdb
	resetEvery       = 0xdd
	jfif             = 0xe0
	adobe            = 0xee
)

var (
	errEnds    = errors.New("it ends early")
	errDamaged = errors.New("its data are damaged")
)

const blockSize = 64 // coefficients

// block has coefficients in the order of the file, the zigzag.
type block [blockSize]int16

// component is one of a picture's planes.
type component struct {
	id           byte
	h, v         int // sampling factors
	quant        int // table
	across, down int // blocks that hold samples of the picture
	stride       int // samples a row, of whole MCUs
	plane        []byte
	blocks       []block         // of a progressive picture, with stride/8 a row
	begun        [blockSize]uint // coefficients of which scans were read: 1 and the bits that are left

	dcTable, acTable int // of the scan
	dc               int32
	context          int // of the arithmetic coding of dc
}

func ceil(n, by int) int { return (n + by - 1) / by }

// larger is a coefficient with one more bit of its size set.
func larger(v int16, bit uint) int16 {
	if v < 0 {
		return v - 1<<bit
	}
	return v + 1<<bit
}
