package diagnose

import (
	"cmp"
	"slices"

	"glint/tracer/imageio"
)

// Outlier is a pixel that is much brighter than those around it.
type Outlier struct {
	X, Y  int
	Times float64 // as bright as what is usual around it
}

const (
	outlierTimes = 8    // what is usual around a pixel, from which on it is one
	outlierFloor = 0.05 // of the picture's mean, below which nobody sees it
	mostOutliers = 32
)

// Outliers are the pixels that stand out most: dots that time alone removes slowly. Edges and small lamps, of which several pixels are
// bright, are none.
func Outliers(img *imageio.Image) []Outlier {
	w, h := img.Width, img.Height
	luminances := make([]float64, w*h)
	mean := 0.0
	for i := range luminances {
		p := img.Pix[3*i:]
		luminances[i] = imageio.Luminance(float64(p[0]), float64(p[1]), float64(p[2]))
		mean += luminances[i] / float64(w*h)
	}
	var found []Outlier
	around := make([]float64, 0, 8)
	for y := range h {
		for x := range w {
			around = around[:0]
			for ny := max(y-1, 0); ny <= min(y+1, h-1); ny++ {
				for nx := max(x-1, 0); nx <= min(x+1, w-1); nx++ {
					if nx != x || ny != y {
						around = append(around, luminances[ny*w+nx])
					}
				}
			}
			if len(around) == 0 {
				continue
			}
			slices.Sort(around)
			// The third of eight from above: where three or more are bright, it is a thing.
			usual := max(around[max(len(around)-3, 0)], outlierFloor*mean)
			if l := luminances[y*w+x]; usual > 0 && l > outlierTimes*usual {
				found = append(found, Outlier{x, y, l / usual})
			}
		}
	}
	slices.SortFunc(found, func(a, b Outlier) int { return cmp.Compare(b.Times, a.Times) })
	return found[:min(len(found), mostOutliers)]
}
