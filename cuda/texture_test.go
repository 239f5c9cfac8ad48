package cuda_test

import (
	"math"
	"testing"

	"glint/cuda"
	"glint/cuda/probe"
)

const imageWidth, imageHeight = 5, 3

// testImage is RGBA8 without pattern.
func testImage() []byte {
	r := newRandom(12)
	image := make([]byte, 4*imageWidth*imageHeight)
	for i := range image {
		image[i] = byte(r.Uint32())
	}
	return image
}

// wrapped is a texel coordinate after wrapping, found by walking: reflection at every border, or steps of a period.
func wrapped(i, n int, mode uint32) int {
	for i < 0 || i >= n {
		switch {
		case mode == cuda.WrapClamp:
			i = max(0, min(i, n-1))
		case mode == cuda.WrapMirror && i < 0:
			i = -1 - i
		case mode == cuda.WrapMirror:
			i = 2*n - 1 - i
		case i < 0:
			i += n
		default:
			i -= n
		}
	}
	return i
}

// lookup is the texture's value by the glTF specification, in double precision.
func lookup(image []byte, t cuda.Texture, u, v float64) [4]float64 {
	texel := func(x, y, channel int) float64 {
		p := 4*(wrapped(y, imageHeight, t.WrapT)*imageWidth+wrapped(x, imageWidth, t.WrapS)) + channel
		value := float64(image[p]) / 255
		if channel < 3 && t.Flags&cuda.TextureSrgb != 0 {
			return cuda.SRGBDecode(value)
		}
		return value
	}
	var out [4]float64
	x, y := u*imageWidth, v*imageHeight
	for c := range 4 {
		if t.Flags&cuda.TextureNearest != 0 {
			out[c] = texel(int(math.Floor(x)), int(math.Floor(y)), c)
			continue
		}
		fx, fy := math.Floor(x-0.5), math.Floor(y-0.5)
		ax, ay, ix, iy := x-0.5-fx, y-0.5-fy, int(fx), int(fy)
		out[c] = (1-ay)*((1-ax)*texel(ix, iy, c)+ax*texel(ix+1, iy, c)) + ay*((1-ax)*texel(ix, iy+1, c)+ax*texel(ix+1, iy+1, c))
	}
	return out
}

func TestTextureLookup(t *testing.T) {
	image := testImage()
	texels := upload(t, image)
	r := newRandom(13)
	for _, wrapS := range []uint32{cuda.WrapRepeat, cuda.WrapMirror, cuda.WrapClamp} {
		for _, wrapT := range []uint32{cuda.WrapRepeat, cuda.WrapMirror, cuda.WrapClamp} {
			for _, flags := range []uint32{0, cuda.TextureSrgb, cuda.TextureNearest, cuda.TextureSrgb | cuda.TextureNearest} {
				texture := cuda.Texture{Texels: texels, Width: imageWidth, Height: imageHeight, WrapS: wrapS, WrapT: wrapT, Flags: flags}
				frame := tableFrame(t, 0)
				frame.Scene.Textures = upload(t, []cuda.Texture{texture})
				for range 500 {
					u, v := 8*unit(r)-4, 8*unit(r)-4
					got, want := probe.Texture.Map(frame, []float32{u, v}), lookup(image, texture, float64(u), float64(v))
					for c := range 4 {
						// Rounding of u · width moves the weights by that much.
						if math.Abs(float64(got[c])-want[c]) > 1e-5 {
							t.Fatalf("wrap %d %d flags %d at (%g, %g): %v, want %v", wrapS, wrapT, flags, u, v, got, want)
						}
					}
				}
			}
		}
	}
}

// TestDeepTexture: values of 16 bits as they are, and those that 8 bits can say as they are there.
func TestDeepTexture(t *testing.T) {
	frame := tableFrame(t, 0)
	show := func(texels []byte, flags uint32) []float32 {
		frame.Scene.Textures = upload(t, []cuda.Texture{{Texels: upload(t, texels), Width: 1, Height: 1, Flags: flags}})
		return probe.Texture.Map(frame, []float32{0.5, 0.5})
	}
	for _, value := range []int{0, 1, 100, 0x1234, 0x4041, 0x8000, 0xabcd, 0xfffe, 0xffff} {
		for _, flags := range []uint32{0, cuda.TextureSrgb} {
			texel := []byte{byte(value), byte(value >> 8), 0, 0, 255, 255, byte(value), byte(value >> 8)}
			got, want := show(texel, flags|cuda.TextureDeep), float64(value)/65535
			if math.Abs(float64(got[3])-want) > 1e-7 {
				t.Errorf("alpha of %#x is %g, want %g", value, got[3], want)
			}
			if flags != 0 {
				want = cuda.SRGBDecode(want)
			}
			if math.Abs(float64(got[0])-want) > 7e-6 || got[1] != 0 || math.Abs(float64(got[2])-1) > 2e-7 {
				t.Errorf("flags %d: %#x is %v, want %g, 0, 1", flags, value, got, want)
			}
		}
	}
	for value := range 256 {
		v := byte(value)
		got, want := show([]byte{v, v, v, v, v, v, v, v}, cuda.TextureSrgb|cuda.TextureDeep), show([]byte{v, v, v, v}, cuda.TextureSrgb)
		for c := range got {
			if math.Abs(float64(got[c]-want[c])) > 1.5e-7 {
				t.Errorf("%d: %v of 16 bits, %v of 8", value, got, want)
			}
		}
	}
}

// Coordinates far off, infinite or not a number must give some texel of the texture, and no access outside of it.
func TestTextureLookupFarOff(t *testing.T) {
	frame := tableFrame(t, 0)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, wrap := range []uint32{cuda.WrapRepeat, cuda.WrapMirror, cuda.WrapClamp} {
		for _, flags := range []uint32{0, cuda.TextureNearest} {
			frame.Scene.Textures = upload(t, []cuda.Texture{{
				Texels: upload(t, testImage()), Width: imageWidth, Height: imageHeight, WrapS: wrap, WrapT: wrap, Flags: flags,
			}})
			for _, x := range []float32{1e8, -1e8, 1e30, -1e30, inf, -inf, nan} {
				for c, value := range probe.Texture.Map(frame, []float32{x, -x}) {
					if !(value >= 0 && value <= 1) {
						t.Errorf("wrap %d flags %d at %g: channel %d is %g", wrap, flags, x, c, value)
					}
				}
			}
		}
	}
}

// Where all texels have the same alpha, a look-up gives n/255, correctly rounded: it may have to equal a cutoff.
func TestEvenAlphaIsExact(t *testing.T) {
	r := newRandom(14)
	for n := range 256 {
		image := testImage()
		for i := 3; i < len(image); i += 4 {
			image[i] = byte(n)
		}
		frame := tableFrame(t, 0)
		frame.Scene.Textures = upload(t, []cuda.Texture{{Texels: upload(t, image), Width: imageWidth, Height: imageHeight}})
		for range 20 {
			u, v := 8*unit(r)-4, 8*unit(r)-4
			if got, want := probe.Texture.Map(frame, []float32{u, v})[3], float32(n)/255; got != want {
				t.Fatalf("at (%g, %g) alpha is %g, want %d/255 = %g", u, v, got, n, want)
			}
		}
	}
}
