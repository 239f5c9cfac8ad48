package metric

import (
	"math"
	"runtime"
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/imageio"
)

// rgbToWhite takes linear Rec.709 to CIE XYZ under D65, in the fractions that FLIP uses, as shares of white: that becomes (1, 1, 1).
var rgbToWhite = mgl64.Mat3FromRows(
	ofWhite(10135552./24577794, 8788810./24577794, 4435075./24577794),
	ofWhite(2613072./12288897, 8788810./12288897, 887015./12288897),
	ofWhite(1425312./73733382, 8788810./73733382, 70074185./73733382))

func ofWhite(r, g, b float64) mgl64.Vec3 { return mgl64.Vec3{r, g, b}.Mul(1 / (r + g + b)) }

// planes are three channels of a picture, each on its own.
type planes struct {
	width, height int
	c             [3][]float32
}

func newPlanes(width, height int) *planes {
	p := &planes{width: width, height: height}
	for i := range p.c {
		p.c[i] = make([]float32, width*height)
	}
	return p
}

// newOpponentPlanes is the picture in YCxCz, a linear relative of L*a*b*: luminance, red–green and blue–yellow.
func newOpponentPlanes(img *imageio.Image, display func(float32) float32) *planes {
	p := newPlanes(img.Width, img.Height)
	parallelRows(img.Height, func(from, to int) {
		for i := from * img.Width; i < to*img.Width; i++ {
			rgb := img.Pix[3*i:][:3]
			xyz := rgbToWhite.Mul3x1(mgl64.Vec3{float64(display(rgb[0])), float64(display(rgb[1])), float64(display(rgb[2]))})
			p.c[0][i] = float32(116*xyz[1] - 16)
			p.c[1][i] = float32(500 * (xyz[0] - xyz[1]))
			p.c[2][i] = float32(200 * (xyz[1] - xyz[2]))
		}
	})
	return p
}

// achromatic is luminance scaled to [0, 1].
func (p *planes) achromatic() []float32 {
	y := make([]float32, len(p.c[0]))
	for i, v := range p.c[0] {
		y[i] = (v + 16) / 116
	}
	return y
}

// toHuntLab replaces YCxCz by Hunt-adjusted L*a*b*, clipping to the display's gamut on the way.
func (p *planes) toHuntLab() {
	toRGB := rgbToWhite.Inv()
	parallelRows(p.height, func(from, to int) {
		for i := from * p.width; i < to*p.width; i++ {
			y := (float64(p.c[0][i]) + 16) / 116
			rgb := toRGB.Mul3x1(mgl64.Vec3{y + float64(p.c[1][i])/500, y, y - float64(p.c[2][i])/200})
			for c := range rgb {
				rgb[c] = min(max(rgb[c], 0), 1)
			}
			lab := huntLab(rgbToWhite.Mul3x1(rgb))
			p.c[0][i], p.c[1][i], p.c[2][i] = float32(lab[0]), float32(lab[1]), float32(lab[2])
		}
	})
}

// huntLab takes XYZ, as shares of white, to L*a*b* with chroma scaled by lightness, since colours look less colourful
// in the dark (Hunt effect).
func huntLab(xyz mgl64.Vec3) mgl64.Vec3 {
	fx, fy, fz := labCurve(xyz[0]), labCurve(xyz[1]), labCurve(xyz[2])
	lightness := 116*fy - 16
	return mgl64.Vec3{lightness, 0.01 * lightness * 500 * (fx - fy), 0.01 * lightness * 200 * (fy - fz)}
}

// labCurve is the CIE 1976 companding function.
func labCurve(t float64) float64 {
	const delta = 6. / 29
	if t > delta*delta*delta {
		return math.Cbrt(t)
	}
	return t/(3*delta*delta) + 4./29
}

// parallelRows hands out the rows of a picture in one strip a processor.
func parallelRows(height int, do func(from, to int)) {
	strips := min(runtime.GOMAXPROCS(0), height)
	var wait sync.WaitGroup
	for s := range strips {
		wait.Go(func() { do(s*height/strips, (s+1)*height/strips) })
	}
	wait.Wait()
}
