package compiled

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"glint/cuda"
	"glint/cuda/images"
	"glint/cuda/sources"
)

// A build without kernels, or with those of other sources, must say how to get them, and never run them: their frame is another.
func TestOnlyKernelsOfTheseSourcesAreUsed(t *testing.T) {
	tree, err := cuda.Sources()
	if err != nil {
		t.Fatal(err)
	}
	files, err := sources.Read(tree)
	if err != nil {
		t.Fatal(err)
	}
	pack := func(hash string) *fstest.MapFile {
		archive, err := images.Pack(images.Manifest{Sources: hash}, []images.Image{{Target: "compute_75", Data: []byte("ptx")}})
		if err != nil {
			t.Fatal(err)
		}
		return &fstest.MapFile{Data: archive}
	}
	const name = "archive/kernels.tar.zst"
	archive, err := open(fstest.MapFS{name: pack(sources.Hash(files))})
	if err != nil {
		t.Fatal(err)
	}
	if i, err := archive.PTX(); err != nil || string(i.Data) != "ptx" {
		t.Errorf("%q, %v", i.Data, err)
	}
	for _, c := range []struct {
		name   string
		folder fstest.MapFS
		want   string
	}{
		{"none", fstest.MapFS{"archive/README.md": {}}, "make kernels"},
		{"of other sources", fstest.MapFS{name: pack("0123")}, "other sources"},
	} {
		if _, err := open(c.folder); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := open(fstest.MapFS{name: {Data: []byte("damaged")}}); err == nil || errors.Is(err, ErrMissing) {
		t.Errorf("damaged: %v", err)
	}
}
