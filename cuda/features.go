package cuda

import (
	"bytes"
	"strconv"
)

// lacksMark is the number that stands in PTX for what a scene lacks: see has() in device.h.
const lacksMark = "1516263773"

// PTX is the module for a GPU of the given compute capability (75 for 7.5), without code for what a scene lacks (enum
// Feature). With lacks = 0 it suits every scene; the image is the same, bit for bit.
func PTX(capability int, lacks uint32) []byte {
	ptx := ptx75
	if capability >= 90 {
		ptx = ptx90
	}
	return bytes.ReplaceAll(ptx, []byte(lacksMark), []byte(strconv.FormatUint(uint64(lacks), 10)))
}
