package hud

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/schedule"
	"glint/viewer/session"
)

// drawCompare is the part of the panel about two sides: which of them is active, how they are shown, and their figures. With
// one side it offers to open the other.
func drawCompare(d *drawing, c *session.CompareModel, ready bool) {
	if c == nil {
		if ready {
			d.buttonRow([]button{
				{name: d.keyed("compare sides%s", "split"), help: "Compare this way to render with another.", do: session.OpenSplit{}},
				{name: "compare devices", help: d.keyed("Compare this device with the other one, CPU or GPU%s.", "devices"), do: session.OpenElsewhere{}},
			})
		}
		return
	}
	if !d.heading(CompareHeading) {
		return
	}
	drawTabs(d, c)
	drawFigures(d, c)
	for _, text := range []string{c.Cross, c.Verdict} {
		if text != "" {
			imgui.PushTextWrapPosV(0)
			imgui.TextUnformatted(text)
			imgui.PopTextWrapPos()
		}
	}
	if d.beginPairs("compare") {
		d.pair("show", func() {
			if i, ok := pick("##show", int(c.Show), int(session.Shows), func(i int) string { return session.Show(i).String() }); ok {
				d.act(session.SetShow{Show: session.Show(i)})
			}
		})
		d.pair("give each", func() {
			if i, ok := pick("##pacing", int(c.Pacing), int(schedule.Pacings), func(i int) string { return schedule.Pacing(i).String() }); ok {
				d.act(session.SetPacing{Pacing: schedule.Pacing(i)})
			}
		})
		d.pair("reference", func() { drawReference(d, c) })
		d.pair("amplify", func() {
			gain := int32(c.Gain)
			imgui.SetNextItemWidth(-1)
			if imgui.SliderIntV("##gain", &gain, 1, session.MaxGain, "%d×", imgui.SliderFlagsAlwaysClamp|imgui.SliderFlagsLogarithmic) {
				d.act(session.SetGain{Gain: int(gain)})
			}
		})
		imgui.EndTable()
	}
	if imgui.ButtonV(d.keyed("restart both%s", "restart"), imgui.NewVec2(-1, 0)) {
		d.act(session.RestartSides{})
	}
}

// pick is a list of numbered choices; true when the user took one.
func pick(id string, current, count int, name func(int) string) (int, bool) {
	imgui.SetNextItemWidth(-1)
	if !imgui.BeginCombo(id, name(current)) {
		return current, false
	}
	defer imgui.EndCombo()
	for i := range count {
		if imgui.SelectableBoolV(name(i), i == current, 0, imgui.Vec2{}) {
			return i, true
		}
	}
	return current, false
}

// drawTabs is where the active side is chosen.
func drawTabs(d *drawing, c *session.CompareModel) {
	width := (imgui.ContentRegionAvail().X - imgui.CurrentStyle().ItemSpacing().X) / 2
	for i, s := range c.Sides {
		if i > 0 {
			imgui.SameLine()
		}
		ground, ink := Colors().field, Colors().faint
		if i == c.Active {
			ground, ink = Colors().grab, Colors().ink
		}
		imgui.PushStyleColorVec4(imgui.ColButton, ground)
		imgui.PushStyleColorVec4(imgui.ColText, ink)
		if imgui.ButtonV(s.Name+"  "+s.Integrator+"###tab"+s.Name, imgui.NewVec2(width, 0)) {
			d.act(session.ChooseSide{Side: i})
		}
		imgui.PopStyleColorV(2)
	}
}

func drawReference(d *drawing, c *session.CompareModel) {
	on := c.Measured
	if imgui.Checkbox("##reference", &on) {
		d.act(session.ToggleReference{})
	}
	imgui.SameLine()
	text := "off"
	if c.Measured {
		text = session.Grouped(c.Reference) + " spp"
	}
	imgui.TextUnformatted(text)
}

// figure is a row of the table of both sides.
type figure struct {
	name string
	of   func(s session.SideModel) string
}

func figures(devices, measured bool) []figure {
	var rows []figure
	if devices {
		rows = append(rows, figure{"device", func(s session.SideModel) string { return s.Device }})
	}
	rows = append(rows,
		figure{"samples", func(s session.SideModel) string { return session.Grouped(s.Timer.Samples) }},
		figure{"each took", func(s session.SideModel) string { return session.Duration(s.Timer.Mean()) }},
		figure{"in all", func(s session.SideModel) string { return session.Duration(s.Timer.Spent) }})
	if !measured {
		return rows
	}
	known := func(s session.SideModel, value float64) string {
		switch {
		case s.RefError.Known:
			return fmt.Sprintf("%.3g", value)
		case s.RefError.Wait > 0:
			return "in " + session.Seconds(s.RefError.Wait)
		case s.RefError.Wait < 0:
			return "restart"
		}
		return "…"
	}
	return append(rows,
		figure{"relMSE", func(s session.SideModel) string { return known(s, s.RefError.RelMSE) }},
		figure{"trimmed", func(s session.SideModel) string { return known(s, s.RefError.Trimmed) }})
}

// drawFigures is the table of both sides.
func drawFigures(d *drawing, c *session.CompareModel) {
	const columns = 3
	if !imgui.BeginTableV("##figures", columns, imgui.TableFlagsSizingStretchSame, imgui.Vec2{}, 0) {
		return
	}
	for _, row := range figures(c.Sides[0].Device != "", c.Measured) {
		imgui.TableNextRow()
		imgui.TableNextColumn()
		d.faint(row.name)
		for _, s := range c.Sides {
			imgui.TableNextColumn()
			imgui.TextUnformatted(row.of(s))
		}
	}
	imgui.EndTable()
}

const (
	labelPadX, labelPadY = 10, 7
	labelGap             = 8  // between a label and the divider
	handleRadius         = 13 // of the divider's handle
	ringWidth            = 2
	arrowSize            = 4.5
)

// caption is a label over the image: a heading, and lines of facts under it.
type caption struct {
	dot   color // of a dot before the title; transparent: no dot
	title string
	lines []string
}

// sideTitle is what a side renders by, and where two devices do, on which.
func sideTitle(s session.SideModel) string {
	if s.Device == "" {
		return s.Integrator
	}
	return s.Integrator + ", " + s.Device
}

// sideCaption says what a side renders, and how many samples it has.
func sideCaption(s session.SideModel, measured bool) caption {
	c := caption{title: s.Name + "  " + sideTitle(s), lines: []string{ProgressText(s)}}
	if measured {
		c.lines = append(c.lines, ErrorText(s))
	}
	return c
}

// ProgressText is how many samples a side has, and what each cost.
func ProgressText(s session.SideModel) string {
	of := ""
	switch {
	case s.Timer.Samples == 0:
		return "first sample"
	case s.Shown < s.Timer.Samples:
		of = session.Grouped(s.Shown) + " of "
	}
	return fmt.Sprintf("%s%s spp · %s each", of, session.Grouped(s.Timer.Samples), session.Duration(s.Timer.Mean()))
}

// ErrorText is a side's error against the reference, or why there is none.
func ErrorText(s session.SideModel) string {
	switch {
	case s.RefError.Known:
		return fmt.Sprintf("relMSE %.3g", s.RefError.RelMSE)
	case s.RefError.Wait > 0:
		return "reference good enough in " + session.Seconds(s.RefError.Wait)
	case s.RefError.Wait < 0:
		return "reference behind: restart"
	}
	return "relMSE …"
}

// differenceCaptions are the legend of the difference view.
func differenceCaptions(c *session.CompareModel) []caption {
	return []caption{
		{title: fmt.Sprintf("A − B  ×%d", c.Gain)},
		{title: "A brighter", dot: Colors().brighterA, lines: []string{sideTitle(c.Sides[0])}},
		{title: "B brighter", dot: Colors().brighterB, lines: []string{sideTitle(c.Sides[1])}},
	}
}

// captions label what is compared.
func captions(m *session.CompareModel) []caption {
	switch m.Show {
	case session.OneSide:
		return []caption{sideCaption(m.Sides[m.Active], m.Measured)}
	case session.Difference:
		return differenceCaptions(m)
	}
	return []caption{sideCaption(m.Sides[0], m.Measured), sideCaption(m.Sides[1], m.Measured)}
}

// fitted are captions as they fit in their place.
type fitted struct {
	captions      []caption
	sizes         []imgui.Vec2
	stacked       bool // below each other
	width, height float32
}

// fitCaptions puts captions in a row, or else in a column, and leaves out their lines where there is too little room.
func fitCaptions(d *drawing, captions []caption, room Rect) fitted {
	var f fitted
	for _, way := range []struct{ short, stacked bool }{{false, false}, {false, true}, {true, false}, {true, true}} {
		f = fitted{stacked: way.stacked}
		for i, c := range captions {
			if way.short {
				c.lines = nil
			}
			size, gap := captionSize(d, c), labelGap*d.Scale
			if i == 0 {
				gap = 0
			}
			f.captions, f.sizes = append(f.captions, c), append(f.sizes, size)
			if way.stacked {
				f.width, f.height = max(f.width, size.X), f.height+gap+size.Y
			} else {
				f.width, f.height = f.width+gap+size.X, max(f.height, size.Y)
			}
		}
		if f.width <= room.Width() && f.height <= room.Height() {
			break
		}
	}
	return f
}

// drawComparison labels two sides, and draws the divider's handle.
func drawComparison(d *drawing, m *session.CompareModel) {
	room, gap := d.At.captions, labelGap*d.Scale
	f := fitCaptions(d, captions(m), room)
	size := imgui.MainViewport().Size()
	divider := float32(m.Divider) * size.X
	corner := room.Min
	for i, c := range f.captions {
		if m.Show == session.SideBySide && !f.stacked {
			widths := [2]float32{f.sizes[0].X, f.sizes[1].X}
			corner.X = labelSpans(divider, span{room.Min.X, room.Width()}, widths, gap)[i].from
		}
		drawCaption(d, c, corner)
		if f.stacked {
			corner.Y += f.sizes[i].Y + gap
		} else {
			corner.X += f.sizes[i].X + gap
		}
	}
	if m.Show == session.SideBySide {
		drawHandle(d, m.OverDivider, divider, size.Y/2)
	}
}

// captionSize is rounded up to steps, so that a label does not jitter with its figures.
func captionSize(d *drawing, c caption) imgui.Vec2 {
	const step = 24
	imgui.PushFont(d.title, titleSize)
	width := imgui.CalcTextSize(c.title).X
	height := imgui.TextLineHeight()
	if c.dot.W > 0 {
		width += height
	}
	imgui.PopFont()
	if len(c.lines) > 0 {
		height += imgui.CurrentStyle().ItemSpacing().Y
	}
	for _, line := range c.lines {
		width = max(width, imgui.CalcTextSize(line).X)
		height += imgui.TextLineHeightWithSpacing()
	}
	grid := step * d.Scale
	width = float32(int(width/grid)+1) * grid
	return imgui.NewVec2(width+2*labelPadX*d.Scale, height+2*labelPadY*d.Scale)
}

// drawCaption draws a label on glass, so that it can be read on any image.
func drawCaption(d *drawing, c caption, corner imgui.Vec2) {
	p, list := Colors(), imgui.BackgroundDrawList()
	size := captionSize(d, c)
	list.AddRectFilledV(corner, corner.Add(size), imgui.ColorU32Vec4(p.glass), 6*d.Scale, 0)
	at := corner.Add(imgui.NewVec2(labelPadX*d.Scale, labelPadY*d.Scale))
	imgui.PushFont(d.title, titleSize)
	line := imgui.TextLineHeight()
	title := at
	if c.dot.W > 0 {
		list.AddCircleFilled(at.Add(imgui.NewVec2(line*0.3, line*0.5)), line*0.28, imgui.ColorU32Vec4(c.dot))
		title.X += line
	}
	list.AddTextVec2(title, imgui.ColorU32Vec4(p.ink), c.title)
	imgui.PopFont()
	at.Y += line + imgui.CurrentStyle().ItemSpacing().Y
	for _, text := range c.lines {
		list.AddTextVec2(at, imgui.ColorU32Vec4(p.faint), text)
		at.Y += imgui.TextLineHeightWithSpacing()
	}
}

// drawHandle shows that the divider can be dragged. It is lit while the mouse is there.
func drawHandle(d *drawing, lit bool, x, y float32) {
	p, list := Colors(), imgui.BackgroundDrawList()
	ring := p.ink
	if lit {
		imgui.SetMouseCursor(imgui.MouseCursorResizeEW)
		ring = p.Accent
	}
	middle := imgui.NewVec2(x, y)
	list.AddCircleFilled(middle, handleRadius*d.Scale, imgui.ColorU32Vec4(p.glass))
	list.AddCircleV(middle, handleRadius*d.Scale, imgui.ColorU32Vec4(ring), 0, ringWidth*d.Scale)
	s := arrowSize * d.Scale
	for _, way := range []float32{-1, 1} {
		tip := middle.Add(imgui.NewVec2(way*1.8*s, 0))
		back := middle.Add(imgui.NewVec2(way*0.7*s, 0))
		list.AddTriangleFilled(tip, back.Add(imgui.NewVec2(0, -s)), back.Add(imgui.NewVec2(0, s)), imgui.ColorU32Vec4(ring))
	}
}

// span is a part of the window's width.
type span struct{ from, width float32 }

func (s span) to() float32 { return s.from + s.width }

// labelSpans places two labels of given widths left and right of the divider, within the room that the panel leaves. Near its
// ends they move along together, so that both can be read.
func labelSpans(divider float32, room span, widths [2]float32, gap float32) [2]span {
	a := span{divider - gap - widths[0], widths[0]}
	b := span{divider + gap, widths[1]}
	b.from = min(b.from, room.to()-b.width)
	a.from = min(a.from, b.from-gap-a.width)
	a.from = max(a.from, room.from)
	b.from = max(b.from, a.to()+gap)
	return [2]span{a, b}
}
