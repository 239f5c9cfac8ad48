package viewer

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"
	"github.com/AllenDang/cimgui-go/implot"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/scene"
	"glint/tracer/view"
)

// drawStatus says what renders, and how fast.
func (h *hud) drawStatus(m *model) {
	if !h.heading("Status") {
		return
	}
	if h.beginPairs("status") {
		for _, line := range m.status {
			h.pair(line.name, func() { h.drawValue(line.value, line.why) })
		}
		imgui.EndTable()
	}
	h.drawPlot(&m.frames)
}

// drawValue writes a value, and shows its reason while the mouse is over it.
func (h *hud) drawValue(value, why string) {
	imgui.PushTextWrapPos()
	imgui.TextUnformatted(value)
	imgui.PopTextWrapPos()
	h.tip(why)
}

// statusLine is a value with its name, and its reason or meaning for a tooltip.
type statusLine struct{ name, value, why string }

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

// count writes a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return grouped(n) + " " + thing + "s"
}

// coordinates writes a point, m, in four digits.
func coordinates(p mgl64.Vec3, separator string) string {
	return fmt.Sprintf("%.4g%s%.4g%s%.4g", p[0], separator, p[1], separator, p[2])
}

// coordinatesNear writes a point, m, so exactly that what is a length away stays in its direction: in four digits, and more
// where the point is farther from the origin than that.
func coordinatesNear(p mgl64.Vec3, length float64, separator string) string {
	far := max(math.Abs(p[0]), math.Abs(p[1]), math.Abs(p[2]))
	digits := 4
	if far > length && length > 0 {
		digits = min(digits+int(math.Ceil(math.Log10(far/length))), 17)
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', digits, 64) }
	return number(p[0]) + separator + number(p[1]) + separator + number(p[2])
}

// cameraFlags are the flags of `glint render` that take the same view.
func cameraFlags(c scene.Camera) string {
	length := c.Target.Sub(c.Eye).Len()
	flags := fmt.Sprintf("--eye %s --target %s --up %s",
		coordinatesNear(c.Eye, length, ","), coordinatesNear(c.Target, length, ","), coordinates(scene.Wide(c.Up), ","))
	if c.Orthographic == 0 {
		flags += fmt.Sprintf(" --vfov %.4g", c.VFov)
	}
	return flags
}

// frameLog keeps the times of the last frames, for the plot and for rates. The zero value is empty.
type frameLog struct {
	ms    [180]float32 // wall time of a frame
	paths [180]uint64  // camera paths traced in it
	next  int          // where the next frame goes: the oldest, once the log is full
	count int
}

func (l *frameLog) add(took time.Duration, paths uint64) {
	l.ms[l.next] = float32(took.Seconds() * 1e3)
	l.paths[l.next] = paths
	l.next = (l.next + 1) % len(l.ms)
	l.count = min(l.count+1, len(l.ms))
}

const (
	recentFrames = 500 * time.Millisecond // for the frame time
	recentPaths  = 2 * time.Second        // for the rate: a slice of time may complete none
)

// recent is the mean frame time of about the last half second, ms.
func (l *frameLog) recent() float64 {
	ms, _, frames := l.last(recentFrames)
	if frames == 0 {
		return 0
	}
	return ms / float64(frames)
}

// pathRate is how many camera paths the window traces in a second of its time: about the last two. It is the one rate that
// the window shows.
func (l *frameLog) pathRate() float64 {
	ms, paths, _ := l.last(recentPaths)
	if ms == 0 {
		return 0
	}
	return float64(paths) / ms * 1e3
}

// last sums up the frames of about so long.
func (l *frameLog) last(window time.Duration) (ms float64, paths uint64, frames int) {
	for ; frames < l.count && ms < window.Seconds()*1e3; frames++ {
		i := (l.next - 1 - frames + len(l.ms)) % len(l.ms)
		ms += float64(l.ms[i])
		paths += l.paths[i]
	}
	return ms, paths, frames
}

// slowest is the longest frame in the log, ms.
func (l *frameLog) slowest() float32 {
	var most float32
	for _, ms := range l.ms {
		most = max(most, ms)
	}
	return most
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

// shortReason is what an error says before its details in brackets.
func shortReason(err error) string {
	text, _, _ := strings.Cut(err.Error(), " (")
	return text
}
