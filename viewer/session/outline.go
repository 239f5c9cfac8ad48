package session

import (
	"log/slog"
	"strings"
	"time"

	"glint/tracer/replay"
)

// Outline draws around what of the image shows what is selected on the scene page, once the view rests.
type Outline struct {
	OwnPicture
	frames *Frames
	stage  *Stage
	log    *slog.Logger

	of     outlined
	wanted bool  // it is not drawn yet
	mask   *mask // what is known so far; nil: nothing
}

// outlined is what there is an outline of.
type outlined struct {
	object  string // its pointer; empty: nothing
	side    *Side
	changed time.Time // when what is seen last changed
}

const (
	outlineSlice = 10 * time.Millisecond // of a frame, at about the most
	outlineBatch = 2048                  // pixels that are asked at a time
)

// look outlines an object; none where its pointer is empty.
func (o *Outline) look(object string) {
	of := outlined{object, o.frames.Active, o.frames.Rendered.changed}
	if o.of != of {
		o.release()
		o.of, o.mask, o.wanted = of, nil, object != ""
	}
	if !o.wanted || o.frames.Rendered.View.Moving || of.side.Stats.Samples == 0 {
		return
	}
	if o.mask == nil {
		o.mask = newMask(of.side.View.Width, of.side.View.Height)
	}
	shows := o.shows(object)
	for begun := time.Now(); len(o.mask.open) > 0 && time.Since(begun) < outlineSlice; {
		paths, err := of.side.Device.Replay(of.side.View, of.side.Used, o.mask.open[:min(len(o.mask.open), outlineBatch)], 1)
		if err != nil {
			return // the image is of another view: it is asked again
		}
		seen := make([]bool, len(paths))
		for k := range paths {
			seen[k] = shows(&paths[k])
		}
		o.mask.answer(seen)
	}
	if len(o.mask.open) > 0 {
		return
	}
	if img := o.mask.outline(); img != nil {
		if err := o.show(img); err != nil {
			o.log.Error("outline what is selected", "err", err)
		}
	}
	o.mask, o.wanted = nil, false
}

// Busy tells whether it is being drawn.
func (o *Outline) Busy() bool { return o.wanted }

// shows tells of paths whether their pixels show an object: a material, or a node with all below it.
func (o *Outline) shows(object string) func(p *replay.Path) bool {
	all, names := o.stage.Shown.Scene.Editable, o.stage.Shown.Prepared
	if all == nil {
		return func(*replay.Path) bool { return false }
	}
	below := map[string]bool{}
	if first := all.Find(object); first >= 0 {
		for i, n := range all.Nodes[first:] {
			if i > 0 && n.Depth <= all.Nodes[first].Depth {
				break
			}
			below[n.Object] = true
		}
	}
	material := strings.HasPrefix(object, "/materials/")
	return func(p *replay.Path) bool {
		if len(p.Vertices) == 0 {
			return false
		}
		v := &p.Vertices[0]
		if replay.Left(v) || replay.InMedium(v) {
			return false
		}
		return material && all.Material(int(v.Material)) == object || below[names.Node(v.Object)]
	}
}
