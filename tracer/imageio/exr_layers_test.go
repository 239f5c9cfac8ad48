package imageio

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
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
		got, err := ReadLayers(t.Context(), path, nil, nil)
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
		_, err := ReadLayers(t.Context(), broken, nil, nil)
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
		out, err := file.read(t.Context(), guard.NewMemory(64<<20), nil)
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

// headerOf is the beginning of a ZIP-compressed file with channels of these names, and room for its chunks.
func headerOf(width, height int, channels []string) []byte {
	le := binary.LittleEndian
	data := le.AppendUint32(le.AppendUint32(nil, 20000630), 2)
	attribute := func(name, kind string, value []byte) {
		data = append(data, name+"\x00"+kind+"\x00"...)
		data = append(le.AppendUint32(data, uint32(len(value))), value...)
	}
	var list []byte
	for _, name := range channels {
		list = le.AppendUint32(append(list, name+"\x00"...), 2)
		list = append(list, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
	}
	attribute("channels", "chlist", append(list, 0))
	attribute("compression", "compression", []byte{3})
	window := le.AppendUint64(nil, 0)
	window = le.AppendUint32(le.AppendUint32(window, uint32(width-1)), uint32(height-1))
	attribute("dataWindow", "box2i", window)
	return append(data, 0)
}

// TestLayersAreRefusedBeforeTheyTakeMemory: what a header says is judged first; a chunk counts as well as what comes of it; and a
// reader that nobody waits for any more stops.
func TestLayersAreRefusedBeforeTheyTakeMemory(t *testing.T) {
	var names []string
	for i := range 1400 {
		names = append(names, fmt.Sprintf("sum-0-%d.%03d", i/70, i%70))
	}
	path := filepath.Join(t.TempDir(), "a.exr")
	write := func(width, height int, channels []string) {
		data := headerOf(width, height, channels)
		data = append(data, make([]byte, 8+4*width*height*len(channels)/1000)...)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	unwanted := errors.New("not wanted")
	write(32768, 16, append([]string{"R", "G", "B"}, names...))
	for want, accept := range map[string]func(*Layered) error{
		"a chunk of 2.7 GiB": nil,
		"not wanted": func(l *Layered) error {
			if len(l.Layers) != 20 || len(l.Layers[3].Channels) != 70 || l.Image.Width != 32768 || l.Image.Pix != nil {
				t.Errorf("%d layers of %v", len(l.Layers), l.Image.Width)
			}
			return unwanted
		},
	} {
		if _, err := ReadLayers(t.Context(), path, nil, accept); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	const width, height = 2048, 16
	write(width, height, names[:70])
	planes := int64(4 * width * height * (3 + 70))
	var large *guard.MemoryError
	if _, err := ReadLayers(t.Context(), path, guard.NewMemory(planes+1<<20), nil); !errors.As(err, &large) || large.What != "its chunks" {
		t.Errorf("without room for a chunk: %v", err)
	}
	l := layered(64, 32)
	if err := WriteLayers(path, l.Image, l.Layers, l.Meta); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := ReadLayers(ended, path, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits: %v", err)
	}
}
