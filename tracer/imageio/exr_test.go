package imageio

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mrjoshuak/go-openexr/exr"
)

// fixtureValue is what the OpenEXR files of testdata, written by the format's reference implementation, hold.
func fixtureValue(x, y, c int) float32 { return float32(1+x+10*y+100*c) / 8 }

func TestReadEXRFromReferenceImplementation(t *testing.T) {
	tests := []struct {
		file string
		gray bool
	}{
		{file: "half_piz.exr"},
		{file: "float_zip_alpha.exr"},
		{file: "half_tiled_zips.exr"},
		{file: "float_rle_layer.exr"},
		{file: "float_window.exr"},
		{file: "half_grey_none.exr", gray: true},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			img, err := Read(filepath.Join("testdata", test.file))
			if err != nil {
				t.Fatal(err)
			}
			if img.Width != 9 || img.Height != 5 {
				t.Fatalf("size %d×%d, want 9×5", img.Width, img.Height)
			}
			for i, got := range img.Pix {
				x, y, c := i/3%9, i/27, i%3
				if test.gray {
					c = 0
				}
				if want := fixtureValue(x, y, c); got != want {
					t.Fatalf("pixel (%d, %d) channel %d is %v, want %v", x, y, c, got, want)
				}
			}
		})
	}
}

func TestReadEXRErrors(t *testing.T) {
	whole := fixture(t, "half_piz.exr")
	tiled := fixture(t, "half_tiled_zips.exr")
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "not an OpenEXR file"},
		{"no colour", fixture(t, "depth_only.exr"), "no R, G, B or Y"},
		{"cut in the header", whole[:60], "not an OpenEXR file"},
		{"cut in the pixels", whole[:len(whole)-30], "OpenEXR pixels"},
		{"cut in the tiles", tiled[:len(tiled)-30], "OpenEXR pixels"},
		{"huge window", withWindow(t, whole, 60000, 32), "cannot hold"},
		{"endless window", withWindow(t, whole, 1<<30, 5), "above the limit"},
		{"negative window", withWindow(t, whole, -5, 3), "not positive"},
		{"too large a file", make([]byte, exrMaxFile+1), "64 MiB"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := safely(func() (*Image, error) { return decodeEXR(test.data, nil) })
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error %v, want one that says %q", err, test.want)
			}
		})
	}
}

// withWindow returns the file with another data window.
func withWindow(t *testing.T, data []byte, width, height int32) []byte {
	t.Helper()
	const marker = "dataWindow\x00box2i\x00\x10\x00\x00\x00"
	at := strings.Index(string(data), marker)
	if at < 0 {
		t.Fatal("no data window in the fixture")
	}
	changed := append([]byte(nil), data...)
	box := changed[at+len(marker):]
	binary.LittleEndian.PutUint32(box[8:], uint32(width-1))
	binary.LittleEndian.PutUint32(box[12:], uint32(height-1))
	return changed
}

// written reads a file back: it must hold the picture, and is opened to be looked at.
func written(t *testing.T, path string, want *Image) *exr.File {
	t.Helper()
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	equalImages(t, got, want)
	f, err := exr.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestWriteEXRKeepsPixelsAndMeta(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.exr")
	img := ramp(70, 50)
	meta := Meta{"samples": "256", "settings": `{"seed": 3, "name": "naïve"}`}
	if err := Write(path, img, meta); err != nil {
		t.Fatal(err)
	}
	f := written(t, path, img)
	for key, want := range meta {
		attr := f.Header(0).Get(exrPrefix + key)
		if attr == nil || attr.Value != want {
			t.Errorf("attribute %s is %v, want %q", key, attr, want)
		}
	}
	if err := Write(path, img, Meta{strings.Repeat("k", 40): ""}); err == nil {
		t.Error("a metadata key of 40 characters was accepted")
	}
}

// TestWriteLayers: every channel is in the file under its name, and the picture reads as if it were alone.
func TestWriteLayers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "layers.exr")
	img := ramp(20, 10)
	depth, normal := make([]float32, 200), make([]float32, 600)
	for i := range depth {
		depth[i], normal[3*i+2] = float32(i), -1
	}
	layers := []Layer{{"depth", []string{"Z"}, depth}, {"normal", []string{"X", "Y", "Z"}, normal}}
	if err := WriteLayers(path, img, layers, nil); err != nil {
		t.Fatal(err)
	}
	f := written(t, path, img)
	found := f.Header(0).Channels().Names()
	slices.Sort(found)
	if want := []string{"B", "G", "R", "depth.Z", "normal.X", "normal.Y", "normal.Z"}; !slices.Equal(found, want) {
		t.Errorf("channels %v, want %v", found, want)
	}
	r, err := exr.NewScanlineReader(f)
	if err != nil {
		t.Fatal(err)
	}
	frame, read := exr.NewFrameBuffer(), newImage(20, 10)
	setPlanes(frame, read.Pix, 3, read, []string{"depth.Z", "normal.Y", "normal.Z"})
	r.SetFrameBuffer(frame)
	if err := r.ReadPixels(0, 9); err != nil {
		t.Fatal(err)
	}
	for i := range depth {
		if got := read.Pix[3*i : 3*i+3]; got[0] != float32(i) || got[1] != 0 || got[2] != -1 {
			t.Fatalf("pixel %d: %v", i, got)
		}
	}
	if err := WriteLayers(path, img, []Layer{{"short", []string{"Z"}, depth[1:]}}, nil); err == nil || !strings.Contains(err.Error(), "short") {
		t.Errorf("a layer of too few values: %v", err)
	}
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestNoJPEG2000: the library can, but nothing says that glint does.
func TestNoJPEG2000(t *testing.T) {
	h := exr.NewScanlineHeader(8, 8)
	h.SetCompression(exr.CompressionHTJ2K32)
	channels := exr.NewChannelList()
	for _, name := range []string{"R", "G", "B"} {
		channels.Add(exr.NewChannel(name, exr.PixelTypeHalf))
	}
	h.SetChannels(channels)
	path := filepath.Join(t.TempDir(), "a.exr")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := exr.NewScanlineWriter(f, h)
	if err != nil {
		t.Fatal(err)
	}
	frame := exr.NewFrameBuffer()
	setPlanes(frame, make([]float32, 3*8*8), 3, newImage(8, 8), []string{"R", "G", "B"})
	w.SetFrameBuffer(frame)
	if err := errors.Join(w.WritePixels(0, 7), w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path); err == nil || !strings.Contains(err.Error(), "compression") {
		t.Errorf("%v", err)
	}
}

func FuzzReadEXR(f *testing.F) {
	names, err := filepath.Glob("testdata/*.exr")
	if err != nil || len(names) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, name := range names {
		f.Add(fixture(f, filepath.Base(name)))
	}
	fuzzDecoder(f, decodeEXR)
}
