package jpeg

import (
	"context"
	"image"
	"image/color"
	"math"
)

// zigzag is the place of each coefficient of the file in its block, row by row.
var zigzag = [blockSize]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// waves are the cosines of the transform, by frequency and sample (T.81, A.3.3).
var waves = func() (w [8][8]float32) {
	for f := range w {
		for x := range w[f] {
			scale := 0.5
			if f == 0 {
				scale = math.Sqrt(0.125)
			}
			w[f][x] = float32(scale * math.Cos(float64((2*x+1)*f)*math.Pi/16))
		}
	}
	return w
}()

// draw transforms a block to samples of its component.
func (d *decoder) draw(k *component, b *block, x, y int) {
	var rows, samples [blockSize]float32
	for i, v := range b {
		if v == 0 {
			continue
		}
		at := int(zigzag[i])
		value := float32(v) * float32(d.quant[k.quant][i])
		for column, wave := range waves[at%8] {
			rows[at&^7+column] += value * wave
		}
	}
	for at, v := range rows {
		if v == 0 {
			continue
		}
		for row, wave := range waves[at/8] {
			samples[8*row+at%8] += v * wave
		}
	}
	for row := range 8 {
		to := k.plane[(8*y+row)*k.stride+8*x:][:8]
		for i := range to {
			to[i] = byte(min(max(samples[8*row+i]+128.5, 0), 255))
		}
	}
}

// picture puts the planes together.
func (d *decoder) picture(ctx context.Context) (*image.NRGBA, error) {
	out := image.NewNRGBA(image.Rect(0, 0, d.width, d.height))
	for _, k := range d.components {
		across := k.stride / 8
		for i := range k.blocks {
			if i%across == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			d.draw(k, &k.blocks[i], i%across, i/across)
		}
	}
	asRGB := !d.jfif && (d.adobe == 0 || d.adobe < 0 && (d.components[0].id == 'R' || len(d.components) == 4))
	for y := range d.height {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for x := range d.width {
			pixel := out.Pix[y*out.Stride+4*x:][:4]
			for i, k := range d.components {
				pixel[i] = k.plane[(2*y+1)*k.v/(2*d.v)*k.stride+(2*x+1)*k.h/(2*d.h)]
			}
			switch {
			case len(d.components) == 1:
				pixel[1], pixel[2] = pixel[0], pixel[0]
			case !asRGB:
				pixel[0], pixel[1], pixel[2] = color.YCbCrToRGB(pixel[0], pixel[1], pixel[2])
			}
			if len(d.components) == 4 { // inks, written as what they leave; Adobe's other kind turns the colours round
				for i := range 3 {
					ink := pixel[i]
					if !asRGB {
						ink = 255 - ink
					}
					pixel[i] = byte(int(ink) * int(pixel[3]) / 255)
				}
			}
			pixel[3] = 255
		}
	}
	return out, nil
}
