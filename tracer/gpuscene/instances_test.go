package gpuscene_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/cuda"
	"glint/tracer/imageio"
	"glint/tracer/profile"
	"glint/tracer/scene"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
	"glint/tracer/view"
)

// backendsHere are all that this machine has: both builds for the processor, and a GPU.
func backendsHere(t *testing.T) map[string]*tracertest.Fixture {
	t.Helper()
	all := map[string]*tracertest.Fixture{"fastest": tracertest.OnFastest(t)}
	for name, v := range map[string]cuda.Variant{"baseline": cuda.Baseline, "best build": cuda.BestVariant()} {
		all[name] = tracertest.OnVariant(t, v)
	}
	return all
}

// Instances look like copies, whatever traces and shades them: the same samples give the same pixels, but where a path meets an
// edge. Nor does the order of instances show.
func TestInstancesLookLikeCopies(t *testing.T) {
	s, reversed := crowd(t), crowd(t)
	slices.Reverse(reversed.Instances)
	copies := baked(s)
	for backend, fx := range backendsHere(t) {
		for _, how := range []struct{ exec, integrator, sort string }{
			{"megakernel", "path", "none"}, {"wavefront", "path", "class"}, {"megakernel", "restir-gi", "none"}, {"wavefront", "restir-gi", "none"},
		} {
			v := tracertest.Shot{Camera: s.Cameras[0], Width: 96, Height: 96, Samples: 1, Settings: tracertest.Settings(func(o *settings.Settings) {
				o.Exec, o.Integrator, o.Sort, o.Bounces = how.exec, how.integrator, how.sort, 3
				o.RestirNeighbors = 1 // more would spread the few samples that differ
			})}
			a, b, c := fx.Use(s, tracertest.Dark()).Render(v), fx.Use(copies, tracertest.Dark()).Render(v), fx.Use(reversed, tracertest.Dark()).Render(v)
			if far := tracertest.ShareBeyond(a, b, 1e-3); far > 2e-3 {
				t.Errorf("%v on %s: %.2f %% of the pixels differ", how, backend, 100*far)
			}
			if !slices.Equal(a.Pix, c.Pix) {
				t.Errorf("%v on %s: the order of instances shows", how, backend)
			}
		}
	}
}

// ball is one white instance of a sphere about `at`, whose radius is scale; its mesh is shifted in its own space, in units of
// the sphere's radius there.
func ball(at mgl32.Vec3, scale float32, shift mgl32.Vec3) *scene.Scene {
	white := scene.NewMaterial("white")
	white.Metallic, white.Specular, white.SpecularColor = 0, 0, mgl32.Vec3{}
	m := lump(40, 60, 0, 0)
	for i := range m.Vertices {
		m.Vertices[i].Position = m.Vertices[i].Position.Add(shift)
	}
	world := mgl32.Translate3D(at[0], at[1], at[2]).Mul4(mgl32.HomogRotate3D(0.6, mgl32.Vec3{0.6, 0.8, 0})).Mul4(
		mgl32.Scale3D(scale, scale, scale)).Mul4(mgl32.Translate3D(-shift[0], -shift[1], -shift[2]))
	return &scene.Scene{Meshes: []scene.Mesh{m}, Materials: []scene.Material{white}, Instances: []scene.Instance{{World: world}}}
}

// A ray that leaves an instance must not meet it again, nor pass through it, wherever it stands and in whatever unit its mesh is.
func TestInstancesAreLeftAndClosed(t *testing.T) {
	for _, row := range []struct {
		name      string
		shift, at mgl32.Vec3
		scale     float32
	}{
		{"small unit", mgl32.Vec3{}, mgl32.Vec3{1, 2, 3}, 0.001},
		{"tiny unit", mgl32.Vec3{}, mgl32.Vec3{}, 1e-8},
		{"large unit", mgl32.Vec3{}, mgl32.Vec3{}, 1000},
		{"far away", mgl32.Vec3{}, mgl32.Vec3{2000, -1500, 1000}, 1},
		{"mesh away from its origin", mgl32.Vec3{500, 300, -400}, mgl32.Vec3{3, 1, 2}, 0.1},
	} {
		t.Run(row.name, func(t *testing.T) {
			fx := tracertest.OnCPU(t).Use(ball(row.at, row.scale, row.shift), tracertest.Constant(1))
			camera := scene.Camera{Eye: scene.Wide(row.at.Add(mgl32.Vec3{0, 0, 4 * row.scale})), Target: scene.Wide(row.at), Up: mgl32.Vec3{0, 1, 0}, VFov: 35}
			v := tracertest.Shot{Camera: camera, Width: 64, Height: 64, Samples: 4, Settings: tracertest.Settings(func(o *settings.Settings) {
				o.Integrator, o.Bounces, o.Roulette, o.Cull = "naive", 1, false, false
			})}
			if dark := shareWhere(fx.Render(v), func(x float32) bool { return x < 0.98 }); dark > 0.01 {
				t.Errorf("%.1f %% of the values are dark: light does not leave the surface", 100*dark)
			}
			v.Camera.Eye, v.Camera.VFov, v.Settings.Bounces = scene.Wide(row.at.Add(mgl32.Vec3{0, 0, 0.5 * row.scale})), 90, 8
			if lit := shareWhere(fx.Render(v), func(x float32) bool { return x > 0 }); lit > 0.002 {
				t.Errorf("%.1f %% of the values are lit inside a closed surface", 100*lit)
			}
		})
	}
}

func shareWhere(img *imageio.Image, is func(x float32) bool) float64 {
	n := 0
	for _, x := range img.Pix {
		if is(x) {
			n++
		}
	}
	return float64(n) / float64(len(img.Pix))
}

// Moved instances show at once where they stand, as if they had always stood there.
func TestInstancesMove(t *testing.T) {
	s, later := crowd(t), crowd(t)
	at := make([]mgl32.Mat4, len(s.Instances))
	for i := range later.Instances {
		at[i] = mgl32.Translate3D(0.1, 0.05, -0.2).Mul4(s.Instances[i].World).Mul4(mgl32.HomogRotate3DY(0.5))
		later.Instances[i].World = at[i]
	}
	for _, integrator := range []string{"path", "restir-gi"} {
		v := tracertest.Shot{Camera: s.Cameras[0], Width: 48, Height: 48, Samples: 2, Settings: tracertest.Settings(func(o *settings.Settings) { o.Integrator = integrator })}
		fx := tracertest.OnFastest(t).Use(s, tracertest.Dark())
		before := fx.Render(v)
		twin := fx.Twin(profile.Policy{TimeEvery: 1})
		twin.Render(v)
		if err := fx.PlaceInstances(at); err != nil {
			t.Fatal(err)
		}
		after, elsewhere := fx.Render(v), twin.Render(v)
		want := tracertest.OnFastest(t).Use(later, tracertest.Dark()).Render(v)
		if !slices.Equal(after.Pix, want.Pix) || !slices.Equal(elsewhere.Pix, want.Pix) {
			t.Errorf("%s: not what a scene looks like in which they stand there", integrator)
		}
		if slices.Equal(before.Pix, after.Pix) {
			t.Errorf("%s: nothing moved", integrator)
		}
	}
}

// An instance that is moved into its mirror image keeps its front outside, and one that was mirrored may be so no longer.
func TestInstancesMoveIntoMirrorImages(t *testing.T) {
	s, later := crowd(t), crowd(t)
	at := make([]mgl32.Mat4, len(s.Instances))
	for i := range later.Instances {
		in := &later.Instances[i]
		if in.Mesh < 2 { // these two are each other's mirror images
			in.World = in.World.Mul4(mgl32.Scale3D(1, -1, 1))
			in.Mesh = 1 - in.Mesh
		}
		at[i] = in.World
	}
	v := tracertest.Shot{Camera: s.Cameras[0], Width: 96, Height: 96, Samples: 1, Settings: tracertest.Settings(func(o *settings.Settings) { o.Bounces = 3 })}
	fx := tracertest.OnFastest(t).Use(s, tracertest.Dark())
	if err := fx.PlaceInstances(at); err != nil {
		t.Fatal(err)
	}
	moved := fx.Render(v)
	want := tracertest.OnFastest(t).Use(later, tracertest.Dark()).Render(v)
	if far := tracertest.ShareBeyond(moved, want, 1e-3); far > 2e-3 {
		t.Errorf("%.2f %% of the pixels are not as in a scene in which they stand there", 100*far)
	}
}

// Instances cannot stand where rays do not find into them; then nothing moves.
func TestBadPlacesAreRefused(t *testing.T) {
	s := crowd(t)
	fx := tracertest.OnCPU(t).Use(s, tracertest.Dark())
	v := tracertest.Shot{Camera: s.Cameras[0], Width: 16, Height: 16, Samples: 1, Settings: settings.Defaults()}
	fx.Render(v)
	nan := float32(math.NaN())
	for word, m := range map[string]mgl32.Mat4{
		"finite": mgl32.Translate3D(nan, 0, 0), "inverse": mgl32.Scale3D(1, 0, 1), "affine": mgl32.Translate3D(1, 1, 1).Transpose(),
		"too small": mgl32.Scale3D(1e-13, 1e-13, 1e-13), "stretches": mgl32.Scale3D(1, 1000, 1).Mul4(mgl32.HomogRotate3DX(0.8)),
	} {
		at := make([]mgl32.Mat4, len(s.Instances))
		for i, in := range s.Instances {
			at[i] = in.World
		}
		at[0] = m
		if err := fx.PlaceInstances(at); err == nil || !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), "instance 0") {
			t.Errorf("%s: %v", word, err)
		}
	}
	if err := fx.PlaceInstances(nil); err == nil {
		t.Error("fewer matrices than instances are taken")
	}
	if fx.Frame(schedule.Request{View: view.View{Camera: v.Camera, Width: 16, Height: 16}}, v.Settings, view.Target{}).Restarted {
		t.Error("a refused place begins the image anew")
	}
}
