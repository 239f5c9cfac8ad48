package session

import (
	"strings"
	"testing"

	"glint/tracer/diagnose"
	"glint/tracer/settings"
)

// TestBiasOfTwoSides: restir has the mean of path, and keeps it while it converges. With naive weights it does not, and that is seen. Nothing is
// read while the map is not shown.
func TestBiasOfTwoSides(t *testing.T) {
	s := opened(t, "cornell", headless(40, 30), func(s *settings.Settings) { s.Integrator = "path" })
	s.OpenSplit()
	bias := &s.Sides.Bias
	until(t, s, "samples", func() bool { return s.Sides.Sides[1].Timer.Samples > 20 })
	if bias.of != nil || bias.Picture != nil {
		t.Error("there is a map that nobody sees")
	}
	s.Do(SetShow{BiasMap})
	last, maps := (*diagnose.BiasMap)(nil), 0
	until(t, s, "maps", func() bool {
		if bias.found != nil && bias.found != last && bias.found.Known() {
			last = bias.found
			if maps++; last.Seen() > 0 {
				t.Errorf("of %d samples: %s", last.Samples, last)
			}
		}
		return maps == 12
	})
	if l := s.Model(false).Legend; !strings.HasPrefix(l.Help, "No bias is seen") || len(l.Colors) == 0 {
		t.Errorf("the legend says %q", l.Help)
	}
	s.Sides.Sides[1].Settings.RestirMIS = "naive"
	until(t, s, "other samples", func() bool { return bias.found == nil })
	until(t, s, "bias", func() bool { return bias.found != nil && bias.found.Seen() > 0.05 })
	if l := s.Model(false).Legend; !strings.HasPrefix(l.Help, "B is darker by") {
		t.Errorf("the legend says %q", l.Help)
	}
	orange, picture := 0, bias.Picture.(*memory).pixels
	for i := 0; i < len(picture); i += 4 {
		if picture[i] > picture[i+2] {
			orange++
		}
	}
	if share := float64(orange) / float64(len(picture)/4); share < 0.05 {
		t.Errorf("%.3f of the picture is orange", share)
	}
	s.Sides.CloseSplit()
	if bias.of != nil || bias.Picture != nil {
		t.Error("the map stays")
	}
}
