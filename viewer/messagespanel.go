package viewer

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"fmt"
)

// drawMessages stacks messages from the bottom up, the newest at the bottom, as many as there is room for.
func (h *hud) drawMessages(list messages) {
	bottom := h.at.messages.max.Y
	for i := len(list) - 1; i >= 0; i-- {
		ink := colours().ink
		if list[i].warning {
			ink = colours().accent
		}
		height := h.drawText(fmt.Sprintf("##message%d", i), list[i], ink, bottom)
		if height == 0 {
			return
		}
		bottom -= height + labelGap*h.scale
	}
}

// drawText writes text on glass in the middle of where messages are, above a line, and gives the height; 0 when there is no
// room.
func (h *hud) drawText(id string, m message, ink colour, bottom float32) float32 {
	room, pad := h.at.messages, imgui.CurrentStyle().WindowPadding()
	wrap := min(messageWidth*h.scale, room.width()) - 2*pad.X
	if wrap <= 0 {
		return 0
	}
	size := imgui.CalcTextSizeV(m.text, false, wrap).Add(pad.Add(pad))
	bar := imgui.NewVec2(size.X-2*pad.X, barThickness*h.scale)
	if m.bar {
		size.Y += bar.Y + imgui.CurrentStyle().ItemSpacing().Y
	}
	top := bottom - size.Y
	if top < room.min.Y {
		return 0
	}
	imgui.SetNextWindowPos(imgui.NewVec2(room.middle().X-size.X/2, top))
	imgui.SetNextWindowSize(size.Add(imgui.NewVec2(1, 0))) // rounding must not break a line
	if imgui.BeginV(id, nil, overlayFlags&^imgui.WindowFlagsAlwaysAutoResize|imgui.WindowFlagsNoInputs) {
		imgui.PushStyleColorVec4(imgui.ColText, ink)
		imgui.PushTextWrapPosV(pad.X + wrap + 1)
		imgui.TextUnformatted(m.text)
		imgui.PopTextWrapPos()
		imgui.PopStyleColor()
		if m.bar {
			imgui.ProgressBarV(-float32(imgui.Time()), bar, "") // it runs to and fro: nobody knows how much is left
		}
	}
	imgui.End()
	return size.Y
}
