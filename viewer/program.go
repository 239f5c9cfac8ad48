package viewer

import (
	"fmt"
	"strings"

	"github.com/go-gl/gl/v4.1-core/gl"
)

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
