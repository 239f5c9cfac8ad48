package viewer

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"glint/tracer/view"
	"glint/viewer/session"
)

const bytesPerPixel = 4

// picture brings an image from the renderer to a texture, through one of two pixel buffers. They alternate, so that writing
// one never waits for the other to be read. The zero value has no size yet.
type picture struct {
	device        session.Attacher
	texture       uint32
	buffers       [2]uint32
	next          int
	width, height int
	attached      bool
	copyReason    string // why the device does not write the buffers itself, or empty
	spare         []byte // written when a buffer cannot be mapped
	live          int    // GL objects that exist
}

// Resize makes the image as big as the framebuffer, pixels.
func (p *picture) Resize(device session.Attacher, width, height int) error {
	if width == p.width && height == p.height && device == p.device {
		return nil
	}
	p.Release()
	p.device, p.width, p.height = device, width, height
	gl.GenTextures(1, &p.texture)
	gl.BindTexture(gl.TEXTURE_2D, p.texture)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, int32(width), int32(height), 0, gl.RGBA, gl.UNSIGNED_BYTE, nil)
	gl.GenBuffers(int32(len(p.buffers)), &p.buffers[0])
	for _, b := range p.buffers {
		gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, b)
		gl.BufferData(gl.PIXEL_UNPACK_BUFFER, p.bytes(), nil, gl.STREAM_DRAW)
	}
	gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
	p.live += 1 + len(p.buffers)
	if code := gl.GetError(); code != gl.NO_ERROR {
		return fmt.Errorf("make a %d×%d image on the graphics card: GL error %#x: make the window smaller", width, height, code)
	}
	p.attach()
	return nil
}

func (p *picture) bytes() int { return bytesPerPixel * p.width * p.height }

// attach registers both buffers with the device, or neither.
func (p *picture) attach() {
	p.attached, p.copyReason = false, ""
	for i, b := range p.buffers {
		if err := p.device.Attach(b); err != nil {
			p.copyReason = err.Error()
			p.detach(p.buffers[:i])
			return
		}
	}
	p.attached = true
}

// detach takes buffers from the device. They are about to be deleted, so errors do not matter.
func (p *picture) detach(buffers []uint32) {
	for _, b := range buffers {
		_ = p.device.Detach(b)
	}
}

// Fill has render write the next image, and copies it to the texture.
func (p *picture) Fill(render func(view.Target) error) error {
	buffer := p.buffers[p.next]
	p.next = (p.next + 1) % len(p.buffers)
	target := view.Target{FlipY: true}
	gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, buffer)
	defer gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
	if p.attached {
		gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
		target.Buffer = buffer
		if err := render(target); err != nil {
			return err
		}
		gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, buffer)
	} else if err := p.fillMapped(target, render); err != nil {
		return err
	}
	gl.BindTexture(gl.TEXTURE_2D, p.texture)
	gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, int32(p.width), int32(p.height), gl.RGBA, gl.UNSIGNED_BYTE, nil)
	return nil
}

// fillMapped writes the bound buffer through its mapping, or through plain memory when the driver will not map it.
func (p *picture) fillMapped(target view.Target, render func(view.Target) error) error {
	access := uint32(gl.MAP_WRITE_BIT | gl.MAP_INVALIDATE_BUFFER_BIT)
	mapped := gl.MapBufferRange(gl.PIXEL_UNPACK_BUFFER, 0, p.bytes(), access)
	if mapped != nil {
		target.Pixels = unsafe.Slice((*byte)(mapped), p.bytes())
		defer gl.UnmapBuffer(gl.PIXEL_UNPACK_BUFFER)
		return render(target)
	}
	if len(p.spare) != p.bytes() {
		p.spare = make([]byte, p.bytes())
	}
	target.Pixels = p.spare
	if err := render(target); err != nil {
		return err
	}
	gl.BufferSubData(gl.PIXEL_UNPACK_BUFFER, 0, p.bytes(), gl.Ptr(p.spare))
	return nil
}

// Release deletes everything. The context must still be current.
func (p *picture) Release() {
	if p.texture == 0 {
		return
	}
	if p.attached {
		p.detach(p.buffers[:])
	}
	gl.DeleteBuffers(int32(len(p.buffers)), &p.buffers[0])
	gl.DeleteTextures(1, &p.texture)
	p.live -= 1 + len(p.buffers)
	p.texture, p.width, p.height, p.attached = 0, 0, 0, false
}

// Transfer is how the image gets from the device into the window.
func (p *picture) Transfer() (way, why string) {
	switch {
	case p.texture == 0:
		return "–", p.copyReason
	case p.attached:
		return "GL interop", p.copyReason
	}
	return "copied", p.copyReason
}

// pictureOf is where the window shows a side.
func pictureOf(s *session.Side) *picture { return s.Picture.(*picture) }
