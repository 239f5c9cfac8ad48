package film

// Swatch is a colour of a view and what it stands for.
type Swatch struct {
	RGB   uint32 // 0xRRGGBB, display-encoded
	Label string
}

// Ends and middles of the kernels' colour maps (cuda/kernels/display/views.cuh).
const (
	viridisLow, viridisMiddle, viridisHigh       = 0x440154, 0x21918c, 0xfde725
	divergingLow, divergingMiddle, divergingHigh = 0x053061, 0xf7f7f7, 0x67001f
)

// Viridis are the ends and the middle of that colour map.
func Viridis(low, middle, high string) []Swatch {
	return []Swatch{{viridisLow, low}, {viridisMiddle, middle}, {viridisHigh, high}}
}

// Diverging are the ends and the middle of a colour map for what may be less or more.
func Diverging(low, middle, high string) []Swatch {
	return []Swatch{{divergingLow, low}, {divergingMiddle, middle}, {divergingHigh, high}}
}
