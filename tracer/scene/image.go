package scene

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/qmuntal/gltf"
	"golang.org/x/image/webp"

	"glint/tracer/guard"
	"glint/tracer/scene/ktx2"
)

// imageFormat is a kind of image that is read. The table has all of them: what other packages register with the image package,
// which libraries for other purposes do, is not used.
type imageFormat struct {
	name    string
	matches func(data []byte) bool
	config  func(data []byte) (image.Config, error)
	decode  func(ctx context.Context, data []byte) (image.Image, error)
	scratch func(data []byte, model color.Model) int64 // bytes a pixel that decoding takes beside the result
}

func imageFormats() []imageFormat {
	starts := func(magic string) func([]byte) bool {
		return func(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }
	}
	return []imageFormat{
		{"PNG", starts("\x89PNG\r\n\x1a\n"), configOf(png.DecodeConfig), decodeOf(png.Decode), pngScratch},
		{"JPEG", starts("\xff\xd8"), jpegConfig, decodeOf(jpeg.Decode), jpegScratch},
		{"WebP", func(data []byte) bool { return starts("RIFF")(data) && len(data) >= 12 && string(data[8:12]) == "WEBP" },
			webpConfig, decodeOf(webp.Decode), func([]byte, color.Model) int64 { return 8 }},
		{"KTX2", starts(ktx2.Magic), ktx2.DecodeConfig, decodeKTX2, func([]byte, color.Model) int64 { return 4 }},
	}
}

func configOf(read func(io.Reader) (image.Config, error)) func([]byte) (image.Config, error) {
	return func(data []byte) (image.Config, error) { return read(bytes.NewReader(data)) }
}

func decodeOf(read func(io.Reader) (image.Image, error)) func(context.Context, []byte) (image.Image, error) {
	return func(ctx context.Context, data []byte) (image.Image, error) {
		return read(wantedReader{ctx, bytes.NewReader(data)})
	}
}

func decodeKTX2(ctx context.Context, data []byte) (image.Image, error) { return ktx2.Decode(ctx, data) }

// mostScans of a JPEG image: usual progressive ones have ten. Each goes over the whole picture, and may take a few bytes.
const mostScans = 100

func jpegConfig(data []byte) (image.Config, error) {
	if n := jpegScans(data); n > mostScans {
		return image.Config{}, fmt.Errorf("it has %d scans, more than %d", n, mostScans)
	}
	return jpeg.DecodeConfig(bytes.NewReader(data))
}

// jpegScans counts the scans of a JPEG image (ITU-T T.81, B.1).
func jpegScans(data []byte) (scans int) {
	const scan = 0xda
	for at := 2; at+4 <= len(data); {
		next := bytes.IndexByte(data[at:], 0xff)
		if next < 0 || at+next+4 > len(data) {
			break
		}
		at += next
		switch marker := data[at+1]; {
		case marker == 0xff: // fill
			at++
		case marker == 0 || marker == 1 || marker >= 0xd0 && marker <= 0xd9: // no segment follows
			at += 2
		default:
			if marker == scan {
				scans++
			}
			at += 2 + int(binary.BigEndian.Uint16(data[at+2:]))
		}
	}
	return scans
}

// webpConfig refuses an extended file whose picture is not as large as its header says: the decoder would find out when it has
// decoded it.
func webpConfig(data []byte) (image.Config, error) {
	whole, err := webp.DecodeConfig(bytes.NewReader(data))
	if err != nil || len(data) < 16 || string(data[12:16]) != "VP8X" {
		return whole, err
	}
	for rest := data[12:]; len(rest) >= 8; {
		kind, size := string(rest[:4]), int(binary.LittleEndian.Uint32(rest[4:]))
		if size > len(rest)-8 {
			break
		}
		if kind == "VP8 " || kind == "VP8L" {
			alone := append([]byte("RIFF\x00\x00\x00\x00WEBP"), rest[:8+size]...)
			binary.LittleEndian.PutUint32(alone[4:], uint32(len(alone)-8))
			picture, err := webp.DecodeConfig(bytes.NewReader(alone))
			if err == nil && (picture.Width != whole.Width || picture.Height != whole.Height) {
				err = fmt.Errorf("its picture has %d × %d pixels, its header says %d × %d", picture.Width, picture.Height, whole.Width, whole.Height)
			}
			if err != nil {
				return whole, err
			}
		}
		rest = rest[min(8+size+size%2, len(rest)):]
	}
	return whole, nil
}

// pngScratch is the picture as the decoder has it, where that is not the result, and the passes of an interlaced one.
func pngScratch(data []byte, model color.Model) int64 {
	const interlaceAt = 28 // of the header's chunk
	pixel := int64(4)
	switch model {
	case color.NRGBA64Model, color.RGBA64Model:
		pixel = 8
	}
	if len(data) > interlaceAt && data[interlaceAt] != 0 {
		return 2 * pixel
	}
	return pixel
}

// jpegScratch is the planes, and all coefficients of a progressive one.
func jpegScratch(data []byte, _ color.Model) int64 {
	const planes, coefficients = 4, 4 * 4 // four components at the most, coefficients of 32 bits
	if bytes.Contains(data, []byte{0xff, 0xc2}) {
		return planes + coefficients
	}
	return planes
}

// picture is what one run of bytes becomes, whatever uses it.
type picture struct {
	data          []byte
	format        imageFormat
	width, height int
	scratch       int64 // bytes that decoding takes beside the pixels
	sources       []int // images of the file
	users         []int // images of the scene
}

// pictures are those in use, judged by their headers, with memory for their pixels taken in the order of their use: the same
// file always has the same ones.
type pictures struct {
	list   []*picture
	failed map[int]bool // images of the file
	room   int64        // bytes for all that is being decoded at a time, at least what the largest needs
}

// planImages plans those of the given images of the scene.
func (l *loader) planImages(users []int) *pictures {
	type run struct { // of bytes
		first  *byte
		length int
	}
	all, runs, known := &pictures{failed: map[int]bool{}}, map[run]*picture{}, map[int]*picture{}
	var read int64
	plan := func(source int) (*picture, error) {
		data, err := l.imageBytes(l.doc.Images[source])
		if err != nil {
			return nil, err
		}
		if len(data) == 0 {
			return nil, errors.New("has no data")
		}
		key := run{&data[0], len(data)}
		p := runs[key]
		if p == nil {
			if read += int64(len(data)); read > l.given { // or a small file would keep decoders busy for hours
				return nil, errors.New("overlaps other images in its buffer")
			}
			if p, err = l.planPicture(data, &all.room); err != nil {
				return nil, err
			}
			runs[key] = p
			all.list = append(all.list, p)
		}
		p.sources = append(p.sources, source)
		return p, nil
	}
	for _, user := range users {
		source := l.textures.sources[user]
		p, done := known[source]
		if !done {
			var err error
			if p, err = plan(source); err != nil {
				l.failImage(source, err, all.failed)
			}
			known[source] = p
		}
		if p != nil {
			p.users = append(p.users, user)
		}
	}
	if more := all.room * int64(runtime.GOMAXPROCS(0)-1); len(all.list) > 1 && l.scratch.Take("decoding images side by side", more) == nil {
		all.room += more
	}
	return all
}

func (l *loader) failImage(source int, err error, failed map[int]bool) {
	failed[source] = true
	l.noteUnread(l.doc.Images[source].URI)
	instead := "drawn without it"
	if l.textures.spare[source] {
		instead = "drawn with the image that its texture has for such a case"
	}
	l.warn.about(label("image", source, l.doc.Images[source].Name), l.showing(source), "%v: %s", err, instead)
}

// showing are the materials that an image of the file is on.
func (l *loader) showing(source int) []subject {
	if l.shows == nil { // once for all, since all images may be broken
		l.shows = map[int][]subject{}
		for i, m := range l.out.Materials {
			for _, ref := range m.Textures {
				if ref.Texture >= 0 {
					of := l.textures.sources[l.out.Textures[ref.Texture].Image]
					l.shows[of] = append(l.shows[of], subject{materialSubject, i})
				}
			}
		}
	}
	return l.shows[source]
}

// planPicture judges an image by its header, takes the memory of its pixels, and sees to room for decoding it.
func (l *loader) planPicture(data []byte, room *int64) (*picture, error) {
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
	more := max(p.scratch-*room, 0)
	if err := l.memory.Check(what, 4*count+more); err != nil {
		return nil, err
	}
	*room += more
	return p, orElse(l.memory.Take(what, 4*count), l.scratch.Take(what, more))
}

// decodeImages decodes pictures, as many at a time as there is room for.
func (l *loader) decodeImages(all *pictures) {
	errs := make([]error, len(all.list)) // each has its own: the others go on
	var room gate
	room.open(all.room)
	_ = guard.Each(l.ctx, len(all.list), func(n int) error {
		p := all.list[n]
		room.enter(p.scratch)
		defer room.leave(p.scratch)
		var pixels []byte
		pixels, errs[n] = p.decode(l.ctx)
		for _, i := range p.users {
			l.out.Images[i].Width, l.out.Images[i].Height, l.out.Images[i].Pixels = p.width, p.height, pixels
		}
		return nil
	})
	for n, err := range errs {
		if err != nil {
			for _, source := range all.list[n].sources {
				l.failImage(source, err, all.failed)
			}
		}
	}
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

func (l *loader) imageBytes(src *gltf.Image) ([]byte, error) {
	switch {
	case src.BufferView != nil:
		return l.bufferView(*src.BufferView)
	case src.URI != "":
		return l.resolve(src.URI)
	default:
		return nil, errors.New("has neither uri nor bufferView")
	}
}

// decode gives the pixels, 8 bits RGBA.
func (p *picture) decode(ctx context.Context) (pixels []byte, err error) {
	err = guard.Safely(func() error { // a decoder's fault on a hostile image concerns that image alone
		decoded, err := p.format.decode(ctx, p.data)
		if err != nil {
			return fmt.Errorf("the %s image cannot be decoded: %w", p.format.name, err)
		}
		if size := decoded.Bounds().Size(); size.X != p.width || size.Y != p.height {
			return errors.New("the image is not as large as its header says")
		}
		pixels = straightRGBA(decoded)
		return nil
	})
	return pixels, err
}

// wantedReader ends when nobody wants any more of it.
type wantedReader struct {
	ctx context.Context
	io.Reader
}

// Read reads, unless the load was cancelled.
func (r wantedReader) Read(to []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(to)
}

// straightRGBA converts to 8 bits per channel, not premultiplied.
func straightRGBA(src image.Image) []byte {
	b := src.Bounds()
	switch p := src.(type) {
	case *image.NRGBA:
		if p.Stride == 4*b.Dx() {
			return p.Pix
		}
	case *image.RGBA: // the PNG decoder's form of images without alpha
		if p.Stride == 4*b.Dx() && p.Opaque() {
			return p.Pix
		}
	case *image.Paletted:
		return paletted(p)
	case *image.NRGBA64:
		return narrow64(p.Pix, p.Stride, b)
	case *image.RGBA64: // likewise without alpha
		if p.Opaque() {
			return narrow64(p.Pix, p.Stride, b)
		}
	case *image.YCbCr, *image.Gray, *image.CMYK: // opaque, and draw has fast paths
		out := newRGBA(b)
		draw.Draw(out, b, src, b.Min, draw.Src)
		return out.Pix
	}
	if p, ok := src.(*image.NYCbCrA); ok { // WebP with alpha: the planes on their own have a fast path
		out := newRGBA(b)
		draw.Draw(out, b, &p.YCbCr, b.Min, draw.Src)
		for y := range b.Dy() {
			for x, a := range p.A[y*p.AStride:][:b.Dx()] {
				out.Pix[y*out.Stride+4*x+3] = a
			}
		}
		return out.Pix
	}
	out := image.NewNRGBA(b)
	draw.Draw(out, b, src, b.Min, draw.Src)
	return out.Pix
}

// newRGBA is image.NewRGBA, in large pages.
func newRGBA(b image.Rectangle) *image.RGBA {
	return &image.RGBA{Pix: guard.MakeLarge[byte](4 * b.Dx() * b.Dy()), Stride: 4 * b.Dx(), Rect: b}
}

func paletted(p *image.Paletted) []byte {
	b := p.Bounds()
	var table [256][4]byte
	for i, c := range p.Palette {
		one := image.NewNRGBA(image.Rect(0, 0, 1, 1))
		one.Set(0, 0, c)
		copy(table[i][:], one.Pix)
	}
	out := make([]byte, 0, 4*b.Dx()*b.Dy())
	for y := range b.Dy() {
		for _, i := range p.Pix[y*p.Stride:][:b.Dx()] {
			out = append(out, table[i][:]...)
		}
	}
	return out
}

// narrow64 keeps the nearest 8-bit value of each big-endian 16-bit channel.
func narrow64(pix []byte, stride int, b image.Rectangle) []byte {
	out := make([]byte, 0, 4*b.Dx()*b.Dy())
	for y := range b.Dy() {
		row := pix[y*stride:][:8*b.Dx()]
		for i := 0; i < len(row); i += 2 {
			v := uint32(row[i])<<8 | uint32(row[i+1])
			out = append(out, byte((v*255+32767)/65535))
		}
	}
	return out
}
