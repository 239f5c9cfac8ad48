package cuda_test

import (
	"fmt"
	"os"
	"runtime/debug"
	"testing"
	"unsafe"

	"glint/cuda"
)

// resident is the memory that the process holds, bytes.
func resident(t *testing.T) int {
	t.Helper()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("the system does not tell how much memory is held")
	}
	var all, pages int
	if _, err := fmt.Sscan(string(statm), &all, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// TestFreedMemoryGoesBack: memory that is freed is no longer held, whatever was taken after it and is still in use.
func TestFreedMemoryGoesBack(t *testing.T) {
	const count, size, every, once = 64, 4 << 20, 8, 24 << 20
	take := func(size int) cuda.Memory {
		m, err := cuda.Alloc(size)
		if err != nil {
			t.Fatal(err)
		}
		for i, b := range m.Bytes() {
			if b != 0 {
				t.Fatalf("byte %d is %d at first", i, b)
			}
		}
		for i := range m.Bytes() {
			m.Bytes()[i] = 1
		}
		return m
	}
	take(once).Free() // from this malloc learns that up to this size memory comes and goes
	before := resident(t)
	var taken []cuda.Memory
	for range count {
		taken = append(taken, take(size))
	}
	for i, m := range taken {
		if i%every != 0 {
			m.Free()
		}
	}
	left := resident(t) - before
	for i, m := range taken {
		if i%every == 0 {
			m.Free()
		}
	}
	if want := count / every * size; left > 2*want {
		t.Errorf("%d MB are held, %d MB are in use", left>>20, want>>20)
	}
}

// TestLargeMemoryEndsAtAWall: whoever writes behind it is stopped.
func TestLargeMemoryEndsAtAWall(t *testing.T) {
	const size = 4 << 20
	m, err := cuda.Alloc(size)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Free()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() == nil {
			t.Error("it was written")
		}
	}()
	m.Bytes()[size-1] = 1
	unsafe.Slice(&m.Bytes()[0], size+1)[size] = 1
}
