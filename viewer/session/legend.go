package session

import (
	"glint/tracer/film"
	"glint/tracer/integrator"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// Legend says what the colours of a view mean; empty when no view is on.
type Legend struct {
	Name, Help string
	Colors     []film.Swatch
	Bar        bool // they are steps of one scale
}

// TrustView is the AOV that a denoiser makes.
const TrustView = "trust"

// LegendOf is the legend of the view that settings ask for.
func LegendOf(s settings.Settings, stats view.Stats) Legend {
	if v := integrator.LookupReuseView(s.ReuseView); v.Help != "" {
		return Legend{Name: v.Name, Help: legendText(v, stats.Integrator), Colors: v.Legend}
	}
	v, found := film.LookupAOV(s.AOVView)
	if !found {
		return Legend{}
	}
	if v.Name == TrustView && stats.ErrorMapSamples == 0 { // the image itself is shown, whose colours mean nothing
		return Legend{Name: v.Name, Help: noTrust(s, stats)}
	}
	return Legend{Name: v.Name, Help: v.Help, Colors: v.Legend()}
}

// noTrust says why there is no error map.
func noTrust(s settings.Settings, stats view.Stats) string {
	switch {
	case stats.DenoiseError != nil:
		return "No map, since denoising fails: " + ShortReason(stats.DenoiseError) + ". The image is shown."
	case !Denoises(s, stats):
		return "It needs a denoiser, and none is on: choose one. Until then the image is shown."
	}
	return "The map is being made. Until then the image is shown."
}

// legendText says what a view of reuse shows, or why it shows nothing.
func legendText(v integrator.ReuseView, used string) string {
	if !integrator.Reuses(used) {
		return used + " shares nothing: choose the integrator restir"
	}
	return v.Help
}
