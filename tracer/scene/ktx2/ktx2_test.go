package ktx2

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fixtures are the files that another implementation encoded, with the pictures that it makes of them.
func fixtures(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.ktx2")
	if err != nil || len(paths) < 8 {
		t.Fatal(err, paths)
	}
	files := map[string][]byte{}
	for _, path := range paths {
		if files[strings.TrimSuffix(path, ".ktx2")], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func readPNG(t *testing.T, path string) *image.NRGBA {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	decoded, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	out := image.NewNRGBA(decoded.Bounds())
	draw.Draw(out, out.Rect, decoded, image.Point{}, draw.Src)
	return out
}

func TestDecodeEqualsAnotherDecoder(t *testing.T) {
	for name, data := range fixtures(t) {
		want := readPNG(t, name+".png")
		config, err := DecodeConfig(data)
		if err != nil || config.Width != want.Rect.Dx() || config.Height != want.Rect.Dy() {
			t.Errorf("%s: %d × %d, %v", name, config.Width, config.Height, err)
		}
		got, err := Decode(context.Background(), data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		wrong := 0
		for i := range want.Pix {
			if got.Pix[i] != want.Pix[i] {
				if wrong == 0 {
					x, y := i/4%want.Rect.Dx(), i/4/want.Rect.Dx()
					t.Errorf("%s: %v at (%d, %d), want %v", name, got.NRGBAAt(x, y), x, y, want.NRGBAAt(x, y))
				}
				wrong++
			}
		}
		if wrong > 0 {
			t.Errorf("%s: %d of %d bytes differ", name, wrong, len(want.Pix))
		}
	}
}

// TestModes: the file of blocks has each mode.
func TestModes(t *testing.T) {
	data := fixtures(t)["testdata/uastc-modes"]
	f, err := parse(data)
	if err != nil {
		t.Fatal(err)
	}
	tables, seen := newUASTCTables(), map[byte]bool{}
	for block := range slices.Chunk(f.level, 16) {
		seen[tables.modes[block[0]&127]] = true
	}
	if len(seen) != len(uastcModes) {
		t.Errorf("%d modes, want %d", len(seen), len(uastcModes))
	}
}

// plain makes a file of one level without blocks.
func plain(format uint32, packed supercompression, width, height int, level []byte, unpacked int) []byte {
	out := append([]byte(Magic), make([]byte, headerSize+levelSize-len(Magic))...)
	for at, v := range map[int]uint32{12: format, 16: 1, 20: uint32(width), 24: uint32(height), 36: 1, 40: 1, 44: uint32(packed), 48: headerSize + levelSize} {
		binary.LittleEndian.PutUint32(out[at:], v)
	}
	binary.LittleEndian.PutUint64(out[headerSize:], headerSize+levelSize)
	binary.LittleEndian.PutUint64(out[headerSize+8:], uint64(len(level)))
	binary.LittleEndian.PutUint64(out[headerSize+16:], uint64(unpacked))
	return append(out, level...)
}

func TestPlainFormats(t *testing.T) {
	rgba := make([]byte, 4*5*3)
	for i := range rgba {
		rgba[i] = byte(7 * i)
	}
	var rgb []byte
	opaque := slices.Clone(rgba)
	for i := 0; i < len(rgba); i += 4 {
		rgb = append(rgb, rgba[i:i+3]...)
		opaque[i+3] = 255
	}
	var deflated bytes.Buffer
	w := zlib.NewWriter(&deflated)
	_, _ = w.Write(rgba)
	_ = w.Close()
	for _, c := range []struct {
		file, want []byte
	}{
		{plain(vkRGBA, notPacked, 5, 3, rgba, len(rgba)), rgba},
		{plain(vkSRGBA, notPacked, 5, 3, rgba, len(rgba)), rgba},
		{plain(vkRGB, notPacked, 5, 3, rgb, len(rgb)), opaque},
		{plain(vkSRGB, notPacked, 5, 3, rgb, len(rgb)), opaque},
		{plain(vkSRGBA, packedZlib, 5, 3, deflated.Bytes(), len(rgba)), rgba},
	} {
		got, err := Decode(context.Background(), c.file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Pix, c.want) {
			t.Errorf("%v, want %v", got.Pix, c.want)
		}
	}
}

// TestTwoChannels: where a second channel is green, it does not stay in alpha.
func TestTwoChannels(t *testing.T) {
	for name, kinds := range map[string][]byte{"testdata/uastc-faded": {uastcRedGreen}, "testdata/etc1s-faded": {etc1sRed, etc1sGreen}} {
		data := slices.Clone(fixtures(t)[name])
		want, err := Decode(context.Background(), data)
		if err != nil {
			t.Fatal(err)
		}
		for i, kind := range kinds {
			data[int(binary.LittleEndian.Uint32(data[48:]))+28+16*i+3] = kind
		}
		got, err := Decode(context.Background(), data)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(got.Pix); i += 4 {
			if [4]byte(got.Pix[i:]) != [4]byte{want.Pix[i], want.Pix[i+3], 0, 255} {
				t.Fatalf("%s: %v of %v", name, got.Pix[i:i+4], want.Pix[i:i+4])
			}
		}
	}
}

// TestBrokenFiles: a file that is cut anywhere is refused, and so is one whose header lies.
func TestBrokenFiles(t *testing.T) {
	for name, data := range fixtures(t) {
		f, err := parse(data)
		if err != nil {
			t.Fatal(err)
		}
		for n := range data {
			if _, err := Decode(context.Background(), data[:n]); err == nil && f.levels == 1 && n < len(data)-8 {
				t.Errorf("%s: %d of %d bytes are decoded", name, n, len(data))
				break
			}
		}
		for what, change := range map[string]func(d []byte){
			"format":   func(d []byte) { d[12] = 99 },
			"no width": func(d []byte) { d[20] = 0; d[21] = 0 },
			"width":    func(d []byte) { d[20] = 200 },
			"height":   func(d []byte) { d[27] = 1 },
			"depth":    func(d []byte) { d[28] = 2 },
			"layers":   func(d []byte) { d[32] = 2 },
			"faces":    func(d []byte) { d[36] = 6 },
			"levels":   func(d []byte) { d[40] = 18 },
			"packing":  func(d []byte) { d[44] ^= 1 },
			"unknown":  func(d []byte) { d[44] = 9 },
			"model":    func(d []byte) { d[binary.LittleEndian.Uint32(d[48:])+12] = 1 },
		} {
			d := slices.Clone(data)
			change(d)
			if _, err := Decode(context.Background(), d); err == nil {
				t.Errorf("%s: a wrong %s is taken", name, what)
			}
		}
	}
}

func TestDecodeIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, data := range fixtures(t) {
		if _, err := Decode(ctx, data); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, data := range fixtures(f) {
		f.Add(data)
	}
	f.Add(plain(vkRGB, notPacked, 2, 1, make([]byte, 6), 6))
	f.Fuzz(func(t *testing.T, data []byte) {
		config, err := DecodeConfig(data)
		if err != nil || config.Width*config.Height > 1<<20 {
			return
		}
		if m, err := Decode(t.Context(), data); err == nil && (m.Rect.Dx() != config.Width || len(m.Pix) != 4*config.Width*config.Height) {
			t.Fatalf("%v of %d × %d", m.Rect, config.Width, config.Height)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	for _, name := range []string{"etc1s-faded", "etc1s-smooth", "uastc-modes", "uastc-smooth"} {
		data := fixtures(b)["testdata/"+name]
		config, err := DecodeConfig(data)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(name), func(b *testing.B) {
			b.SetBytes(int64(4 * config.Width * config.Height))
			for b.Loop() {
				if _, err := Decode(context.Background(), data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
