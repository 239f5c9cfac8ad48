package session

import (
	"fmt"

	"glint/tracer/settings"
)

// Tour shows one idea of light transport after another on the scene in the window, a sentence each.
type Tour struct {
	frames *Frames
	wanted bool              // it begins with the first scene
	at     int               // of the stops
	of     *Side             // that it is shown on; nil: nobody has asked for it
	before settings.Settings // of that side, of which it gives back what stops change
}

// stop is one step of the tour. It changes settings that are otherwise those of the stop before.
type stop struct {
	title, text string
	change      func(*settings.Settings)
}

// stops are those of the tour.
func stops() []stop {
	return []stop{
		{"Chance", "Paths bounce at random until they meet the lamp. Most never do, and those few that do are bright: that is the noise.",
			func(s *settings.Settings) { s.Integrator, s.Denoise, s.Roulette = "naive", "off", false }},
		{"Light sampling", "At each bounce one more ray asks whether a point of the lamp is seen. Matt surfaces are clean at once; mirrors of the lamp are lost or noisy.",
			func(s *settings.Settings) { s.Integrator, s.Sampling = "path", "light" }},
		{"Both, weighted", "Gloss finds the lamp better by chance, matt surfaces by light sampling. Multiple importance sampling takes both, and weights each by how well it does.",
			func(s *settings.Settings) { s.Sampling = "mis" }},
		{"Russian roulette", "Dim paths end early, and those that go on count for more. The picture is the same in the mean, and samples take less time.",
			func(s *settings.Settings) { s.Roulette = true }},
		{"Reuse", "ReSTIR: pixels share the light that they have found, with their neighbours and with the frame before. Turn the view to see what that gains.",
			func(s *settings.Settings) { s.Integrator = "restir" }},
		{"Denoising", "A filter blurs what is noise, and keeps edges and textures. It is biased; with more samples it does less.",
			func(s *settings.Settings) { s.Denoise = "atrous" }},
	}
}

// Start begins the tour, or ends it.
func (t *Tour) Start() {
	if t.Close() {
		return
	}
	t.of, t.before = t.frames.Active, t.frames.Active.Settings
	t.show(0)
}

// step goes on to the next stop, or back. After the last one the tour ends.
func (t *Tour) step(by int) {
	if t.of == nil {
		return
	}
	if next := t.at + by; next >= len(stops()) {
		t.Close()
	} else {
		t.show(max(next, 0))
	}
}

// show shows a stop.
func (t *Tour) show(at int) {
	s := t.of.Settings // with what the user has changed meanwhile
	t.giveBack(&s)
	for _, stop := range stops()[:at+1] {
		stop.change(&s)
	}
	t.at, t.of.Settings = at, s
}

// giveBack sets what stops change as it was before the tour.
func (t *Tour) giveBack(s *settings.Settings) {
	b := &t.before
	s.Integrator, s.Sampling, s.Roulette, s.Denoise = b.Integrator, b.Sampling, b.Roulette, b.Denoise
}

// Close ends it, with the settings of before. It tells whether it was under way.
func (t *Tour) Close() bool {
	if t.of == nil {
		return false
	}
	t.giveBack(&t.of.Settings)
	t.of = nil
	return true
}

// begin begins the tour that was asked for on the command line.
func (t *Tour) begin() {
	if t.wanted {
		t.wanted = false
		t.Start()
	}
}

// findings is what is shown of it.
func (t *Tour) findings() *Findings {
	if t.of == nil {
		return nil
	}
	all := stops()
	f := &Findings{Title: fmt.Sprintf("%d of %d: %s", t.at+1, len(all), all[t.at].title), Close: CloseFindings{}, Low: true}
	next := "next"
	if t.at+1 == len(all) {
		next = "end the tour"
	}
	f.Lines = append(f.Lines, Finding{Text: all[t.at].text, Mend: next, Do: StepTour{By: 1}})
	if t.at > 0 {
		f.Lines = append(f.Lines, Finding{Mend: "back", Do: StepTour{By: -1}})
	}
	return f
}
