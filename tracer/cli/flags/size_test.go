package flags

import (
	"strings"
	"testing"
)

// TestParseSize: names and numbers are sizes, and what is neither is told what is.
func TestParseSize(t *testing.T) {
	for text, want := range map[string][2]int{
		"1080p": {1920, 1080}, "4K": {3840, 2160}, "4k": {3840, 2160}, "square": {1080, 1080}, "720p": {1280, 720}, "31X7": {31, 7}, "640x480": {640, 480},
	} {
		if w, h, err := ParseSize(text); err != nil || [2]int{w, h} != want {
			t.Errorf("%s is %d×%d, %v", text, w, h, err)
		}
	}
	for _, text := range []string{"", "4k ", "5k", "0x4", "4x", "x4", "1080", "32769x1"} {
		if _, _, err := ParseSize(text); err == nil || !strings.Contains(err.Error(), "square") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
