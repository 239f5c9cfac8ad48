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

// TestResizingLeaksNothing compares memory after some and after 200 more changes of size: pools are nearly full by then.
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
	before := resident(t)
	resize(200)
	const most = 64 << 20 // bytes; filters that stayed would hold 4 MB each
	if grown := resident(t) - before; grown > most {
		t.Errorf("200 resizes took %d MiB", grown>>20)
	} else {
		t.Logf("200 resizes took %d KiB", grown>>10)
	}
}
