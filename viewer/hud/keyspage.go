package hud

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"glint/viewer/session"
)

// Columns of the page.
const (
	keyColumnMin = 380 // width of a column, at least, where there are several
	KeyColumnMax = 3   // columns
	keyLineGap   = 2   // between lines, at most
	hair         = 0.1 // by which what fits is smaller than its place
	leastLetters = 10  // size of letters that can be read
)

// drawKeys shows the key table of a mode, in as many columns as fit.
func drawKeys(d *drawing, rows []session.KeyRow, mode session.Mode) {
	imgui.SetNextWindowPosV(d.At.Help.Middle(), imgui.CondAlways, imgui.NewVec2(0.5, 0.5))
	most := d.At.Help.Max.Sub(d.At.Help.Min)
	imgui.SetNextWindowSizeConstraints(imgui.Vec2{}, most)
	imgui.SetNextWindowBgAlpha(0.97)
	const flags = overlayFlags&^imgui.WindowFlagsNoDecoration | imgui.WindowFlagsNoTitleBar | imgui.WindowFlagsNoResize
	if imgui.BeginV("##keys", nil, flags) {
		d.Covers = append(d.Covers, Rect{imgui.WindowPos(), imgui.WindowPos().Add(imgui.WindowSize())})
		d.pageTitle("Keys · "+mode.String(), "escape")
		style := imgui.CurrentStyle()
		inside := most.X - 2*style.WindowPadding().X - style.ScrollbarSize()
		gap := keyGap * d.Scale
		count := min(max(int((inside+gap)/(keyColumnMin*d.Scale+gap)), 1), KeyColumnMax)
		room := (inside+gap)/float32(count) - gap // of a column
		columns := KeyColumns(rows, mode, count)
		size, between := keyLetters(d, columns, mode, room, most.Y-imgui.CursorPosY()-style.WindowPadding().Y)
		imgui.PushFont(d.plain, size)
		imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.NewVec2(style.ItemSpacing().X, between))
		for i, column := range columns {
			if i > 0 {
				imgui.SameLineV(0, gap)
			}
			imgui.BeginGroup()
			drawKeyColumn(d, column, mode, room)
			imgui.EndGroup()
		}
		imgui.PopStyleVar()
		imgui.PopFont()
	}
	imgui.End()
}

// KeyColumns splits the rows that a mode has into columns of whole groups, the longest as short as may be.
func KeyColumns(rows []session.KeyRow, mode session.Mode, count int) [][][]session.KeyRow {
	var all [][]session.KeyRow
	total := 0
	for _, name := range session.Groups(rows, func(row session.KeyRow) string { return row.Group }) {
		var group []session.KeyRow
		for _, row := range rows {
			if row.Group == name && row.Keys[mode] != "" {
				group = append(group, row)
			}
		}
		if len(group) > 0 {
			all = append(all, group)
			total += len(group) + 1
		}
	}
	for high := total / count; ; high++ {
		if columns := packed(all, high); len(columns) <= count {
			return append(columns, make([][][]session.KeyRow, count-len(columns))...)
		}
	}
}

// packed puts groups into columns of at most so many lines, but at least one group each.
func packed(groups [][]session.KeyRow, high int) (columns [][][]session.KeyRow) {
	left := 0
	for _, group := range groups {
		if lines := len(group) + 1; len(columns) == 0 || lines > left {
			columns, left = append(columns, nil), high
		}
		columns[len(columns)-1] = append(columns[len(columns)-1], group)
		left -= len(group) + 1
	}
	return columns
}

// keyColumnWidths are the widest keys and the widest explanation of a column.
func keyColumnWidths(column [][]session.KeyRow, mode session.Mode) (keys, help float32) {
	for _, group := range column {
		for _, row := range group {
			keys = max(keys, imgui.CalcTextSize(row.Keys[mode]).X)
			help = max(help, imgui.CalcTextSize(row.Help).X)
		}
	}
	return keys, help
}

// keyLetters are the size of letters, and the gap between lines, with which columns fit into a height: the usual ones, or else smaller.
func keyLetters(d *drawing, columns [][][]session.KeyRow, mode session.Mode, room, most float32) (size, between float32) {
	for size = smallSize; ; size -= 0.5 {
		between = keyLineGap * d.Scale
		imgui.PushFont(d.plain, size)
		for _, column := range columns {
			height, gaps := keyColumnHeight(d, column, mode, room)
			between = min(between, (most-height)/gaps-hair)
		}
		imgui.PopFont()
		if between >= 0 || size <= leastLetters {
			return size, max(between, 0)
		}
	}
}

// keyColumnHeight is the height of a column's lines, and how many gaps there are between them.
func keyColumnHeight(d *drawing, column [][]session.KeyRow, mode session.Mode, room float32) (height, gaps float32) {
	keys, help := keyColumnWidths(column, mode)
	help = min(help, room-keys-keyGap*d.Scale/2) + 1
	for _, group := range column {
		height += imgui.TextLineHeight()
		gaps += 2
		for _, row := range group {
			height += imgui.CalcTextSizeV(row.Help, false, help).Y
			gaps++
		}
	}
	return height, max(gaps, 1)
}

// drawKeyColumn draws a column no wider than its room.
func drawKeyColumn(d *drawing, column [][]session.KeyRow, mode session.Mode, room float32) {
	keys, help := keyColumnWidths(column, mode)
	gap, left := keyGap*d.Scale/2, imgui.CursorPosX()
	help = min(help, room-keys-gap) + 1
	for _, group := range column {
		imgui.TextColored(Colors().Accent, group[0].Group)
		for _, row := range group {
			imgui.TextUnformatted(row.Keys[mode])
			imgui.SameLineV(keys+gap, 0)
			imgui.PushTextWrapPosV(left + keys + gap + help)
			d.faint(row.Help)
			imgui.PopTextWrapPos()
		}
		imgui.Spacing()
	}
}
