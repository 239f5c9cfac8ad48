package session

import (
	"fmt"
	"strings"

	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// StatusLine is a value with its name, and its reason or meaning for a tooltip.
type StatusLine struct{ Name, Value, Why string }

// ImageText is the resolution, and what is rendered of it while the view moves.
func ImageText(v schedule.Request, stats view.Stats) string {
	text := fmt.Sprintf("%d × %d", v.Width, v.Height)
	switch {
	case stats.Scale > 1:
		text += fmt.Sprintf(" at 1/%d", stats.Scale)
	case stats.Width > 0 && stats.Width < v.Width:
		text += fmt.Sprintf(" from %d × %d", stats.Width, stats.Height)
	}
	return text
}

// ReuseLine names the shortcuts of reuse that act, and what they do to the mean.
func ReuseLine(stats view.Stats) StatusLine {
	const name = "reuse"
	if len(stats.Shortcuts) == 0 {
		return StatusLine{name, "unbiased", "the mean of these samples is that of path tracing"}
	}
	first, _, _ := strings.Cut(stats.Shortcuts[0], ":")
	if more := len(stats.Shortcuts) - 1; more > 0 {
		first += fmt.Sprintf(" and %d more", more)
	}
	return StatusLine{name, first, strings.Join(stats.Shortcuts, "\n")}
}

// DenoiseLine says whether the image is denoised and by what, or why it is not.
func DenoiseLine(stats view.Stats) StatusLine {
	const name = "denoised"
	switch {
	case stats.DenoiseError != nil:
		return StatusLine{name, "no: " + ShortReason(stats.DenoiseError), stats.DenoiseError.Error()}
	case stats.Denoised == 0:
		return StatusLine{name, "not yet", "the first denoised image of this view is being made"}
	}
	line := StatusLine{name, "after " + Count(stats.Denoised, "sample") + " by " + stats.Denoiser, ""}
	if stats.DenoiserFallback != nil {
		line.Why = stats.DenoiserFallback.Error()
	}
	return line
}

// TrustLine says how many samples the trust map is made of, or why there is none.
func TrustLine(stats view.Stats) StatusLine {
	stats.Denoised, stats.Denoiser = stats.ErrorMapSamples, stats.ErrorMapBy
	line := DenoiseLine(stats)
	line.Name = "trust map"
	if stats.DenoiseError == nil && stats.ErrorMapSamples == 0 {
		line.Why = "the halves of this view are being denoised; till then the image is shown"
	}
	return line
}

// Denoises tells whether a side is denoised, with auto by what its frames say.
func Denoises(s settings.Settings, stats view.Stats) bool {
	return s.Denoise != "off" && (s.Denoise != "auto" || stats.Denoiser != "")
}

// SamplesText says of how many samples the picture is that is shown, and how many there are by now where those are more.
func SamplesText(stats view.Stats) string {
	if stats.Shown < stats.Samples {
		return Grouped(stats.Shown) + " of " + Count(stats.Samples, "sample")
	}
	return Count(stats.Samples, "sample")
}

// FocusText is the distance of the focal plane.
func FocusText(s settings.Settings, r *Camera) string {
	if s.Focus > 0 {
		return WithUnit(s.Focus, "m")
	}
	return WithUnit(r.Distance(), "m") + " (target)"
}
