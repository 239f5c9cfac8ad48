package session

import (
	"testing"
	"time"

	"glint/tracer"
	"glint/tracer/replay"
)

// outlinedIn has the scene page shown until there is an outline, and gives it: alpha by pixel.
func outlinedIn(t *testing.T, s *Session) []byte {
	t.Helper()
	for end, first := time.Now().Add(time.Minute), true; first || s.Outline.Picture == nil || s.Outline.Busy(); first = false {
		now := time.Now()
		if now.After(end) {
			t.Fatal("there is no outline")
		}
		if _, err := s.Render(UserState{Edit: true}, now, time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
	pixels := s.Outline.Picture.(*memory).pixels
	alpha := make([]byte, len(pixels)/4)
	for i := range alpha {
		alpha[i] = pixels[4*i+3]
	}
	return alpha
}

// TestOutline: it goes along the edge of what is selected, a material or a node with all below it, and nowhere else; it ends with the page, and
// when the view changes.
func TestOutline(t *testing.T) {
	const width, height = 96, 64
	s := opened(t, shelfFile(t), headless(width, height), nil)
	until(t, s, "samples", func() bool { return s.Sides.Active.Stats.Samples > 0 })
	var all []tracer.PixelSample
	for i := range width * height {
		all = append(all, tracer.PixelSample{X: i % width, Y: i / width})
	}
	side, shown := s.Sides.Active, make([]string, len(all)) // the node of each pixel
	paths, err := side.Device.Replay(side.View, side.Used, all, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range paths {
		if v := p.Vertices[0]; !replay.Left(&v) {
			shown[i] = s.Stage.Shown.Prepared.ObjectName(v.Object)
		}
	}
	cup, handle, shelf := `node 1 "cup"`, `node 3 "handle"`, `node 0 "shelf"`
	for object, nodes := range map[string][]string{"/materials/1": {cup}, "/nodes/1": {cup, handle}, "/nodes/0": {shelf, cup, handle}, "/nodes/3": {handle}} {
		is := func(x, y int) bool {
			i := min(max(y, 0), height-1)*width + min(max(x, 0), width-1)
			for _, node := range nodes {
				if shown[i] == node {
					return true
				}
			}
			return false
		}
		s.Do(SelectObject{Object: object})
		alpha := outlinedIn(t, s)
		missing, stray, edges := 0, 0, 0
		for i, a := range alpha {
			x, y := i%width, i/width
			near, around := false, 0
			for dy := -3; dy <= 3; dy++ {
				for dx := -3; dx <= 3; dx++ {
					near = near || is(x+dx, y+dy) != is(x, y)
					if max(dx, -dx, dy, -dy) == 1 && is(x+dx, y+dy) != is(x, y) {
						around++
					}
				}
			}
			if around >= 3 && around <= 5 { // a straight edge
				if edges++; a < 128 {
					missing++
				}
			}
			if !near && a > 0 {
				stray++
			}
		}
		if edges < 20 || missing > edges/10 || stray > 0 {
			t.Errorf("%s: of %d pixels at its edge %d have no outline; %d elsewhere have one", object, edges, missing, stray)
		}
	}
	s.Do(SetFieldOfView{Degrees: 30})
	if _, err := s.Render(UserState{Edit: true}, time.Now(), time.Millisecond); err != nil || s.Outline.Picture != nil {
		t.Errorf("the outline stays when the view changes: %v", err)
	}
	outlinedIn(t, s)
	until(t, s, "the page to close", func() bool { return s.Outline.Picture == nil })
	if s.Outline.Busy() {
		t.Error("it is drawn although nobody sees it")
	}
}
