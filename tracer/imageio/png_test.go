package imageio

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWritePNGCarriesText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shot.png")
	img := image.NewNRGBA(image.Rect(0, 0, 5, 3))
	img.SetNRGBA(2, 1, color.NRGBA{R: 10, G: 20, B: 30, A: 255})
	text := map[string]string{"glint": `{"scene": "chess", "seed": 7}`, "Title": "Unicode❤♻", "Café": "Latin-1 key", "Comment": ""}
	if err := WritePNG(path, img, text); err != nil {
		t.Fatal(err)
	}
	got, err := ReadPNGText(path)
	if err != nil || !maps.Equal(got, text) {
		t.Errorf("text %q, %v; want %q", got, err, text)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if decoded.At(2, 1) != img.At(2, 1) || decoded.Bounds() != img.Bounds() {
		t.Errorf("pixel %v, bounds %v", decoded.At(2, 1), decoded.Bounds())
	}
}

func TestWritePNGRefuses(t *testing.T) {
	pixel := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	tests := []struct {
		name string
		img  *image.NRGBA
		text map[string]string
		want string
	}{
		{"no image", nil, nil, "no image"},
		{"empty image", image.NewNRGBA(image.Rect(0, 0, 0, 4)), nil, "not positive"},
		{"no key", pixel, map[string]string{"": "x"}, "1 to 79"},
		{"long key", pixel, map[string]string{strings.Repeat("k", 80): "x"}, "1 to 79"},
		{"key not Latin-1", pixel, map[string]string{"♻": "x"}, "Latin-1"},
		{"NUL", pixel, map[string]string{"k": "a\x00b"}, "without NUL"},
		{"not UTF-8", pixel, map[string]string{"k": "\xff"}, "UTF-8"},
	}
	folder := t.TempDir()
	for _, test := range tests {
		err := WritePNG(filepath.Join(folder, "out.png"), test.img, test.text)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that says %q", test.name, err, test.want)
		}
	}
	wantFiles(t, folder)
}

func TestParseTextErrors(t *testing.T) {
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, image.NewNRGBA(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	whole := encoded.String()
	tests := []struct{ name, data, want string }{
		{"not a PNG", "GIF89a", "not a PNG"},
		{"cut", whole[:len(whole)-4], "ends before"},
		{"endless chunk", whole[:pngHeaderSize] + "\xff\xff\xff\xfftEXt....", "ends before"},
		{"damaged", strings.Replace(whole, "IHDR\x00", "IHDR\x01", 1), "wrong CRC"},
	}
	for _, test := range tests {
		if _, err := parseText([]byte(test.data)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that says %q", test.name, err, test.want)
		}
	}
}

func FuzzParsePNGText(f *testing.F) {
	chunks, err := textChunks(map[string]string{"a": "b", "c": "❤"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(pngSignature + string(appendChunk(chunks, "IEND", nil))))
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := parseText(data)
		if err == nil && text == nil {
			t.Fatal("no text and no error")
		}
	})
}
