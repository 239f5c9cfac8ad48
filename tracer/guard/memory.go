// Package guard keeps the loading of files that nobody has checked within bounds: the memory that it takes (Memory), faults of
// code that meets what it did not expect (Safely, Group), and names from files in messages (Name). What is large is worked on by
// all cores (InChunks), in memory that is quick to fill (MakeLarge).
//
//	memory := guard.NewMemory(guard.DefaultMemory)
//	err := memory.Take("image 3", 4*width*height) // before the memory is taken
//	err = guard.Safely(func() error { return decode(data) })
package guard

import (
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// DefaultMemory is what a load may take of the host's memory where the user does not say otherwise, bytes. The process stays
// below 6 GiB then.
const DefaultMemory = 4 << 30

// Memory counts what a load takes of the host's memory, before it is taken. A nil Memory has no bound. Safe for concurrent use.
type Memory struct {
	most  int64
	taken atomic.Int64
	from  *Memory // that a lease was taken of
}

// NewMemory allows so many bytes.
func NewMemory(most int64) *Memory { return &Memory{most: most} }

// Lease counts what is needed for a while: Release gives it all back.
func (m *Memory) Lease() *Memory {
	if m == nil {
		return nil
	}
	return &Memory{from: m}
}

// Release gives back all that was taken through a lease.
func (m *Memory) Release() {
	if m != nil && m.from != nil {
		m.give(m.taken.Load())
	}
}

func (m *Memory) give(bytes int64) {
	for ; m != nil; m = m.from {
		m.taken.Add(-bytes)
	}
}

// Take counts bytes for what is named, or says what is missing and what the user can do.
func (m *Memory) Take(what string, bytes int64) error {
	if m == nil {
		return nil
	}
	if bytes < 0 { // a product that overflowed
		bytes = math.MaxInt64 / 2
	}
	root := m
	for root.from != nil {
		root = root.from
	}
	if after := root.taken.Add(bytes); after > root.most || after < 0 {
		root.taken.Add(-bytes)
		return &MemoryError{What: what, Bytes: bytes, Taken: after - bytes, Most: root.most}
	}
	for ; m != root; m = m.from {
		m.taken.Add(bytes)
	}
	return nil
}

// Check says whether Take would fail, and takes nothing.
func (m *Memory) Check(what string, bytes int64) error {
	lease := m.Lease()
	defer lease.Release()
	return lease.Take(what, bytes)
}

// Left is what may still be taken, bytes.
func (m *Memory) Left() int64 {
	if m == nil {
		return math.MaxInt64
	}
	for m.from != nil {
		m = m.from
	}
	return m.most - m.taken.Load()
}

// MemoryError says that a load would take more memory than it may.
type MemoryError struct {
	What        string
	Bytes       int64 // that it needs
	Taken, Most int64
}

// Error says what the user can do.
func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s would take %s of memory beside the %s that loading has taken, and %s are allowed in all: simplify it, or allow more with --load-memory",
		e.What, Size(e.Bytes), Size(e.Taken), Size(e.Most))
}

// Size is a number of bytes for people.
func Size(bytes int64) string {
	switch {
	case bytes >= 1<<50:
		return "more than 1000 TiB"
	case bytes >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
	case bytes >= 1<<20:
		return fmt.Sprintf("%.0f MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%d bytes", bytes)
}

// HoldCollector makes the garbage collector work in time for the memory of a load, which it would otherwise let double. What
// is returned undoes that.
func (m *Memory) HoldCollector() (release func()) {
	const besides = 512 << 20 // what is not of the load, and small things that are not counted
	if m == nil {
		return func() {}
	}
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	before := debug.SetMemoryLimit(int64(now.HeapAlloc) + m.most + besides)
	return func() { debug.SetMemoryLimit(before) }
}
