package imageio

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"glint/tracer/guard"
)

// ramp is an image whose values are all different.
func ramp(width, height int) *Image {
	img := newImage(width, height)
	for i := range img.Pix {
		img.Pix[i] = 0.37 * float32(i)
	}
	return img
}

func equalImages(t *testing.T, got, want *Image) {
	t.Helper()
	if got.Width != want.Width || got.Height != want.Height || len(got.Pix) != len(want.Pix) {
		t.Fatalf("%d×%d with %d values, want %d×%d", got.Width, got.Height, len(got.Pix), want.Width, want.Height)
	}
	for i := range want.Pix {
		if got.Pix[i] != want.Pix[i] {
			t.Fatalf("value %d is %v, want %v", i, got.Pix[i], want.Pix[i])
		}
	}
}

// fuzzDecoder asks that a decoder gives a valid image or an error, whatever the bytes.
func fuzzDecoder(f *testing.F, decode func([]byte, *guard.Memory) (*Image, error)) {
	f.Fuzz(func(t *testing.T, data []byte) {
		img, err := safely(func() (*Image, error) { return decode(data, guard.NewMemory(64<<20)) })
		if err == nil {
			err = img.Validate()
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestReadErrorsNameTheFile(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "text.pfm")
	if err := os.WriteFile(text, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	directory := filepath.Join(folder, "folder.exr")
	if err := os.Mkdir(directory, 0o700); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ path, want string }{
		{filepath.Join(folder, "none.hdr"), "no such file"},
		{filepath.Join(folder, "picture.png"), "read from .exr, .pfm, .hdr files"},
		{directory, "not a regular file"},
		{text, "incomplete PFM header"},
	}
	for _, test := range tests {
		_, err := Read(test.path)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Count(err.Error(), test.path) != 1 {
			t.Errorf("error %v, want one that names %s once and says %q", err, test.path, test.want)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	folder := t.TempDir()
	tests := []struct {
		name string
		img  *Image
		want string
	}{
		{"env.hdr", ramp(2, 2), "written to .exr, .pfm files"},
		{"none.pfm", nil, "no image"},
		{"short.pfm", &Image{Width: 4, Height: 4, Pix: make([]float32, 5)}, "instead of 48"},
		{"missing/out.pfm", ramp(2, 2), "no such file"},
	}
	for _, test := range tests {
		err := Write(filepath.Join(folder, test.name), test.img, nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that says %q", test.name, err, test.want)
		}
	}
	wantFiles(t, folder)
}

func TestWriteAtomic(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "out.txt")
	text := func(s string, err error) func(io.WriteSeeker) error {
		return func(w io.WriteSeeker) error {
			_, writeErr := io.WriteString(w, s)
			return errors.Join(writeErr, err)
		}
	}
	if err := WriteAtomic(path, text("first", nil)); err != nil {
		t.Fatal(err)
	}
	full := errors.New("disk full")
	if err := WriteAtomic(path, text("sec", full)); !errors.Is(err, full) {
		t.Errorf("error %v, want %v", err, full)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "first" {
		t.Errorf("after a failed write the file holds %q, %v", data, err)
	}
	taken := filepath.Join(folder, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "inner"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := WriteAtomic(taken, text("third", nil)); err == nil {
		t.Error("a folder was replaced by a file")
	}
	wantFiles(t, folder, "out.txt", "taken")
}

// TestWriteAtomicShowsNothingUntilItIsDone: while a file is written its folder holds nothing that could be left there.
func TestWriteAtomicShowsNothingUntilItIsDone(t *testing.T) {
	folder := t.TempDir()
	if f, err := openNameless(folder); err != nil {
		t.Skip("this file system has no files without names: ", err)
	} else if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "out.txt")
	err := WriteAtomic(path, func(w io.WriteSeeker) error {
		wantFiles(t, folder)
		_, err := io.WriteString(w, "text")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	wantFiles(t, folder, "out.txt")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o044 == 0 {
		t.Errorf("others cannot read it: %v, %v", info.Mode(), err)
	}
}

// wantFiles asks that nothing is left behind.
func wantFiles(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("folder holds %q, want %q", got, want)
	}
}
