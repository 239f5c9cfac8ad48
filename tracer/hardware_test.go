package tracer_test

import (
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/imageio"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// onHardware opens a GPU whose driver has OptiX, or skips the test.
func onHardware(t *testing.T) *tracertest.Fixture {
	t.Helper()
	_, gpu := tracertest.OnBothBackends(t)
	if _, err := gpu.Device.Hardware(); err != nil {
		t.Skip(err)
	}
	return gpu
}

// TestHardwareGivesTheSamePicture: what hardware traces is the picture of software but for rays that meet an edge, has the same bits in each
// run, and the same mean.
func TestHardwareGivesTheSamePicture(t *testing.T) {
	const runs, hardwareSeeds = 64, 1000
	for _, info := range builtin.List() {
		for integrator, samples := range map[string]int{"path": 24, "restir": 8} {
			t.Run(info.Name+" "+integrator, func(t *testing.T) {
				fx := onHardware(t)
				s := tracertest.Builtin(t, info.Name, builtin.Options{})
				fx.Use(s, nil)
				shot := func(rays string) tracertest.Shot {
					return tracertest.Shot{Camera: s.Cameras[0], Width: 64, Height: 48, Zoom: 8, Samples: samples, Settings: tracertest.Settings(func(s *settings.Settings) {
						s.Integrator, s.Exec, s.Rays = integrator, "wavefront", rays
						s.RestirRadius = 24
					})}
				}
				if err := fx.Renderer.Engine().EnsureRays(shot("hardware").Settings); err != nil {
					t.Fatal(err)
				}
				render := func(rays string) *imageio.Image { // the setting does not restart the image
					fx.Restart()
					return fx.Render(shot(rays))
				}
				software, hardware, again := render("software"), render("hardware"), render("hardware")
				if share := tracertest.ShareBeyond(hardware, again, 0); share > 0 {
					t.Errorf("%.4f %% of the pixels differ when rendered again", 100*share)
				}
				share := tracertest.ShareBeyond(software, hardware, 1e-3)
				t.Logf("%.4f %% of the pixels differ by more than 1e-3; the pictures are equal: %v", 100*share, tracertest.ShareBeyond(software, hardware, 0) == 0)
				agreement := tracertest.Agreement{A: *fx.RenderSide(shot("software"), runs, 1), B: *fx.RenderSide(shot("hardware"), runs, hardwareSeeds)}
				r, err := agreement.Result()
				if err != nil {
					t.Fatal(err)
				}
				t.Logf("max z %.2f, difference %.3f %%, standard error %.3f %% of the image", r.MaxZ, 100*r.GlobalRelativeDifference, 100*r.ImageStandardError)
				if r.MaxZ > 4.5 || r.ImageStandardError > 0.001 {
					t.Error("want |z| <= 4.5 at a standard error of 0.1 %")
				}
				if _, err := fx.Device.Hardware(); err != nil {
					t.Errorf("hardware was turned off: %v", err)
				}
			})
		}
	}
}

// TestRaysWithoutHardware: where there is none, software traces, and says so once; auto says nothing.
func TestRaysWithoutHardware(t *testing.T) {
	fx := tracertest.OnCPU(t)
	s := tracertest.Builtin(t, "cornell", builtin.Options{})
	fx.Use(s, nil)
	render := func(rays string) view.Stats {
		own := tracertest.Settings(func(s *settings.Settings) { s.Integrator, s.Exec, s.Rays = "path", "wavefront", rays })
		return fx.Frame(schedule.Request{View: view.View{Camera: s.Cameras[0], Width: 16, Height: 12}}, own, view.Target{})
	}
	if stats := render("auto"); stats.Rays != "" || stats.RaysError != nil {
		t.Errorf("auto: by %q, %v", stats.Rays, stats.RaysError)
	}
	for i := range 2 {
		stats := render("hardware")
		if stats.Rays != "software" || (stats.RaysError != nil) != (i == 0) {
			t.Errorf("hardware, frame %d: by %q, %v", i, stats.Rays, stats.RaysError)
		}
		if stats.Samples != i+2 {
			t.Errorf("%d samples, want %d: the image restarts", stats.Samples, i+2)
		}
	}
}
