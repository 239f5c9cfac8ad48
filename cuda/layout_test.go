package cuda_test

import (
	"reflect"
	"testing"

	"glint/cuda"
)

// Each subject's struct of the frame is a multiple of 16 bytes long, so that none moves another out of step.
func TestFrameIsOfWholeVectors(t *testing.T) {
	frame := reflect.TypeFor[cuda.Frame]()
	for i := range frame.NumField() {
		if f := frame.Field(i); f.Type.Kind() != reflect.Struct || f.Type.Size()%16 != 0 {
			t.Errorf("Frame.%s has %d bytes: pad it to a multiple of 16", f.Name, f.Type.Size())
		}
	}
}

// The compilers of both languages must lay the structs out alike.
func TestLayoutMatchesC(t *testing.T) {
	layout := cuda.Layout()
	seen := 0
	for _, value := range shared {
		goType := reflect.TypeOf(value)
		if got, want := uint64(goType.Size()), layout[goType.Name()]; got != want {
			t.Errorf("sizeof %s: Go %d, C %d", goType.Name(), got, want)
		}
		seen++
		for i := range goType.NumField() {
			f := goType.Field(i)
			name := goType.Name() + "." + string(f.Name[0]|0x20) + f.Name[1:]
			want, ok := layout[name]
			if !ok { // a name of the field's own, such as W
				name = goType.Name() + "." + f.Name
				want, ok = layout[name]
			}
			if !ok || uint64(f.Offset) != want {
				t.Errorf("offsetof %s: Go %d, C %d (known %v)", name, f.Offset, want, ok)
			}
			seen++
		}
	}
	if seen != len(layout) {
		t.Errorf("%d entries compared, C lists %d: a struct is missing above", seen, len(layout))
	}
}
