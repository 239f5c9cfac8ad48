package session

// ToggleSplit opens side B, shows both side by side, or closes B.
func (s *Session) ToggleSplit() {
	switch {
	case !s.Sides.Comparing():
		s.OpenSplit()
	case s.Sides.Compare.Show != SideBySide:
		s.Sides.Compare.Show = SideBySide
	default:
		s.Sides.CloseSplit()
	}
}

// OpenSplit opens side B.
func (s *Session) OpenSplit() {
	s.Frames.Change.Drop(s.Log) // the sides show it
	s.showDivider()
	s.Sides.openB()
}

// showDivider takes the divider from below a panel to the middle of what panels leave free.
func (s *Session) showDivider() {
	width, _ := s.host.Size()
	free := s.host.Free()
	if at := float32(s.Sides.Compare.Divider) * float32(width); width > 0 && (at <= free.From[0] || at >= free.To[0]) {
		s.Sides.Compare.Divider = float64(free.Middle()) / float64(width)
	}
}
