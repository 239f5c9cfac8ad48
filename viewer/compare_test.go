package viewer

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"glint/tracer"
	"glint/tracer/schedule"
	"glint/viewer/session"
)

// openSides opens a window with two sides: A by path, B by direct, whose image has no blue at the bottom.
func openSides(t *testing.T, change func(*Options, *fake)) *probe {
	t.Helper()
	p := openProbe(t, func(o *Options, f *fake) {
		o.Settings.Integrator, f.interop = "path", true
		if change != nil {
			change(o, f)
		}
	})
	p.xdo("key", "x")
	p.until("two sides", func(a *app) bool { return a.session.Sides.Comparing() })
	p.do(func(a *app) { a.session.Sides.Sides[1].Settings.Integrator = "direct" })
	p.until("both images", func(a *app) bool {
		return a.session.Sides.Sides[1].Stats.Integrator == "direct" && a.session.Sides.Sides[1].Timer.Samples > 1 && a.session.Sides.Sides[0].Timer.Samples > 1
	})
	return p
}

// hasBlue tells which side's image the window shows at x, near the bottom.
func hasBlue(a *app, x int) bool { return pixel(a, x, 590)[2] == 40 }

func TestDividerIsDragged(t *testing.T) {
	p := openSides(t, nil)
	for _, at := range []int{400, 650, 500} {
		p.do(func(a *app) {
			from := strconv.Itoa(int(a.session.Sides.Compare.Divider * 800))
			p.xdo("mousemove", from, "300", "mousedown", "1", "mousemove", strconv.Itoa(at), "320", "mouseup", "1")
		})
		p.until("the divider", func(a *app) bool {
			return math.Abs(a.session.Sides.Compare.Divider*800-float64(at)) < 0.5 && !a.input.grabbed
		})
		p.do(func(a *app) {
			for x, want := range map[int]bool{5: true, at - 5: true, at + 5: false, 795: false} {
				if hasBlue(a, x) != want {
					t.Errorf("divider at %d: pixel %d is of A: %v", at, x, !want)
				}
			}
			if a.input.down || a.session.Stage.Camera.Camera != aScene("").Cameras[0] || a.session.Sides.Active.Settings.Focus != 0 {
				t.Error("the drag reached the camera or the lens")
			}
		})
	}
	p.xdo("mousemove", "600", "300", "mousedown", "1", "mousemove", "650", "300", "mouseup", "1")
	p.until("a drag beside the divider to turn the view", func(a *app) bool { return a.session.Stage.Camera.Camera != aScene("").Cameras[0] })
	p.do(func(a *app) {
		if a.session.Sides.Compare.Divider*800 != 500 {
			t.Error("and it moved the divider")
		}
		for x, want := range map[float64]bool{493: true, 507: true, 490: false, 520: false} {
			if a.overDivider(x, 200) != want {
				t.Errorf("the mouse at %v: takes hold of the divider at 500: %v", x, !want)
			}
		}
	})
}

func TestFlip(t *testing.T) {
	p := openSides(t, nil)
	for i, wantA := range []bool{true, false, true} {
		p.xdo("key", "z")
		p.until("one side over the window", func(a *app) bool {
			return a.session.Sides.Compare.Show == session.OneSide && hasBlue(a, 5) == wantA && hasBlue(a, 795) == wantA
		})
		p.do(func(a *app) {
			if (a.session.Sides.ActiveIndex() == 0) != wantA {
				t.Errorf("flip %d: keys act on side %s", i, a.session.Sides.Active.Name)
			}
		})
	}
	p.xdo("key", "x")
	p.until("both sides again", func(a *app) bool {
		return a.session.Sides.Compare.Show == session.SideBySide && hasBlue(a, 5) && !hasBlue(a, 795)
	})
}

func TestDifferenceOfTwoSides(t *testing.T) {
	p := openSides(t, nil)
	p.xdo("key", "y")
	p.until("the difference", func(a *app) bool { return a.session.Sides.Compare.Show == session.Difference })
	p.do(func(a *app) {
		a.session.Sides.Compare.Gain = 2
		if top := pixel(a, 400, 5); top != [4]byte{0, 0, 0, 255} {
			t.Errorf("where both are alike the difference is %v", top)
		}
		const amplified = 2 * 40 // of 255, times orange's components
		if c := pixel(a, 400, 590); c[0] != amplified || c[1] < 49 || c[1] > 51 || c[2] != amplified/5 {
			t.Errorf("A is brighter in blue by 40, the difference times two is %v", c)
		}
		a.session.Sides.Sides[0].Settings.Integrator, a.session.Sides.Sides[1].Settings.Integrator = "direct", "path"
	})
	p.until("blue, since B is brighter", func(a *app) bool { c := pixel(a, 400, 590); return c[2] == 80 && c[0] == 20 })
}

// TestBiasMapByKeys: it is blue where B is brighter, and grey elsewhere. Its legend says by how much. It takes GL objects while it is there.
func TestBiasMapByKeys(t *testing.T) {
	for _, interop := range []bool{false, true} {
		p := openSides(t, func(_ *Options, f *fake) { f.converges, f.interop = true, interop })
		var before int
		p.do(func(a *app) { before = a.objects() })
		p.xdo("key", "shift+y")
		p.until("a map", func(a *app) bool { return strings.HasPrefix(a.model().Legend.Help, "B is brighter by 20 %") })
		p.do(func(a *app) {
			if top := pixel(a, 400, 200); top[0] != top[1] || top[1] != top[2] || top[0] == 0 {
				t.Errorf("where both are alike it is %v", top)
			}
			if bottom := pixel(a, 400, 400); bottom[2] < bottom[0]+100 {
				t.Errorf("where B is brighter it is %v", bottom)
			}
			if a.objects() != before+3 {
				t.Errorf("%d GL objects, %d before", a.objects(), before)
			}
		})
		p.xdo("key", "shift+y")
		p.until("both sides", func(a *app) bool {
			return a.session.Sides.Compare.Show == session.SideBySide && hasBlue(a, 5) && !hasBlue(a, 795)
		})
		p.do(func(a *app) { a.session.ToggleSplit() })
		p.do(func(a *app) {
			if a.objects() != before-3 {
				t.Errorf("%d GL objects are left, %d before", a.objects(), before)
			}
		})
		if err := p.quit(); err != nil {
			t.Error(err)
		}
	}
}

func TestSidesHaveTheirOwnSettings(t *testing.T) {
	p := openSides(t, nil)
	p.xdo("key", "b", "key", "period", "key", "minus", "key", "4")
	p.until("the keys", func(a *app) bool {
		return a.session.Sides.ActiveIndex() == 1 && !a.session.Sides.Sides[0].Settings.Antialias
	})
	p.do(func(a *app) {
		sa, sb := a.session.Sides.Sides[0].Settings, a.session.Sides.Sides[1].Settings
		if sb.Bounces != sa.Bounces+1 {
			t.Errorf("bounces: A %d, B %d", sa.Bounces, sb.Bounces)
		}
		if sa.Exposure != -0.25 || sb.Exposure != -0.25 || sb.Antialias {
			t.Errorf("both sides share exposure and antialiasing: A %v %v, B %v %v", sa.Exposure, sa.Antialias, sb.Exposure, sb.Antialias)
		}
	})
	p.xdo("key", "BackSpace")
	p.until("both as they began", func(a *app) bool {
		return a.session.Sides.Sides[0].Settings == a.opts.Settings && a.session.Sides.Sides[1].Settings == session.Counterpart(a.opts.Settings, "path")
	})
	p.xdo("key", "x")
	p.until("one side, A", func(a *app) bool {
		return !a.session.Sides.Comparing() && a.session.Sides.ActiveIndex() == 0 && a.session.Sides.Active.Settings.Integrator == "path"
	})
}

// TestBothSidesBeginAgain: whichever side is active, and though B was opened for other settings of A.
func TestBothSidesBeginAgain(t *testing.T) {
	for name, c := range map[string]struct{ before, after []string }{
		"at the start": {nil, []string{"key", "1", "key", "b"}},
		"later":        {[]string{"key", "1", "key", "1"}, []string{"key", "b", "key", "1"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := openProbe(t, func(o *Options, _ *fake) { o.Settings.Integrator = "path" })
			if len(c.before) > 0 {
				p.xdo(c.before...)
			}
			p.until("other settings", func(a *app) bool { return c.before == nil || a.session.Sides.Active.Settings.Integrator != "path" })
			p.xdo("key", "x")
			p.until("two sides", func(a *app) bool { return a.session.Sides.Comparing() })
			p.xdo(c.after...)
			p.until("the other side", func(a *app) bool {
				return a.session.Sides.ActiveIndex() == 1 && a.session.Sides.Sides[0].Settings != a.opts.Settings
			})
			p.xdo("key", "BackSpace")
			p.until("both sides as at the start", func(a *app) bool {
				return a.session.Sides.Sides[0].Settings == a.opts.Settings && a.session.Sides.Sides[1].Settings == session.Counterpart(a.opts.Settings, "path")
			})
		})
	}
}

// TestReferenceWaitsForPictures: till both sides show one, the processor is theirs.
func TestReferenceWaitsForPictures(t *testing.T) {
	p := openProbe(t, nil)
	p.do(func(a *app) {
		a.session.ToggleSplit()
		a.session.Sides.ToggleReference()
	})
	early := 0
	p.do(func(a *app) {
		sides, reference := p.fake.twins[0], p.fake.twins[1]
		sides.behind = schedule.EnoughSamples // B has no picture
		reference.rendering = func() {
			if !a.session.Sides.AllShown() {
				early++
			}
		}
	})
	p.until("rest", func(a *app) bool {
		return !a.session.Frames.Rendered.View.Moving && a.session.Sides.Sides[1].Stats.Samples > 5
	})
	p.do(func(*app) { p.fake.twins[0].behind = 0 })
	p.until("the reference", func(a *app) bool { return a.session.Sides.Compare.Reference.Stats.Samples > 0 })
	if early > 0 {
		t.Errorf("the reference was rendered %d times before B had a picture", early)
	}
}

func TestEqualTimeAndSamples(t *testing.T) {
	p := openSides(t, func(_ *Options, f *fake) {
		f.kind = "cuda"
		f.cost = map[string]time.Duration{"path": 3 * time.Millisecond, "direct": time.Millisecond}
	})
	p.until("samples", func(a *app) bool { return a.session.Sides.Sides[0].Timer.Samples > 9 })
	p.do(func(a *app) {
		if m, n := a.session.Sides.Sides[0].Timer, a.session.Sides.Sides[1].Timer; m.Samples != n.Samples {
			t.Errorf("equal samples: A has %d and B %d", m.Samples, n.Samples)
		}
	})
	p.xdo("key", "t")
	p.until("the change", func(a *app) bool { return a.session.Sides.Compare.Pacing == schedule.EqualTime })
	p.until("samples", func(a *app) bool { return a.session.Sides.Sides[0].Timer.Samples > 9 })
	p.do(func(a *app) {
		m, n := a.session.Sides.Sides[0].Timer, a.session.Sides.Sides[1].Timer
		if apart := (m.Spent - n.Spent).Abs(); apart > 3*time.Millisecond {
			t.Errorf("equal time: A has %v and B %v", m.Spent, n.Spent)
		}
		if n.Samples < 3*m.Samples-3 {
			t.Errorf("B is three times as fast, and has %d samples to %d", n.Samples, m.Samples)
		}
		if b := p.fake.twins[0]; p.fake.careless+b.careless > 0 {
			t.Errorf("%d and %d calls that show nothing would be denoised", p.fake.careless, b.careless)
		}
	})
}

func TestOpeningAndClosingSidesLeaksNothing(t *testing.T) {
	p := openProbe(t, func(_ *Options, f *fake) { f.interop = true })
	var single int
	p.do(func(a *app) { single = a.objects() })
	for i := range 5 {
		p.do(func(a *app) { a.session.ToggleSplit(); a.session.Sides.ToggleReference() })
		p.until("both images", func(a *app) bool { return a.objects() == single+3 && a.session.Sides.Compare.Reference != nil })
		p.do(func(a *app) {
			if i%2 == 1 {
				a.session.Sides.Choose(1)
			}
			a.session.ToggleSplit()
		})
		p.do(func(a *app) {
			if a.objects() != single || len(p.fake.attached) != 2 || a.session.Sides.Compare.Reference != nil {
				t.Errorf("%d GL objects, %d attached buffers", a.objects(), len(p.fake.attached))
			}
		})
	}
	p.do(func(a *app) { a.session.ToggleSplit(); a.session.Sides.ToggleReference() })
	if err := p.quit(); err != nil {
		t.Error(err)
	}
	for _, twin := range p.fake.twins {
		if !twin.closed || len(twin.attached) > 0 {
			t.Errorf("a twin: closed %v, %d buffers attached", twin.closed, len(twin.attached))
		}
	}
	if len(p.fake.twins) != 12 || p.app.objects() != 0 {
		t.Errorf("%d twins, %d GL objects left", len(p.fake.twins), p.app.objects())
	}
}

func TestSidesOfTheRealTracer(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Open, o.Tracer.Backend, o.Width, o.Height, o.Split = session.OpenTracer, "cpu", 320, 240, true
		o.Settings.Denoise = "off" // two sides are denoised in the background, not at the same time
	})
	p.until("two sides", func(a *app) bool {
		return a.session.Sides.Comparing() && a.session.Sides.Sides[1].Stats.Integrator == "restir"
	})
	p.do(func(a *app) {
		if a.session.Sides.Sides[0].Integrator() != "path" {
			t.Errorf("A is %s", a.session.Sides.Sides[0].Integrator())
		}
		a.session.Sides.Sides[1].Settings.Integrator = "path"
	})
	const samples = 4
	p.do(func(a *app) {
		a.session.Sides.Compare.Show, a.session.Sides.Compare.Gain = session.Difference, session.MaxGain
	})
	p.until("as many samples, without a difference", func(a *app) bool { // parts of the next sample may be shown before
		m, n := a.session.Sides.Sides[0].Timer.Samples, a.session.Sides.Sides[1].Timer.Samples
		return m == n && n >= samples && pixel(a, 160, 130) == [4]byte{0, 0, 0, 255}
	})
	p.do(func(a *app) { a.session.Sides.Sides[1].Settings.Bounces = 0 })
	p.until("a difference", func(a *app) bool { return a.session.Sides.Sides[1].Timer.Samples > 0 && pixel(a, 160, 130)[0] > 0 })
	p.do(func(a *app) { a.session.Sides.Compare.Show = session.SideBySide })
	p.do(func(a *app) {
		a.session.Sides.Compare.Divider = 0.45
		if left, right := pixel(a, 140, 130), pixel(a, 160, 130); left[1] <= right[1] {
			t.Errorf("light left of the divider %v, only emission right of it %v", left, right)
		}
	})
}

func TestPictureOfTwoSidesIsSaved(t *testing.T) {
	t.Chdir(t.TempDir())
	p := openSides(t, nil)
	p.do(func(a *app) { a.session.Sides.Compare.Divider = 0.25 })
	img, text := p.saved()
	for x, want := range map[int]uint32{10: 40, 190: 40, 210: 0, 790: 0} {
		if _, _, b, _ := img.At(x, 590).RGBA(); b>>8 != want {
			t.Errorf("pixel %d has blue %d, want %d", x, b>>8, want)
		}
	}
	if !strings.Contains(text["settings"], `"Integrator":"path"`) || !strings.Contains(text["settings B"], `"Integrator":"direct"`) ||
		!strings.Contains(text["compare"], "left 25.0 %") {
		t.Errorf("text %v", text)
	}
}

func TestKeysWithoutTwoSides(t *testing.T) {
	p := openProbe(t, nil)
	for _, k := range []string{"z", "y", "shift+y", "b", "t", "g"} {
		p.do(func(a *app) { a.session.Messages = nil })
		p.xdo("key", k)
		p.until("the way to two sides", func(a *app) bool { return strings.HasPrefix(latest(a), "X ") })
	}
	p.do(func(a *app) {
		if a.session.Sides.Comparing() || a.session.Sides.Compare.Show != session.SideBySide || a.session.Sides.Compare.Reference != nil {
			t.Error("a key did something")
		}
		if a.overDivider(400, 300) {
			t.Error("there is a divider")
		}
	})
}

// TestTwoDevicesInAWindow: a key opens side B on another device, which shows the same bit for bit, and closes it.
func TestTwoDevicesInAWindow(t *testing.T) {
	p := openProbe(t, func(o *Options, _ *fake) {
		o.Open, o.Tracer.Backend, o.SplitBackend, o.Width, o.Height = session.OpenTracer, "cpu", "cpu", 320, 240
	})
	p.until("two sides", func(a *app) bool { return a.session.Sides.Comparing() })
	p.xdo("key", "shift+x")
	p.until("one side", func(a *app) bool { return !a.session.Sides.Comparing() })
	var single int
	p.do(func(a *app) { single = a.objects() })
	p.xdo("key", "shift+x")
	p.until("two devices that agree", func(a *app) bool {
		m := a.session.Model(false).Compare
		return m != nil && m.Sides[0].Device == "CPU" && m.Sides[1].Device == "CPU" && strings.HasSuffix(m.Cross, "A and B are equal bit for bit.")
	})
	p.do(func(a *app) { a.session.Sides.Compare.Gain = session.MaxGain })
	p.xdo("key", "y")
	p.until("the difference, of which there is none", func(a *app) bool {
		m, n := a.session.Sides.Sides[0].Timer.Samples, a.session.Sides.Sides[1].Timer.Samples
		return a.session.Sides.Compare.Show == session.Difference && m == n && pixel(a, 160, 130) == [4]byte{0, 0, 0, 255}
	})
	p.xdo("key", "x", "key", "shift+x")
	p.until("one side", func(a *app) bool { return !a.session.Sides.Comparing() })
	p.do(func(a *app) {
		if a.objects() != single {
			t.Errorf("%d GL objects, before %d", a.objects(), single)
		}
	})
}

// TestNoGPUToCompareWith: where there is only a processor, the key says so.
func TestNoGPUToCompareWith(t *testing.T) {
	p := openProbe(t, func(o *Options, f *fake) {
		o.Open = func(on tracer.Options, _ []tracer.Options) (session.Renderer, error) {
			if on.Backend == "cuda" {
				return nil, fmt.Errorf("open the CUDA backend: %w", errors.New("no CUDA driver library (not found): install it"))
			}
			return f, nil
		}
	})
	p.xdo("key", "shift+x")
	p.until("a sentence", func(a *app) bool { return latest(a) == "glint sees no GPU here: no CUDA driver library" })
	p.do(func(a *app) {
		if a.session.Sides.Comparing() || p.fake.closed {
			t.Error("something was opened or closed")
		}
	})
}
