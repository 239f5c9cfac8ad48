package builtin

import "sort"

// curve is a smooth function through points (x, y) with rising x, flat beyond its ends: cubic Hermite spans whose slopes are
// finite differences.
type curve [][2]float64

func (c curve) at(x float64) float64 {
	last := len(c) - 1
	if x <= c[0][0] {
		return c[0][1]
	}
	if x >= c[last][0] {
		return c[last][1]
	}
	i := sort.Search(last, func(i int) bool { return c[i+1][0] > x })
	width := c[i+1][0] - c[i][0]
	y, _ := hermite(c[i][1], c[i+1][1], c.slope(i)*width, c.slope(i+1)*width, (x-c[i][0])/width)
	return y
}

// slope is 0 at the ends, so that nothing breaks there.
func (c curve) slope(i int) float64 {
	if i == 0 || i == len(c)-1 {
		return 0
	}
	return (c[i+1][1] - c[i-1][1]) / (c[i+1][0] - c[i-1][0])
}
