package session

import (
	"testing"

	"glint/tracer"
	"glint/tracer/settings"
)

func TestReferenceSettings(t *testing.T) {
	a, b := settings.Defaults(), settings.Defaults()
	a.Exposure, a.LightScale, a.Bounces, a.Show, a.Seed, a.Fresnel = 2, 3, 2, "indirect", 7, "schlick"
	b.Bounces, b.Integrator, b.Roulette = 12, "restir-gi", false
	r := referenceSettings(tracer.SettingsTable(), a, b)
	if r.Integrator != "path" || r.Bounces != 12 || r.LightScale != 3 || r.Show != "indirect" || r.Fresnel != "schlick" || r.Seed == a.Seed || r.Seed == b.Seed {
		t.Errorf("%+v", r)
	}
	b.RestirRadius++
	if referenceSettings(tracer.SettingsTable(), a, b) != r {
		t.Error("a setting of reuse changes the reference")
	}
}
