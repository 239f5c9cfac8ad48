package tracer

import (
	"testing"

	"glint/tracer/schedule"
	"glint/tracer/settings"
)

// TestChooseIntegrator: auto is restir where light is shown as it was found and frames follow each other on a GPU.
func TestChooseIntegrator(t *testing.T) {
	for _, c := range []struct {
		integrator, denoise string
		live, gpu           bool
		want                string
	}{
		{"auto", "off", true, true, "restir"},
		{"auto", "atrous", true, true, "path"},
		{"auto", "oidn", true, true, "path"},
		{"auto", "off", false, true, "path"},
		{"auto", "off", true, false, "path"},
		{"restir", "atrous", false, false, "restir"},
		{"path", "off", true, true, "path"},
	} {
		got := chooseIntegrator(&schedule.Request{Live: c.live}, &settings.Settings{Integrator: c.integrator, Denoise: c.denoise}, c.gpu)
		if got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
