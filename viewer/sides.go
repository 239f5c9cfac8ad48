package viewer

import "glint/viewer/session"

// toggleSplit opens side B, shows both side by side, or closes B.
func (s *Session) toggleSplit() {
	switch {
	case !s.comparing():
		s.openSplit()
	case s.compare.show != session.SideBySide:
		s.compare.show = session.SideBySide
	default:
		s.closeSplit()
	}
}

// openSplit opens side B.
func (s *Session) openSplit() {
	s.change.drop(s.log) // the sides show it
	s.showDivider()
	s.openB()
}

// showDivider takes the divider from below a panel to the middle of what panels leave free.
func (s *Session) showDivider() {
	width, _ := s.host.Size()
	free := s.host.Free()
	if at := float32(s.compare.divider) * float32(width); width > 0 && (at <= free.From[0] || at >= free.To[0]) {
		s.compare.divider = float64(free.Middle()) / float64(width)
	}
}
