package meshopt

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
)

// stream is a row of testdata/streams.json, which another implementation encoded and decoded.
type stream struct {
	Name, Mode, Filter string
	Count, Stride      int
	Data               []byte
	SHA256             string // of what it decodes to, in hexadecimal, where it has no filter
	Values             []byte // what it decodes to, where it has one
}

func (s stream) layout() Layout {
	return Layout{
		Mode:   Mode(slices.Index([]string{"ATTRIBUTES", "TRIANGLES", "INDICES"}, s.Mode)),
		Filter: Filter(slices.Index([]string{"NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR"}, s.Filter)),
		Count:  s.Count, Stride: s.Stride,
	}
}

func readStreams(t testing.TB) (streams []stream) {
	t.Helper()
	data, err := os.ReadFile("testdata/streams.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &streams); err != nil {
		t.Fatal(err)
	}
	return streams
}

func decode(s stream, data []byte) ([]byte, error) {
	out := make([]byte, s.layout().Bytes())
	return out, Decode(context.Background(), out, data, s.layout())
}

func TestDecodeEqualsAnotherDecoder(t *testing.T) {
	for _, s := range readStreams(t) {
		t.Run(fmt.Sprintf("%s %s %d×%d", s.Name, s.Mode, s.Count, s.Stride), func(t *testing.T) {
			out, err := decode(s, s.Data)
			if err != nil {
				t.Fatal(err)
			}
			if s.Values != nil {
				compareFiltered(t, s, out)
			} else if sum := sha256.Sum256(out); hex.EncodeToString(sum[:]) != s.SHA256 {
				t.Errorf("decodes to %x…", out[:min(len(out), 4*s.Stride)])
			}
		})
	}
}

// compareFiltered allows a difference of one in the last place, as the extension does, except of exponents.
func compareFiltered(t *testing.T, s stream, out []byte) {
	width := s.Stride / 4
	for i := 0; i < len(out); i += width {
		got, want := int(out[i]), int(s.Values[i])
		switch {
		case s.Filter == "EXPONENTIAL":
			got, want = int(binary.LittleEndian.Uint32(out[i/4*4:])), int(binary.LittleEndian.Uint32(s.Values[i/4*4:]))
			if got != want {
				t.Fatalf("byte %d: %#x, want %#x", i, got, want)
			}
			continue
		case width == 2:
			got, want = int(binary.LittleEndian.Uint16(out[i:])), int(binary.LittleEndian.Uint16(s.Values[i:]))
		}
		if d := got - want; d < -1 || d > 1 {
			t.Fatalf("byte %d: %d, want %d", i, got, want)
		}
	}
}

// TestBrokenStreams: each stream is refused when it is cut, when it goes on, and under another's header.
func TestBrokenStreams(t *testing.T) {
	for _, s := range readStreams(t) {
		for n := range s.Data {
			if _, err := decode(s, s.Data[:n]); err == nil {
				t.Errorf("%s %s: %d of %d bytes are decoded", s.Name, s.Mode, n, len(s.Data))
				break
			}
		}
		if _, err := decode(s, append(slices.Clone(s.Data), make([]byte, 40)...)); err == nil {
			t.Errorf("%s %s: more bytes than there should be are decoded", s.Name, s.Mode)
		}
		for _, header := range []byte{0, 0xa2, 0xe0, 0xd0, 0xff} {
			if _, err := decode(s, append([]byte{header}, s.Data[1:]...)); !errors.Is(err, errHeader) {
				t.Errorf("%s %s with header %#x: %v", s.Name, s.Mode, header, err)
			}
		}
	}
}

func TestLayouts(t *testing.T) {
	for _, l := range []Layout{
		{}, {Count: 1}, {Count: -1, Stride: 4}, {Count: 1 << 33, Stride: 4},
		{Count: 1, Stride: 5}, {Count: 1, Stride: 260}, {Count: 1, Stride: -4},
		{Mode: Triangles, Count: 4, Stride: 4}, {Mode: Triangles, Count: 3, Stride: 8}, {Mode: Indices, Count: 3, Stride: 1},
		{Mode: Indices, Count: 3, Stride: 2, Filter: Exponential},
		{Count: 1, Stride: 12, Filter: Octahedral}, {Count: 1, Stride: 4, Filter: Quaternion}, {Count: 1, Stride: 16, Filter: Color},
	} {
		if l.Check() == nil {
			t.Errorf("%+v is called sound", l)
		}
	}
}

func TestDecodeIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, s := range readStreams(t) {
		if err := Decode(ctx, make([]byte, s.layout().Bytes()), s.Data, s.layout()); !errors.Is(err, context.Canceled) {
			t.Errorf("%s %s: %v", s.Name, s.Mode, err)
		}
	}
}

// FuzzDecode: whatever the bytes and the layout, there is an error or data, and no panic.
func FuzzDecode(f *testing.F) {
	for _, s := range readStreams(f) {
		l := s.layout()
		f.Add(byte(l.Mode), byte(l.Filter), uint16(l.Count), uint16(l.Stride), s.Data)
	}
	f.Fuzz(func(t *testing.T, mode, filter byte, count, stride uint16, data []byte) {
		l := Layout{Mode(mode % 3), Filter(filter % 5), int(count), int(stride)}
		if l.Check() != nil {
			return
		}
		_ = Decode(t.Context(), make([]byte, l.Bytes()), data, l)
	})
}

// BenchmarkDecode repeats streams until they are as long as those of large meshes.
func BenchmarkDecode(b *testing.B) {
	for _, s := range readStreams(b) {
		if s.Count < 40 || s.Name == "twice" || s.Name == "far" {
			continue
		}
		out := make([]byte, s.layout().Bytes())
		b.Run(fmt.Sprintf("%s/%s/%d", s.Name, s.Mode, s.Stride), func(b *testing.B) {
			b.SetBytes(int64(len(out)))
			for b.Loop() {
				if err := Decode(context.Background(), out, s.Data, s.layout()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
