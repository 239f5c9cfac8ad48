package integrator_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"glint/tracer/builtin"
	"glint/tracer/scene"
	"glint/tracer/tracertest"
)

// remake is the command that renders the committed estimates again: two minutes on a GPU, hours on a CPU.
const remake = "GLINT_UPDATE=1 go test ./tracer/integrator -run TestMakeEstimates -timeout 12h"

// pathSamples a pixel in each of the runs of path tracing.
const pathSamples = 256

// committed is an estimate as it lies in testdata.
type committed struct {
	Command  string              `json:"command"` // that made it
	Scene    string              `json:"scene"`   // fingerprint: a changed scene needs a new estimate
	Estimate tracertest.Estimate `json:"estimate"`
}

func estimatePath(kind, scene string) string {
	return filepath.Join("testdata", kind+"_"+scene+".json")
}

// fingerprint is a hash of everything that makes a scene's picture.
func fingerprint(t *testing.T, name string) string {
	s := tracertest.Builtin(t, name, builtin.Options{})
	h := sha256.New()
	c := s.Cameras[0]
	camera := struct { // built in cameras are in single precision, and were hashed so
		name               string
		eye, target, up    mgl32.Vec3
		vfov, orthographic float32
	}{c.Name, scene.Single(c.Eye), scene.Single(c.Target), c.Up, c.VFov, c.Orthographic}
	fmt.Fprintln(h, agreementSize, agreementBounce, s.Vertices, s.Faces, s.Textures, camera)
	for i := range s.Materials {
		fmt.Fprintln(h, peculiarities(&s.Materials[i]))
	}
	for _, img := range s.Images {
		h.Write(img.Pixels)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// peculiarities are the fields of a material that are not glTF's defaults: a kind of material that is new to glint does not
// make another scene of those without it.
func peculiarities(m *scene.Material) []string {
	var list []string
	got, none := reflect.ValueOf(*m), reflect.ValueOf(scene.NewMaterial(""))
	for i := range got.NumField() {
		value := got.Field(i).Interface()
		if value == none.Field(i).Interface() {
			continue
		}
		if textures, ok := value.([scene.TextureUses]scene.TextureRef); ok {
			value = inUse(textures[:])
		}
		list = append(list, fmt.Sprint(got.Type().Field(i).Name, "=", value))
	}
	return list
}

// inUse leaves out the last uses of textures, of lobes, where there are none.
func inUse(textures []scene.TextureRef) []scene.TextureRef {
	for len(textures) > int(scene.TextureSharedUses) && textures[len(textures)-1] == scene.NoTexture() {
		textures = textures[:len(textures)-1]
	}
	return textures
}

// readEstimate is the committed estimate of a scene, of the kind naive or path.
func readEstimate(t *testing.T, kind, scene string) tracertest.Estimate {
	t.Helper()
	file := estimatePath(kind, scene)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c committed
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if c.Scene != fingerprint(t, scene) {
		t.Fatalf("%s was made of another version of the scene: remake it with %s", file, remake)
	}
	return c.Estimate
}

func writeEstimate(t *testing.T, kind, scene string, side *tracertest.Side) {
	t.Helper()
	e, err := side.Estimate()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: mean %.5f, standard error %.4f %%", scene, e.Image.Mean[0], 100*e.Image.StandardError[0]/e.Image.Mean[0])
	data, err := json.MarshalIndent(committed{Command: remake, Scene: fingerprint(t, scene), Estimate: e}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(estimatePath(kind, scene), append(data, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestMakeEstimates writes the committed estimates: naive ones of all light, and path-traced ones of the indirect light
// that reuse is compared with.
func TestMakeEstimates(t *testing.T) {
	if os.Getenv("GLINT_UPDATE") != "1" {
		t.Skip("writes testdata: " + remake)
	}
	for _, row := range agreementRows() {
		t.Run("naive/"+row.scene, func(t *testing.T) {
			writeEstimate(t, "naive", row.scene, row.naive(t, tracertest.OnFastest(t), agreementSize, longZoom))
		})
	}
	for _, row := range biasRows() {
		if row.exact > 0 {
			continue
		}
		t.Run("path/"+row.scene, func(t *testing.T) {
			s := tracertest.Builtin(t, row.scene, builtin.Options{})
			view := row.shot(s)
			view.Samples = pathSamples
			writeEstimate(t, "path", row.scene, tracertest.OnFastest(t).Use(s, row.env()).RenderSide(view, agreementRuns, naiveSeed))
		})
	}
}
