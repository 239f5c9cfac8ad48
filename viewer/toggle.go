package viewer

import (
	"fmt"
	"slices"
	"time"

	"glint/tracer"
)

// toggle is the last change of one setting, and what a sample of the view took before it. The zero value is none.
type toggle struct {
	of     *side
	what   string
	before time.Duration
	at     time.Time
}

// toggleFor is how long a toggle's cost stays over the image.
const toggleFor = 20 * time.Second

// noteToggle begins to measure a change of a side's settings, if it is of one setting that restarts the image. It must be
// called before the side's meter forgets.
func (a *app) noteToggle(s *side, now time.Time) {
	var what string
	changes := 0
	for _, row := range tracer.SettingsTable() {
		if !sameValue(row, s.used, s.settings) {
			what = describe(row, s.settings)
			changes++
		}
	}
	a.toggle = toggle{}
	if changes == 1 && s.meter.steady() > 0 {
		a.toggle = toggle{of: s, what: what, before: s.meter.steady(), at: now}
	}
}

// text says what the toggle costs, as far as that is known.
func (t toggle) text() string {
	after := t.of.meter.steady()
	if after == 0 {
		return fmt.Sprintf("%s   %s → …", t.what, duration(t.before))
	}
	text := fmt.Sprintf("%s   %s → %s a sample", t.what, duration(t.before), duration(after))
	gain := t.before.Seconds() / after.Seconds()
	const even = 0.01 // what is within the noise
	switch {
	case gain > 1+even:
		return text + fmt.Sprintf("   %.2f× as fast", gain)
	case gain < 1-even:
		return text + fmt.Sprintf("   %.2f× as slow", 1/gain)
	}
	return text + "   no difference"
}

// drawToggle shows what the last toggle costs on this view.
func (h *hud) drawToggle(a *app) {
	if t := a.toggle; slices.Contains(a.sides, t.of) && (a.showStats || time.Since(t.at) < toggleFor) {
		h.overlay("##toggle", 0.9, func() { h.wrapped(t.text(), colours().ink) })
	}
}
