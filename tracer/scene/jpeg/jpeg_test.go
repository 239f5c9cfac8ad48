package jpeg

import (
	"bytes"
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const width, height = 40, 32

// shown is what all files of testdata show, before it was packed. They were written by libjpeg-turbo.
func shown(x, y int) [3]int {
	return [3]int{40 + 160*x/width, 200 - 140*y/height, 60 + 100*(x+y)/(width+height)}
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".jpg"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// differs is by how much a picture's rows differ from what the files show, at most.
func differs(m *image.NRGBA, scale, first, last int) (most int) {
	for y := first; y < last; y++ {
		for x := range width {
			for c, want := range shown(x, y) {
				d := int(m.Pix[m.PixOffset(x, y)+c]) - want*scale/255
				most = max(most, d, -d)
			}
		}
	}
	return most
}

const coarse = 9 // what subsampled colours differ by: two pixels of the gradient

func TestDecode(t *testing.T) {
	for name, scale := range map[string]int{
		"arithmetic": 255, "arithmetic-progressive": 255, "sampled-3x1": 255, "sampled-chroma-apart": 255, "sampled-chroma-above": 255,
		"usual": 255, "inks": 200,
	} {
		data := read(t, name)
		config, err := DecodeConfig(data)
		if err != nil || config.Width != width || config.Height != height {
			t.Errorf("%s: %d × %d, %v", name, config.Width, config.Height, err)
		}
		m, err := Decode(context.Background(), data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if d := differs(m, scale, 0, height); d > coarse {
			t.Errorf("%s: differs by up to %d", name, d)
		}
	}
}

// TestDecodeCut: what comes before the cut is right, and the rest has its last colours.
func TestDecodeCut(t *testing.T) {
	for _, name := range []string{"arithmetic", "sampled-chroma-apart", "usual"} {
		data := read(t, name)
		scan := bytes.Index(data, []byte{0xff, scanStart})
		m, err := Decode(context.Background(), data[:scan+14+(len(data)-scan-14)*3/4])
		if m == nil || !errors.Is(err, errEnds) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := differs(m, 255, 0, height/2); d > coarse {
			t.Errorf("%s: the upper half differs by up to %d", name, d)
		}
		if c := m.NRGBAAt(width-1, height-1); c.G == 128 || c.G < 40 {
			t.Errorf("%s: the last pixel is %v", name, c)
		}
		if m, err := Decode(context.Background(), data[:scan+14]); m != nil || err == nil {
			t.Errorf("%s without any data: %v", name, err)
		}
	}
	progressive := read(t, "sampled-chroma-above")
	m, err := Decode(context.Background(), progressive[:len(progressive)-60])
	if m == nil || err == nil || differs(m, 255, 0, height) > 3*coarse {
		t.Errorf("progressive: %v", err)
	}
}

// TestDecodeDamaged: behind the next reset all is right again.
func TestDecodeDamaged(t *testing.T) {
	data := read(t, "usual")
	scan := bytes.Index(data, []byte{0xff, scanStart})
	copy(data[scan+16:], bytes.Repeat([]byte{0xff, 0}, 3)) // no code
	m, err := Decode(context.Background(), data)
	if m == nil || err == nil {
		t.Fatal(err)
	}
	if d := differs(m, 255, height/2, height); d > coarse {
		t.Errorf("the lower half differs by up to %d", d)
	}
}

// TestDecodeRepeated: a scan that comes again is not drawn again, or a short file could keep the decoder busy for minutes.
func TestDecodeRepeated(t *testing.T) {
	for _, name := range []string{"arithmetic", "arithmetic-progressive", "usual"} {
		data := read(t, name)
		scan := bytes.Index(data, []byte{0xff, scanStart})
		next := len(data) - 2 // the end, or the scan that follows
		if at := bytes.Index(data[scan+2:], []byte{0xff, scanStart}); at >= 0 {
			next = scan + 2 + at
		}
		twice := append(bytes.Clone(data[:next]), data[scan:]...)
		m, err := Decode(context.Background(), twice)
		if m == nil || err == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDecodeEndsWithItsContext: also while pixels are made of coefficients.
func TestDecodeEndsWithItsContext(t *testing.T) {
	ctx, end := context.WithCancel(context.Background())
	end()
	for _, name := range []string{"arithmetic", "arithmetic-progressive"} {
		d := newDecoder(read(t, name))
		for d.scan == nil {
			if _, err := d.segment(); err != nil {
				t.Fatal(err)
			}
		}
		d.allocate()
		if m, err := d.picture(ctx); m != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if m, err := Decode(ctx, read(t, name)); m != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDecodeScansOutOfOrder: a bit of a coefficient comes once, whichever scans a file has. Arithmetic ones need no data.
func TestDecodeScansOutOfOrder(t *testing.T) {
	data := read(t, "arithmetic-progressive")
	var scans [][]byte // with the tables before them
	head := bytes.Index(data, []byte{0xff, scanStart})
	for rest := data[head : len(data)-2]; len(rest) > 0; {
		size := len(rest)
		if next := bytes.Index(rest[2:], []byte{0xff, scanStart}); next >= 0 {
			size = 2 + next
		}
		scans, rest = append(scans, rest[:size]), rest[size:]
	}
	if len(scans) < 6 {
		t.Fatalf("%d scans", len(scans))
	}
	for i := range scans {
		order := slices.Insert(slices.Clone(scans), i+1, scans[i])
		file := slices.Concat(data[:head], slices.Concat(order...), data[len(data)-2:])
		if m, err := Decode(context.Background(), file); m == nil || err == nil {
			t.Errorf("scan %d twice: %v", i, err)
		}
	}
	low := bytes.Clone(scans[len(scans)-1]) // the last bit of some coefficients
	for _, bits := range []byte{0x20, 0x31} {
		low[2+int(low[3])-1] = bits
		file := slices.Concat(data[:head], slices.Concat(scans[:len(scans)-1]...), low, data[len(data)-2:])
		if m, err := Decode(context.Background(), file); m == nil || err == nil {
			t.Errorf("bits %#x out of order: %v", bits, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, name := range []string{"arithmetic", "arithmetic-progressive", "sampled-3x1", "sampled-chroma-apart", "sampled-chroma-above", "inks"} {
		data := read(f, name)
		f.Add(data)
		f.Add(data[:len(data)-40])
		_, scan, _ := bytes.Cut(data, []byte{0xff, scanStart})
		f.Add(slices.Concat(data[:len(data)-2], []byte{0xff, scanStart}, scan))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		config, err := DecodeConfig(data)
		if err != nil || config.Width*config.Height > 1<<20 || bytes.Count(data, []byte{0xff, scanStart}) > 20 {
			return
		}
		m, err := Decode(context.Background(), data)
		if m == nil && err == nil || m != nil && m.Bounds().Size() != (image.Point{config.Width, config.Height}) {
			t.Fatalf("%v, %v", config, err)
		}
	})
}
