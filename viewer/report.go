package viewer

import (
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// reportModel is what loading has found out about the file on the screen.
type reportModel struct {
	extensions, findings []reportLine
	light                []reportLine // that the file does not have
	count                int          // of what is not drawn as the file says
}

// reportLine is one line of the report. A click on it shows its places, one after another.
type reportLine struct {
	text   string
	about  string // smaller, below it; empty: nothing
	places []scene.Place
}

// newReportModel is the report of a file as the window shows it.
func newReportModel(p *gpuscene.Prepared) *reportModel {
	r := &p.Scene.Report
	m := &reportModel{count: len(r.Summary())}
	if p.Added != "" {
		m.light = []reportLine{{text: p.Added}}
	}
	for _, e := range r.Extensions {
		about := e.Support.String()
		if e.Required {
			about += ", required"
		}
		if e.Note != "" {
			about += ": " + e.Note
		}
		m.extensions = append(m.extensions, reportLine{guard.Name(e.Name), about, seenPlaces(e.Places)})
	}
	for _, f := range r.Findings() {
		m.findings = append(m.findings, reportLine{f.String(), "", seenPlaces(f.Places)})
	}
	return m
}

// seenPlaces are those where something is drawn.
func seenPlaces(list []scene.Place) (seen []scene.Place) {
	for _, p := range list {
		if p.At != nil {
			seen = append(seen, p)
		}
	}
	return seen
}
