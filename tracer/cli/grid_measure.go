package cli

import (
	"image"
	"math"
	"slices"
	"time"

	"glint/tracer/imageio"
	"glint/tracer/view"
)

// calibration is how many frames tell what a look costs.
const calibration = 9

// at is the view of the frame under way; what is not shown is not denoised either.
func (g *grid) at(shown bool) view.View {
	v := g.job.view
	v.Live, v.Frame, v.Undenoised = true, g.frame, !shown
	return v
}

// shoot renders a sample and tells what it took, ms: by a GPU's own clock, else by the wall's.
func (g *grid) shoot(l *look, shown bool) (float64, error) {
	begun := time.Now()
	stats, err := l.renderer.Render(g.at(shown), l.settings, view.Target{})
	if err == nil {
		err = stats.Undenoised
	}
	if err == nil {
		err = l.renderer.Finish()
	}
	if err != nil {
		return 0, err
	}
	ms := float64(time.Since(begun)) / 1e6
	told, err := l.renderer.Statistics()
	if err == nil && told.Whole.Frames > 0 {
		ms = told.Whole.Mean()
	}
	return ms, err
}

// cost finds out what a sample takes, and what denoising a frame adds.
func (g *grid) cost(l *look) error {
	var plain, denoised []float64
	if _, err := g.shoot(l, true); err != nil { // takes the memory
		return err
	}
	if err := g.renderer.Settle(); err != nil {
		return err
	}
	for range calibration {
		for _, shown := range []bool{false, true} {
			g.frame++
			ms, err := g.shoot(l, shown)
			if err != nil {
				return err
			}
			if shown {
				denoised = append(denoised, ms)
			} else {
				plain = append(plain, ms)
			}
		}
	}
	l.ms = median(plain)
	if l.denoiser != "off" {
		l.denoising = max(median(denoised)-l.ms, 0)
	}
	return nil
}

// median sorts its values.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// samples fit a time; one is always taken.
func (l *look) samples(d time.Duration) int {
	return max(int((float64(d)/1e6-l.denoising)/l.ms), 1)
}

// picture renders as many samples as fit a time.
func (g *grid) picture(l *look, d time.Duration) error {
	n := l.samples(d)
	for i := range n {
		if _, err := g.shoot(l, i == n-1); err != nil {
			return err
		}
	}
	return nil
}

// judged measures what a window would show of the picture that was rendered last.
func (g *grid) judged(l *look, d time.Duration) (*exhibit, error) {
	img, err := g.image(l)
	if err != nil {
		return nil, err
	}
	e, err := g.judge.measure(img)
	if err == nil {
		e.Samples = l.samples(d)
	}
	return e, err
}

func (g *grid) image(l *look) (*imageio.Image, error) {
	if l.denoiser == "off" {
		return l.renderer.Radiance()
	}
	return l.renderer.Denoise(g.at(true), l.settings)
}

// move measures frames that follow each other, each with noise of its own and with what is carried over from those before.
func (g *grid) move(l *look) error {
	var seen []*exhibit
	for i := range 2 * g.asked.Frames {
		g.frame++
		if err := g.picture(l, g.asked.Budget); err != nil {
			return err
		}
		if i < g.asked.Frames {
			continue
		}
		e, err := g.judged(l, g.asked.Budget)
		if err != nil {
			return err
		}
		seen = append(seen, e)
	}
	l.moving = glanceOf(l, seen)
	return nil
}

// rest measures what accumulates from nothing.
func (g *grid) rest(l *look) error {
	g.frame++
	l.renderer.Restart()
	if err := g.picture(l, g.asked.Rest); err != nil {
		return err
	}
	e, err := g.judged(l, g.asked.Rest)
	if err != nil {
		return err
	}
	l.resting = glanceOf(l, []*exhibit{e})
	return nil
}

// glanceOf is the mean of what was measured.
func glanceOf(l *look, seen []*exhibit) *glance {
	last := seen[len(seen)-1]
	out := &glance{exhibit: last, ms: float64(last.Samples)*l.ms + l.denoising, flicker: flicker(seen)}
	n := float64(len(seen))
	sum := measurement{Samples: last.Samples, Seconds: out.ms / 1e3}
	for _, e := range seen {
		sum.RelMSE += e.RelMSE / n
		sum.Trimmed += e.Trimmed / n
		sum.FLIP += e.FLIP / n
	}
	last.measurement = sum
	return out
}

// flicker is the root of the mean over pixels of the variance over pictures, in steps of 255 of what is displayed.
func flicker(seen []*exhibit) float64 {
	if len(seen) < 2 {
		return 0
	}
	n := float64(len(seen))
	variance := 0.0
	pixels := len(seen[0].display.Pix) / 4
	for i := range pixels {
		sum, squares := 0.0, 0.0
		for _, e := range seen {
			v := shownLuma(e.display, i)
			sum += v
			squares += v * v
		}
		variance += max(squares/n-sum*sum/n/n, 0) * n / (n - 1)
	}
	return math.Sqrt(variance / float64(pixels))
}

// shownLuma is that of an encoded pixel, 0 to 255 (ITU-R BT.709).
func shownLuma(img *image.NRGBA, pixel int) float64 {
	p := img.Pix[4*pixel:]
	return 0.2126*float64(p[0]) + 0.7152*float64(p[1]) + 0.0722*float64(p[2])
}
