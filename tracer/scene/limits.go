package scene

import (
	"fmt"
	"sync/atomic"
)

// limits bound what one file may cost, in bytes. A hostile file of a few kilobytes can ask for terabytes.
type limits struct {
	file     int64 // any one file read
	json     int64 // memory that the parsed JSON may take, estimated before parsing
	pixels   int64 // all decoded images
	geometry int64 // all vertices and faces, and the accessors they come from
}

// defaultLimits are far above every scene that a renderer on one machine can draw.
func defaultLimits() limits {
	return limits{file: 8 << 30, json: 1 << 30, pixels: 4 << 30, geometry: 6 << 30}
}

// maxSide bounds the width and the height of an image: no GPU takes more.
const maxSide = 16384

// budget is memory that may still be taken. Safe for concurrent use.
type budget struct{ left atomic.Int64 }

func newBudget(bytes int64) *budget {
	b := &budget{}
	b.left.Store(bytes)
	return b
}

// take reserves n elements of size bytes each, or says why not.
func (b *budget) take(n, size int64) error {
	if n < 0 || n > (1<<62)/size || b.left.Add(-n*size) < 0 {
		return fmt.Errorf("needs %d × %d bytes, more than this file may take", n, size)
	}
	return nil
}
