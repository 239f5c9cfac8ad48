package imageio

import (
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// pfmFile builds a 2×2 file whose values count up in file order: the bottom row first.
func pfmFile(magic string, channels int, scale string, order binary.AppendByteOrder) []byte {
	data := fmt.Appendf(nil, "%s\n2 2\n%s\n", magic, scale)
	for i := range 4 * channels {
		data = order.AppendUint32(data, math.Float32bits(float32(i)))
	}
	return data
}

func TestReadPFM(t *testing.T) {
	color := []float32{6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5}
	gray := []float32{2, 2, 2, 3, 3, 3, 0, 0, 0, 1, 1, 1}
	tests := []struct {
		name string
		data []byte
		want []float32
		by   float32
	}{
		{"little-endian colour", pfmFile("PF", 3, "-1.0", binary.LittleEndian), color, 1},
		{"big-endian colour", pfmFile("PF", 3, "1", binary.BigEndian), color, 1},
		{"little-endian grey", pfmFile("Pf", 1, "-1", binary.LittleEndian), gray, 1},
		{"big-endian grey, scaled", pfmFile("Pf", 1, "2.5", binary.BigEndian), gray, 2.5},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			img, err := decodePFM(test.data, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range test.want {
				if img.Pix[i] != want*test.by {
					t.Fatalf("pixels %v, want %v times %v", img.Pix, test.want, test.by)
				}
			}
		})
	}
}

func TestReadPFMErrors(t *testing.T) {
	tests := []struct{ name, data, want string }{
		{"empty", "", "incomplete"},
		{"another format", "P6 2 2 255\n", "PF or Pf"},
		{"width in words", "PF two 2 -1\n", "width"},
		{"height in words", "PF 2 two -1\n", "height"},
		{"no pixels", "PF 0 2 -1\n", "not positive"},
		{"negative", "PF -2 2 -1\n", "not positive"},
		{"scale of zero", "PF 2 2 0\n", "scale"},
		{"scale not a number", "PF 2 2 nan\n", "scale"},
		{"endless field", "PF " + strings.Repeat("1", 100) + " 2 -1\n", "incomplete"},
		{"endless image", "PF 1000000000 1000000000 -1\n", "above the limit"},
		{"size that overflows", "PF 9223372036854775807 2 -1\n", "above the limit"},
		{"large and empty", "PF 8192 8192 -1\n", "ends before"},
		{"one byte short", string(pfmFile("PF", 3, "-1", binary.LittleEndian)[:57]), "ends before"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := decodePFM([]byte(test.data), nil)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error %v, want one that says %q", err, test.want)
			}
		})
	}
}

func TestWritePFMKeepsEveryBit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.PFM")
	img := ramp(7, 5)
	img.Pix[0], img.Pix[1], img.Pix[2] = float32(math.Inf(1)), math.MaxFloat32, -math.SmallestNonzeroFloat32
	if err := Write(path, img, Meta{"ignored": "here"}); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	equalImages(t, got, img)
}

func FuzzReadPFM(f *testing.F) {
	f.Add(pfmFile("PF", 3, "-1", binary.LittleEndian))
	f.Add(pfmFile("Pf", 1, "2", binary.BigEndian))
	f.Add([]byte("PF 1000000000 1000000000 -1\n"))
	fuzzDecoder(f, decodePFM)
}
