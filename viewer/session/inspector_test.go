package session

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer"
	"glint/tracer/builtin"
	"glint/tracer/document"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// inspected is a session of cornell at work, 64 × 48, whose inspector is open.
func inspected(t *testing.T, change func(*scene.Scene), integrator string) *Session {
	t.Helper()
	cornell, err := builtin.Make("cornell", builtin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(cornell)
	}
	own := settings.Defaults()
	own.Integrator, own.Denoise = integrator, "off"
	s := New(Options{Scene: cornell, Settings: own, Tracer: tracer.Options{Backend: "cpu"}}, headless(64, 48), Remembered{}, time.Now())
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, s, "samples", func() bool { return s.Sides.Active.Stats.Samples >= 8 })
	return s
}

// pointAt has the user point at a pixel, and gives what the inspector shows.
func pointAt(t *testing.T, s *Session, x, y int) *InspectModel {
	t.Helper()
	now := time.Now()
	s.Inspector.asked.at = time.Time{}
	if _, err := s.Render(UserState{Inspect: true, Over: true, X: float64(x) + 0.5, Y: float64(y) + 0.5}, now, time.Millisecond); err != nil {
		t.Fatal(err)
	}
	return s.Inspector.Model()
}

func fact(m *InspectModel, name string) string {
	for _, f := range m.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// TestInspector: it follows the mouse, holds on to a pixel, tells each sample's path and its brightest, and lines that lie in the image.
func TestInspector(t *testing.T) {
	s := inspected(t, nil, "path")
	if m := pointAt(t, s, 32, 6); fact(m, "pixel") != "32, 6" || fact(m, "material") == "" || m.Pinned || len(m.Steps) > 0 {
		t.Errorf("under the mouse: %+v", m)
	}
	s.Inspector.Pin(20, 40)
	m := pointAt(t, s, 0, 0)
	if !m.Pinned || m.Pixel != [2]int{20, 40} || len(m.Steps) == 0 || len(m.Lines) == 0 || m.Sample != m.Samples-1 {
		t.Fatalf("pinned: %+v", m)
	}
	if first := m.Lines[0]; first.Kind == LineOfPath && math.Hypot(float64(first.From[0]-20.5/64), float64(first.From[1]-40.5/48)) > 2./48 {
		t.Errorf("the path begins at %v, not at the pixel", first.From)
	}
	s.Do(StepSample{By: -3})
	if back := pointAt(t, s, 0, 0); back.Sample != m.Sample-3 {
		t.Errorf("sample %d after three steps back from %d", back.Sample, m.Sample)
	}
	s.Do(BrightestSample{})
	bright := pointAt(t, s, 0, 0)
	for n := range bright.Samples {
		s.Inspector.pinned.sample = n
		if m := pointAt(t, s, 0, 0); luma(m.Lo) > luma(bright.Lo) {
			t.Errorf("sample %d is brighter than the brightest", n)
		}
	}
	s.Do(ZoomLoupe{})
	if m := pointAt(t, s, 0, 0); m.Zoom != 32 || len(m.Values) != 81 {
		t.Errorf("magnified %d times, %d values", m.Zoom, len(m.Values))
	}
	if !s.Inspector.Release() || pointAt(t, s, 1, 2).Pinned {
		t.Error("it does not let go")
	}
	s.OpenSplit()
	until(t, s, "samples of B", func() bool { return s.Sides.Sides[1].Stats.Samples > 0 && s.Sides.Sides[0].Stats.Samples > 0 })
	if m := pointAt(t, s, 30, 30); fact(m, "A − B") == "" {
		t.Errorf("the difference of two sides is not told: %v", m.Facts)
	}
}

// TestInspectorOfTheSideUnderTheMouse: of two sides it tells of the one that is seen there, whichever is active, and keeps to it while it is pinned.
func TestInspectorOfTheSideUnderTheMouse(t *testing.T) {
	s := inspected(t, nil, "path")
	s.OpenSplit()
	s.Sides.Sides[1].Settings.Integrator = "direct"
	until(t, s, "samples of B", func() bool {
		return s.Sides.Sides[1].Stats.Integrator == "direct" && s.Sides.Sides[1].Stats.Samples > 0 && s.Sides.Sides[0].Stats.Samples > 0
	})
	for active := range 2 {
		s.Sides.Choose(active)
		for x, want := range map[int]string{10: "A, path", 50: "B, direct"} {
			if m := pointAt(t, s, x, 40); fact(m, "side") != want || s.Sides.Sides[m.Side].Name != want[:1] {
				t.Errorf("at column %d, while %s is active, it tells of side %q", x, s.Sides.Active.Name, fact(m, "side"))
			}
		}
	}
	s.Inspector.Pin(50, 40)
	s.Do(SetShow{Show: OneSide})
	s.Do(ChooseSide{Side: 0})
	if m := pointAt(t, s, 10, 40); fact(m, "side") != "B, direct" || len(m.Steps) == 0 {
		t.Errorf("pinned on B it tells of %q", fact(m, "side"))
	}
	s.Inspector.Release()
	if m := pointAt(t, s, 50, 40); fact(m, "side") != "A, path" {
		t.Errorf("only A is seen, and it tells of %q", fact(m, "side"))
	}
	s.Inspector.Pin(50, 40)
	s.Sides.CloseSplit()
	if m := pointAt(t, s, 10, 40); !m.Pinned || m.Side != 0 {
		t.Errorf("after B is closed it tells of side %d", m.Side)
	}
}

// TestInspectorOfSharedLight: of ReSTIR it tells what the last frame has shared.
func TestInspectorOfSharedLight(t *testing.T) {
	s := inspected(t, nil, "restir")
	s.Inspector.Pin(20, 40)
	if m := pointAt(t, s, 0, 0); !m.Reuses || len(m.Steps) == 0 || len(m.Lines) == 0 || !strings.Contains(m.Steps[0].Details[0], "confidence") {
		t.Errorf("%+v", m)
	}
}

// TestPlantedDots: a small lamp behind the picture's own light makes a dot, and a lamp that is too bright for numbers drops samples: both are
// found, and saved as test cases.
func TestPlantedDots(t *testing.T) {
	t.Chdir(t.TempDir())
	s := inspected(t, func(c *scene.Scene) {
		for i := range c.Materials {
			if c.Materials[i].Emission.Len() > 0 {
				c.Materials[i].Emission = mgl32.Vec3{1e38, 1, 1}
			}
		}
	}, "path")
	s.Sides.Active.Settings.LightScale = 50
	until(t, s, "the new light", func() bool { return s.Sides.Active.Used.LightScale == 50 && s.Sides.Active.Stats.Samples >= 4 })
	s.Do(FindDropped{})
	m := pointAt(t, s, 0, 0)
	if !m.Pinned || !math.IsInf(float64(m.Lo[0]), 0) && !math.IsNaN(float64(m.Lo[0])) {
		t.Fatalf("the sample that was dropped is not found: %v", m.Lo)
	}
	s.Do(SaveReplay{})
	s.Shots.Writes.Wait()
	files, err := filepath.Glob("*.json")
	if err != nil || len(files) != 1 {
		t.Fatalf("saved %v, %v", files, err)
	}
	d, err := document.Read(files[0], s.Sides.Table)
	if err != nil || d.Replay == nil || d.Replay.X != m.Pixel[0] || d.Replay.Sample != m.Sample || !d.Replay.Same(m.Lo) {
		t.Errorf("read back %+v, %v", d.Replay, err)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Size() > 1<<16 {
		t.Error(err)
	}
}

// TestSegment: lines of the scene lie where its points are seen, and what is behind the camera is cut off.
func TestSegment(t *testing.T) {
	own := settings.Defaults()
	for _, parallel := range []float32{0, 1.5} {
		c := scene.Camera{Eye: scene.Wide(mgl32.Vec3{0, 0, 4}), Up: mgl32.Vec3{0, 1, 0}, VFov: 40, Orthographic: parallel}
		lens := view.View{Camera: c, Width: 80, Height: 60}.Lens(&own)
		for _, at := range [][2]float32{{0.5, 0.5}, {0.1, 0.8}, {0.9, 0.2}} {
			ray := view.Ray(lens, at[0], at[1])
			point := mgl32.Vec3(ray.Origin).Add(mgl32.Vec3(ray.Direction).Mul(3))
			got, _, ok := view.Segment(lens, point, point)
			if !ok || math.Abs(float64(got[0]-at[0])) > 1e-4 || math.Abs(float64(got[1]-at[1])) > 1e-4 {
				t.Errorf("%v is seen at %v", at, got)
			}
		}
		_, _, ok := view.Segment(lens, mgl32.Vec3{0, 0, 5}, mgl32.Vec3{0, 1, 6})
		if ok != (parallel > 0) {
			t.Errorf("behind the camera: seen is %v", ok)
		}
	}
}

// TestInspectorNamesNodes: what a pixel shows goes by the names of its node and mesh, where there is a file, and on a floor, which is of none.
func TestInspectorNamesNodes(t *testing.T) {
	s := opened(t, shelfFile(t), headless(48, 32), func(own *settings.Settings) { own.Integrator, own.Floor = "path", true })
	until(t, s, "samples", func() bool { return s.Sides.Active.Stats.Samples > 0 })
	seen := map[string]string{}
	for y := range 32 {
		for x := range 48 {
			if m := pointAt(t, s, x, y); fact(m, "object") != "" {
				seen[fact(m, "object")] = fact(m, "mesh")
			}
		}
	}
	want := map[string]string{`node 0 "shelf"`: "mesh 0", `node 1 "cup"`: "mesh 1", `node 3 "handle"`: "mesh 0", "object 3": ""}
	if !maps.Equal(seen, want) {
		t.Errorf("seen are %v, want %v", seen, want)
	}
}

// TestLitBy: of a pixel's light it is said which lamps it comes from.
func TestLitBy(t *testing.T) {
	s := inspected(t, nil, "path")
	until(t, s, "samples enough to be sure", func() bool { return s.Sides.Active.Stats.Samples >= 32 })
	if by := fact(pointAt(t, s, 32, 40), "lit by"); !strings.HasSuffix(by, "which glows 100 %") {
		t.Errorf("the floor is lit by %q, want the lamp", by)
	}
}
