package integrator_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// polished is a metal too sharp to share what it reflects: x1 lies beyond it, and the way there is each pixel's own.
func polished(roughness float32) scene.Material {
	m := scene.NewMaterial("polished")
	m.BaseColor, m.Metallic, m.Roughness = mgl32.Vec4{0.9, 0.8, 0.6, 1}, 1, roughness
	return m
}

// TestChainsAreUnbiased: pixels share light at what they see in a sharp reflection. Half of the frames' light is direct there, and
// counts as indirect, since it has been scattered twice; light samples and chance find the lamps over the metal itself.
func TestChainsAreUnbiased(t *testing.T) {
	s, camera := mirrorOnFloor(polished(0.12))
	v := tracertest.Shot{Camera: camera, Width: 64, Height: 64, Settings: tracertest.Settings(func(o *settings.Settings) {
		o.Bounces, o.Roulette, o.RestirRadius = 3, false, tracertest.ReuseRadius(6, 64)
	})}
	for _, row := range []struct {
		integrator, show string
		paths, samples   int
	}{{"restir", "direct", 1, 1}, {"restir", "indirect", 1, 2}, {"restir", "all", 2, 2}, {"restir-gi", "all", 1, 1}} {
		t.Run(row.integrator+" "+row.show, func(t *testing.T) {
			v := v
			v.Settings.Show, v.Samples = row.show, row.samples
			reference := tracertest.OnBestBackend(t).Use(s, tracertest.Dark()).RenderSide(v, agreementRuns, naiveSeed)
			v.Settings.Integrator, v.Paths, v.Settings.RestirPaths = row.integrator, row.paths, row.paths
			agree(t, tracertest.OnBestBackend(t).Use(s, tracertest.Dark()).RenderSeeds(v, agreementRuns, 1), reference)
		})
	}
}

// TestChainsShare: what polished metal shows is shared as what a mirror shows is, so a pixel of one sample errs less than by path.
func TestChainsShare(t *testing.T) {
	s, camera := mirrorOnFloor(polished(0.15))
	v := tracertest.Shot{Camera: camera, Width: 64, Height: 64, Samples: 512, Settings: tracertest.Settings(func(o *settings.Settings) {
		o.Bounces, o.RestirRadius = 4, tracertest.ReuseRadius(6, 64)
	})}
	fx := tracertest.OnBestBackend(t).Use(s, tracertest.Dark())
	truth := metalOf(fx.Render(v))
	errorOf := func(integrator string) float64 {
		v.Samples, v.Settings.Integrator = 1, integrator
		sum := 0.0
		for v.Settings.Seed = 1; v.Settings.Seed <= 8; v.Settings.Seed++ {
			e, err := metric.RelMSE(metalOf(fx.Render(v)), truth)
			if err != nil {
				t.Fatal(err)
			}
			sum += e / 8
		}
		return sum
	}
	path, restir := errorOf("path"), errorOf("restir")
	t.Logf("relMSE of one sample: path %.4f, restir %.4f", path, restir)
	if !(restir < 0.85*path) {
		t.Errorf("restir has %.2f of path's error: little is shared beyond the metal", restir/path)
	}
}

// metalOf is the part of a picture of mirrorOnFloor, 64 pixels a side, that the mirror fills.
func metalOf(img *imageio.Image) *imageio.Image {
	return &imageio.Image{Width: 64, Height: 28, Pix: img.Pix[:3*64*28]}
}
