package tracer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/gpuscene"
	"glint/tracer/imageio"
	"glint/tracer/scene"
	"glint/tracer/settings"
	"glint/tracer/tracertest"
)

// sharedScenes holds the models and the pictures that other renderers made of them. It is not part of the repository.
const sharedScenes = "../../shared/scenes"

// reference is one entry of the manifest beside the pictures.
type reference struct {
	Scene  string
	Camera struct {
		Eye, Target, Up mgl32.Vec3
		VFov            float32 `json:"yfov_deg"`
	}
	Env           mgl32.Vec3
	EnvHDR        *string `json:"env_hdr"`
	Bounces       int
	Width, Height int
	TolBlock8     float64 `json:"tol_block8"`
	TolEnergy     float64 `json:"tol_energy"`
	NoiseBlock8   float64 `json:"noise_block8"`
}

func readManifest(t *testing.T) map[string]reference {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(sharedScenes, "reference", "manifest.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("needs reference pictures that do not come with the project: ", sharedScenes)
	}
	if err != nil {
		t.Fatal(err)
	}
	var manifest map[string]reference
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	return manifest
}

// TestReferences compares with pictures that two other renderers agree on, by their own rule: block8 within its tolerance
// and 4 times the picture's noise, energy within its tolerance.
func TestReferences(t *testing.T) {
	manifest := readManifest(t)
	if len(manifest) < 10 {
		t.Errorf("the manifest lists %d pictures, there were 10", len(manifest))
	}
	for name, ref := range manifest {
		t.Run(name, func(t *testing.T) { ref.check(t, name) })
	}
}

func (ref reference) check(t *testing.T, name string) {
	want, err := imageio.Read(filepath.Join(sharedScenes, "reference", name+".pfm"))
	if err != nil {
		t.Fatal(err)
	}
	got := ref.render(t, strings.HasSuffix(name, "_singlescatter"))
	block8, energy := tracertest.Block8(t, got, want), tracertest.Energy(got, want)
	limit := ref.TolBlock8 + 4*ref.NoiseBlock8
	t.Logf("block8 %.3g of %.3g, energy %.4f ± %g", block8, limit, energy, ref.TolEnergy)
	if block8 > limit || math.Abs(energy-1) > ref.TolEnergy {
		t.Errorf("block8 %.3g must be at most %.3g, energy %.4f within %g of 1; see %s",
			block8, limit, energy, ref.TolEnergy, keepEvidence(t, name, got, want))
	}
}

// render takes the picture as the manifest says.
func (ref reference) render(t *testing.T, singleScatter bool) *imageio.Image {
	s, err := scene.Load(context.Background(), filepath.Join(sharedScenes, ref.Scene), scene.Options{})
	if err != nil {
		t.Fatal(err)
	}
	env := &gpuscene.Environment{Constant: ref.Env}
	if ref.EnvHDR != nil {
		if env, err = gpuscene.LoadEnvironment(filepath.Join(sharedScenes, *ref.EnvHDR), nil); err != nil {
			t.Fatal(err)
		}
	}
	up := ref.Camera.Up
	if up.Len() == 0 {
		up = mgl32.Vec3{0, 1, 0}
	}
	v := tracertest.Shot{Width: ref.Width, Height: ref.Height, Samples: 24,
		Camera:   scene.Camera{Eye: scene.Wide(ref.Camera.Eye), Target: scene.Wide(ref.Camera.Target), Up: up, VFov: ref.Camera.VFov},
		Settings: tracertest.Settings(func(s *settings.Settings) { s.Bounces, s.EnergyCompensation = ref.Bounces, !singleScatter })}
	if tracertest.Long() {
		v.Samples = 1024
	}
	return tracertest.OnBestBackend(t).Use(s, env).Render(v)
}

// keepEvidence writes what was rendered, what it should be and the difference into artifacts, and says where.
func keepEvidence(t *testing.T, name string, got, want *imageio.Image) string {
	t.Helper()
	folder := filepath.Join("..", "artifacts", "references")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	difference := &imageio.Image{Width: got.Width, Height: got.Height, Pix: make([]float32, len(got.Pix))}
	for i := range difference.Pix {
		difference.Pix[i] = float32(math.Abs(float64(got.Pix[i] - want.Pix[i])))
	}
	for kind, img := range map[string]*imageio.Image{"got": got, "want": want, "difference": difference} {
		if err := imageio.WritePNG(filepath.Join(folder, name+"_"+kind+".png"), displayed(img), nil); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprintf("%s_*.png", filepath.Join(folder, name))
}

// displayed is a picture for the eye, with a gamma of 2.2.
func displayed(img *imageio.Image) *image.NRGBA {
	out := image.NewNRGBA(image.Rect(0, 0, img.Width, img.Height))
	for i := range img.Width * img.Height {
		for c := range 3 {
			v := min(max(float64(img.Pix[3*i+c]), 0), 1)
			out.Pix[4*i+c] = uint8(255*math.Pow(v, 1/2.2) + 0.5)
		}
		out.Pix[4*i+3] = 255
	}
	return out
}
