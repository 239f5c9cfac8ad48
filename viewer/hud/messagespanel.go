package hud

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/viewer/session"
)

// drawMessages stacks messages from the bottom up, the newest at the bottom, as many as there is room for.
func drawMessages(d *drawing, list session.Messages) {
	bottom := d.At.messages.Max.Y
	for i := len(list) - 1; i >= 0; i-- {
		ink := Colors().ink
		if list[i].Warning {
			ink = Colors().Accent
		}
		height := drawText(d, fmt.Sprintf("##message%d", i), list[i], ink, bottom)
		if height == 0 {
			return
		}
		bottom -= height + labelGap*d.Scale
	}
}

// drawText writes text on glass in the middle of where messages are, above a line, and gives the height; 0 when there is no
// room.
func drawText(d *drawing, id string, m session.Message, ink color, bottom float32) float32 {
	room, pad := d.At.messages, imgui.CurrentStyle().WindowPadding()
	wrap := min(messageWidth*d.Scale, room.Width()) - 2*pad.X
	if wrap <= 0 {
		return 0
	}
	size := imgui.CalcTextSizeV(m.Text, false, wrap).Add(pad.Add(pad))
	bar := imgui.NewVec2(size.X-2*pad.X, barThickness*d.Scale)
	if m.Bar {
		size.Y += bar.Y + imgui.CurrentStyle().ItemSpacing().Y
	}
	top := bottom - size.Y
	if top < room.Min.Y {
		return 0
	}
	imgui.SetNextWindowPos(imgui.NewVec2(room.Middle().X-size.X/2, top))
	imgui.SetNextWindowSize(size.Add(imgui.NewVec2(1, 0))) // rounding must not break a line
	if imgui.BeginV(id, nil, overlayFlags&^imgui.WindowFlagsAlwaysAutoResize|imgui.WindowFlagsNoInputs) {
		imgui.PushStyleColorVec4(imgui.ColText, ink)
		imgui.PushTextWrapPosV(pad.X + wrap + 1)
		imgui.TextUnformatted(m.Text)
		imgui.PopTextWrapPos()
		imgui.PopStyleColor()
		if m.Bar {
			imgui.ProgressBarV(-float32(imgui.Time()), bar, "") // it runs to and fro: nobody knows how much is left
		}
	}
	imgui.End()
	return size.Y
}
