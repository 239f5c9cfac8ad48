package scene

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// plainImage is a picture of one grey.
func plainImage(gray byte) Image {
	img := Image{Width: 2, Height: 2, SRGB: true, Pixels: make([]byte, 16)}
	for i := range img.Pixels {
		img.Pixels[i] = gray
	}
	return img
}

func TestHasLight(t *testing.T) {
	const noTexture, black, white = -1, 0, 1
	for _, c := range []struct {
		name     string
		emission float32
		texture  int
		unlit    bool
		light    bool
		want     bool
	}{
		{name: "dark", texture: noTexture},
		{name: "lamp", emission: 1, texture: noTexture, want: true},
		{name: "too dim to see by", emission: 0.01, texture: noTexture},
		{name: "glowing label", emission: 1, texture: white},
		{name: "bright screen", emission: 5, texture: white, want: true},
		{name: "bright factor under a black picture", emission: 5, texture: black},
		{name: "unlit", emission: 1, texture: noTexture, unlit: true},
		{name: "punctual light", texture: noTexture, light: true, want: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := NewMaterial("m")
			m.Emission = mgl32.Vec3{c.emission, c.emission, c.emission}
			m.Textures[TextureEmissive].Texture = c.texture
			m.Unlit = c.unlit
			s := triangleScene(mgl32.Vec3{}, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{0, 1, 0})
			s.Materials = []Material{m}
			s.Textures = []Texture{{Image: 0}, {Image: 1}}
			s.Images = []Image{plainImage(0), plainImage(255)}
			if c.light {
				s.Lights = []Light{{Kind: LightPoint, Intensity: mgl32.Vec3{1, 1, 1}}}
			}
			if got := s.HasLight(); got != c.want {
				t.Errorf("has light: %v (emission %g nits), want %v", got, s.emission(), c.want)
			}
		})
	}
}

// triangleScene is one triangle.
func triangleScene(a, b, c mgl32.Vec3) *Scene {
	return &Scene{
		Vertices:  []Vertex{{Position: a}, {Position: b}, {Position: c}},
		Faces:     []Face{{V: [3]uint32{0, 1, 2}}},
		Materials: []Material{NewMaterial("m")},
	}
}
