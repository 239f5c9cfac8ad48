package tracer_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"glint/tracer/builtin"
	"glint/tracer/metric"
)

// remake is the command that renders the committed estimates again: a minute on a GPU, hours on a CPU.
const remake = "GLINT_LONG=1 GLINT_UPDATE=1 go test ./tracer -run TestMakeEstimates -timeout 12h"

// committed is a naive estimate as it lies in testdata.
type committed struct {
	Command  string          `json:"command"` // that made it
	Scene    string          `json:"scene"`   // fingerprint: a changed scene needs a new estimate
	Estimate metric.Estimate `json:"estimate"`
}

func estimatePath(scene string) string { return filepath.Join("testdata", "naive_"+scene+".json") }

// fingerprint is a hash of everything that makes a scene's picture.
func fingerprint(t *testing.T, name string) string {
	s := made(t, name, builtin.Options{})
	h := sha256.New()
	fmt.Fprintln(h, agreementSize, agreementBounce, s.Vertices, s.Faces, s.Materials, s.Textures, s.Cameras[0])
	for _, img := range s.Images {
		h.Write(img.Pixels)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// readEstimate is the committed naive estimate of a scene.
func readEstimate(t *testing.T, scene string) metric.Estimate {
	t.Helper()
	data, err := os.ReadFile(estimatePath(scene))
	if err != nil {
		t.Fatal(err)
	}
	var c committed
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatalf("%s: %v", estimatePath(scene), err)
	}
	if c.Scene != fingerprint(t, scene) {
		t.Fatalf("%s was made of another version of the scene: remake it with %s", estimatePath(scene), remake)
	}
	return c.Estimate
}

// TestMakeEstimates writes the committed estimates.
func TestMakeEstimates(t *testing.T) {
	if os.Getenv("GLINT_UPDATE") != "1" {
		t.Skip("writes testdata: " + remake)
	}
	st := onFastest(t)
	for _, row := range agreementRows() {
		e, err := row.naive(t, st, agreementSize, longZoom).Estimate()
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: mean %.5f, standard error %.4f %%", row.scene, e.Image.Mean[0], 100*e.Image.StandardError[0]/e.Image.Mean[0])
		data, err := json.MarshalIndent(committed{Command: remake, Scene: fingerprint(t, row.scene), Estimate: e}, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(estimatePath(row.scene), append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
