package hud

import "github.com/AllenDang/cimgui-go/imgui"

// plot is a field of the panel that shows values from 0 to top, at places from left to right.
type plot struct {
	list             *imgui.DrawList
	corner, size     imgui.Vec2 // of the field, without its margin above and below
	left, right, top float64
}

// plot makes room for one.
func (d *drawing) plot(height float32, left, right, top float64) plot {
	p := plot{imgui.WindowDrawList(), imgui.CursorScreenPos(), imgui.NewVec2(imgui.ContentRegionAvail().X, height*d.Scale), left, right, top}
	p.list.AddRectFilled(p.corner, p.corner.Add(p.size), imgui.ColorU32Vec4(Colors().field))
	imgui.Dummy(p.size)
	margin := 2 * d.Scale
	p.corner.Y, p.size.Y = p.corner.Y+margin, p.size.Y-2*margin
	return p
}

// at is where a value stands.
func (p *plot) at(place, value float64) imgui.Vec2 {
	x, y := (place-p.left)/(p.right-p.left), 1-value/max(p.top, 1e-9)
	return p.corner.Add(imgui.NewVec2(p.size.X*float32(x), p.size.Y*float32(y)))
}

// band fills what is between two curves over 0, 1, ….
func (p *plot) band(ink color, from, to []float32) {
	smooth := p.list.Flags()
	p.list.SetFlags(smooth &^ imgui.DrawListFlagsAntiAliasedFill) // which leaves seams
	for i := range len(to) - 1 {
		a, b := float64(i), float64(i+1)
		p.list.AddQuadFilled(p.at(a, float64(from[i])), p.at(a, float64(to[i])), p.at(b, float64(to[i+1])), p.at(b, float64(from[i+1])), imgui.ColorU32Vec4(ink))
	}
	p.list.SetFlags(smooth)
}

// curve draws values over 0, 1, ….
func (p *plot) curve(ink color, thickness float32, values []float32) {
	for i := range len(values) - 1 {
		p.list.AddLineV(p.at(float64(i), float64(values[i])), p.at(float64(i+1), float64(values[i+1])), imgui.ColorU32Vec4(ink), thickness)
	}
}

// cells writes a row of a table, numbers to the right.
func (d *drawing) cells(ink color, name string, values ...string) {
	imgui.TableNextRow()
	imgui.TableNextColumn()
	imgui.TextColored(ink, name)
	for _, v := range values {
		imgui.TableNextColumn()
		if room := imgui.ContentRegionAvail().X - imgui.CalcTextSize(v).X; room > 0 {
			imgui.SetCursorPosX(imgui.CursorPosX() + room)
		}
		imgui.TextColored(ink, v)
	}
}

// series is one set of bars.
type series struct {
	ink    color
	values []float32
}

// bars draws sets of bars side by side, with a label under each place.
func (d *drawing) bars(labels []string, top float64, sets ...series) {
	count := len(sets[0].values)
	p := d.plot(barsHeight, -0.5, float64(count)-0.5, top*1.05)
	width := barWidth / float64(len(sets))
	for n, s := range sets {
		ink := s.ink
		ink.W *= barInk
		for i, value := range s.values {
			from := float64(i) - barWidth/2 + float64(n)*width
			p.list.AddRectFilled(p.at(from, float64(value)), p.at(from+width, 0), imgui.ColorU32Vec4(ink))
		}
	}
	if len(labels) == 0 {
		return
	}
	line := imgui.TextLineHeight()
	for i, label := range labels {
		at := p.at(float64(i), 0)
		p.list.AddTextVec2(imgui.NewVec2(at.X-imgui.CalcTextSize(label).X/2, at.Y+2*d.Scale), imgui.ColorU32Vec4(Colors().ink), label)
	}
	imgui.Dummy(imgui.NewVec2(0, line))
}

const (
	kindsHeight = 58 // of plots, at a content scale of 1
	barsHeight  = 66
	barWidth    = 0.7 // share of the distance between bars
	barInk      = 0.8 // opacity
)
