package tracer_test

import (
	"image"
	"math"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// backgroundShot is a box with a ball of glass in a constant environment, from so far away that the background fills much of the picture.
func backgroundShot(t *testing.T, fx *tracertest.Fixture, integrator, exec, background string) tracertest.Shot {
	t.Helper()
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(s, tracertest.Constant(0.7))
	camera := s.Cameras[0]
	camera.Eye = camera.Target.Add(camera.Eye.Sub(camera.Target).Mul(1.6))
	return tracertest.Shot{Camera: camera, Width: 48, Height: 32, Samples: 24, Settings: tracertest.Settings(func(s *settings.Settings) {
		s.Integrator, s.Exec, s.Background = integrator, exec, background
	})}
}

// TestHiddenBackgroundIsTheRest: what the picture with its background has more than the one without is the background, as far as the alpha
// channel says that it is seen, sample by sample.
func TestHiddenBackgroundIsTheRest(t *testing.T) {
	for _, row := range []struct{ integrator, exec string }{
		{"path", "megakernel"}, {"path", "regeneration"}, {"path", "wavefront"}, {"direct", "auto"}, {"naive", "auto"}, {"restir", "megakernel"}, {"restir", "wavefront"}, {"restir-gi", "auto"},
	} {
		t.Run(row.integrator+" "+row.exec, func(t *testing.T) {
			fx := tracertest.OnBestBackend(t)
			whole := fx.Render(backgroundShot(t, fx, row.integrator, row.exec, "scene"))
			shot := backgroundShot(t, fx, row.integrator, row.exec, "transparent")
			hidden := fx.Render(shot)
			layers, err := fx.Renderer.Image().Alpha(&shot.Settings)
			if err != nil {
				t.Fatal(err)
			}
			alpha, edges, empty := layers[0].Pix, 0, 0
			for i, a := range alpha {
				switch {
				case a == 0:
					empty++
				case a < 1:
					edges++
				}
				for c := range 3 {
					all, seen := float64(whole.Pix[3*i+c]), float64(hidden.Pix[3*i+c])
					if want := seen + 0.7*float64(1-a); math.Abs(all-want) > 1e-4*(1+all) {
						t.Fatalf("pixel %d, channel %d: %v with the background, %v without, alpha %v", i, c, all, seen, a)
					}
				}
			}
			if empty < len(alpha)/20 || edges < len(alpha)/50 {
				t.Errorf("%d pixels are empty and %d partly so: the test shows nothing", empty, edges)
			}
		})
	}
}

// TestBackgroundsOfPictures: a colour is shown where nothing is, as viewers show it behind a picture with alpha; the window shows a checkerboard
// in place of nothing.
func TestBackgroundsOfPictures(t *testing.T) {
	fx := tracertest.OnBestBackend(t)
	pictures := map[string]*image.NRGBA{}
	var window image.NRGBA
	for _, background := range []string{"transparent", "#ff8001", "white"} {
		for _, denoise := range []string{"off", "atrous"} {
			shot := backgroundShot(t, fx, "path", "auto", background)
			shot.Settings.Denoise, shot.Settings.Dither = denoise, false
			fx.Render(shot)
			v := schedule.Request{View: view.View{Camera: shot.Camera, Width: shot.Width, Height: shot.Height}}
			if denoise != "off" {
				if _, err := fx.Renderer.Image().Denoised(v, shot.Settings); err != nil {
					t.Fatal(err)
				}
			}
			img, err := fx.Renderer.Image().Picture(v, shot.Settings)
			if err != nil {
				t.Fatal(err)
			}
			pictures[background+denoise] = img
			if background == "transparent" {
				window = *image.NewNRGBA(img.Rect)
				if err := fx.Renderer.Image().Show(v, shot.Settings, view.Target{Pixels: window.Pix}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, denoise := range []string{"off", "atrous"} {
		cut, orange := pictures["transparent"+denoise], pictures["#ff8001"+denoise]
		checkBehind(t, cut, orange, func(int, int) [3]float64 { return [3]float64{255, 128, 1} })
		checkBehind(t, cut, pictures["white"+denoise], func(int, int) [3]float64 { return [3]float64{255, 255, 255} })
	}
	checkBehind(t, pictures["transparentatrous"], &window, func(x, y int) [3]float64 {
		if (x/8+y/8)%2 == 0 {
			return [3]float64{0x99, 0x99, 0x99}
		}
		return [3]float64{0x66, 0x66, 0x66}
	})
}

// checkBehind compares a picture with one that has alpha, put over a background.
func checkBehind(t *testing.T, cut, opaque *image.NRGBA, behind func(x, y int) [3]float64) {
	t.Helper()
	empty, partly := 0, 0
	for y := range cut.Rect.Dy() {
		for x := range cut.Rect.Dx() {
			c, o := cut.NRGBAAt(x, y), opaque.NRGBAAt(x, y)
			a := float64(c.A) / 255
			if a == 0 {
				empty++
			} else if a < 1 {
				partly++
			}
			if o.A != 255 {
				t.Fatalf("(%d, %d) is not opaque: %v", x, y, o)
			}
			ground := behind(x, y)
			for k, pair := range [3][2]uint8{{c.R, o.R}, {c.G, o.G}, {c.B, o.B}} {
				if want := a*float64(pair[0]) + (1-a)*ground[k]; math.Abs(want-float64(pair[1])) > 2 {
					t.Fatalf("(%d, %d): %v over %v, want %v", x, y, c, ground, o)
				}
			}
		}
	}
	if empty == 0 || partly == 0 {
		t.Errorf("%d pixels are empty, %d partly so", empty, partly)
	}
}
