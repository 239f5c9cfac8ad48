package cuda_test

import (
	"reflect"
	"testing"

	"glint/cuda"
)

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
