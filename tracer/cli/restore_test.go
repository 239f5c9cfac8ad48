package cli_test

import (
	"fmt"
	"image"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"glint/tracer"
	"glint/tracer/document"
	"glint/tracer/imageio"
)

// pictureOf is what a picture shows, and what it says but for how long it took.
func pictureOf(t *testing.T, path string) (image.Image, map[string]string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	img, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	notes, err := imageio.ReadNotes(path)
	if err != nil {
		t.Fatal(err)
	}
	delete(notes, "seconds")
	return img, notes
}

// TestRenderAPictureAgain: glint render PICTURE makes the same bits again, from any folder, also when scene and picture were moved
// together; flags of the command line go first.
func TestRenderAPictureAgain(t *testing.T) {
	dir := t.TempDir()
	scene := filepath.Join(dir, "room.glb")
	if code, _, stderr := run(t, "scene", "cornell", "-o", scene); code != 0 {
		t.Fatal(stderr)
	}
	t.Chdir(dir)
	for name, args := range map[string]string{
		"path":       "render room.glb --spp 3 --size 40x30 --integrator path --exposure 0.3333333333333333",
		"built in":   "render cornell --spp 2 --size 32x32 --integrator restir --seed 5 --bounces 3",
		"camera":     "render room.glb --spp 2 --size 40x30 --eye 0.1,1,3.3333333333333335 --target 0,1,0 --vfov 33.3 --env sky:20 --denoise atrous",
		"parallel":   "render room.glb --spp 2 --size 40x30 --eye 0,1,3 --target 0,1,0 --ortho 1.1",
		"lens":       "render room.glb --spp 2 --size 40x30 --aperture 0.05 --focus 2.1 --floor on --frame 7",
		"edits":      "render room.glb --spp 2 --size 40x30 --edit /materials/0/emissiveFactor=0,0.3333333333333333,1 --edit /nodes/0/translation=0.1,0.2,0",
		"full light": "render cornell --spp 2 --size 33x31 --sampling bsdf --rr off --tonemap aces --white-balance 5000 --denoise learned",
	} {
		t.Run(name, func(t *testing.T) {
			first, again := filepath.Join(dir, name+".png"), filepath.Join(t.TempDir(), "again.png")
			if code, _, stderr := run(t, append(strings.Fields(args), "-o", first)...); code != 0 {
				t.Fatal(stderr)
			}
			t.Chdir(t.TempDir())
			if code, _, stderr := run(t, "render", first, "-o", again); code != 0 {
				t.Fatal(stderr)
			}
			img, says := pictureOf(t, first)
			if imgAgain, saysAgain := pictureOf(t, again); !reflect.DeepEqual(img, imgAgain) || !maps.Equal(says, saysAgain) {
				t.Errorf("rendered again it is another picture, and says %v, not %v", saysAgain, says)
			}
		})
	}

	// An .exr knows it all, too; what the command line says goes first.
	linear, next := filepath.Join(dir, "a.exr"), filepath.Join(dir, "b.png")
	for _, args := range [][]string{
		{"render", "path.png", "-o", linear},
		{"render", linear, "--spp", "5", "--eye", "0,1,3", "-o", next},
	} {
		if code, _, stderr := run(t, args...); code != 0 {
			t.Fatal(stderr)
		}
	}
	notes, err := imageio.ReadNotes(next)
	if err != nil || notes["samples"] != "5" || !strings.Contains(notes["camera"], `"Eye":[0,1,3]`) || notes["size"] != "40x30" {
		t.Errorf("%v, %v", notes, err)
	}

	// Moved together it is found, changed it says so, and gone it names what is gone.
	moved := t.TempDir()
	for _, name := range []string{"path.png", "room.glb"} {
		if err := os.Rename(filepath.Join(dir, name), filepath.Join(moved, name)); err != nil {
			t.Fatal(err)
		}
	}
	picture := filepath.Join(moved, "path.png")
	if code, _, stderr := run(t, "render", picture, "-o", next); code != 0 || strings.Contains(stderr, "changed") {
		t.Errorf("moved: %d, %s", code, stderr)
	}
	file, err := os.OpenFile(filepath.Join(moved, "room.glb"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write([]byte{0}); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := run(t, "render", picture, "-o", next); code != 0 || !strings.Contains(stderr, "has changed since the picture was made") {
		t.Errorf("changed: %d, %s", code, stderr)
	}
	if err := os.Remove(filepath.Join(moved, "room.glb")); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := run(t, "render", picture, "-o", next); code != 2 || !strings.Contains(stderr, "room.glb, which is not there any more") {
		t.Errorf("gone: %d, %s", code, stderr)
	}
}

// TestBlackPicturesSayWhy: glint render says why a picture is black, and the flag that mends it.
func TestBlackPicturesSayWhy(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a.png")
	for args, want := range map[string]string{
		"cornell":                "",
		"cornell --exposure -14": "--auto-exposure on",
		"cornell --exposure -14 --aov-view depth": "",
		"cornell --eye 0,1,5 --target 0,1,9":      "Nothing of the scene is in view",
		"cornell --light-scale 0":                 "--light-scale 1",
	} {
		code, _, stderr := run(t, append(strings.Fields("render "+args+" --size 32x24 --spp 2 -o"), out)...)
		if code != 0 || strings.Contains(stderr, "is black") != (want != "") || !strings.Contains(stderr, want) {
			t.Errorf("%s: %d, %s", args, code, stderr)
		}
	}
}

// TestPicturesComeBeforeTheSettingsFile: what a picture leaves out, the settings file does not add.
func TestPicturesComeBeforeTheSettingsFile(t *testing.T) {
	first, again := filepath.Join(t.TempDir(), "a.png"), filepath.Join(t.TempDir(), "b.png")
	if code, _, stderr := run(t, "render", "cornell", "--size", "32x24", "--spp", "2", "-o", first); code != 0 {
		t.Fatal(stderr)
	}
	config(t, func(path string) error {
		return os.WriteFile(path, []byte("env = \"sky\"\nbounces = 2\ntime = \"1ms\"\nvfov = 60\n"), 0o600)
	})
	if code, _, stderr := run(t, "render", first, "-o", again); code != 0 {
		t.Fatal(stderr)
	}
	img, says := pictureOf(t, first)
	if imgAgain, saysAgain := pictureOf(t, again); !reflect.DeepEqual(img, imgAgain) || !maps.Equal(says, saysAgain) {
		t.Errorf("with a settings file the picture says %v, not %v", saysAgain, says)
	}
	if code, _, stderr := run(t, "render", first, "--vfov", "50", "-o", again); code != 0 {
		t.Fatal(stderr)
	}
	if _, saysAgain := pictureOf(t, again); !strings.Contains(saysAgain["camera"], `"VFov":50`) || !strings.Contains(saysAgain["camera"], `"Eye":[0,1,`) {
		t.Errorf("with another lens: %s; it was %s", saysAgain["camera"], says["camera"])
	}
}

// TestRenderASampleAgain: --replay tells a path, a saved sample is traced again, and one that has changed is an error.
func TestRenderASampleAgain(t *testing.T) {
	t.Chdir(t.TempDir())
	code, told, stderr := run(t, "render", "cornell", "--integrator", "path", "--size", "40x30", "--replay", "20,10,3", "-o", "a.png")
	if code != 0 || !strings.Contains(told, "diffuse") || !strings.Contains(told, "MIS weight") {
		t.Fatalf("%d, %s%s", code, told, stderr)
	}
	var lo [3]float32
	_, last, _ := strings.Cut(told, "sample 20,10,3: ")
	if _, err := fmt.Sscanf(last, "%g %g %g", &lo[0], &lo[1], &lo[2]); err != nil {
		t.Fatal(err, last)
	}
	notes, err := imageio.ReadNotes("a.png")
	if err != nil {
		t.Fatal(err)
	}
	d, err := document.ReadNotes(notes, tracer.SettingsTable())
	if err != nil {
		t.Fatal(err)
	}
	for _, saved := range []struct {
		add   float32
		fails bool
	}{{0, false}, {1e-3, true}} {
		d.Replay = &document.Replay{X: 20, Y: 10, Sample: 3, Lo: lo}
		d.Replay.Lo[1] += saved.add
		notes, err := d.Notes()
		if err == nil {
			err = document.WriteReplay("case.json", notes)
		}
		if err != nil {
			t.Fatal(err)
		}
		code, again, stderr := run(t, "render", "case.json", "-o", "b.png")
		if code != 0 != saved.fails || again != told {
			t.Errorf("%d, changed by %v: %s, first %s%s", code, saved.add, again, told, stderr)
		}
	}
	for _, wrong := range []string{"1", "-1,2,3", "100,2,3"} {
		if code, _, _ := run(t, "render", "cornell", "--size", "40x30", "--replay="+wrong, "-o", "c.png"); code == 0 {
			t.Errorf("--replay %s is taken", wrong)
		}
	}
}
