package device_test

import (
	"errors"
	"testing"

	"glint/tracer/device"
	"glint/tracer/tracertest"
)

// TestScratch: users have the same memory one after the other, as much as the largest needs, and give it back.
func TestScratch(t *testing.T) {
	d := tracertest.NewDevice()
	turns := device.NewScratch(d)
	var a, b, c device.Buffer
	small, large := []device.Allocation{{Buffer: &a, Bytes: 100}}, []device.Allocation{{Buffer: &b, Bytes: 1000}, {Buffer: &c, Bytes: 24}}
	take := func(user string, list []device.Allocation, held int) {
		t.Helper()
		if err := turns.Take(user, list); err != nil {
			t.Fatal(err)
		}
		if d.Held != held {
			t.Errorf("%s has its turn: %d bytes are held, want %d", user, d.Held, held)
		}
		for i, l := range list {
			if l.Buffer.Size != l.Bytes || l.Buffer.Address%64 != 0 {
				t.Errorf("%s: buffer %d of %d bytes at %#x, want %d aligned", user, i, l.Buffer.Size, l.Buffer.Address, l.Bytes)
			}
		}
	}
	const unit = 256
	take("small", small, unit)
	take("large", large, 5*unit)
	if c.Address < b.Address+1000 {
		t.Errorf("buffers at %#x, 1000 bytes, and %#x overlap", b.Address, c.Address)
	}
	take("small", small, 5*unit)
	if a.Address != b.Address {
		t.Errorf("turns begin at %#x and %#x", b.Address, a.Address)
	}
	if saved, wanted := turns.Saved(), turns.Wanted("large"); saved != unit || wanted != 5*unit {
		t.Errorf("%d bytes are saved, and %d wanted", saved, wanted)
	}
	if turns.Has("large") || !turns.Has("small") {
		t.Error("it is not the turn of who came last")
	}
	turns.Leave("large")
	if turns.Has("small") {
		t.Error("what a user has left is told to be there, and the memory was given back")
	}
	take("small", small, unit)
	d.MaxBuffer = 2 * unit
	if err := turns.Take("large", large); !errors.Is(err, device.ErrOutOfMemory) {
		t.Errorf("without room: %v", err)
	}
	take("small", small, unit)
	turns.Leave("small")
	if d.Held != 0 || turns.Saved() != 0 {
		t.Errorf("nobody has a turn, and %d bytes are held", d.Held)
	}
}
