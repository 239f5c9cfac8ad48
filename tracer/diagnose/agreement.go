package diagnose

import (
	"fmt"
	"math"

	"glint/tracer/imageio"
)

// Agreement is how far two pictures agree that are made of the same samples on two devices: but for rounding they are equal. Where rounding
// lets a path take another turn, a pixel differs by more.
type Agreement struct {
	Pixels, Same, Near int     // all, those that are equal bit for bit, and those that are within nearBound, which includes those
	Worst              float64 // relative difference of a channel
	At                 [2]int  // where that is
}

// nearBound is how much the channels of pixels that agree may differ, relative to the larger one.
const nearBound = 1e-3

// Agree compares two pictures of one size, pixel by pixel.
func Agree(a, b *imageio.Image) (Agreement, error) {
	if a.Width != b.Width || a.Height != b.Height {
		return Agreement{}, fmt.Errorf("compare pictures: one is %d×%d, the other %d×%d", a.Width, a.Height, b.Width, b.Height)
	}
	g := Agreement{Pixels: a.Width * a.Height}
	for i := range g.Pixels {
		worst := 0.
		for c := 3 * i; c < 3*i+3; c++ {
			worst = max(worst, relative(float64(a.Pix[c]), float64(b.Pix[c])))
		}
		if worst == 0 {
			g.Same++
		}
		if worst <= nearBound {
			g.Near++
		}
		if worst > g.Worst {
			g.Worst, g.At = worst, [2]int{i % a.Width, i / a.Width}
		}
	}
	return g, nil
}

// relative is by how much two numbers differ, as a share of the larger one.
func relative(x, y float64) float64 {
	if x == y {
		return 0
	}
	return math.Abs(x-y) / max(math.Abs(x), math.Abs(y))
}

// String says it in words.
func (g Agreement) String() string {
	switch {
	case g.Same == g.Pixels:
		return "A and B are equal bit for bit."
	case g.Near == g.Pixels:
		return "A and B are equal to 1 part in 1000 in all pixels, " + share(g.Same, g.Pixels) + " of them bit for bit."
	}
	most := percent(g.Worst)
	if g.Worst > 0.1 {
		most = fmt.Sprintf("%.0f %%", 100*g.Worst)
	}
	far := fmt.Sprintf("%d pixels differ by more, most by %s", g.Pixels-g.Near, most)
	if g.Pixels-g.Near == 1 {
		far = "One pixel differs by more: by " + most
	}
	return fmt.Sprintf("A and B are equal to 1 part in 1000 in %s of the pixels. %s, at %d, %d.", share(g.Near, g.Pixels), far, g.At[0], g.At[1])
}

// share is never said to be all or nothing where it is not.
func share(part, all int) string {
	const hundredths = 1e4
	x := float64(part) / float64(all) * hundredths
	switch rounded := math.Round(x); {
	case rounded == hundredths && part < all:
		return "more than 99.99 %"
	case rounded == 0 && part > 0:
		return "less than 0.01 %"
	default:
		return fmt.Sprintf("%.2f %%", rounded/100)
	}
}
