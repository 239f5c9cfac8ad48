package session

import (
	"testing"

	"glint/tracer"
	"glint/tracer/settings"
)

// TestShare: what is looked at and how it is displayed is common to both sides, what finds the light is not.
func TestShare(t *testing.T) {
	from, to := settings.Defaults(), settings.Defaults()
	from.Exposure, from.Focus, from.LightScale, from.TargetFPS = 1, 2, 3, 60
	from.Bounces, from.RenderScale = 1, 0.5
	Share(tracer.SettingsTable(), &to, &from)
	want := settings.Defaults()
	want.Exposure, want.Focus, want.LightScale, want.TargetFPS = 1, 2, 3, 60
	if to != want {
		t.Errorf("%+v, want %+v", to, want)
	}
}
