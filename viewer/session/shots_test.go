package session

import (
	"strings"
	"testing"
	"time"
)

func TestShotName(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	for scene, want := range map[string]string{
		"duck.glb":               "duck.20260304-050607.0042samp",
		"/a/b/old.duck.glb":      "old.duck.20260304-050607.0042samp",
		"what? a:b":              "what_ a_b.20260304-050607.0042samp",
		"":                       "scene.20260304-050607.0042samp",
		"..":                     "scene.20260304-050607.0042samp",
		"a\x1b[2J\u009bb\x7f":    "a_[2J_b_.20260304-050607.0042samp",
		strings.Repeat("é", 300): strings.Repeat("é", longestBase) + ".20260304-050607.0042samp",
	} {
		if got := shotName(scene, at, 42); got != want {
			t.Errorf("%q: %s, want %s", scene, got, want)
		}
	}
	if got := shotName("x", at, 123456); got != "x.20260304-050607.123456samp" {
		t.Error(got)
	}
}
