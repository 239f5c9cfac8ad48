package scene

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// TestSame: a file that is read twice gives the same scene, whatever its report says of when, and any change of what is drawn is told.
func TestSame(t *testing.T) {
	read := func(file *builder) *Scene {
		s, err := load(t.Context(), file.glb(), noFiles, Options{Scene: -1, Animated: true})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	rich, moving := read(richScene()), read(movingScene())
	for _, s := range [][2]*Scene{{rich, read(richScene())}, {moving, read(movingScene())}} {
		s[1].Report.Files = []File{{Path: "other"}}
		if !s[0].Same(s[1]) {
			t.Errorf("the same file gives another scene")
		}
	}
	for name, change := range map[string]func(s *Scene){
		"a vertex":   func(s *Scene) { s.Vertices[0].Position[1]++ },
		"a face":     func(s *Scene) { s.Faces = s.Faces[1:] },
		"a pixel":    func(s *Scene) { s.Images[0].Pixels[2]++ },
		"a material": func(s *Scene) { s.Materials[len(s.Materials)-1].Emission = mgl32.Vec3{1, 2, 3} },
		"a name":     func(s *Scene) { s.Cameras[0].Name = "another" },
	} {
		other := read(richScene())
		if change(other); rich.Same(other) {
			t.Errorf("%s makes no difference", name)
		}
	}
	still := read(movingScene())
	if still.Motion.Clips[0].channels = still.Motion.Clips[0].channels[1:]; moving.Same(still) {
		t.Error("a channel of an animation makes no difference")
	}
}
