package film

// Swatch is a colour of a view and what it stands for.
type Swatch struct {
	RGB   uint32 // 0xRRGGBB, display-encoded
	Label string
}

// Viridis are the ends and the middle of that colour map of the kernels (cuda/kernels/display/views.cuh).
func Viridis(low, middle, high string) []Swatch {
	return []Swatch{{0x440154, low}, {0x21918c, middle}, {0xfde725, high}}
}

// Diverging are the ends and the middle of a colour map for what may be less or more.
func Diverging(low, middle, high string) []Swatch {
	return []Swatch{{0x053061, low}, {0xf7f7f7, middle}, {0x67001f, high}}
}
