package display_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/display"
	"glint/tracer/imageio"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestFilmBalancesWhite: film does to pixels what the matrix says, and nothing at all at 6500 K.
func TestFilmBalancesWhite(t *testing.T) {
	fx, develop := developing(t, 8, 4)
	img := even(8, 4, 0.4, 0.2, 0.3)
	plain := tracertest.Settings(func(s *settings.Settings) { s.ToneMap, s.Dither = "none", false })
	warm := plain
	warm.WhiteBalance, warm.Tint = 4500, 20
	want := display.Balance(4500, 20).Mul3x1(mgl64.Vec3{0.4, 0.2, 0.3})
	for c, got := range develop(img, warm)[:3] {
		if e := 255 * encoded(want[c]); math.Abs(float64(got)-e) > 0.51 {
			t.Errorf("channel %d is %d, want %.2f", c, got, e)
		}
	}
	rendered, err := fx.Renderer.Image().Radiance()
	if err != nil {
		t.Fatal(err)
	}
	again := plain
	again.WhiteBalance = 6500
	if !bytes.Equal(develop(rendered, plain), develop(rendered, again)) {
		t.Error("6500 K changes pixels")
	}
}

// encoded is the sRGB transfer function (IEC 61966-2-1).
func encoded(x float64) float64 {
	if x = min(max(x, 0), 1); x <= 0.0031308 {
		return 12.92 * x
	}
	return 1.055*math.Pow(x, 1/2.4) - 0.055
}

// developing is a fixture that develops pictures of a size.
func developing(t *testing.T, width, height int) (*tracertest.Fixture, func(*imageio.Image, settings.Settings) []byte) {
	fx, v := blank(t, width, height)
	fx.Frame(v, settings.Defaults(), view.Target{})
	return fx, func(img *imageio.Image, s settings.Settings) []byte {
		t.Helper()
		out, _, err := fx.Renderer.Image().Display(img, s)
		if err != nil {
			t.Fatal(err)
		}
		return out.Pix
	}
}

// even is a picture of one colour.
func even(width, height int, r, g, b float32) *imageio.Image {
	img := &imageio.Image{Width: width, Height: height}
	for range width * height {
		img.Pix = append(img.Pix, r, g, b)
	}
	return img
}
