package viewer

import (
	"github.com/AllenDang/cimgui-go/imgui"
)

const (
	keyGap       = 28  // between columns, at a content scale of 1
	keyColumnMin = 380 // width of a column, at least, where there are several
	keyColumnMax = 3   // columns
)

// keyTable is the table of keys as it is shown.
type keyTable struct {
	rows    []keyRow        // by the names of a US keyboard
	printed func() []keyRow // by what is printed on the user's
}

// drawKeys shows the key table of a mode, in as many columns as fit.
func (h *hud) drawKeys(mode Mode) {
	imgui.SetNextWindowPosV(h.at.help.middle(), imgui.CondAlways, imgui.NewVec2(0.5, 0.5))
	most := h.at.help.max.Sub(h.at.help.min)
	imgui.SetNextWindowSizeConstraints(imgui.Vec2{}, most)
	imgui.SetNextWindowBgAlpha(0.97)
	const flags = overlayFlags&^imgui.WindowFlagsNoDecoration | imgui.WindowFlagsNoTitleBar | imgui.WindowFlagsNoResize
	if imgui.BeginV("##keys", nil, flags) {
		h.covers = append(h.covers, rect{imgui.WindowPos(), imgui.WindowPos().Add(imgui.WindowSize())})
		imgui.PushFont(h.title, titleSize)
		imgui.TextUnformatted("Keys · " + mode.String())
		imgui.PopFont()
		imgui.SameLineV(0, keyGap*h.scale)
		h.faint("Esc closes")
		imgui.PushFont(h.plain, smallSize)
		style := imgui.CurrentStyle()
		inside := most.X - 2*style.WindowPadding().X - style.ScrollbarSize()
		gap := keyGap * h.scale
		count := min(max(int((inside+gap)/(keyColumnMin*h.scale+gap)), 1), keyColumnMax)
		room := (inside+gap)/float32(count) - gap // of a column
		columns := keyColumns(h.keys.printed(), mode, count)
		for i, column := range columns {
			if i > 0 {
				imgui.SameLineV(0, gap)
			}
			imgui.BeginGroup()
			h.drawKeyColumn(column, mode, room)
			imgui.EndGroup()
		}
		imgui.PopFont()
	}
	imgui.End()
}

// keyColumns splits the rows that a mode has into columns of whole groups, about equally long.
func keyColumns(rows []keyRow, mode Mode, count int) [][][]keyRow {
	var all [][]keyRow
	total := 0
	for _, name := range groups(rows, func(row keyRow) string { return row.group }) {
		var group []keyRow
		for _, row := range rows {
			if row.group == name && row.keys[mode] != "" {
				group = append(group, row)
			}
		}
		if len(group) > 0 {
			all = append(all, group)
			total += len(group) + 1
		}
	}
	columns := make([][][]keyRow, count)
	at := 0
	for _, group := range all {
		column := min(count*(at+len(group)/2)/total, count-1)
		columns[column] = append(columns[column], group)
		at += len(group) + 1
	}
	return columns
}

// keyColumnWidths are the widest keys and the widest explanation of a column.
func keyColumnWidths(column [][]keyRow, mode Mode) (keys, help float32) {
	for _, group := range column {
		for _, row := range group {
			keys = max(keys, imgui.CalcTextSize(row.keys[mode]).X)
			help = max(help, imgui.CalcTextSize(row.help).X)
		}
	}
	return keys, help
}

// drawKeyColumn draws a column no wider than its room.
func (h *hud) drawKeyColumn(column [][]keyRow, mode Mode, room float32) {
	keys, help := keyColumnWidths(column, mode)
	gap, left := keyGap*h.scale/2, imgui.CursorPosX()
	help = min(help, room-keys-gap) + 1
	for _, group := range column {
		imgui.TextColored(colours().accent, group[0].group)
		for _, row := range group {
			imgui.TextUnformatted(row.keys[mode])
			imgui.SameLineV(keys+gap, 0)
			imgui.PushTextWrapPosV(left + keys + gap + help)
			h.faint(row.help)
			imgui.PopTextWrapPos()
		}
		imgui.Spacing()
	}
}
