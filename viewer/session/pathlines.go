package session

import (
	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/replay"
	"glint/tracer/view"
)

// linesOf are the lines of a path over the image: from vertex to vertex, and from each to the light that was sampled there.
func linesOf(p *replay.Path, lens view.Lens, radius float32) (lines []PathLine) {
	add := func(kind LineKind, from, to mgl32.Vec3) {
		if a, b, ok := view.Segment(lens, from, to); ok {
			lines = append(lines, PathLine{a, b, kind})
		}
	}
	for k := range p.Vertices {
		v := &p.Vertices[k]
		at := mgl32.Vec3(v.Position)
		if k > 0 {
			before := mgl32.Vec3(p.Vertices[k-1].Position)
			if replay.Left(v) {
				at = before.Add(at.Mul(4 * radius)) // it leaves the scene in that direction
			}
			add(LineOfPath, before, at)
		}
		if v.LightDistance > 0 {
			kind := LineToLight
			if v.Direct == [3]float32{} {
				kind = LineHidden
			}
			add(kind, at, at.Add(mgl32.Vec3(v.ToLight).Mul(min(v.LightDistance, 4*radius))))
		}
	}
	return lines
}

// sharedLines are those from what a pixel shows to where its shared samples come from.
func sharedLines(path *replay.Path, shared *replay.Shared, lens view.Lens) (lines []PathLine) {
	if len(path.Vertices) == 0 {
		return nil
	}
	from := mgl32.Vec3(path.Vertices[0].Position)
	for _, s := range shared.Samples {
		to := mgl32.Vec3(s.X2)
		if replay.FromAfar(s) {
			to = from.Add(to.Mul(path.Vertices[0].Distance))
		}
		if a, b, ok := view.Segment(lens, from, to); ok {
			lines = append(lines, PathLine{a, b, LineToLight})
		}
	}
	return lines
}
