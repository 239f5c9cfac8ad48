package viewer

import (
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"glint/tracer/diagnose"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/profile"
	"glint/tracer/replay"
	"glint/tracer/tracertest"
	"glint/tracer/view"
	"glint/viewer/hud"
	"glint/viewer/session"
)

// The golden images hold the window to how it looked before: a change that means something else must not move a panel, change a
// colour or break a line. A test card stands for the rendered image, and all times and rates are fixed.
//
//	go test ./viewer -run TestGoldenWindows -args -update-golden    (after a change that means to change how the window looks)
var updateGolden = flag.Bool("update-golden", false, "write the golden images in testdata anew")

// An image may differ from its golden one by rounding, as from one OpenGL driver to another. The worst tile counts, since a word
// of another colour is little of a window.
const (
	goldenTile = 32   // pixels
	goldenFLIP = 0.06 // mean of a tile: Mesa's two software drivers are 0.04 apart
)

// goldenSizes are sizes of windows, on displays of a scale. Images of dense displays are kept at the size of others.
var goldenSizes = []struct {
	width, height int
	scale         int
}{{640, 400, 1}, {1280, 720, 1}, {2560, 1440, 2}}

// goldenStates are what the window is doing.
var goldenStates = []struct {
	name string
	set  func(a *app)
}{
	{"first", func(a *app) {
		a.session.Sides.Active.Stats.Samples, a.session.Sides.Active.Stats.Shown, a.session.Sides.Active.Stats.Scale = 1, 1, 8
		a.session.Messages.SayFor("Drag to turn, wheel to zoom, Tab to fly, F1 for all keys", time.Hour)
	}},
	{"rest", func(a *app) {
		a.hud.Unfold([]string{hud.CompareHeading, "Status", "View"})
	}},
	{"moving", func(a *app) {
		a.session.Sides.Active.Stats.Samples, a.session.Sides.Active.Stats.Shown, a.session.Sides.Active.Stats.Scale = 3, 3, 4
		a.session.Frames.Rendered.View.Moving = true
		a.session.Editor.Marker = session.FocusMarker{}
		a.session.Messages.SayFor("speed: 2.5 m/s", time.Hour)
	}},
	{"statistics", func(a *app) {
		a.overlay.page, a.session.Frames.Statistics.Of = session.StatisticsPage, a.session.Sides.Active
		for range session.LogEntries / 2 {
			a.session.Frames.Statistics.Update(goldenStatistics())
		}
	}},
	{"inspector", func(a *app) {
		a.overlay.page, a.session.Inspector.Shown = session.InspectorPage, goldenInspected()
	}},
	{"compare", func(a *app) {
		for i, s := range a.session.Sides.Sides {
			s.Timer = timerWith(64, time.Duration(i+1)*10*time.Millisecond)
			s.RefError = session.RefError{Known: true, RelMSE: 0.02 / float64(i+1), Trimmed: 0.01 / float64(i+1), Samples: 64, RefSamples: 512}
		}
		a.session.Sides.Compare.Divider, a.session.Sides.Compare.Reference.Stats.Samples = 0.65, 512
	}},
}

// goldenInspected is a pixel that is pinned, with a path of three vertices.
func goldenInspected() *session.InspectModel {
	m := &session.InspectModel{
		Size: [2]int{640, 400}, Pixel: [2]int{320, 200}, Pinned: true, Zoom: 32, Samples: 64, Sample: 11, Title: "Sample 12 of 64: 0.9, 0.8, 0.7 nit",
		Facts: []session.Fact{{Name: "pixel", Value: "320, 200"}, {Name: "light", Value: "0.81, 0.72, 0.6 nit"}, {Name: "material", Value: "oak"}},
		Steps: []replay.Step{
			{Title: "1   oak, object 3: diffuse", Details: []string{"2.5 m on, at 0, 1, 2", "throughput 1, 1, 1 · pdf 0.2", "+ 0.4, 0.3, 0.2 from lamp 2, MIS weight 0.9, pdf 4"}},
			{Title: "2   leaves the scene", Details: []string{"throughput 0.7, 0.7, 0.7"}},
		},
		Lines: []session.PathLine{
			{From: [2]float32{0.5, 0.5}, To: [2]float32{0.6, 0.2}, Kind: session.LineOfPath},
			{From: [2]float32{0.5, 0.5}, To: [2]float32{0.45, 0.1}, Kind: session.LineToLight},
			{From: [2]float32{0.6, 0.2}, To: [2]float32{0.7, 0.7}, Kind: session.LineHidden},
		},
		Marks: []diagnose.Outlier{{X: 400, Y: 300, Times: 20}},
	}
	for i := range 81 {
		m.Values = append(m.Values, [3]float32{float32(i) / 80, 0.5, 12.5})
	}
	return m
}

// goldenStatistics are of a frame with kernels of several kinds.
func goldenStatistics() profile.Statistics {
	kernel := func(name string, kind profile.Kind, ms float64) profile.KernelTime {
		return profile.KernelTime{Name: name, Kind: kind, Launches: 1, Ms: profile.Spread{Frames: 1, Sum: ms, Min: ms, Max: ms}}
	}
	s := profile.Statistics{Timed: 1, Counted: 1, Paths: 1000}
	s.Kernels = []profile.KernelTime{kernel("extend_paths", profile.Extension, 12), kernel("spatial_reuse", profile.Reuse, 5)}
	s.Counters = profile.Counters{Paths: 1e6, ExtensionRays: 2e6, ShadowRays: 1e6, Alive: []uint64{75e4, 50e4, 25e4}}
	s.Queues = []profile.Queue{{Extension: 1e6, Shadow: 9e5}, {Extension: 75e4, Shadow: 5e5}}
	s.Memory = profile.Memory{Film: 20e6, Scene: 3e6}
	return s
}

// testCard has fields from black to white, in several tints.
func testCard(pixels []byte, width, height int, flip bool) {
	tints := [][3]int{{255, 255, 255}, {255, 190, 140}, {150, 200, 255}, {190, 255, 170}}
	const shades = 12
	for y := range height {
		row := y
		if flip {
			row = height - 1 - y
		}
		tint := tints[row*len(tints)/height]
		for x := range width {
			shade := x * shades / width
			for c := range tint {
				pixels[4*(y*width+x)+c] = byte(tint[c] * shade / (shades - 1))
			}
			pixels[4*(y*width+x)+3] = 255
		}
	}
}

func TestGoldenWindows(t *testing.T) {
	for _, size := range goldenSizes {
		for _, state := range goldenStates {
			name := fmt.Sprintf("%s-%dx%d", state.name, size.width, size.height)
			t.Run(name, func(t *testing.T) {
				p := openGolden(t, size.width, size.height, float32(size.scale), state.name == "compare")
				var shown *image.NRGBA
				p.do(func(a *app) { shown = goldenShot(a, state.set) })
				p.quit()
				checkGolden(t, name, shrink(shown, size.scale))
			})
		}
	}
}

// TestGoldenImagesTellFaults: a panel that has moved by 8 pixels and text of another colour are seen.
func TestGoldenImagesTellFaults(t *testing.T) {
	sizes := goldenSizes
	if !tracertest.Long() {
		sizes = sizes[:1]
	}
	for _, size := range sizes {
		p := openGolden(t, size.width, size.height, float32(size.scale), false)
		var right, again, moved, colored *image.NRGBA
		p.do(func(a *app) {
			right, again = goldenShot(a, nil), goldenShot(a, nil)
			moved = shiftPart(right, a.hud.At.Panel, 8)
			colored = goldenShot(a, func(*app) {
				table := imgui.CurrentStyle().Colors()
				table[imgui.ColText] = hud.Colors().Accent
				imgui.CurrentStyle().SetColors(&table)
			})
		})
		p.quit()
		for _, c := range []struct {
			name string
			shot *image.NRGBA
			told bool
		}{{"the same", again, false}, {"a panel that has moved", moved, true}, {"text of another colour", colored, true}} {
			worst, _ := worstTile(t, shrink(c.shot, size.scale), shrink(right, size.scale))
			t.Logf("%d×%d, %s: FLIP of the worst tile %.4f", size.width, size.height, c.name, worst)
			if (worst > goldenFLIP) != c.told {
				t.Errorf("%d×%d, %s: the worst tile has a FLIP of %.4f, the bound is %g", size.width, size.height, c.name, worst, goldenFLIP)
			}
		}
	}
}

// shiftPart is an image of which a part lies farther to the right, pixels.
func shiftPart(img *image.NRGBA, part hud.Rect, by int) *image.NRGBA {
	out := image.NewNRGBA(img.Rect)
	copy(out.Pix, img.Pix)
	for y := int(part.Min.Y); y < int(part.Max.Y); y++ {
		for x := int(part.Min.X); x < int(part.Max.X); x++ {
			out.SetNRGBA(x+by, y, img.NRGBAAt(x, y))
		}
	}
	return out
}

// openGolden opens a window that shows the test card.
func openGolden(t *testing.T, width, height int, scale float32, split bool) *probe {
	t.Helper()
	p := openProbe(t, func(o *Options, f *fake) {
		o.Width, o.Height, o.scale = min(width, 1280), min(height, 720), scale
		o.Settings.Integrator = "path"
		f.card = true
	})
	p.do(func(a *app) {
		a.display.window.SetSize(width, height) // even if that is more than the display
		if split {
			a.session.OpenSplit()
			a.session.Sides.OpenReference()
		}
	})
	p.until("the size", func(a *app) bool {
		last := a.session.Sides.Sides[len(a.session.Sides.Sides)-1]
		return pictureOf(last).width == width && pictureOf(last).height == height && last.Stats.Samples > 1 && (!split || a.session.Sides.Comparing())
	})
	return p
}

// goldenShot is the window in a state, with fixed times and rates.
func goldenShot(a *app, set func(a *app)) *image.NRGBA {
	a.session.Frames.Change.Drop(a.session.Log)
	a.session.Messages, a.session.Frames.Background = nil, session.Background{}
	a.session.Stage.Shown.Prepared.Added = "" // as where a scene has lamps
	a.hud.IgnoreMouse(true)
	a.input.x, a.input.y = -1, -1
	a.session.Frames.History = session.FrameLog{}
	for i := range len(a.session.Frames.History.Ms) {
		a.session.Frames.History.Add(time.Duration(16+4*math.Sin(float64(i)/9))*time.Millisecond, 1e5)
	}
	for _, s := range a.session.Sides.Sides {
		s.Stats = view.Stats{Samples: 64, Shown: 64, Scale: 1, Paths: 1e5, Integrator: s.Settings.Integrator, Elapsed: 12 * time.Millisecond}
	}
	if set != nil {
		set(a)
	}
	const settled = 4 // frames, in which ImGui finds the sizes of its windows
	for range settled {
		windowImage(a)
	}
	return windowImage(a)
}

// shrink makes an image smaller by a whole factor.
func shrink(img *image.NRGBA, by int) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, img.Rect.Dx()/by, img.Rect.Dy()/by))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			var sum [3]int
			for i := range by * by {
				c := img.NRGBAAt(x*by+i%by, y*by+i/by)
				sum[0], sum[1], sum[2] = sum[0]+int(c.R), sum[1]+int(c.G), sum[2]+int(c.B)
			}
			n := by * by
			out.SetNRGBA(x, y, color.NRGBA{R: byte(sum[0] / n), G: byte(sum[1] / n), B: byte(sum[2] / n), A: 255})
		}
	}
	return out
}

// checkGolden compares an image with its golden one, or writes that.
func checkGolden(t *testing.T, name string, img *image.NRGBA) {
	t.Helper()
	path := filepath.Join("testdata", name+".png")
	if *updateGolden {
		writePNG(t, path, img)
		return
	}
	golden := tracertest.ReadPNG(t, path)
	worst, errors := worstTile(t, img, golden)
	t.Logf("FLIP of the worst tile: %.4f", worst)
	if worst <= goldenFLIP {
		return
	}
	dir, err := os.MkdirTemp("", "glint-golden-")
	if err != nil {
		t.Fatal(err)
	}
	writePNG(t, filepath.Join(dir, "shown.png"), img)
	writePNG(t, filepath.Join(dir, "golden.png"), golden)
	writePNG(t, filepath.Join(dir, "error.png"), metric.Heatmap(errors, 1))
	t.Errorf("%s: the window looks different: FLIP of the worst tile is %.4f, the bound is %g; see %s", name, worst, goldenFLIP, dir)
}

// worstTile is the mean error of the worst tile, and the error of every pixel.
func worstTile(t *testing.T, img, golden *image.NRGBA) (worst float64, errors *metric.Map) {
	t.Helper()
	errors, err := metric.FLIP(linear(img), linear(golden), metric.DefaultPixelsPerDegree)
	if err != nil {
		t.Fatal(err)
	}
	for top := 0; top < errors.Height; top += goldenTile {
		for left := 0; left < errors.Width; left += goldenTile {
			var tile metric.Map
			for y := top; y < min(top+goldenTile, errors.Height); y++ {
				tile.Pix = append(tile.Pix, errors.Pix[y*errors.Width+left:y*errors.Width+min(left+goldenTile, errors.Width)]...)
			}
			worst = max(worst, tile.Mean())
		}
	}
	return worst, errors
}

// linear undoes the encoding for the display.
func linear(img *image.NRGBA) *imageio.Image {
	out := &imageio.Image{Width: img.Rect.Dx(), Height: img.Rect.Dy()}
	for i, v := range img.Pix {
		if i%4 == 3 {
			continue
		}
		c := float64(v) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		out.Pix = append(out.Pix, float32(c))
	}
	return out
}

func writePNG(t *testing.T, path string, img *image.NRGBA) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(f, img); err != nil {
		t.Fatal(err)
	}
}
