package scene

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"glint/tracer/guard"
	"glint/tracer/scene/picture"
)

// sharedPicture is what one run of bytes becomes, whatever uses it.
type sharedPicture struct {
	*picture.Picture
	sources []int // images of the file
	users   []int // images of the scene
}

// pictures are those in use, judged by their headers, with memory for their pixels taken in the order of their use: the same
// file always has the same ones.
type pictures struct {
	list []*sharedPicture
	room int64 // bytes for all that is being decoded at a time, at least what the largest needs
}

// imagePass decodes the images of the scene.
type imagePass struct {
	doc       *document
	table     *textureTable
	materials []Material
	failed    map[int]bool      // images of the file
	shows     map[int][]subject // the materials that each image of the file is on; nil until one fails
}

func newImagePass(doc *document, table *textureTable, materials []Material) *imagePass {
	return &imagePass{doc: doc, table: table, materials: materials, failed: map[int]bool{}}
}

// plan plans the given images of the scene.
func (p *imagePass) plan(users []int) *pictures {
	type run struct { // of bytes
		first  *byte
		length int
	}
	all, runs, known := &pictures{}, map[run]*sharedPicture{}, map[int]*sharedPicture{}
	var read int64
	plan := func(source int) (*sharedPicture, error) {
		data, err := p.data(source)
		if err != nil {
			return nil, err
		}
		if len(data) == 0 {
			return nil, errors.New("has no data")
		}
		key := run{&data[0], len(data)}
		shared := runs[key]
		if shared == nil {
			if read += int64(len(data)); read > p.doc.files.given { // or a small file would keep decoders busy for hours
				return nil, errors.New("overlaps other images in its buffer")
			}
			judged, err := planPicture(p.doc.job, data, &all.room)
			if err != nil {
				return nil, err
			}
			shared = &sharedPicture{Picture: judged}
			runs[key] = shared
			all.list = append(all.list, shared)
		}
		shared.sources = append(shared.sources, source)
		return shared, nil
	}
	for _, user := range users {
		source := p.table.sources[user]
		shared, done := known[source]
		if !done {
			var err error
			if shared, err = plan(source); err != nil {
				p.fail(source, err)
			}
			known[source] = shared
		}
		if shared != nil {
			shared.users = append(shared.users, user)
		}
	}
	if more := all.room * int64(runtime.GOMAXPROCS(0)-1); len(all.list) > 1 && p.doc.scratch.Take("decoding images side by side", more) == nil {
		all.room += more
	}
	return all
}

// planAll plans all images of the scene.
func (p *imagePass) planAll() *pictures {
	all := make([]int, len(p.table.images))
	for i := range all {
		all[i] = i
	}
	return p.plan(all)
}

// data is the file of an image.
func (p *imagePass) data(source int) ([]byte, error) {
	switch src := p.doc.Images[source]; {
	case src.BufferView != nil:
		return p.doc.bufferView(*src.BufferView)
	case src.URI != "":
		return p.doc.files.resolve(src.URI)
	default:
		return nil, errors.New("has neither uri nor bufferView")
	}
}

func (p *imagePass) fail(source int, err error) {
	p.failed[source] = true
	p.doc.files.noteUnread(p.doc.Images[source].URI)
	instead := "drawn without it"
	if p.table.spare[source] {
		instead = "drawn with the image that its texture has for such a case"
	}
	p.doc.warn.about(label("image", source, p.doc.Images[source].Name), p.showing(source), "%v: %s", err, instead)
}

// showing are the materials that an image of the file is on.
func (p *imagePass) showing(source int) []subject {
	if p.shows == nil { // once for all, since all images may be broken
		p.shows = map[int][]subject{}
		for i, m := range p.materials {
			for _, ref := range m.Textures {
				if ref.Texture >= 0 {
					of := p.table.sources[p.table.textures[ref.Texture].Image]
					p.shows[of] = append(p.shows[of], subject{materialSubject, i})
				}
			}
		}
	}
	return p.shows[source]
}

// decode decodes pictures, as many at a time as there is room for.
func (p *imagePass) decode(all *pictures) {
	errs, damage := make([]error, len(all.list)), make([]error, len(all.list)) // each has its own: the others go on
	var room gate
	room.open(all.room)
	_ = guard.Each(p.doc.ctx, len(all.list), func(n int) error {
		shared := all.list[n]
		room.enter(shared.Scratch)
		defer room.leave(shared.Scratch)
		pixels, err := shared.Decode(p.doc.ctx)
		errs[n], damage[n] = err, pixels.Damage
		for _, i := range shared.users {
			image := &p.table.images[i]
			image.Width, image.Height, image.Pixels, image.Deep = shared.Width, shared.Height, pixels.RGBA, pixels.Deep
		}
		return nil
	})
	for n, err := range errs {
		shared := all.list[n]
		for _, source := range shared.sources {
			switch {
			case err != nil:
				p.fail(source, err)
			case damage[n] != nil:
				p.doc.files.noteUnread(p.doc.Images[source].URI) // it may still be being written
				p.doc.warn.about(label("image", source, p.doc.Images[source].Name), p.showing(source),
					"the %s image is damaged (%v): drawn as far as it goes", shared.Format, damage[n])
			}
		}
	}
}

// takeFallbacks decodes the fallbacks of those images that could not be.
func (p *imagePass) takeFallbacks() {
	var users []int
	for user, source := range p.table.sources {
		if fallback := p.table.fallbacks[user]; p.failed[source] && fallback >= 0 {
			p.table.sources[user] = fallback
			users = append(users, user)
		}
	}
	if len(users) > 0 {
		p.decode(p.plan(users))
	}
}

// planPicture judges an image by its header, takes the memory of its pixels, and sees to room for decoding it.
func planPicture(j *job, data []byte, room *int64) (*picture.Picture, error) {
	p, err := picture.Judge(data)
	if err != nil {
		return nil, err
	}
	what := fmt.Sprintf("%d × %d pixels", p.Width, p.Height)
	more := max(p.Scratch-*room, 0)
	if err := j.memory.Check(what, p.Bytes+more); err != nil {
		return nil, err
	}
	*room += more
	return p, cmp.Or(j.memory.Take(what, p.Bytes), j.scratch.Take(what, more))
}

// gate lets in as much at a time as there is room for. None may be more than all of it.
type gate struct {
	mu    sync.Mutex
	freed sync.Cond
	left  int64
}

func (g *gate) open(room int64) { g.left, g.freed.L = room, &g.mu }

func (g *gate) enter(bytes int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.left < bytes {
		g.freed.Wait()
	}
	g.left -= bytes
}

func (g *gate) leave(bytes int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left += bytes
	g.freed.Broadcast()
}
