package diagnose_test

import (
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"glint/tracer/builtin"
	"glint/tracer/diagnose"
	"glint/tracer/gpuscene"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// TestBlack: each cause of a black picture is named, and the offered cure works.
func TestBlack(t *testing.T) {
	for _, c := range []struct {
		name, want string
		env        *gpuscene.Environment
		change     func(s *scene.Scene, v *scene.Camera, set *settings.Settings)
	}{
		{"a room", "", nil, nil},
		{"no light", "Nothing lights", tracertest.Dark(), func(s *scene.Scene, _ *scene.Camera, _ *settings.Settings) {
			for i := range s.Materials {
				s.Materials[i].Emission = mgl32.Vec3{}
			}
		}},
		{"strength 0", "strength 0", nil, func(_ *scene.Scene, _ *scene.Camera, set *settings.Settings) { set.LightScale = 0 }},
		{"faint", "exposure of about +", nil, func(_ *scene.Scene, _ *scene.Camera, set *settings.Settings) { set.LightScale = 1e-4 }},
		{"exposed for the sun", "faint", nil, func(_ *scene.Scene, _ *scene.Camera, set *settings.Settings) { set.Exposure = -14 }},
		{"turned away", "in view", tracertest.Dark(), func(_ *scene.Scene, v *scene.Camera, _ *settings.Settings) {
			v.Target = v.Eye.Add(v.Eye.Sub(v.Target))
		}},
		{"no bounces", "0 bounces", nil, func(_ *scene.Scene, v *scene.Camera, set *settings.Settings) {
			set.Bounces, v.Target = 0, v.Eye.Add(mgl64.Vec3{0, -0.6, -1})
		}},
		{"backs", "backs", tracertest.Dark(), func(s *scene.Scene, v *scene.Camera, _ *settings.Settings) {
			floor, _ := tracertest.Ground(0.5, 60)
			floor.Lights = []scene.Light{{Kind: scene.LightPoint, Position: mgl32.Vec3{0, 2, 0}, Intensity: mgl32.Vec3{100, 100, 100}}}
			*s = *floor
			v.Eye, v.Target = mgl64.Vec3{0, -3, 0.1}, mgl64.Vec3{}
		}},
		{"inside", "inside", nil, func(s *scene.Scene, v *scene.Camera, _ *settings.Settings) {
			m := scene.NewMaterial("shell")
			m.DoubleSided = true
			for _, side := range []float32{-1, 1} { // a box around the eye
				for axis := range 3 {
					var at, u, w mgl32.Vec3
					at, u, w = scene.Single(v.Eye), mgl32.Vec3{}, mgl32.Vec3{}
					const r = 0.005
					at[axis] += side * r
					u[(axis+1)%3], w[(axis+2)%3] = 2*r, 2*r
					tracertest.AddQuad(s, at.Sub(u.Mul(0.5)).Sub(w.Mul(0.5)), u, w, m)
				}
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := tracertest.Builtin(t, "cornell", builtin.Options{})
			camera, set := s.Cameras[0], settings.Defaults()
			set.Denoise, set.Integrator = "off", "path"
			if c.change != nil {
				c.change(s, &camera, &set)
			}
			black := func(env *gpuscene.Environment) (diagnose.Cause, bool) {
				fx := tracertest.OnCPU(t).Use(s, env)
				v := schedule.Request{View: view.View{Camera: camera, Width: 40, Height: 30}}
				for range 4 {
					fx.Frame(v, set, view.Target{})
				}
				img, err := fx.Renderer.Image().Radiance()
				if err != nil {
					t.Fatal(err)
				}
				cause, is, err := diagnose.Black(diagnose.Picture{Settings: set, Bright: diagnose.Brightness(img), Dark: c.name == "no light" && env == c.env,
					Radius: s.Bounds().Radius(), Pick: func(set settings.Settings, x, y float32) (float32, bool, error) {
						return fx.Renderer.Engine().Pick(v, &set, int(x*40), int(y*30))
					}})
				if err != nil {
					t.Fatal(err)
				}
				return cause, is
			}
			cause, is := black(c.env)
			if is != (c.want != "") || !strings.Contains(cause.Why, c.want) {
				t.Fatalf("black %v: %q, want %q", is, cause.Why, c.want)
			}
			if !is {
				return
			}
			env := c.env
			switch {
			case cause.Change != nil:
				cause.Change(&set)
			case cause.Environment != "":
				env = tracertest.Constant(1)
			case cause.Frame:
				camera = s.FrameAll(4. / 3)
			}
			// What lies behind a cause may be another: backs that are shown are lit from their front.
			if again, is := black(env); is && (c.name != "backs" || again.Why == cause.Why) {
				t.Errorf("mended by %q it is still black: %s", cause.Mend, again.Why)
			}
		})
	}
}

// TestShutIn: in a closed room lit only from outside, the advice is to show the whole scene, not to add light.
func TestShutIn(t *testing.T) {
	p := diagnose.Picture{Settings: settings.Defaults(), Around: true, Radius: 1,
		Pick: func(settings.Settings, float32, float32) (float32, bool, error) { return 0.5, true, nil }}
	cause, black, err := diagnose.Black(p)
	if err != nil || !black || !cause.Frame || !strings.Contains(cause.Why, "shut in") {
		t.Errorf("%+v, %v, %v", cause, black, err)
	}
	p.Settings.EnvStrength = 0
	if cause, _, err := diagnose.Black(p); err != nil || cause.Change == nil || !strings.Contains(cause.Why, "strength 0") {
		t.Errorf("with an environment of strength 0: %+v, %v", cause, err)
	}
	p.Around = false
	if cause, _, err := diagnose.Black(p); err != nil || cause.Environment != "studio" {
		t.Errorf("with lamps that are shut in: %+v, %v", cause, err)
	}
}
