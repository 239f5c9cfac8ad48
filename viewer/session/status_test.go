package session

import (
	"errors"
	"strings"
	"testing"
	"time"

	"glint/tracer/schedule"
	"glint/tracer/view"
)

func TestFrameLog(t *testing.T) {
	var l FrameLog
	if ms, rate := l.Recent(), l.PathRate(); ms != 0 || rate != 0 {
		t.Errorf("empty: %v ms, %v paths/s", ms, rate)
	}
	for range 1000 {
		l.Add(10*time.Millisecond, 500)
	}
	l.Add(30*time.Millisecond, 500)
	if ms, rate := l.Recent(), l.PathRate(); ms < 10 || ms > 11 || rate < 45000 || rate > 50000 {
		t.Errorf("%v ms, %v paths/s", ms, rate)
	}
	if l.Slowest() != 30 {
		t.Errorf("slowest %v", l.Slowest())
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1 000", 1234567: "1 234 567"} {
		if got := Grouped(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}

func TestImageText(t *testing.T) {
	v := schedule.Request{View: view.View{Width: 1280, Height: 720}}
	for want, stats := range map[string]view.Stats{
		"1280 × 720":                {Width: 1280, Height: 720, Scale: 1},
		"1280 × 720 at 1/4":         {Width: 1280, Height: 720, Scale: 4},
		"1280 × 720 from 640 × 360": {Width: 640, Height: 360, Scale: 1},
	} {
		if got := ImageText(v, stats); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestDenoiseLine(t *testing.T) {
	for _, row := range []struct {
		stats       view.Stats
		value, help string
	}{
		{view.Stats{}, "not yet", "being made"},
		{view.Stats{Denoised: 4096, Denoiser: "atrous"}, "after 4 096 samples by atrous", ""},
		{view.Stats{Denoised: 1, Denoiser: "atrous", DenoiserFallback: errors.New("OIDN 2 was not found")}, "after 1 sample by atrous", "not found"},
		{view.Stats{DenoiseError: errors.New("OIDN 2 was not found (here, there): run `make oidn`")}, "no: OIDN 2 was not found", "make oidn"},
	} {
		line := DenoiseLine(row.stats)
		if line.Value != row.value || !strings.Contains(line.Why, row.help) {
			t.Errorf("%+v: %q because %q", row.stats, line.Value, line.Why)
		}
	}
}
