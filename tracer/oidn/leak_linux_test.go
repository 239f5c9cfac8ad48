package oidn_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"glint/tracer/oidn"
)

// resident is the process's memory in use, bytes.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("the system does not tell how much memory is held: ", err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// TestResizingLeaksNothing counts the memory that 200 more changes of size take. OIDN's pools fill late where threads wait for
// the processor, up to 70 MB on two busy cores, and then no more; filters that stayed would take 4 MB each, every time.
func TestResizingLeaksNothing(t *testing.T) {
	d := onCPU(t)
	cards := []*card{newCard(96, 64), newCard(64, 96), newCard(128, 80)}
	resize := func(times int) {
		for i := range times {
			task := cards[i%len(cards)].task(oidn.Fast)
			task.Prefilter = i%8 == 0
			if err := d.Denoise(task); err != nil {
				t.Fatal(err)
			}
		}
	}
	resize(40)
	const most = 64 << 20 // bytes
	var grown int
	for range 3 {
		before := resident(t)
		resize(200)
		grown = resident(t) - before
		t.Logf("200 resizes took %d KiB", grown>>10)
		if grown <= most {
			return
		}
	}
	t.Errorf("200 resizes took %d MiB, after 400 before them", grown>>20)
}
