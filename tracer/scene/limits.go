package scene

import "math"

// limits are the least and the most that edits may make of a number.
type limits [2]float64

var (
	anyNumber  = limits{-largest, largest}
	notBelow0  = limits{0, largest}
	share      = limits{0, 1}
	unitVector = limits{-1, 1}
	coneAngle  = limits{0, math.Pi / 2} // radians
)
