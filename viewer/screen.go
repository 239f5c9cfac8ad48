package viewer

import (
	"fmt"
	"image"
	"strings"

	"github.com/go-gl/gl/v4.1-core/gl"

	"glint/shaders"
	"glint/viewer/session"
)

// screen draws one picture, or two to be compared, over the whole window.
type screen struct {
	program  uint32
	vertices uint32 // an empty vertex array: core profile draws nothing without one
	uniforms presentUniforms
	live     int // GL objects that exist
}

// presentUniforms are the present shader's parameters, by location.
type presentUniforms struct{ imageA, imageB, difference, gain, divider, line int32 }

// composition is how two pictures are put together.
type composition struct {
	a, b       *picture // b may be a
	difference bool
	gain       float32 // of the difference
	divider    float32 // a is left of it, as a fraction of the width; beyond 0…1 only one is seen
	line       float32 // half the divider's width, the same fraction
}

// single shows one picture.
func single(p *picture) composition { return composition{a: p, b: p, divider: 2} }

// newScreen needs a current context.
func newScreen() (*screen, error) {
	program, err := link(shaders.PresentVertex, shaders.PresentFragment)
	if err != nil {
		return nil, fmt.Errorf("present pass: %w", err)
	}
	s := &screen{program: program, live: 2}
	at := func(name string) int32 { return gl.GetUniformLocation(program, gl.Str(name+"\x00")) }
	s.uniforms = presentUniforms{
		imageA: at("imageA"), imageB: at("imageB"), difference: at("difference"), gain: at("gain"), divider: at("divider"),
		line: at("halfLine"),
	}
	gl.GenVertexArrays(1, &s.vertices)
	gl.Disable(gl.FRAMEBUFFER_SRGB) // the image is encoded for the display already
	return s, nil
}

// present draws over a framebuffer of width × height pixels.
func (s *screen) present(c composition, width, height int) {
	gl.Viewport(0, 0, int32(width), int32(height))
	gl.UseProgram(s.program)
	u := &s.uniforms
	gl.Uniform1i(u.imageA, 0)
	gl.Uniform1i(u.imageB, 1)
	gl.Uniform1i(u.difference, int32(boolHint(c.difference)))
	gl.Uniform1f(u.gain, c.gain)
	gl.Uniform1f(u.divider, c.divider)
	gl.Uniform1f(u.line, c.line)
	gl.BindVertexArray(s.vertices)
	gl.ActiveTexture(gl.TEXTURE1)
	gl.BindTexture(gl.TEXTURE_2D, c.b.texture)
	gl.ActiveTexture(gl.TEXTURE0)
	gl.BindTexture(gl.TEXTURE_2D, c.a.texture)
	gl.DrawArrays(gl.TRIANGLES, 0, 3)
}

// capture draws into memory, so that no other window can cover a part.
func (s *screen) capture(c composition, width, height int) (*image.NRGBA, error) {
	var frame, color uint32
	gl.GenFramebuffers(1, &frame)
	gl.GenRenderbuffers(1, &color)
	defer gl.DeleteFramebuffers(1, &frame)
	defer gl.DeleteRenderbuffers(1, &color)
	gl.BindRenderbuffer(gl.RENDERBUFFER, color)
	gl.RenderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, int32(width), int32(height))
	gl.BindFramebuffer(gl.FRAMEBUFFER, frame)
	defer gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
	gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, color)
	if status := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); status != gl.FRAMEBUFFER_COMPLETE {
		return nil, fmt.Errorf("make a %d×%d framebuffer: GL status %#x: make the window smaller", width, height, status)
	}
	s.present(c, width, height)
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height { // GL counts rows from below
		gl.ReadPixels(0, int32(height-1-y), int32(width), 1, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(img.Pix[y*img.Stride:]))
	}
	return img, nil
}

// close deletes everything. The context must still be current.
func (s *screen) close() {
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

// infoLog is what the GL compiler or linker says about an object.
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

// compositionOf is how the sides are shown, where the display has a scale.
func compositionOf(a *session.Comparison, scale float32, width int) composition {
	switch {
	case !a.Comparing() || pictureOf(a.Sides[1]).texture == 0:
		return single(pictureOf(a.Sides[0]))
	case a.Compare.Show == session.OneSide:
		return single(pictureOf(a.Active))
	case a.Compare.Show == session.BiasMap:
		if p, made := a.Bias.Picture.(*picture); made {
			return single(p)
		}
		return single(pictureOf(a.Sides[0]))
	}
	c := composition{a: pictureOf(a.Sides[0]), b: pictureOf(a.Sides[1]), divider: 2}
	if a.Compare.Show == session.Difference {
		c.difference, c.gain = true, float32(a.Compare.Gain)
		return c
	}
	c.divider = float32(a.Compare.Divider)
	c.line = session.LineWidth * scale / 2 / float32(width)
	return c
}
