package hud

import "testing"

func TestLabelSpans(t *testing.T) {
	const gap = 8
	room := span{340, 940} // 340 to 1280
	for _, c := range []struct {
		divider float32
		a, b    float32
	}{
		{800, 592, 808},
		{360, 340, 548},   // too little room for A left of the divider
		{100, 340, 548},   // the divider is under the panel
		{1270, 872, 1080}, // none for B right of it
		{1100, 872, 1080},
	} {
		got := labelSpans(c.divider, room, [2]float32{200, 200}, gap)
		if got[0].from != c.a || got[1].from != c.b {
			t.Errorf("divider %v: labels at %v and %v, want %v and %v", c.divider, got[0].from, got[1].from, c.a, c.b)
		}
	}
	narrow := labelSpans(150, span{0, 300}, [2]float32{200, 200}, gap)
	if narrow[0].from != 0 || narrow[1].from < narrow[0].to() {
		t.Errorf("in a narrow window the labels overlap: %v", narrow)
	}
}
