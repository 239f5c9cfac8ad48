package session

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer"
	"glint/tracer/diagnose"
	"glint/tracer/imageio"
	"glint/tracer/integrator"
	"glint/tracer/replay"
)

// Inspector says what a pixel shows, and which path lit it. It asks the renderer only while it is open.
type Inspector struct {
	frames *Frames
	stage  *Stage
	pixel  func(x, y float64) (px, py int) // of a point of the window: Window.pixelAt
	zoom   int
	pinned *pin // nil: it follows the mouse

	marks  []diagnose.Outlier
	marked time.Time // when what they are of began
	asked  asked
	Shown  *InspectModel // nil: there is nothing to say
}

// pin is a pixel that the user has clicked, and which of its samples is shown.
type pin struct {
	x, y   int
	side   *Side
	sample int // from 0; negative: the last one
}

// asked is what the renderer was asked last, and when.
type asked struct {
	at   time.Time
	of   *Side
	x, y int
	pin  pin
	zoom int
}

const (
	askEvery   = 100 * time.Millisecond // about the same pixel
	spreadOf   = 32                     // samples from which a pixel's error is known
	leastZoom  = 8
	mostZoom   = 64
	valuesFrom = 32  // zoom at which pixels have room for their values
	loupe      = 288 // how wide the magnified part is, at a content scale of 1
)

// loupeOf tells whether numbers are written into the magnified pixels, and how many pixels are seen to each side of the middle one.
func loupeOf(zoom int) (reach int, values bool) { return loupe / zoom / 2, zoom >= valuesFrom }

// Zoom magnifies by the next factor.
func (i *Inspector) Zoom() {
	i.asked.at = time.Time{}
	if i.zoom *= 2; i.zoom > mostZoom {
		i.zoom = leastZoom
	}
}

// PinAt holds on to the pixel at a point of the window, screen coordinates, or lets go of it.
func (i *Inspector) PinAt(x, y float64) { i.Pin(i.pixel(x, y)) }

// Pin holds on to a pixel, or lets go of it.
func (i *Inspector) Pin(x, y int) {
	if p := i.pinned; p != nil && p.x == x && p.y == y {
		i.pinned = nil
		return
	}
	i.pinned = &pin{x: x, y: y, side: i.sideAt(x), sample: -1}
}

// sideAt is the side that is seen in a column of the image: the active one, where not both are.
func (i *Inspector) sideAt(x int) *Side {
	c := i.frames.Comparison
	if !c.Comparing() || c.Compare.Show != SideBySide {
		return c.Active
	}
	if float64(x)+0.5 < c.Compare.Divider*float64(i.frames.Rendered.View.Width) {
		return c.Sides[0]
	}
	return c.Sides[1]
}

// Release lets go of the pixel. It tells whether there was one.
func (i *Inspector) Release() bool {
	had := i.pinned != nil
	i.pinned = nil
	return had
}

// step shows another sample of the pixel.
func (i *Inspector) step(by int) {
	p, m := i.pinned, i.Shown
	if p == nil || m == nil || m.Samples == 0 {
		return
	}
	p.sample = ((m.Sample+by)%m.Samples + m.Samples) % m.Samples
}

// brightest shows the brightest sample of the pixel.
func (i *Inspector) brightest() {
	p := i.pinned
	if p == nil || p.side.Device == nil {
		return
	}
	at, err := brightestSample(p.side, []tracer.PixelSample{{X: p.x, Y: p.y}})
	if err != nil {
		i.frames.Messages.Warn("Inspector: " + err.Error())
		return
	}
	p.sample = at.N
}

// brightestSample is the brightest one of the samples of some pixels.
func brightestSample(side *Side, pixels []tracer.PixelSample) (at tracer.PixelSample, err error) {
	const most = 1 << 15 // paths at a time
	luminance := 0.0
	var batch []tracer.PixelSample
	ask := func() error {
		paths, err := side.Device.Replay(side.View, side.Used, batch, 0)
		for k := range paths {
			if l := luma(paths[k].Answer.Lo); l > luminance {
				at, luminance = batch[k], l
			}
		}
		batch = batch[:0]
		return err
	}
	for _, p := range pixels {
		for p.N = range side.Stats.Samples {
			if batch = append(batch, p); len(batch) == most {
				if err := ask(); err != nil {
					return at, err
				}
			}
		}
	}
	return at, ask()
}

func luma(c [3]float32) float64 {
	return imageio.Luminance(float64(c[0]), float64(c[1]), float64(c[2]))
}

// look finds out what the pixel shows that is pinned, or the one under the mouse. open is false while nobody wants to know.
func (i *Inspector) look(open, over bool, x, y int, now time.Time) {
	side := i.sideAt(x)
	if !open || i.frames.Rendered.changed != i.marked {
		i.marks = nil
	}
	if p := i.pinned; p != nil {
		if !slices.Contains(i.frames.Sides, p.side) { // it was closed
			p.side = i.frames.Active
		}
		over, side, x, y = true, p.side, p.x, p.y
	}
	v := side.View
	if !open || !over || i.stage.Shown == nil || x < 0 || y < 0 || x >= v.Width || y >= v.Height {
		if !open {
			i.pinned = nil
		}
		i.Shown = nil
		return
	}
	ask := asked{of: side, x: x, y: y, zoom: i.zoom}
	if i.pinned != nil {
		ask.pin = *i.pinned
	}
	last := i.asked
	last.at = time.Time{}
	if i.Shown != nil && ask == last && now.Sub(i.asked.at) < askEvery {
		return
	}
	i.asked = ask
	i.asked.at = now
	i.Shown = i.answer(side, x, y)
}

// answer asks the renderer about a pixel.
func (i *Inspector) answer(side *Side, x, y int) *InspectModel {
	samples := side.Stats.Samples
	m := &InspectModel{Side: slices.Index(i.frames.Sides, side), Size: [2]int{side.View.Width, side.View.Height}, Pixel: [2]int{x, y}, Pinned: i.pinned != nil, Zoom: i.zoom, Samples: samples, Sample: samples - 1}
	if p := i.pinned; p != nil && samples > 0 { // the list of steps is not to change while it is read
		if p.sample < 0 || p.sample >= samples {
			p.sample = samples - 1
		}
		m.Sample = p.sample
	}
	v, used := side.View, side.Used
	queries := []tracer.PixelSample{{X: x, Y: y, N: max(m.Sample, 0)}}
	spread := min(samples, spreadOf)
	for k := range spread {
		queries = append(queries, tracer.PixelSample{X: x, Y: y, N: samples - 1 - k})
	}
	reach, values := loupeOf(i.zoom)
	if values {
		for dy := -reach; dy <= reach; dy++ {
			for dx := -reach; dx <= reach; dx++ {
				queries = append(queries, tracer.PixelSample{X: min(max(x+dx, 0), v.Width-1), Y: min(max(y+dy, 0), v.Height-1)})
			}
		}
	}
	paths, err := side.Device.Replay(v, used, queries, tracer.MostVertices(&used))
	if err != nil || len(paths) == 0 {
		m.lines("pixel", fmt.Sprintf("%d, %d", x, y))
		m.lines("light", "– (there is no whole sample yet)")
		return m
	}
	for _, p := range paths[1+spread:] {
		m.Values = append(m.Values, meanOf(&p))
	}
	path := &paths[0]
	i.describe(m, side, path, paths[1:1+spread])
	lens := v.Lens(&used)
	if samples == 0 {
		return m
	}
	if reuses := integrator.Reuses(side.Integrator()); m.Pinned && !reuses {
		m.Lo, m.Steps = path.Answer.Lo, path.Describe(i.stage.Shown.Prepared)
		m.Lines = linesOf(path, lens, i.stage.Shown.Scene.Bounds().Radius())
		m.Title = fmt.Sprintf("Sample %d of %d: %s nit", m.Sample+1, m.Samples, triple(path.Answer.Lo))
	} else if m.Pinned {
		shared, err := side.Device.Reused(v, used, x, y)
		if errors.Is(err, tracer.ErrUnderWay) && i.Shown != nil && i.Shown.Pinned && i.Shown.Pixel == m.Pixel && i.Shown.Side == m.Side {
			return i.Shown
		}
		if err != nil {
			m.Title = err.Error()
			return m
		}
		m.Steps, m.Reuses = shared.Describe(v.Width), true
		m.Title = fmt.Sprintf("The last frame's sample: %s nit", triple(shared.Answer.Lo))
		m.Lines = sharedLines(path, &shared, lens)
	}
	return m
}

// enoughToSay is of how many samples the share of lamps is said without a warning.
const enoughToSay = 16

// describe says what there is at a pixel.
func (i *Inspector) describe(m *InspectModel, side *Side, path *replay.Path, spread []replay.Path) {
	mean := meanOf(path)
	m.lines("pixel", fmt.Sprintf("%d, %d", m.Pixel[0], m.Pixel[1]))
	if path.Answer.Samples > 0 {
		m.lines("light", triple(mean)+" nit")
	} else {
		m.lines("light", "– (there is no whole sample yet)")
	}
	if i.frames.Comparing() {
		m.lines("side", side.Name+", "+side.Integrator())
		i.compare(m, mean)
	}
	m.lines("samples", fmt.Sprintf("%.0f", path.Answer.Samples)+errorOfMean(side, spread, mean))
	if len(path.Vertices) == 0 {
		return
	}
	v, names := &path.Vertices[0], i.stage.Shown.Prepared
	if by := replay.LitBy(spread, names); by != "" && !integrator.Reuses(side.Integrator()) {
		if len(spread) < enoughToSay {
			by += fmt.Sprintf(" (by %s: not sure)", Count(len(spread), "sample"))
		}
		m.lines("lit by", by)
	}
	if replay.Left(v) {
		m.lines("seen", "nothing: the environment")
		return
	}
	lens := side.View.Lens(&side.Used)
	depth := mgl32.Vec3(v.Position).Sub(lens.Eye).Dot(lens.Forward)
	if replay.InMedium(v) {
		m.lines("seen", "a medium that scatters light")
		m.lines("position", triple(v.Position)+" m")
		return
	}
	m.lines("material", names.MaterialName(v.Material))
	if v.Object >= 0 {
		m.lines("object", names.ObjectName(v.Object))
	}
	if node := names.Node(v.Object); node != "" {
		m.lines("mesh", names.Scene.Editable.Nodes[names.Scene.Editable.Find(node)].Mesh)
	}
	m.lines("depth", WithUnit(float64(depth), "m"))
	m.lines("position", triple(v.Position)+" m")
	m.lines("normal", triple(v.Normal))
}

// compare says by how much the sides differ at a pixel.
func (i *Inspector) compare(m *InspectModel, mean [3]float32) {
	other := i.frames.Sides[1-m.Side]
	paths, err := other.Device.Replay(other.View, other.Used, []tracer.PixelSample{{X: m.Pixel[0], Y: m.Pixel[1]}}, 0)
	if err != nil || len(paths) == 0 {
		return
	}
	theirs := meanOf(&paths[0])
	if m.Side == 1 {
		mean, theirs = theirs, mean
	}
	m.lines("A − B", triple([3]float32{mean[0] - theirs[0], mean[1] - theirs[1], mean[2] - theirs[2]})+" nit")
}

// errorOfMean is how much the mean of a pixel's samples errs, known from some of them; empty where samples depend on each other.
func errorOfMean(side *Side, some []replay.Path, mean [3]float32) string {
	n := float64(len(some))
	if n < 4 || integrator.Reuses(side.Integrator()) || luma(mean) == 0 {
		return ""
	}
	sum, squares := 0.0, 0.0
	for k := range some {
		l := luma(clamped(some[k].Answer.Lo, side.Used.Clamp))
		sum, squares = sum+l, squares+l*l
	}
	variance := max(squares-sum*sum/n, 0) / (n - 1)
	percent := 100 * math.Sqrt(variance/float64(side.Stats.Samples)) / luma(mean)
	if percent >= 10 {
		percent = math.Round(percent)
	}
	return fmt.Sprintf(", error about %.3g %%", percent)
}

// clamped is a sample as the film takes it.
func clamped(lo [3]float32, most float64) [3]float32 {
	if brightest := max(lo[0], lo[1], lo[2]); most > 0 && float64(brightest) > most {
		for k := range lo {
			lo[k] *= float32(most) / brightest
		}
	}
	return lo
}

// meanOf is the mean of a pixel's samples, nit.
func meanOf(p *replay.Path) (mean [3]float32) {
	for k := range mean {
		mean[k] = p.Answer.Sum[k] / max(p.Answer.Samples, 1)
	}
	return mean
}

// triple writes three numbers.
func triple(v [3]float32) string { return fmt.Sprintf("%.3g, %.3g, %.3g", v[0], v[1], v[2]) }

// mostScanned is how many samples are traced again to find the brightest: seconds on a processor.
const mostScanned = 1 << 18

// Outliers marks the pixels that are much brighter than those around them, and pins the brightest sample of them.
func (i *Inspector) outliers() {
	side := i.frames.Active
	film, err := side.Device.Radiance()
	if err != nil || side.Stats.Samples == 0 {
		i.frames.Messages.Say("there is no whole sample yet: wait a moment")
		return
	}
	found := diagnose.Outliers(film)
	i.marks, i.marked = found, i.frames.Rendered.changed
	if len(found) == 0 {
		i.frames.Messages.Say("no pixel is much brighter than those around it")
		return
	}
	i.frames.Messages.Say(Count(len(found), "pixel") + " much brighter than those around")
	if integrator.Reuses(side.Integrator()) { // whose samples are gone
		i.pinned = &pin{found[0].X, found[0].Y, side, -1}
		return
	}
	var pixels []tracer.PixelSample
	for _, o := range found[:min(len(found), max(mostScanned/side.Stats.Samples, 1))] {
		pixels = append(pixels, tracer.PixelSample{X: o.X, Y: o.Y})
	}
	at, err := brightestSample(side, pixels)
	if err != nil {
		i.frames.Messages.Warn("Inspector: " + err.Error())
		return
	}
	i.pinned = &pin{at.X, at.Y, side, at.N}
}

// dropped pins the last sample that was no number, if one was dropped.
func (i *Inspector) dropped() {
	side := i.frames.Active
	counters, err := side.Device.Counters()
	if err != nil || counters.NonFinite == 0 || side.View.Width == 0 {
		i.frames.Messages.Say("all samples were numbers")
		return
	}
	pixel := int(counters.DroppedPixel)
	i.pinned = &pin{pixel % side.View.Width, pixel / side.View.Width, side, int(counters.DroppedSample)}
}

// do does what a command asks of the inspector.
func (i *Inspector) do(command Command) {
	switch command := command.(type) {
	case ZoomLoupe:
		i.Zoom()
	case StepSample:
		i.step(command.By)
	case BrightestSample:
		i.brightest()
	case FindOutliers:
		i.outliers()
	case FindDropped:
		i.dropped()
	case ReleasePixel:
		i.Release()
	}
}

// Model is what is shown of it.
func (i *Inspector) Model() *InspectModel {
	if i.Shown == nil || i.Shown.Side >= len(i.frames.Sides) { // a side that has been closed since
		return &InspectModel{Zoom: i.zoom, Marks: i.marks, Size: [2]int{i.frames.Active.View.Width, i.frames.Active.View.Height}}
	}
	m := *i.Shown
	m.Marks = i.marks
	return &m
}
