package scene

import (
	"context"
	"errors"
	"fmt"
	"image"
	"runtime"
	"slices"
	"sync"

	"glint/tracer/guard"
)

// picture is what one run of bytes becomes, whatever uses it.
type picture struct {
	data          []byte
	format        imageFormat
	width, height int
	scratch       int64 // bytes that decoding takes beside the pixels
	sources       []int // images of the file
	users         []int // images of the scene
	deep          bool  // once decoded: its pixels have 16 bits a channel
	damage        error // what is wrong with an image that can be seen all the same
}

// pictures are those in use, judged by their headers, with memory for their pixels taken in the order of their use: the same
// file always has the same ones.
type pictures struct {
	list []*picture
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
	all, runs, known := &pictures{}, map[run]*picture{}, map[int]*picture{}
	var read int64
	plan := func(source int) (*picture, error) {
		data, err := p.data(source)
		if err != nil {
			return nil, err
		}
		if len(data) == 0 {
			return nil, errors.New("has no data")
		}
		key := run{&data[0], len(data)}
		picture := runs[key]
		if picture == nil {
			if read += int64(len(data)); read > p.doc.files.given { // or a small file would keep decoders busy for hours
				return nil, errors.New("overlaps other images in its buffer")
			}
			if picture, err = planPicture(p.doc.job, data, &all.room); err != nil {
				return nil, err
			}
			runs[key] = picture
			all.list = append(all.list, picture)
		}
		picture.sources = append(picture.sources, source)
		return picture, nil
	}
	for _, user := range users {
		source := p.table.sources[user]
		picture, done := known[source]
		if !done {
			var err error
			if picture, err = plan(source); err != nil {
				p.fail(source, err)
			}
			known[source] = picture
		}
		if picture != nil {
			picture.users = append(picture.users, user)
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
	errs := make([]error, len(all.list)) // each has its own: the others go on
	var room gate
	room.open(all.room)
	_ = guard.Each(p.doc.ctx, len(all.list), func(n int) error {
		picture := all.list[n]
		room.enter(picture.scratch)
		defer room.leave(picture.scratch)
		var pixels []byte
		pixels, errs[n] = picture.decode(p.doc.ctx)
		for _, i := range picture.users {
			image := &p.table.images[i]
			image.Width, image.Height, image.Pixels, image.Deep = picture.width, picture.height, pixels, picture.deep
		}
		return nil
	})
	for n, err := range errs {
		picture := all.list[n]
		for _, source := range picture.sources {
			switch {
			case err != nil:
				p.fail(source, err)
			case picture.damage != nil:
				p.doc.files.noteUnread(p.doc.Images[source].URI) // it may still be being written
				p.doc.warn.about(label("image", source, p.doc.Images[source].Name), p.showing(source),
					"the %s image is damaged (%v): drawn as far as it goes", picture.format.name, picture.damage)
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
func planPicture(j *job, data []byte, room *int64) (*picture, error) {
	formats := imageFormats()
	at := slices.IndexFunc(formats, func(f imageFormat) bool { return f.matches(data) })
	if at < 0 {
		return nil, errors.New("the image cannot be read: convert it to PNG, JPEG or WebP")
	}
	p := &picture{data: data, format: formats[at]}
	var config image.Config
	err := guard.Safely(func() (err error) {
		config, err = p.format.config(data)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the %s image cannot be read: %w", p.format.name, err)
	}
	p.width, p.height = config.Width, config.Height
	if p.width < 1 || p.height < 1 || p.width > maxSide || p.height > maxSide {
		return nil, fmt.Errorf("%d × %d pixels: sides of 1 to %d can be read", p.width, p.height, maxSide)
	}
	count := int64(p.width) * int64(p.height)
	p.scratch = count * p.format.scratch(data, config.ColorModel)
	what := fmt.Sprintf("%d × %d pixels", p.width, p.height)
	bytes := count * texelBytes(config.ColorModel)
	more := max(p.scratch-*room, 0)
	if err := j.memory.Check(what, bytes+more); err != nil {
		return nil, err
	}
	*room += more
	return p, orElse(j.memory.Take(what, bytes), j.scratch.Take(what, more))
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

// decode gives the pixels as an Image has them.
func (p *picture) decode(ctx context.Context) (pixels []byte, err error) {
	err = guard.Safely(func() error { // a decoder's fault on a hostile image concerns that image alone
		decoded, err := p.format.decode(ctx, p.data)
		if p.damage = err; decoded == nil {
			return fmt.Errorf("the %s image cannot be decoded: %w", p.format.name, err)
		}
		if size := decoded.Bounds().Size(); size.X != p.width || size.Y != p.height {
			return errors.New("the image is not as large as its header says")
		}
		pixels, p.deep = straightRGBA(decoded)
		return nil
	})
	return pixels, err
}
