package net

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func someTensors() []Tensor {
	return []Tensor{
		{Name: "conv.weight", Dims: []int{2, 1, 3, 3}, Layout: "oihw", Values: []float32{0, 1, -2, 0.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 65504}},
		{Name: "conv.bias", Dims: []int{2}, Layout: "x", Values: []float32{0.25, -1}},
		{Name: "", Dims: []int{0}, Layout: "x", Values: []float32{}},
	}
}

func mustWrite(t testing.TB) []byte {
	t.Helper()
	data, err := WriteTZA(someTensors())
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestTensorsComeBack(t *testing.T) {
	data := mustWrite(t)
	for _, behind := range []string{"", "what follows does not matter"} {
		got, err := ReadTZA(append(data[:len(data):len(data)], behind...))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(someTensors(), got); diff != "" {
			t.Error(diff)
		}
	}
	if _, err := WriteTZA([]Tensor{{Name: "odd", Dims: []int{2}, Layout: "x"}}); err == nil || !strings.Contains(err.Error(), "odd") {
		t.Errorf("a tensor without its numbers is written: %v", err)
	}
}

// TestFloatTensorsAreRead: nobody writes them here, but others do.
func TestFloatTensorsAreRead(t *testing.T) {
	data := append([]byte(tzaMagic), 2, 0)
	data = binary.LittleEndian.AppendUint64(data, 16)
	data = append(data, 0, 0, 0xc0, 0x3f) // 1.5
	data = binary.LittleEndian.AppendUint32(data, 1)
	data = append(data, 1, 0, 'b', 1, 1, 0, 0, 0, 'x', 'f')
	data = binary.LittleEndian.AppendUint64(data, 12)
	got, err := ReadTZA(data)
	if diff := cmp.Diff([]Tensor{{Name: "b", Dims: []int{1}, Layout: "x", Values: []float32{1.5}}}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// TestHostileArchives: what is wrong is said, and of which tensor.
func TestHostileArchives(t *testing.T) {
	good := mustWrite(t)
	table := int(binary.LittleEndian.Uint64(good[4:]))
	first := table + 4 + 2 + len("conv.weight") // how many dimensions it has
	for _, c := range []struct {
		name   string
		change func(b []byte) []byte
		want   []string
	}{
		{"nothing", func([]byte) []byte { return nil }, []string{"no tensor archive"}},
		{"other magic", func(b []byte) []byte { b[0]++; return b }, []string{"no tensor archive"}},
		{"version 3", func(b []byte) []byte { b[2] = 3; return b }, []string{"version 3.0"}},
		{"table beyond the end", func(b []byte) []byte { b[11] = 0xff; return b }, []string{"behind its end"}},
		{"too many tensors", func(b []byte) []byte { b[table+3] = 0xff; return b }, []string{"too early"}},
		{"one tensor too many", func(b []byte) []byte { b[table]++; return b }, []string{"tensor 4 of 4", "too early"}},
		{"long name", func(b []byte) []byte { b[table+5] = 0xff; return b }, []string{"tensor 1 of 3", "too early"}},
		{"many dimensions", func(b []byte) []byte { b[first] = 200; return b }, []string{"conv.weight", "200 dimensions"}},
		{"huge", func(b []byte) []byte {
			for i := range 16 {
				b[first+1+i] = 0xff
			}
			return b
		}, []string{"conv.weight", "too early"}},
		{"doubles", func(b []byte) []byte { b[first+1+16+4] = 'd'; return b }, []string{"conv.weight", "type 'd'"}},
		{"numbers beyond the end", func(b []byte) []byte { b[first+1+16+4+1+2] = 1; return b }, []string{"conv.weight", "too early"}},
		{"cut", func(b []byte) []byte { return b[:len(b)-1] }, []string{"tensor 3 of 3", "too early"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadTZA(c.change(append([]byte(nil), good...)))
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v does not say %q", err, want)
				}
			}
		})
	}
}

// TestTensorsDoNotShareBytes: a small file cannot ask for much memory.
func TestTensorsDoNotShareBytes(t *testing.T) {
	const count, each = 1000, 20000
	data := append([]byte(tzaMagic), 2, 0)
	data = binary.LittleEndian.AppendUint64(data, 12+2*each)
	data = append(data, make([]byte, 2*each)...)
	data = binary.LittleEndian.AppendUint32(data, count)
	for range count {
		data = append(data, 0, 0, 1)
		data = binary.LittleEndian.AppendUint32(data, each)
		data = append(data, 'x', 'h')
		data = binary.LittleEndian.AppendUint64(data, 12)
	}
	if _, err := ReadTZA(data); err == nil || !strings.Contains(err.Error(), "shares bytes") {
		t.Errorf("%d tensors of the same %d numbers: %v", count, each, err)
	}
}

func FuzzReadTZA(f *testing.F) {
	good := mustWrite(f)
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte(tzaMagic + "\x02\x00\x0c\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tensors, err := ReadTZA(data)
		if err != nil {
			return
		}
		numbers := 0
		for _, tensor := range tensors {
			numbers += len(tensor.Values)
		}
		if 2*numbers > len(data) {
			t.Errorf("%d numbers of %d bytes", numbers, len(data))
		}
	})
}
