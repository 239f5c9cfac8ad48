package cli_test

import (
	"encoding/json"
	"math"
	"testing"
)

// The furnace tells what materials give back: all of it, half of it whatever the material emits, and as much as each channel says.
func TestInfoFurnace(t *testing.T) {
	for scene, want := range map[string][3]float64{"white-furnace": {1, 1, 1}, "furnace": {0.5, 0.5, 0.5}} {
		code, out, stderr := run(t, "info", scene, "--furnace", "--json")
		var about struct {
			Furnace []struct{ Albedo [3]float64 }
		}
		if err := json.Unmarshal([]byte(out), &about); code != 0 || err != nil || len(about.Furnace) != 1 {
			t.Fatalf("%s: exit %d, %v, %v: %s", scene, code, err, about, stderr)
		}
		for c, albedo := range about.Furnace[0].Albedo {
			if math.Abs(albedo-want[c]) > 0.01 {
				t.Errorf("%s: albedo %v, want %v", scene, about.Furnace[0].Albedo, want)
			}
		}
	}
}
