package viewer

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/AllenDang/cimgui-go/implot"
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/scene"
	"glint/tracer/view"
)

// drawStatus says what renders, and how fast.
func (h *hud) drawStatus(a *app) {
	if a.device == nil {
		return
	}
	if h.beginPairs("status") {
		for _, line := range statusLines(a) {
			h.pair(line.name, func() { h.fact(line.value, line.why) })
		}
		imgui.EndTable()
	}
	h.drawPlot(&a.history)
}

// fact writes a value, and shows why it is so while the mouse is over it.
func (h *hud) fact(value, why string) {
	imgui.PushTextWrapPos()
	imgui.TextUnformatted(value)
	imgui.PopTextWrapPos()
	if why == "" || !imgui.IsItemHovered() || !imgui.BeginTooltip() {
		return
	}
	imgui.PushTextWrapPosV(panelWidth * h.scale)
	imgui.TextUnformatted(why)
	imgui.PopTextWrapPos()
	imgui.EndTooltip()
}

// statusLine is a value with its name, and what is to be said about it.
type statusLine struct{ name, value, why string }

func statusLines(a *app) []statusLine {
	ms, rate := a.history.recent()
	frame, frameWhy := "–", ""
	if ms > 0 {
		frame = fmt.Sprintf("%.1f ms · %.0f fps", ms, 1e3/ms)
		frameWhy = fmt.Sprintf("of the last frame, rendering took %.1f ms", a.stats.Elapsed.Seconds()*1e3)
	}
	if a.idle {
		frame = "at rest: enough samples"
	}
	backend := a.device.Backend()
	lines := []statusLine{
		{"samples", grouped(a.stats.Samples) + " by " + a.stats.Integrator, ""},
		{"frame", frame, frameWhy},
		{"paths", fmt.Sprintf("%.3g M/s", rate/1e6), ""},
		{"image", imageText(a.rendered.view, a.stats), ""},
		{"device", backend.Device + " (" + backend.Kind + ")", backend.Why},
		{"to screen", transfer(&a.picture), a.picture.copyWhy},
	}
	if a.denoises() {
		lines = append(lines, denoiseLine(a.stats))
	}
	if a.settings.AOVView == "trust" {
		lines = append(lines, trustLine(a.stats))
	}
	if a.settings.AutoExposure {
		found := fmt.Sprintf("%+.1f EV", a.stats.Metered)
		lines = append(lines, statusLine{"exposed by", found, "what auto exposure has found; exposure is added to it"})
	}
	if a.stats.NonFinite > 0 {
		lines = append(lines, statusLine{"dropped", grouped(int(a.stats.NonFinite)) + " samples", "they were not finite"})
	}
	return lines
}

// trustLine says of how many samples the trust map is, or why there is none.
func trustLine(stats view.Stats) statusLine {
	stats.Denoised, stats.Denoiser = stats.Trusted, stats.TrustedBy
	line := denoiseLine(stats)
	line.name = "trust map"
	if stats.Undenoised == nil && stats.Trusted == 0 {
		line.why = "the halves of this view are being denoised; till then the image is shown"
	}
	return line
}

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

// transfer is how the image gets from the device into the window.
func transfer(p *picture) string {
	switch {
	case p.texture == 0:
		return "–"
	case p.attached:
		return "GL interop"
	}
	return "copied"
}

// drawPlot shows the last frame times, newest at the right.
func (h *hud) drawPlot(l *frameLog) {
	if l.count < 2 {
		return
	}
	const still = implot.AxisFlagsNoDecorations
	implot.PushStyleVarVec2(implot.StyleVarPlotPadding, imgui.NewVec2(0, 2*h.scale))
	implot.PushStyleColorVec4(implot.ColFrameBg, colours().none)
	implot.PushStyleColorVec4(implot.ColPlotBg, colours().field)
	implot.PushStyleColorVec4(implot.ColPlotBorder, colours().none)
	if implot.BeginPlotV("##frames", imgui.NewVec2(-1, plotHeight*h.scale), implot.FlagsCanvasOnly|implot.FlagsNoInputs) {
		implot.SetupAxesV("", "", still, still)
		implot.SetupAxesLimitsV(0, float64(l.count-1), 0, float64(l.slowest())*1.15, implot.CondAlways)
		first := int32(0)
		if l.count == len(l.ms) {
			first = int32(l.next)
		}
		const floatBytes = 4
		implot.SetNextFillStyleV(colours().glow, 1)
		implot.PlotShadedFloatPtrIntV("##area", &l.ms[0], int32(l.count), 0, 1, 0, 0, first, floatBytes)
		implot.SetNextLineStyleV(colours().accent, 1.5*h.scale)
		implot.PlotLineFloatPtrIntV("##line", &l.ms[0], int32(l.count), 1, 0, 0, first, floatBytes)
		implot.EndPlot()
	}
	implot.PopStyleColorV(3)
	implot.PopStyleVar()
	h.faint(fmt.Sprintf("frame time, up to %.0f ms", l.slowest()))
}

// grouped writes a count with thin groups of three digits.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	var parts []string
	for len(digits) > 3 {
		parts = append([]string{digits[len(digits)-3:]}, parts...)
		digits = digits[:len(digits)-3]
	}
	return strings.Join(append([]string{digits}, parts...), " ")
}

// coordinates writes a point, m.
func coordinates(p mgl32.Vec3, separator string) string {
	return fmt.Sprintf("%.4g%s%.4g%s%.4g", p[0], separator, p[1], separator, p[2])
}

// cameraFlags are the flags of `glint render` that take the same view.
func cameraFlags(c scene.Camera) string {
	flags := fmt.Sprintf("--eye %s --target %s --up %s", coordinates(c.Eye, ","), coordinates(c.Target, ","), coordinates(c.Up, ","))
	if c.Orthographic == 0 {
		flags += fmt.Sprintf(" --vfov %.4g", c.VFov)
	}
	return flags
}
