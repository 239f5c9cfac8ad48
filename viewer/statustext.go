package viewer

import (
	"fmt"
	"strings"
	"time"

	"glint/tracer/settings"
	"glint/tracer/view"
)

// statusLine is a value with its name, and its reason or meaning for a tooltip.
type statusLine struct{ name, value, why string }

// imageText is the resolution, and what is rendered of it while the view moves.
func imageText(v view.View, stats view.Stats) string {
	text := fmt.Sprintf("%d × %d", v.Width, v.Height)
	switch {
	case stats.Scale > 1:
		text += fmt.Sprintf(" at 1/%d", stats.Scale)
	case stats.Width > 0 && stats.Width < v.Width:
		text += fmt.Sprintf(" from %d × %d", stats.Width, stats.Height)
	}
	return text
}

// reuseLine names the shortcuts of reuse that act, and what they do to the mean.
func reuseLine(stats view.Stats) statusLine {
	const name = "reuse"
	if len(stats.Shortcuts) == 0 {
		return statusLine{name, "unbiased", "the mean of these samples is that of path tracing"}
	}
	first, _, _ := strings.Cut(stats.Shortcuts[0], ":")
	if more := len(stats.Shortcuts) - 1; more > 0 {
		first += fmt.Sprintf(" and %d more", more)
	}
	return statusLine{name, first, strings.Join(stats.Shortcuts, "\n")}
}

// denoiseLine says whether the image is denoised and by what, or why it is not.
func denoiseLine(stats view.Stats) statusLine {
	const name = "denoised"
	switch {
	case stats.DenoiseError != nil:
		return statusLine{name, "no: " + shortReason(stats.DenoiseError), stats.DenoiseError.Error()}
	case stats.Denoised == 0:
		return statusLine{name, "not yet", "the first denoised image of this view is being made"}
	}
	line := statusLine{name, "after " + count(stats.Denoised, "sample") + " by " + stats.Denoiser, ""}
	if stats.DenoiserFallback != nil {
		line.why = stats.DenoiserFallback.Error()
	}
	return line
}

// trustLine says how many samples the trust map is made of, or why there is none.
func trustLine(stats view.Stats) statusLine {
	stats.Denoised, stats.Denoiser = stats.ErrorMapSamples, stats.ErrorMapBy
	line := denoiseLine(stats)
	line.name = "trust map"
	if stats.DenoiseError == nil && stats.ErrorMapSamples == 0 {
		line.why = "the halves of this view are being denoised; till then the image is shown"
	}
	return line
}

// judgementReason is what the renderer has measured where auto chooses the integrator.
func judgementReason(s settings.Settings, stats view.Stats) statusLine {
	const name = "  error"
	j := stats.Judgement
	switch {
	case s.Integrator != "auto":
		return statusLine{}
	case j.Err != nil:
		return statusLine{name, "not measured", j.Err.Error()}
	case j.At.IsZero():
		return statusLine{}
	}
	used, other := j.Trials[0], j.Trials[1]
	if used.Integrator != stats.Integrator {
		used, other = other, used
	}
	how := "resting"
	if j.Moving {
		how = "moving"
	}
	if j.Denoised {
		how += " and denoised by the built-in filter"
	}
	why := fmt.Sprintf("Error (FLIP) of small images of the view, %s, measured at %s. %s by %s took as long as %s by %s.", how,
		j.At.Format(time.TimeOnly), count(used.Samples, "sample"), used.Integrator, count(other.Samples, "sample"), other.Integrator)
	if used.Error > other.Error {
		why += " The difference is too small to change."
	}
	return statusLine{name, fmt.Sprintf("%.3f, %s %.3f", used.Error, other.Integrator, other.Error), why}
}

func denoises(s settings.Settings, stats view.Stats) bool {
	return s.Denoise != "off" && (s.Denoise != "auto" || stats.Denoiser != "")
}

// samplesText says of how many samples the picture is that is shown, and how many there are by now where those are more.
func samplesText(stats view.Stats) string {
	if stats.Shown < stats.Samples {
		return grouped(stats.Shown) + " of " + count(stats.Samples, "sample")
	}
	return count(stats.Samples, "sample")
}

// focusText is the distance of the focal plane.
func focusText(s settings.Settings, r *cameraController) string {
	if s.Focus > 0 {
		return withUnit(s.Focus, "m")
	}
	return withUnit(r.distance(), "m") + " (target)"
}
