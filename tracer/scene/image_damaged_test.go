package scene

import (
	"bytes"
	"encoding/hex"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"
)

// Lossy WebP files of 16 × 16 pixels in one colour, as libwebp writes them.
const (
	whiteWebP  = "524946462600000057454250565038201a0000003001009d012a1000100000000225a400037000feffd9f2000000"
	orangeWebP = "524946466c00000057454250565038580a000000100000000f00000f0000414c50480f000000010fd0ff88084c4044ff230000000000565038203600000050" +
		"02009d012a1000100000000225a00274ba01f801fa01fc0009d000fee838bffe483d793cfcffc908fffb527ebcc1caffece0000000"
	redWebP = "524946466e00000057454250565038580a000000100000000f00000f0000414c50480f000000010fd0ff88084c4044ff230000000000565038203800000050" +
		"02009d012a1000100000000225a00274ba01f801fa01fc00079000fefee9977ffcb0fc7f5279ffcb10ffff13d39bc454f2bffe26400000"
	losslessWebP = "52494646b4000000574542505650384ca70000002f07c00100ffc1a09124457b3fc7e8df26f3eb6018306ddb240292748f98ff907a2e0aa855c25e6d4b" +
		"762611bd18204cfae70b5ef2d4e00f840b2634bc0395a80627189a696cdb030d088f7110980148d410b0bf3cc8dd0e15cb20f631871f281cba0933722edb98bc0" +
		"28300008846b36ddbb611d1ffe08fea06370d82df27b6d3629e4c6fd57db45f54f6235c07c3eb11292f3157e4a893a8bd31fe8013ce2ca42d066807320100" // 8 × 8, noise
)

func fromHex(text string) []byte {
	data, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return data
}

func hasColor(got []byte, want color.NRGBA, tolerance int) bool {
	for c, v := range []uint8{want.R, want.G, want.B} {
		if d := int(got[c]) - int(v); d < -tolerance || d > tolerance {
			return false
		}
	}
	return true
}

// TestLossyWebP: its planes have the range of video, and what is white is white.
func TestLossyWebP(t *testing.T) {
	for text, want := range map[string]color.NRGBA{whiteWebP: {255, 255, 255, 255}, orangeWebP: {200, 100, 50, 255}, redWebP: {255, 0, 0, 255}} {
		_, pixels, err := decodePixels(fromHex(text), 1<<20)
		if err != nil || pixels.Damage != nil {
			t.Fatal(err, pixels.Damage)
		}
		if !hasColor(pixels.RGBA, want, 1) {
			t.Errorf("%v, want %v", pixels.RGBA[:4], want)
		}
	}
}

// noisy is a picture that does not pack well.
func noisy(side int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, side, side))
	state := uint32(1)
	for i := range m.Pix {
		state = state*1664525 + 1013904223
		m.Pix[i] = byte(state >> 24)
	}
	return m
}

// TestDamagedImages: what can be seen of an image is drawn, and the report says what is wrong with it.
func TestDamagedImages(t *testing.T) {
	whole := noisy(64)
	sound := encodePNG(whole)
	spoiled := func(data []byte, mark string, at int) []byte {
		data = bytes.Clone(data)
		data[bytes.Index(data, []byte(mark))+at] ^= 1
		return data
	}
	paletted := image.NewPaletted(image.Rect(0, 0, 64, 64), color.Palette{color.NRGBA{10, 20, 30, 40}, color.White})
	photo := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	draw.Draw(photo, photo.Bounds(), image.NewUniform(color.NRGBA{200, 100, 50, 255}), image.Point{}, draw.Src)
	draw.Draw(photo, image.Rect(0, 32, 64, 64), noisy(64), image.Point{}, draw.Src)
	asJPEG := encodeJPEG(photo)
	for _, c := range []struct {
		name string
		data []byte
		rows int // that are right
		want image.Image
		says string
	}{
		{"wrong checksum of the pixels", spoiled(sound, "IEND", -5), 64, whole, "checksum"},
		{"wrong checksum of the header", spoiled(sound, "IDAT", -5), 64, whole, "checksum"},
		{"no IEND", sound[:len(sound)-12], 64, whole, "EOF"},
		{"half", sound[:len(sound)/2], 30, whole, "not enough pixel data"},
		{"colours with a wrong checksum", spoiled(encodePNG(paletted), "tRNS", -5), 64, paletted, "checksum"},
		{"JPEG", asJPEG[:len(asJPEG)-200], 31, photo, "it ends early"},
		{"JPEG without its end", asJPEG[:len(asJPEG)-2], 31, photo, "it ends early"},
	} {
		b := newBuilder()
		b.textured(jsonObject{"pbrMetallicRoughness": jsonObject{"baseColorTexture": jsonObject{"index": b.image(c.data)}}})
		s := b.load(t)
		if len(s.Images) != 1 {
			t.Errorf("%s: left out: %q", c.name, s.Report.Notes)
			continue
		}
		for i := range 64 * c.rows {
			want := color.NRGBAModel.Convert(c.want.At(i%64, i/64)).(color.NRGBA)
			if !hasColor(s.Images[0].Pixels[4*i:], want, 4) {
				t.Errorf("%s: pixel %d is %v, want %v", c.name, i, s.Images[0].Pixels[4*i:][:4], want)
				break
			}
		}
		warns(t, s, "image is damaged (")
		warns(t, s, c.says)
		warns(t, s, "drawn as far as it goes")
		if !warned(s, "image 0: ") {
			t.Errorf("%s: no image is named in %q", c.name, s.Report.Notes)
		}
	}
}

// TestCutWebP: a WebP that ends early is drawn, whatever length its chunks claim.
func TestCutWebP(t *testing.T) {
	data := fromHex(whiteWebP)
	data = data[:len(data)-2]
	for _, length := range []byte{0, 0x7f} { // the highest byte of that of the file and of that of its picture
		data[7], data[19] = length, length
		_, pixels, err := decodePixels(data, 1<<20)
		if err != nil || pixels.Damage == nil || !hasColor(pixels.RGBA, color.NRGBA{255, 255, 255, 255}, 1) {
			t.Errorf("length %#x: %v, %v", length, err, pixels)
		}
	}
	large := fromHex(whiteWebP)
	large[7], large[19] = 0x7f, 0x7f
	large[20], large[21], large[22] = large[20]|0xe0, 0xff, 0xff // a first partition of half a megabyte
	copy(large[26:], []byte{0, 16, 0, 8})                        // 4096 × 2048 pixels
	if _, pixels, err := decodePixels(large, 128<<20); err != nil || pixels.Damage == nil {
		t.Errorf("large: %v", err)
	}
	data = fromHex(losslessWebP)
	_, pixels, err := decodePixels(data[:len(data)-30], 1<<20)
	if err != nil || pixels.Damage == nil || pixels.RGBA[0] != 61 || pixels.RGBA[4*(8+3)] != 136 {
		t.Errorf("lossless: %v", err)
	}
}

// TestDamagedBeyondUse: where no pixel can be had, the image is left out as before.
func TestDamagedBeyondUse(t *testing.T) {
	sound := encodePNG(noisy(64))
	asJPEG := encodeJPEG(noisy(64))
	beforeScan, _, _ := bytes.Cut(asJPEG, []byte{0xff, 0xda})
	for name, data := range map[string][]byte{
		"PNG header": sound[:33], "PNG without data": sound[:41], "JPEG header": asJPEG[:100],
		"JPEG without data": beforeScan,
	} {
		if _, _, err := decodePixels(data, 1<<20); err == nil || !strings.Contains(err.Error(), "cannot be") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
