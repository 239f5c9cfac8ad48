package imageio

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"
)

const hdrHeader = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n"

// flatHDR is one row of two pixels without run-length encoding: (1, 0.5, 0.25) and black.
func flatHDR() []byte {
	return append([]byte(hdrHeader+"-Y 1 +X 2\n"), 128, 64, 32, 129, 0, 0, 0, 0)
}

// runHDR is two rows of eight pixels in runs and literals: red counts up, green is 1, blue is 0.
func runHDR() []byte {
	row := []byte{2, 2, 0, 8, 8, 0, 16, 32, 48, 64, 80, 96, 112, 128 + 8, 128, 128 + 8, 0, 128 + 8, 129}
	return bytes.Join([][]byte{[]byte(hdrHeader + "-Y 2 +X 8\n"), row, row}, nil)
}

func TestReadHDR(t *testing.T) {
	flat, err := decodeHDR(flatHDR(), nil)
	if err != nil {
		t.Fatal(err)
	}
	equalImages(t, flat, &Image{Width: 2, Height: 1, Pix: []float32{1, 0.5, 0.25, 0, 0, 0}})
	runs, err := decodeHDR(runHDR(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for x := range 8 {
		got := [3]float32(runs.Pix[3*(8+x):])
		if want := [3]float32{float32(x) / 8, 1, 0}; got != want {
			t.Errorf("pixel (%d, 1) is %v, want %v", x, got, want)
		}
	}
}

// TestReadHDRTurned: the file's axes may point anywhere, and the second may be the first.
func TestReadHDRTurned(t *testing.T) {
	upright := [2][3]byte{{10, 20, 30}, {40, 50, 60}} // rows from the top, of red mantissas
	for _, c := range []struct {
		size string
		data []byte // red, in the order of the file
	}{
		{"-Y 2 +X 3", []byte{10, 20, 30, 40, 50, 60}},
		{"-Y 2 -X 3", []byte{30, 20, 10, 60, 50, 40}},
		{"+Y 2 +X 3", []byte{40, 50, 60, 10, 20, 30}},
		{"+Y 2 -X 3", []byte{60, 50, 40, 30, 20, 10}},
		{"+X 3 -Y 2", []byte{10, 40, 20, 50, 30, 60}},
		{"-X 3 -Y 2", []byte{30, 60, 20, 50, 10, 40}},
		{"+X 3 +Y 2", []byte{40, 10, 50, 20, 60, 30}},
		{"-X 3 +Y 2", []byte{60, 30, 50, 20, 40, 10}},
	} {
		file := []byte(hdrHeader + c.size + "\n")
		for _, red := range c.data {
			file = append(file, red, 0, 0, 136)
		}
		img, err := decodeHDR(file, nil)
		if err != nil || img.Width != 3 || img.Height != 2 {
			t.Errorf("%s: %v", c.size, err)
			continue
		}
		for i := range 6 {
			if got, want := img.Pix[3*i], float32(upright[i/3][i%3]); got != want {
				t.Errorf("%s: pixel %d is %g, want %g", c.size, i, got, want)
			}
		}
	}
}

// TestReadHDROldRuns: a pixel 1, 1, 1 repeats the one before it, and two in a row are the digits of one number.
func TestReadHDROldRuns(t *testing.T) {
	file := []byte(hdrHeader + "-Y 2 +X 300\n")
	for y := range byte(2) {
		file = append(file, 7+y, 0, 0, 136, 9, 9, 9, 136, 1, 1, 1, 40, 1, 1, 1, 1, 5, 0, 0, 136, 1, 1, 1, 1)
	}
	img, err := decodeHDR(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	for y := range 2 {
		for x := range 300 {
			want := float32(9)
			switch {
			case x == 0:
				want = float32(7 + y)
			case x >= 298:
				want = 5
			}
			if got := img.Pix[3*(300*y+x)]; got != want {
				t.Fatalf("pixel (%d, %d) is %g, want %g", x, y, got, want)
			}
		}
	}
}

func TestReadHDRErrors(t *testing.T) {
	runs := runHDR()
	tests := []struct {
		name, data, want string
	}{
		{"empty", "", "ends before"},
		{"another format", "P6\n\n-Y 1 +X 1\n", "format not compatible"},
		{"no size", hdrHeader + "here\n", "image size"},
		{"negative", hdrHeader + "-Y -1 +X 4\n", "not positive"},
		{"endless", hdrHeader + "-Y 1000000 +X 1000000\n", "above the limit"},
		{"large and empty", hdrHeader + "-Y 8000 +X 8000\n", "ends before"},
		{"cut in a run", string(runs[:len(runs)-1]), "ends before"},
		{"run over the edge", hdrHeader + "-Y 1 +X 8\n\x02\x02\x00\x08" + strings.Repeat("\x88\x01", 3) + "\x89\x01", "malformed"},
		{"old run over the edge", hdrHeader + "-Y 1 +X 8\n\x09\x09\x09\x88\x01\x01\x01\x08", "malformed"},
		{"one axis twice", hdrHeader + "-Y 1 +Y 1\n\x09\x09\x09\x88", "image size"},
		{"exposure not a number", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=nan\n\n-Y 1 +X 1\n\x01\x01\x01\x81", "finite"},
		{"XYZ", "#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n\x01\x01\x01\x81", "not XYZE"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := safely(func() (*Image, error) { return decodeHDR([]byte(test.data), nil) })
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Fatalf("error %v, want one that says %q", err, test.want)
			}
		})
	}
}

// The sums were computed by OpenCV 4 from the same files.
func TestReadHDREnvironments(t *testing.T) {
	tests := []struct {
		file           string
		mean, greatest float64
	}{
		{"chinese_garden_1k.hdr", 0.46378089060696465, 78848},
		{"studio_small_03_1k.hdr", 1.8819131292730162, 3568},
	}
	for _, test := range tests {
		path := "../../../shared/scenes/environments/" + test.file
		if _, err := os.Stat(path); err != nil {
			t.Skip("needs an environment that does not come with the project")
		}
		img, err := Read(path)
		if err != nil {
			t.Fatal(err)
		}
		sum, greatest := 0.0, 0.0
		for _, v := range img.Pix {
			sum += float64(v)
			greatest = math.Max(greatest, float64(v))
		}
		mean := sum / float64(len(img.Pix))
		if img.Width != 1024 || img.Height != 512 || math.Abs(mean/test.mean-1) > 1e-9 || greatest != test.greatest {
			t.Errorf("%s: %d×%d, mean %v, greatest %v", test.file, img.Width, img.Height, mean, greatest)
		}
	}
}

func FuzzReadHDR(f *testing.F) {
	f.Add(flatHDR())
	f.Add(runHDR())
	f.Add([]byte(hdrHeader + "-Y 8000 +X 8000\n"))
	f.Add([]byte(hdrHeader + "+X 1 -Y 9\n\x09\x09\x09\x88\x01\x01\x01\x08"))
	fuzzDecoder(f, decodeHDR)
}
