package imageio

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"glint/tracer/guard"
)

// layered is a picture with two layers; its noise does not compress, its other half does.
func layered(width, height int) *Layered {
	dice := rand.New(rand.NewPCG(1, 2))
	l := &Layered{Image: &Image{Width: width, Height: height, Pix: make([]float32, 3*width*height)},
		Layers: []Layer{
			{Name: "one", Channels: []string{"A", "B"}, Pix: make([]float32, 2*width*height)},
			{Name: "two.2", Channels: []string{"X"}, Pix: make([]float32, width*height)},
		},
		Meta: Meta{"scene hash": "abc", "samples": "0:16"}}
	for i := range l.Image.Pix {
		if l.Image.Pix[i] = float32(i % 7); i < len(l.Image.Pix)/2 {
			l.Image.Pix[i] = float32(dice.NormFloat64())
		}
	}
	for _, layer := range l.Layers {
		for i := range layer.Pix {
			layer.Pix[i] = math.Float32frombits(dice.Uint32() & 0xbfffffff)
		}
	}
	return l
}

func TestLayersComeBack(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {7, 16}, {33, 47}, {64, 32}} {
		want := layered(size[0], size[1])
		path := filepath.Join(t.TempDir(), "a.exr")
		if err := WriteLayers(path, want.Image, want.Layers, want.Meta); err != nil {
			t.Fatal(err)
		}
		got, err := ReadLayers(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v", size, got.Meta)
		}
		seen, err := Read(path)
		if err != nil || !reflect.DeepEqual(seen, want.Image) {
			t.Errorf("%v: the picture is another one: %v", size, err)
		}
	}
}

// TestLayersOfBrokenFiles: whatever a file lacks or says, it is an error or a picture, and no crash.
func TestLayersOfBrokenFiles(t *testing.T) {
	l := layered(9, 21)
	path := filepath.Join(t.TempDir(), "a.exr")
	if err := WriteLayers(path, l.Image, l.Layers, l.Meta); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(t.TempDir(), "b.exr")
	try := func(data []byte) error {
		if err := os.WriteFile(broken, data, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := ReadLayers(broken, nil)
		return err
	}
	for size := 0; size < len(whole); size += 1 + size/50 {
		if try(whole[:size]) == nil {
			t.Errorf("%d of %d bytes are taken for whole", size, len(whole))
		}
	}
	dice := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		data := append([]byte(nil), whole...)
		for range 1 + dice.IntN(3) {
			data[dice.IntN(min(len(data), 900))] = byte(dice.Uint32())
		}
		_ = try(data)
	}
}

func FuzzReadLayers(f *testing.F) {
	l := layered(5, 19)
	path := filepath.Join(f.TempDir(), "a.exr")
	if err := WriteLayers(path, l.Image, l.Layers, l.Meta); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(fixture(f, "float_zip_alpha.exr"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file := &layersFile{file: bytes.NewReader(data), size: int64(len(data))}
		out, err := file.read(guard.NewMemory(64 << 20))
		if err != nil {
			return
		}
		if err := out.Image.Validate(); err != nil {
			t.Error(err)
		}
		for _, layer := range out.Layers {
			if len(layer.Pix) != out.Image.Width*out.Image.Height*len(layer.Channels) {
				t.Errorf("layer %q has %d values", layer.Name, len(layer.Pix))
			}
		}
	})
}
