package profile

import "math"

// PeakMemory is not asked for on Windows yet.
func PeakMemory() uint64 { return 0 }

// AvailableMemory is not known here: the largest number.
func AvailableMemory() uint64 { return math.MaxUint64 }
