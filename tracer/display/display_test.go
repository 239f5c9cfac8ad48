package display_test

import (
	"bytes"
	"math"
	"slices"
	"testing"
	"time"

	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// blank looks at an even sky of 1 nit, with nothing in the way.
func blank(t *testing.T, width, height int) (*tracertest.Fixture, schedule.Request) {
	fx := tracertest.OnCPU(t)
	return fx, tracertest.EmptySky(fx, width, height)
}

// linear shows light as it is.
func linear(change func(*settings.Settings)) settings.Settings {
	return tracertest.Settings(func(s *settings.Settings) {
		s.ToneMap, s.Dither = "none", false
		change(s)
	})
}

// TestDitherLeavesNoBands: wherever a gradient is between two values of 8 bits, the mean over pixels is where it should be; in
// large blocks to a tenth of a step, in small ones nearly so.
func TestDitherLeavesNoBands(t *testing.T) {
	const side = 64
	_, develop := developing(t, side, side)
	dithered := linear(func(s *settings.Settings) { s.Dither = true })
	for step := 20.; step < 24; step += 0.23 {
		light := float32(math.Pow((step/255+0.055)/1.055, 2.4))
		pix := develop(even(side, side, light, light, light), dithered)
		for c := range 3 {
			if got := blockMean(pix, side, 0, 0, side, c); math.Abs(got-step) > 0.1 {
				t.Errorf("channel %d: the mean is %.3f, want %.3f", c, got, step)
			}
			for block := range 64 {
				if got := blockMean(pix, side, block%8*8, block/8*8, 8, c); math.Abs(got-step) > 0.15 {
					t.Errorf("channel %d: the mean of block %d is %.3f, want %.3f", c, block, got, step)
				}
			}
		}
		if !bytes.Equal(pix, develop(even(side, side, light, light, light), dithered)) {
			t.Error("a still does not stand still")
		}
	}
	for _, light := range []float32{0, 1} {
		if pix := develop(even(side, side, light, light, light), dithered); slices.ContainsFunc(pix, func(b byte) bool { return b != byte(255*light) && b != 255 }) {
			t.Errorf("%v is dithered", light)
		}
	}
	pix := develop(even(side, side, 0.0101, 0.0101, 0.0101), linear(func(*settings.Settings) {}))
	if slices.ContainsFunc(pix, func(b byte) bool { return b != pix[0] && b != 255 }) {
		t.Error("there is dither without dither")
	}
}

// TestPicturesOfAnyWidth: a pixel does not depend on how many are on its line, where lines begin in memory, and whether the
// first is at the bottom.
func TestPicturesOfAnyWidth(t *testing.T) {
	const widest, height = 300, 3
	gray := linear(func(s *settings.Settings) { s.Exposure, s.Dither = -1.3, true })
	var want []byte
	for _, width := range []int{widest, 257, 256, 129, 128, 127, 1} {
		fx, v := blank(t, width, height)
		fx.Frame(v, gray, view.Target{})
		line := 4 * width
		show := func(pixels []byte, flip bool) []byte {
			if err := fx.Renderer.Image().Show(v, gray, view.Target{Pixels: pixels, FlipY: flip}); err != nil {
				t.Fatal(err)
			}
			return pixels
		}
		got, flipped := show(make([]byte, line*height), false), show(make([]byte, line*height), true)
		if width == widest {
			want = got
		}
		for y := range height {
			own := got[y*line : (y+1)*line]
			if !bytes.Equal(own, want[4*widest*y:][:line]) {
				t.Errorf("%d pixels wide: line %d is not that of a wider picture", width, y)
			}
			if !bytes.Equal(own, flipped[(height-1-y)*line:][:line]) {
				t.Errorf("%d pixels wide: line %d changes when the picture is flipped", width, y)
			}
		}
		if around := make([]byte, line*height+4); !bytes.Equal(got, show(around[1:][:line*height], false)) || around[0] != 0 || around[line*height+1] != 0 {
			t.Errorf("%d pixels wide: odd memory is written differently", width)
		}
	}
}

func blockMean(pix []byte, width, x0, y0, side, channel int) (mean float64) {
	for y := y0; y < y0+side; y++ {
		for x := x0; x < x0+side; x++ {
			mean += float64(pix[4*(y*width+x)+channel]) / float64(side*side)
		}
	}
	return mean
}

// TestAutoExposureFindsMiddleGray: whatever the light, it shows as 18 %; lamps and black backgrounds do not count, and exposure
// comes on top.
func TestAutoExposureFindsMiddleGray(t *testing.T) {
	const width, height = 60, 40
	_, develop := developing(t, width, height)
	auto := linear(func(s *settings.Settings) { s.AutoExposure = true })
	gray := 255 * encoded(0.18)
	for _, light := range []float32{0.002, 0.03, 0.5, 1, 77, 5000, 2e5} {
		img := even(width, height, light, light, light)
		if got := float64(develop(img, auto)[0]); math.Abs(got-gray) > 1 {
			t.Errorf("%v nit show as %v, want %.1f", light, got, gray)
		}
		for i := range 9 * width * height / 100 { // dark and bright, each nine in a hundred, side by side
			img.Pix[3*i], img.Pix[3*i+1], img.Pix[3*i+2] = light/512, light/512, light/512
			j := width*height - 1 - i
			img.Pix[3*j], img.Pix[3*j+1], img.Pix[3*j+2] = light*512, light*512, light*512
		}
		if got := float64(develop(img, auto)[4*(width*height/2)]); math.Abs(got-gray) > 1 {
			t.Errorf("%v nit between dark and bright show as %v, want %.1f", light, got, gray)
		}
	}
	brighter := auto
	brighter.Exposure = 1
	if got := float64(develop(even(width, height, 3, 3, 3), brighter)[0]); math.Abs(got-255*encoded(0.36)) > 1 {
		t.Errorf("one stop more shows as %v, want %.1f", got, 255*encoded(0.36))
	}
	nothing := even(width, height, 0, 0, 0)
	nothing.Pix[0] = float32(math.Inf(1))
	if pix := develop(nothing, auto); pix[4] != 0 {
		t.Errorf("black shows as %v", pix[4:8])
	}
}

// TestAutoExposureFollowsInTime: in a live view exposure goes its way as the clock does, quickly where it is too bright and
// slowly where too dark; a still has it at once.
func TestAutoExposureFollowsInTime(t *testing.T) {
	fx, v := blank(t, 16, 16)
	v.Live = true
	target := view.Target{Pixels: make([]byte, 4*16*16)}
	s := linear(func(s *settings.Settings) { s.AutoExposure = true })
	at := func(clock time.Duration, stops float64) float64 {
		v.Clock, s.EnvStrength = clock, math.Exp2(stops)
		return fx.Frame(v, s, target).Metered
	}
	const gray = -2.47393
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.02 {
			t.Errorf("%s: %.3f EV, want %.3f", what, got, want)
		}
	}
	near("at first", at(time.Second, 0), gray)
	near("at the same moment", at(time.Second, 4), gray)
	near("0.2 s after four stops more", at(1200*time.Millisecond, 4), gray-4*(1-math.Exp(-1)))
	near("long after", at(10*time.Second, 4), gray-4)
	near("0.5 s after four stops less", at(10500*time.Millisecond, 0), gray-4*math.Exp(-1))
	near("without a clock", at(0, 2), gray-2)
	a := at(20*time.Second, 2)
	var b float64
	for i := range 10 { // small steps lead to where a large one does
		b = at(20*time.Second+time.Duration(i+1)*20*time.Millisecond, 4)
	}
	near("in ten steps", b, a-2*(1-math.Exp(-1)))
}

// TestTwinsAreExposedAlike: the second of two images is shown as the first is exposed.
func TestTwinsAreExposedAlike(t *testing.T) {
	fx, v := blank(t, 16, 16)
	twin := fx.Twin(profile.Policy{TimeEvery: 1})
	s := linear(func(s *settings.Settings) { s.AutoExposure = true })
	target := view.Target{Pixels: make([]byte, 4*16*16)}
	first := fx.Frame(v, s, target).Metered
	s.LightScale, s.EnvStrength = 1, 2
	if second := twin.Frame(v, s, target).Metered; second != first {
		t.Errorf("%v EV of the first, %v of the second", first, second)
	}
	if got, want := float64(target.Pixels[0]), 255*encoded(0.36); math.Abs(got-want) > 1 {
		t.Errorf("twice the light shows as %v, want %.1f", got, want)
	}
}

// TestViewsOfNoLightLeaveTheMeter: where one of two images shows normals, the other is metered as if it were alone, also when
// the first was metered before.
func TestViewsOfNoLightLeaveTheMeter(t *testing.T) {
	fx, v := blank(t, 16, 16)
	twin := fx.Twin(profile.Policy{TimeEvery: 1})
	target := view.Target{Pixels: make([]byte, 4*16*16)}
	v.Live = true
	path := linear(func(s *settings.Settings) { s.AutoExposure, s.EnvStrength = true, 2 })
	alone := fx.Frame(v, path, target).Metered
	brighter, normals := path, path
	brighter.EnvStrength, normals.AOVView = 8, "normal"
	for _, row := range []struct {
		name     string
		settings settings.Settings
		want     float64
	}{{"once normals are shown", brighter, alone - 2}, {"while they are", path, alone}} {
		v.Clock += time.Hour
		fx.Frame(v, normals, target)
		if got := twin.Frame(v, row.settings, target).Metered; math.Abs(got-row.want) > 0.02 {
			t.Errorf("%s: the other image is exposed by %.3f EV, alone by %.3f", row.name, got, row.want)
		}
	}
}

// TestBloomTakesMemoryOnlyWhileItIsOn, and then spreads light without a change of what is even.
func TestBloomInTheFilm(t *testing.T) {
	const width, height = 64, 48
	fx, develop := developing(t, width, height)
	plain := linear(func(*settings.Settings) {})
	bloom := linear(func(s *settings.Settings) { s.Bloom = 0.2 })
	gray := even(width, height, 0.2, 0.2, 0.2)
	before := develop(gray, plain)
	held := fx.Statistics().Memory.Film
	if after := develop(gray, bloom); !bytes.Equal(before, after) {
		t.Errorf("an even picture changes from %v to %v", before[:4], after[:4])
	}
	if fx.Statistics().Memory.Film <= held {
		t.Error("bloom without a pyramid")
	}
	lamp := even(width, height, 0, 0, 0)
	for _, i := range []int{24*width + 32, 24*width + 33} {
		copy(lamp.Pix[3*i:], []float32{50, 50, 50})
	}
	glare, sharp := develop(lamp, bloom), develop(lamp, plain)
	if at := 4 * (24*width + 40); glare[at] == 0 || sharp[at] != 0 {
		t.Errorf("beside a lamp: %d with bloom, %d without", glare[at], sharp[at])
	}
	if kept := fx.Statistics().Memory.Film - held; kept != 0 {
		t.Errorf("%d bytes are kept without bloom", kept)
	}
}

// TestLinearImagesAreNotDisplayed: what is written to .exr and .pfm knows nothing of how the picture is displayed.
func TestLinearImagesAreNotDisplayed(t *testing.T) {
	fx, v := blank(t, 16, 16)
	var images [2]*imageio.Image
	for i, s := range []settings.Settings{settings.Defaults(), tracertest.Settings(func(s *settings.Settings) {
		s.Exposure, s.AutoExposure, s.WhiteBalance, s.Tint, s.Bloom, s.ToneMap = 3, true, 3000, 30, 0.5, "aces"
	})} {
		fx.Renderer.Restart()
		fx.Frame(v, s, view.Target{Pixels: make([]byte, 4*16*16)})
		var err error
		if images[i], err = fx.Renderer.Image().Radiance(); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(images[0].Pix, images[1].Pix) {
		t.Error("display settings change linear radiance")
	}
}
