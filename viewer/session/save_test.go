package session

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/settings"
)

// TestWriteScene: a built-in scene is written to a file, over none that is there, and the window shows that as it was seen; then it can be
// edited.
func TestWriteScene(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"cornell.glb", "sun-and-sky.glb"} {
		if err := os.WriteFile(name, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ scene, environment string }{{"cornell", ""}, {"sun-and-sky", "sky:38"}} {
		s := opened(t, c.scene, headless(48, 32), func(s *settings.Settings) { s.Integrator = "path" })
		if s.ScenePage.Model().CanWrite {
			t.Error("nothing can be written, and it is offered")
		}
		s.opts.Write = builtin.WriteGLB
		s.opts.Scenes = []settings.Choice{{Name: c.scene}}
		if m := s.ScenePage.Model(); m.Why == "" || !m.CanWrite {
			t.Errorf("%s: the page says %+v", c.scene, m)
		}
		s.Stage.Camera.Orbit(0.3, 0.1)
		s.Editor.StepSetting("exposure", 3)
		camera, set := s.Stage.Camera.Camera, s.Sides.Active.Settings
		s.Do(WriteScene{})
		path := FullPath(c.scene + "-2.glb")
		until(t, s, "the file", func() bool { return s.Stage.Shown.Path == path && s.Loader.Loading == nil })
		if mine, err := os.ReadFile(c.scene + ".glb"); err != nil || string(mine) != "mine" {
			t.Errorf("%s.glb holds %q now, %v", c.scene, mine, err)
		}
		now := s.Stage.Camera.Camera
		if now.Eye.Sub(camera.Eye).Len() > 1e-6 || now.VFov != camera.VFov || s.Sides.Active.Settings != set || s.Stage.Light.Spec != c.environment {
			t.Errorf("%s: seen from %v, was %v; environment %q", c.scene, now.Eye, camera.Eye, s.Stage.Light.Spec)
		}
		if m := s.ScenePage.Model(); m.Why != "" || m.CanWrite || len(m.Objects) == 0 {
			t.Errorf("%s: the page says %+v", c.scene, m)
		}
	}
	if files, _ := filepath.Glob("*"); len(files) != 4 {
		t.Errorf("there are %v", files)
	}
}

// TestSceneSaysWhatIsMerged: of merged scenes only the first can be edited, and the page says so.
func TestSceneSaysWhatIsMerged(t *testing.T) {
	first := roomFile(t, "first.glb")
	s := opened(t, first, headless(48, 32), nil)
	if m := s.ScenePage.Model(); m.Merged != "" {
		t.Errorf("of one file it says %q", m.Merged)
	}
	for i, want := range []string{"Only first.glb is edited here, and not the file merged into it.", "Only first.glb is edited here, and not the 2 files merged into it."} {
		s.Documents.Drop([]string{roomFile(t, "second.glb")}, true)
		until(t, s, "two scenes", func() bool { return s.Loader.Loading == nil && len(s.Stage.Shown.With) == i+1 })
		if m := s.ScenePage.Model(); m.Merged != want || !strings.HasPrefix(m.Nodes[0].Object, "/nodes/") {
			t.Errorf("it says %q", m.Merged)
		}
	}
}
