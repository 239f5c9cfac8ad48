package scene

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/tiff"

	"glint/tracer/guard"
	"glint/tracer/scene/picture"
)

// set colours the left pixel of two.
func set(m draw.Image, c color.Color) image.Image {
	m.Set(0, 0, c)
	m.Set(1, 0, color.White)
	return m
}

func TestPixelForms(t *testing.T) {
	bounds := image.Rect(0, 0, 2, 1)
	half := color.NRGBA{200, 100, 50, 128}
	narrow := color.NRGBA64{0x8080, 0x4141, 0xffff, 0x7f7f} // which 8 bits can say
	tests := []struct {
		name string
		data []byte
		want [4]byte // of the left pixel
		tol  int
	}{
		{"rgba", encodePNG(set(image.NewNRGBA(bounds), half)), [4]byte{200, 100, 50, 128}, 0},
		{"rgb", encodePNG(set(image.NewNRGBA(bounds), color.NRGBA{1, 2, 3, 255})), [4]byte{1, 2, 3, 255}, 0},
		{"rgba 16 bits", encodePNG(set(image.NewNRGBA64(bounds), narrow)), [4]byte{128, 65, 255, 127}, 0},
		{"rgb 16 bits", encodePNG(set(image.NewRGBA64(bounds), color.RGBA64{0x8080, 0, 0xffff, 0xffff})), [4]byte{128, 0, 255, 255}, 0},
		{"grey", encodePNG(set(image.NewGray(bounds), color.Gray{77})), [4]byte{77, 77, 77, 255}, 0},
		{"grey 16 bits", encodePNG(set(image.NewGray16(bounds), color.Gray16{0x4d4d})), [4]byte{77, 77, 77, 255}, 0},
		{"palette", encodePNG(set(image.NewPaletted(bounds, color.Palette{half, color.White}), half)), [4]byte{200, 100, 50, 128}, 0},
		{"jpeg", encodeJPEG(flat(16, color.NRGBA{200, 100, 50, 255})), [4]byte{200, 100, 50, 255}, 4},
		{"jpeg grey", encodeJPEG(set(image.NewGray(bounds), color.Gray{255})), [4]byte{255, 255, 255, 255}, 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, got, err := decodePixels(test.data, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			for c := range 4 {
				if d := int(got.RGBA[c]) - int(test.want[c]); d < -test.tol || d > test.tol {
					t.Errorf("got %v, want %v", got.RGBA[:4], test.want)
				}
			}
		})
	}
}

// TestDeepPixels: 16 bits are kept where 8 cannot say as much, in twice the memory.
func TestDeepPixels(t *testing.T) {
	bounds := image.Rect(0, 0, 2, 1)
	for name, c := range map[string]struct {
		data []byte
		want [4]uint16
	}{
		"rgba": {encodePNG(set(image.NewNRGBA64(bounds), color.NRGBA64{0x8001, 0x1234, 0xffff, 0x7f80})), [4]uint16{0x8001, 0x1234, 0xffff, 0x7f80}},
		"rgb":  {encodePNG(set(image.NewRGBA64(bounds), color.RGBA64{0x8080, 0, 0xfffe, 0xffff})), [4]uint16{0x8080, 0, 0xfffe, 0xffff}},
		"grey": {encodePNG(set(image.NewGray16(bounds), color.Gray16{0x1234})), [4]uint16{0x1234, 0x1234, 0x1234, 0xffff}},
	} {
		b := newBuilder()
		b.textured(jsonObject{"normalTexture": jsonObject{"index": b.image(c.data)}})
		s := b.load(t)
		img := s.Images[0]
		if !img.Deep || len(img.Pixels) != 16 {
			t.Errorf("%s: deep %v, %d bytes", name, img.Deep, len(img.Pixels))
			continue
		}
		for i, want := range c.want {
			if got := img.Value(i) * 65535; got != float32(want) {
				t.Errorf("%s: channel %d is %g, want %d", name, i, got, want)
			}
		}
		if got := img.Value(4); got != 1 {
			t.Errorf("%s: the right pixel is %g", name, got)
		}
	}
	large := encodePNG(image.NewNRGBA64(image.Rect(0, 0, 64, 64)))
	if _, _, err := decodePixels(large, 15*64*64); err == nil {
		t.Error("an image of 16 bits takes no more than one of 8")
	}
	if _, _, err := decodePixels(large, 16*64*64); err != nil {
		t.Error(err)
	}
}

func flat(side int, c color.Color) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, side, side))
	for i := range side * side {
		m.Set(i%side, i/side, c)
	}
	return m
}

// TestKindsOfImages: only those of the table are read, though libraries for other purposes register more with the image package.
func TestKindsOfImages(t *testing.T) {
	white := flat(8, color.White)
	var asGIF, asTIFF bytes.Buffer
	if err := errors.Join(gif.Encode(&asGIF, white, nil), tiff.Encode(&asTIFF, white, nil)); err != nil {
		t.Fatal(err)
	}
	radiance := "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\x80\x80\x80\x80"
	for name, data := range map[string][]byte{"GIF": asGIF.Bytes(), "TIFF": asTIFF.Bytes(), "Radiance": []byte(radiance),
		"BMP": []byte("BM"), "JPEG 2000": []byte("\x00\x00\x00\x0cjP  \r\n\x87\n"), "nothing": nil} {
		if _, _, err := decodePixels(data, 1<<20); err == nil || !strings.Contains(err.Error(), "convert it to PNG, JPEG or WebP") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestImagesThatTakeTime: small files that would keep a decoder busy are refused by their headers.
func TestImagesThatTakeTime(t *testing.T) {
	whole := encodeJPEG(flat(16, color.White))
	scan := bytes.Index(whole, []byte{0xff, 0xda})
	if scan < 0 {
		t.Fatal("no scan")
	}
	end := len(whole) - 2
	many := append(append(bytes.Clone(whole[:end]), bytes.Repeat(whole[scan:end], 500)...), whole[end:]...)
	small := []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00")
	extended := append([]byte("RIFF\x00\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x10\x00\x00\x00\x03\x00\x00\x03\x00\x00"), small[12:]...)
	extended[4] = byte(len(extended) - 8)
	for word, data := range map[string][]byte{"501 scans": many, "its header says 4 × 4": extended} {
		if _, _, err := decodePixels(data, 64<<20); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("want an error that says %q, got %v", word, err)
		}
	}
	extended[24], extended[27] = 0, 0 // 1 × 1, as the picture is
	if _, pixels, err := decodePixels(extended, 64<<20); err != nil || len(pixels.RGBA) != 4 {
		t.Errorf("an extended file: %v", err)
	}
}

// readKTX2 is one of the KTX2 package's files.
func readKTX2(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("ktx2", "testdata", name+".ktx2"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestKTX2Textures: the KTX2 image is drawn where it can be read, else the texture's own where there is one.
func TestKTX2Textures(t *testing.T) {
	sound := readKTX2(t, "etc1s-faded")
	broken := bytes.Clone(sound)
	copy(broken[len(broken)-200:], make([]byte, 200)) // which its header does not tell
	unknown := bytes.Clone(sound)
	unknown[12] = 99
	for _, c := range []struct {
		name     string
		data     []byte
		fallback bool
		width    int // of the image that is drawn, 0 for none
		says     string
	}{
		{"sound", sound, true, 37, ""},
		{"alone", sound, false, 37, ""},
		{"broken", broken, true, 5, "drawn with the image that its texture has for such a case"},
		{"unknown", unknown, true, 5, "VkFormat 99"},
		{"broken alone", broken, false, 0, "the KTX2 image cannot be decoded"},
		{"unknown alone", unknown, false, 0, "drawn without it"},
	} {
		b := newBuilder()
		b.extension("KHR_texture_basisu")
		texture := jsonObject{"extensions": jsonObject{"KHR_texture_basisu": jsonObject{
			"source": b.add("images", jsonObject{"bufferView": b.view(c.data), "mimeType": "image/ktx2"})}}}
		if c.fallback {
			texture["source"] = b.add("images", jsonObject{"bufferView": b.view(encodePNG(flat(5, color.White))), "mimeType": "image/png"})
		}
		at := b.add("textures", texture)
		b.textured(jsonObject{"pbrMetallicRoughness": jsonObject{"baseColorTexture": jsonObject{"index": at}},
			"occlusionTexture": jsonObject{"index": at}, "normalTexture": jsonObject{"index": at}})
		s := b.load(t)
		switch {
		case c.width == 0 && len(s.Images) > 0 || c.width > 0 && len(s.Images) != 2: // sRGB and linear
			t.Errorf("%s: %d images", c.name, len(s.Images))
		case c.width > 0 && (s.Images[0].Width != c.width || len(s.Images[0].Pixels) == 0 || s.Images[0].SRGB == s.Images[1].SRGB):
			t.Errorf("%s: %+v", c.name, s.Images[0].Width)
		}
		if c.says != "" {
			warns(t, s, c.says)
		} else if warned(s, "image") {
			t.Errorf("%s: %q", c.name, s.Report.Notes)
		}
	}
}

// decodePixels decodes one image, in so much memory.
func decodePixels(data []byte, most int64) (p *picture.Picture, pixels picture.Pixels, err error) {
	memory := guard.NewMemory(most)
	var room int64
	if p, err = planPicture(&job{memory: memory, scratch: memory}, data, &room); err != nil {
		return nil, pixels, err
	}
	pixels, err = p.Decode(context.Background())
	return p, pixels, err
}

// hugePNG is a header that promises w × h pixels and nothing more.
func hugePNG(w, h uint32) []byte {
	var body bytes.Buffer
	body.WriteString("IHDR")
	_ = binary.Write(&body, binary.BigEndian, []uint32{w, h})
	body.Write([]byte{8, 6, 0, 0, 0})
	var out bytes.Buffer
	out.WriteString("\x89PNG\r\n\x1a\n")
	_ = binary.Write(&out, binary.BigEndian, uint32(13))
	out.Write(body.Bytes())
	_ = binary.Write(&out, binary.BigEndian, crc32.ChecksumIEEE(body.Bytes()))
	return out.Bytes()
}

func TestImagesTooLarge(t *testing.T) {
	tests := []struct {
		name string
		data []byte
		word string
	}{
		{"side", hugePNG(1<<20, 1), "sides of 1 to"},
		{"area", hugePNG(picture.MaxSide, picture.MaxSide), "64 MiB are allowed"},
		{"side beyond all numbers", append(hugePNG(1<<32-1, 1<<31-1), "\x00\x00\x00\x05IDAT\x78\x01\x03\x00\x00\x00\x00\x00\x00"...), "cannot be read: png"},
		{"cut off", hugePNG(10, 10), "cannot be decoded"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := decodePixels(test.data, 64<<20)
			if err == nil || !strings.Contains(err.Error(), test.word) {
				t.Errorf("want an error that says %q, got %v", test.word, err)
			}
		})
	}
}
