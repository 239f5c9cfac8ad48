package session

import (
	"glint/tracer/gpuscene"
	"glint/tracer/guard"
	"glint/tracer/scene"
)

// ReportModel is what loading has found out about the file on the screen.
type ReportModel struct {
	Extensions, Findings []ReportLine
	Light                []ReportLine // that the file does not have
	Count                int          // of what is not drawn as the file says
}

// ReportLine is one line of the report. A click on it shows its places, one after another.
type ReportLine struct {
	Text   string
	About  string // smaller, below it; empty: nothing
	Places []scene.Place
}

// NewReportModel is the report of a file as the window shows it.
func NewReportModel(p *gpuscene.Prepared) *ReportModel {
	r := &p.Scene.Report
	m := &ReportModel{Count: len(r.Summary())}
	if p.Added != "" {
		m.Light = []ReportLine{{Text: p.Added}}
	}
	for _, e := range r.Extensions {
		about := e.Support.String()
		if e.Required {
			about += ", required"
		}
		if e.Note != "" {
			about += ": " + e.Note
		}
		m.Extensions = append(m.Extensions, ReportLine{guard.Name(e.Name), about, seenPlaces(e.Places)})
	}
	for _, f := range r.Findings() {
		m.Findings = append(m.Findings, ReportLine{f.String(), "", seenPlaces(f.Places)})
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
