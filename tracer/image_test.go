package tracer_test

import (
	"strings"
	"testing"

	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestImagesHaveASize: what is asked for in another size than the image has is an error. Kernels would write as much as was asked for.
func TestImagesHaveASize(t *testing.T) {
	fx := tracertest.OnCPU(t)
	v := tracertest.EmptySky(fx, 32, 24)
	s := settings.Defaults()
	fx.Frame(v, s, view.Target{})
	if _, err := fx.Renderer.Image().Picture(v, s); err != nil {
		t.Fatal(err)
	}
	for _, size := range [][2]int{{64, 48}, {16, 12}, {24, 32}} {
		other := v
		other.Width, other.Height = size[0], size[1]
		_, picture := fx.Renderer.Image().Picture(other, s)
		_, denoised := fx.Renderer.Image().Denoised(other, tracertest.Settings(func(s *settings.Settings) { s.Denoise = "atrous" }))
		_, trust := fx.Renderer.Image().ErrorMap(other, s)
		shown := fx.Renderer.Image().Show(other, s, view.Target{Pixels: make([]byte, 4*size[0]*size[1])})
		for name, err := range map[string]error{"Picture": picture, "Denoised": denoised, "ErrorMap": trust, "Show": shown} {
			if err == nil || !strings.Contains(err.Error(), "of the same size") {
				t.Errorf("%s of %v: %v", name, size, err)
			}
		}
	}
}
