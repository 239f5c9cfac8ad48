package hud

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/viewer/session"
)

const (
	loupeSize  = 288  // at a content scale of 1
	loupeShare = 0.45 // of the page's height, at most
	leastCell  = 20   // in which numbers can be read, at a content scale of 1
	digitsSize = 10   // of values in magnified pixels
	factsShare = 0.3  // of the page's width, for names
	markRing   = 9    // around a pixel that is marked
	pathWidth  = 2.5
	lightWidth = 1.5
	vertexDot  = 4
	stepIndent = 20
)

// drawInspector shows at the right what the pixel under the mouse is, or the one that is pinned, and which path lit it.
func drawInspector(d *drawing, m *session.InspectModel) {
	d.scrolling("##inspector", d.At.Page, func() {
		d.pageTitle("Inspector", "inspector")
		drawInspectorButtons(d, m) // first: they stay where they are when the mouse comes to them
		if len(m.Facts) > 0 {
			drawLoupe(d, m)
			drawFacts(m)
		} else {
			d.faint("point at the image; a click holds on to a pixel")
		}
		drawSteps(d, m)
	})
}

// drawLoupe magnifies the image around the pixel.
func drawLoupe(d *drawing, m *session.InspectModel) {
	if m.Texture == 0 {
		return
	}
	side := min(imgui.ContentRegionAvail().X, loupeSize*d.Scale, loupeShare*d.At.Page.Height())
	count := loupeSize / m.Zoom
	count += 1 - count%2 // so that one is in the middle
	cell := side / float32(count)
	at, list := imgui.CursorScreenPos(), imgui.WindowDrawList()
	imgui.Dummy(imgui.NewVec2(side, side))
	w, h, left, top := float32(m.Size[0]), float32(m.Size[1]), float32(m.Pixel[0]-count/2), float32(m.Pixel[1]-count/2)
	corner := func(x, y float32) imgui.Vec2 { return at.Add(imgui.NewVec2(x*cell, y*cell)) }
	list.AddRectFilled(at, corner(float32(count), float32(count)), imgui.ColorU32Vec4(Colors().none))
	// What lies outside of the image is not drawn. The image's first row is the texture's last.
	fromX, fromY, toX, toY := max(left, 0), max(top, 0), min(left+float32(count), w), min(top+float32(count), h)
	texture := imgui.NewTextureRefTextureID(imgui.TextureID(m.Texture))
	defer texture.Destroy()
	list.AddImageV(*texture, corner(fromX-left, fromY-top), corner(toX-left, toY-top),
		imgui.NewVec2(fromX/w, 1-fromY/h), imgui.NewVec2(toX/w, 1-toY/h), imgui.ColorU32Vec4(white(1)))
	middle := float32(count / 2)
	list.AddRectV(corner(middle, middle), corner(middle+1, middle+1), imgui.ColorU32Vec4(Colors().Accent), 0, 0, 1.5*d.Scale)
	if len(m.Values) != count*count || cell < leastCell*d.Scale {
		return
	}
	size := min(digitsSize*d.Scale, cell/3.2)
	for i, v := range m.Values {
		x, y := float32(i%count), float32(i/count)
		if left+x < 0 || top+y < 0 || left+x >= w || top+y >= h {
			continue
		}
		for k, value := range v {
			drawLegibly(d, list, corner(x, y).Add(imgui.NewVec2(0.06*cell, (0.04+0.31*float32(k))*cell)), size, fmt.Sprintf("%.2g", value))
		}
	}
}

// drawLabel writes the number of a vertex to its right.
func drawLabel(d *drawing, list *imgui.DrawList, at imgui.Vec2, text string) {
	drawLegibly(d, list, at.Add(imgui.NewVec2(7*d.Scale, -7*d.Scale)), textSize*d.Scale, text)
}

// drawLegibly writes text that can be read on anything.
func drawLegibly(d *drawing, list *imgui.DrawList, at imgui.Vec2, size float32, text string) {
	list.AddTextFontPtr(d.plain, size, at.Add(imgui.NewVec2(1, 1)), imgui.ColorU32Vec4(color{W: 0.9}), text)
	list.AddTextFontPtr(d.plain, size, at, imgui.ColorU32Vec4(white(1)), text)
}

// drawFacts is a table of what is known.
func drawFacts(m *session.InspectModel) {
	if !imgui.BeginTableV("##facts", 2, imgui.TableFlagsSizingStretchProp, imgui.Vec2{}, 0) {
		return
	}
	imgui.TableSetupColumnV("", imgui.TableColumnFlagsWidthStretch, factsShare, 0)
	imgui.TableSetupColumnV("", imgui.TableColumnFlagsWidthStretch, 1-factsShare, 0)
	row := func(name, value string) {
		imgui.TableNextRow()
		imgui.TableNextColumn()
		imgui.TextColored(Colors().faint, name)
		imgui.TableNextColumn()
		imgui.PushTextWrapPos()
		imgui.TextUnformatted(value)
		imgui.PopTextWrapPos()
	}
	for i, f := range m.Facts {
		row(f.Name, f.Value)
		if i == 1 {
			row("shown", fmt.Sprintf("#%02x%02x%02x", m.Shown[0], m.Shown[1], m.Shown[2]))
		}
	}
	imgui.EndTable()
}

// drawInspectorButtons are what may be asked.
func drawInspectorButtons(d *drawing, m *session.InspectModel) {
	imgui.Spacing()
	d.buttonRow([]button{
		{name: fmt.Sprintf("%d×", m.Zoom), help: "Magnify more: 8 to 64 times. From 32 on pixels show their values, in nits.", do: session.ZoomLoupe{}},
		{name: "bright dots", help: "Mark the pixels that are much brighter than those around, and show the brightest path of them.", do: session.FindOutliers{}},
		{name: "NaN", help: "Show the path of the last sample that was dropped, since it was infinite or not a number.", do: session.FindDropped{}},
	})
	if !m.Pinned {
		return
	}
	if !m.Reuses {
		d.buttonRow([]button{
			{name: "‹", help: "The sample before.", do: session.StepSample{By: -1}},
			{name: "›", help: "The next sample.", do: session.StepSample{By: 1}},
			{name: "brightest", help: "The brightest sample of this pixel.", do: session.BrightestSample{}},
			{name: "save", help: "Save this sample as a file. glint render FILE -o out.png traces it again.", do: session.SaveReplay{}},
		})
	}
	d.buttonRow([]button{{name: "let go of the pixel", help: "Follow the mouse again. A click on the pixel does the same.", do: session.ReleasePixel{}}})
}

// drawSteps tells a path, vertex by vertex, or the samples that a pixel shares.
func drawSteps(d *drawing, m *session.InspectModel) {
	if m.Title == "" {
		return
	}
	imgui.Spacing()
	imgui.PushTextWrapPos()
	imgui.TextColored(Colors().Accent, m.Title)
	if !m.Reuses {
		d.faint("white: the path · yellow: light that arrives · blue: light that does not")
	}
	for _, step := range m.Steps {
		imgui.TextUnformatted(step.Title)
		imgui.IndentV(stepIndent * d.Scale)
		for _, detail := range step.Details {
			d.faint(detail)
		}
		imgui.UnindentV(stepIndent * d.Scale)
	}
	imgui.PopTextWrapPos()
}

// drawPath draws a path over the image, and rings around marked pixels.
func drawPath(d *drawing, m *session.InspectModel) {
	list, window := imgui.BackgroundDrawList(), imgui.MainViewport().Size()
	at := func(p [2]float32) imgui.Vec2 { return imgui.NewVec2(p[0]*window.X, p[1]*window.Y) }
	vertices := 1
	for _, l := range m.Lines {
		ink, width := white(0.95), float32(pathWidth)
		switch l.Kind {
		case session.LineToLight:
			ink, width = Colors().Accent, lightWidth
		case session.LineHidden:
			ink, width = Colors().brighterB, lightWidth
		}
		from, to := at(l.From), at(l.To)
		if l.Kind == session.LineOfPath {
			vertices++
		}
		list.AddLineV(from, to, imgui.ColorU32Vec4(color{W: 0.6}), (width+2)*d.Scale)
		list.AddLineV(from, to, imgui.ColorU32Vec4(ink), width*d.Scale)
		if l.Kind == session.LineOfPath {
			list.AddCircleFilled(from, vertexDot*d.Scale, imgui.ColorU32Vec4(ink))
			list.AddCircleFilled(to, vertexDot*d.Scale, imgui.ColorU32Vec4(ink))
			drawLabel(d, list, to, fmt.Sprint(vertices))
		}
	}
	pixel := func(x, y int) imgui.Vec2 {
		return at([2]float32{(float32(x) + 0.5) / float32(m.Size[0]), (float32(y) + 0.5) / float32(m.Size[1])})
	}
	for _, o := range m.Marks {
		list.AddCircleV(pixel(o.X, o.Y), markRing*d.Scale, imgui.ColorU32Vec4(Colors().Accent), 0, 1.5*d.Scale)
	}
	if m.Pinned && len(m.Facts) > 0 {
		c := pixel(m.Pixel[0], m.Pixel[1])
		for _, off := range []imgui.Vec2{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} { // a cross with a hole
			a, b := c.Add(off.Mul(3*d.Scale)), c.Add(off.Mul(10*d.Scale))
			list.AddLineV(a, b, imgui.ColorU32Vec4(color{W: 0.6}), 3.5*d.Scale)
			list.AddLineV(a, b, imgui.ColorU32Vec4(Colors().Accent), 1.5*d.Scale)
		}
	}
}
