package viewer

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"glint/shaders"
	"glint/tracer"
)

const bytesPerPixel = 4

// attacher registers GL buffers with the device that renders.
type attacher interface {
	Attach(buffer uint32) error
	Detach(buffer uint32) error
}

// screen takes an image from film to the window: one of two pixel buffers, a texture, a triangle. The buffers alternate, so
// that writing one never waits for the other to be read.
type screen struct {
	device        attacher
	program       uint32
	vertices      uint32 // an empty vertex array: core profile draws nothing without one
	texture       uint32
	buffers       [2]uint32
	next          int
	width, height int
	attached      bool
	copyWhy       string // why the device does not write the buffers itself, or empty
	spare         []byte // written when a buffer cannot be mapped
	live          int    // GL objects that exist
}

// newScreen needs a current context. resize gives it a device and a size.
func newScreen() (*screen, error) {
	program, err := link(shaders.PresentVertex, shaders.PresentFragment)
	if err != nil {
		return nil, fmt.Errorf("present pass: %w", err)
	}
	s := &screen{program: program, live: 2}
	gl.GenVertexArrays(1, &s.vertices)
	gl.Disable(gl.FRAMEBUFFER_SRGB) // film has encoded for the display already
	return s, nil
}

// resize makes the image as big as the framebuffer, pixels.
func (s *screen) resize(device attacher, width, height int) error {
	if width == s.width && height == s.height && device == s.device {
		return nil
	}
	s.release()
	s.device, s.width, s.height = device, width, height
	gl.GenTextures(1, &s.texture)
	gl.BindTexture(gl.TEXTURE_2D, s.texture)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
	gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, int32(width), int32(height), 0, gl.RGBA, gl.UNSIGNED_BYTE, nil)
	gl.GenBuffers(int32(len(s.buffers)), &s.buffers[0])
	for _, b := range s.buffers {
		gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, b)
		gl.BufferData(gl.PIXEL_UNPACK_BUFFER, s.bytes(), nil, gl.STREAM_DRAW)
	}
	gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
	s.live += 1 + len(s.buffers)
	if code := gl.GetError(); code != gl.NO_ERROR {
		return fmt.Errorf("make a %d×%d image on the graphics card: GL error %#x: make the window smaller", width, height, code)
	}
	s.attach()
	return nil
}

func (s *screen) bytes() int { return bytesPerPixel * s.width * s.height }

// attach gives both buffers to the device, or neither.
func (s *screen) attach() {
	s.attached, s.copyWhy = false, ""
	for i, b := range s.buffers {
		if err := s.device.Attach(b); err != nil {
			s.copyWhy = err.Error()
			s.detach(s.buffers[:i])
			return
		}
	}
	s.attached = true
}

// detach forgets buffers. They are about to go, so that a device that fails to forget one has nothing to lose.
func (s *screen) detach(buffers []uint32) {
	for _, b := range buffers {
		_ = s.device.Detach(b)
	}
}

// fill lets render write the next image and brings it into the texture.
func (s *screen) fill(render func(tracer.Target) error) error {
	buffer := s.buffers[s.next]
	s.next = (s.next + 1) % len(s.buffers)
	target := tracer.Target{FlipY: true}
	gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, buffer)
	defer gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
	if s.attached {
		gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, 0)
		target.Buffer = buffer
		if err := render(target); err != nil {
			return err
		}
		gl.BindBuffer(gl.PIXEL_UNPACK_BUFFER, buffer)
	} else if err := s.fillMapped(target, render); err != nil {
		return err
	}
	gl.BindTexture(gl.TEXTURE_2D, s.texture)
	gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, int32(s.width), int32(s.height), gl.RGBA, gl.UNSIGNED_BYTE, nil)
	return nil
}

// fillMapped writes the bound buffer through its mapping, or through plain memory when the driver will not map it.
func (s *screen) fillMapped(target tracer.Target, render func(tracer.Target) error) error {
	access := uint32(gl.MAP_WRITE_BIT | gl.MAP_INVALIDATE_BUFFER_BIT)
	mapped := gl.MapBufferRange(gl.PIXEL_UNPACK_BUFFER, 0, s.bytes(), access)
	if mapped != nil {
		target.Pixels = unsafe.Slice((*byte)(mapped), s.bytes())
		defer gl.UnmapBuffer(gl.PIXEL_UNPACK_BUFFER)
		return render(target)
	}
	if len(s.spare) != s.bytes() {
		s.spare = make([]byte, s.bytes())
	}
	target.Pixels = s.spare
	if err := render(target); err != nil {
		return err
	}
	gl.BufferSubData(gl.PIXEL_UNPACK_BUFFER, 0, s.bytes(), gl.Ptr(s.spare))
	return nil
}

// present draws the texture over the whole framebuffer.
func (s *screen) present(width, height int) {
	gl.Viewport(0, 0, int32(width), int32(height))
	gl.UseProgram(s.program)
	gl.BindVertexArray(s.vertices)
	gl.ActiveTexture(gl.TEXTURE0)
	gl.BindTexture(gl.TEXTURE_2D, s.texture)
	gl.DrawArrays(gl.TRIANGLES, 0, 3)
}

// release deletes what depends on the image's size.
func (s *screen) release() {
	if s.texture == 0 {
		return
	}
	if s.attached {
		s.detach(s.buffers[:])
	}
	gl.DeleteBuffers(int32(len(s.buffers)), &s.buffers[0])
	gl.DeleteTextures(1, &s.texture)
	s.live -= 1 + len(s.buffers)
	s.texture, s.width, s.height, s.attached = 0, 0, 0, false
}

// close deletes everything. It needs the context still.
func (s *screen) close() {
	s.release()
	gl.DeleteVertexArrays(1, &s.vertices)
	gl.DeleteProgram(s.program)
	s.live -= 2
}

// link compiles and links a program.
func link(vertex, fragment string) (uint32, error) {
	program := gl.CreateProgram()
	for kind, source := range map[uint32]string{gl.VERTEX_SHADER: vertex, gl.FRAGMENT_SHADER: fragment} {
		shader, err := compile(kind, source)
		if err != nil {
			gl.DeleteProgram(program)
			return 0, err
		}
		gl.AttachShader(program, shader)
		gl.DeleteShader(shader) // lives as long as the program does
	}
	gl.LinkProgram(program)
	var ok int32
	if gl.GetProgramiv(program, gl.LINK_STATUS, &ok); ok == gl.TRUE {
		return program, nil
	}
	log := infoLog(program, gl.GetProgramiv, gl.GetProgramInfoLog)
	gl.DeleteProgram(program)
	return 0, fmt.Errorf("link shaders: %s", log)
}

func compile(kind uint32, source string) (uint32, error) {
	shader := gl.CreateShader(kind)
	text, free := gl.Strs(source + "\x00")
	defer free()
	gl.ShaderSource(shader, 1, text, nil)
	gl.CompileShader(shader)
	var ok int32
	if gl.GetShaderiv(shader, gl.COMPILE_STATUS, &ok); ok == gl.TRUE {
		return shader, nil
	}
	log := infoLog(shader, gl.GetShaderiv, gl.GetShaderInfoLog)
	gl.DeleteShader(shader)
	return 0, fmt.Errorf("compile shader: %s", log)
}

// infoLog is what the GL compiler or linker says of an object.
func infoLog(object uint32, get func(uint32, uint32, *int32), read func(uint32, int32, *int32, *uint8)) string {
	var length int32
	get(object, gl.INFO_LOG_LENGTH, &length)
	if length == 0 {
		return "no reason given"
	}
	text := make([]byte, length)
	read(object, length, nil, &text[0])
	return strings.TrimRight(string(text), "\x00\n")
}
