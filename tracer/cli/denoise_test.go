package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mrjoshuak/go-openexr/exr"

	"glint/tracer/film"
	"glint/tracer/imageio"
	"glint/tracer/oidn"
	"glint/tracer/tracertest"
)

// TestRenderWithoutDenoiser says what to do, before it renders anything.
func TestRenderWithoutDenoiser(t *testing.T) {
	tracertest.WithoutOIDN(t)
	out := filepath.Join(t.TempDir(), "a.png")
	code, _, stderr := run(t, small(out, "--denoise", "oidn")...)
	if code != 2 || !strings.Contains(stderr, "--denoise oidn") || !strings.Contains(stderr, "make oidn") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("it wrote a file")
	}
}

// TestRenderLayers: a layer for each AOV; the picture is denoised, with the noisy one as another layer.
func TestRenderLayers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.exr")
	denoiser := "atrous"
	if _, err := oidn.Find(); err == nil {
		denoiser = "oidn"
	}
	if code, _, stderr := run(t, small(path, "--layers", "--denoise", denoiser)...); code != 0 {
		t.Fatal(stderr)
	}
	want := []string{"R", "G", "B", "noisy.R", "noisy.G", "noisy.B"}
	for _, a := range film.AOVs() {
		for _, c := range a.Channels {
			want = append(want, a.Name+"."+c)
		}
	}
	f, err := exr.OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	found := f.Header(0).Channels().Names()
	slices.Sort(found)
	slices.Sort(want)
	if !slices.Equal(found, want) {
		t.Errorf("channels %v, want %v", found, want)
	}
	if denoiser == "oidn" { // so few pixels leave the built-in filter few that it may learn from
		checkDenoised(t, path)
	}
}

// checkDenoised compares with the noisy picture.
func checkDenoised(t *testing.T, path string) {
	t.Helper()
	noisy := filepath.Join(t.TempDir(), "noisy.exr")
	if code, _, stderr := run(t, small(noisy)...); code != 0 {
		t.Fatal(stderr)
	}
	before, err := imageio.Read(noisy)
	if err != nil {
		t.Fatal(err)
	}
	after, err := imageio.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if rough, smooth := roughness(before), roughness(after); !(smooth*2 < rough) {
		t.Errorf("neighbours differ by %.3g noisy, by %.3g denoised", rough, smooth)
	}
}

// roughness is the mean difference of neighbours.
func roughness(img *imageio.Image) (sum float64) {
	for i := 3; i < len(img.Pix); i++ {
		d := float64(img.Pix[i] - img.Pix[i-3])
		sum += max(d, -d) / float64(len(img.Pix))
	}
	return sum
}

// TestBrightestLight: light that no float can hold is written as the largest that one can, in every format and layer.
func TestBrightestLight(t *testing.T) {
	const brightest = `{"asset":{"version":"2.0"},"extensionsUsed":["KHR_materials_emissive_strength"],"scene":0,"scenes":[{"nodes":[0]}],
		"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],"materials":[{"emissiveFactor":[1,1,1],
		"extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":3e38}}}],"accessors":[{"bufferView":0,"componentType":5126,
		"count":3,"type":"VEC3","min":[-1,-1,0],"max":[1,1,0]}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,
		"uri":"data:application/octet-stream;base64,AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAAAAAAAAgD8AAAAA"}]}`
	dir := t.TempDir()
	scene := filepath.Join(dir, "brightest.gltf")
	if err := os.WriteFile(scene, []byte(brightest), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, flags := range []string{"a.pfm", "a.exr", "b.exr --layers", "c.exr --denoise atrous", "d.exr --denoise atrous --layers"} {
		path := filepath.Join(dir, strings.Fields(flags)[0])
		args := append([]string{"render", scene, "-o", path, "--size", "24x16", "--spp", "4", "--backend", "cpu"}, strings.Fields(flags)[1:]...)
		if code, _, stderr := run(t, args...); code != 0 {
			t.Fatal(stderr)
		}
		img, err := imageio.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		var most float32
		for _, v := range img.Pix {
			if v-v != 0 {
				t.Fatalf("%s holds %v", flags, v)
			}
			most = max(most, v)
		}
		if most < 1e37 {
			t.Errorf("%s: the brightest pixel has %v", flags, most)
		}
	}
}

// TestDenoiserOfEveryCommand: with OIDN each command denoises with it, from planning the memory to the file. Without, those that need it
// say so. auto never needs it.
func TestDenoiserOfEveryCommand(t *testing.T) {
	const small = " --size 32x24 --backend cpu"
	rows := []struct {
		name, command string
		bare          int // the exit code without OIDN
	}{
		{"picture", "render cornell -o a.png --spp 2 --denoise oidn" + small, 2},
		{"picture, auto", "render cornell -o a.png --spp 2 --denoise auto" + small, 0},
		{"layers", "render cornell -o a.exr --spp 2 --layers --denoise oidn" + small, 2},
		{"devices", "render cornell -o a.png --spp 2 --devices cpu,cpu --denoise oidn" + small, 2},
		{"plan", "info cornell --plan 64x64 --denoise oidn", 2},
		{"sides", "compare cornell -o a --spp 2 --reference-spp 2 --a |--denoise oidn| --b |--denoise auto|" + small, 2},
		{"video", "video cornell -o a --orbit 2 --frames 0:2 --spp 2 --denoise oidn" + small, 2},
		{"video, auto", "video cornell -o a --orbit 2 --frames 0:2 --spp 2 --denoise auto" + small, 0},
		{"grid", "grid cornell -o a --cache b --frames 2 --warm-up 0 --budget 1ms --rest 1ms --reference-spp 2 --integrators path --motion orbit --denoisers off,oidn" + small, 0},
	}
	for _, with := range []bool{false, true} {
		t.Run(map[bool]string{false: "without", true: "with"}[with], func(t *testing.T) {
			if with {
				tracertest.NeedsOIDN(t)
			} else {
				tracertest.WithoutOIDN(t)
			}
			for _, row := range rows {
				t.Run(row.name, func(t *testing.T) {
					t.Chdir(t.TempDir())
					want := row.bare
					if with {
						want = 0
					}
					if code, _, stderr := run(t, words(row.command)...); code != want || want != 0 && !strings.Contains(stderr, "make oidn") {
						t.Errorf("exit %d, want %d: %s", code, want, stderr)
					}
				})
			}
		})
	}
}

// words are those of a command line, in which bars hold together what is between them.
func words(line string) (all []string) {
	for i, part := range strings.Split(line, "|") {
		if i%2 == 1 {
			all = append(all, part)
		} else {
			all = append(all, strings.Fields(part)...)
		}
	}
	return all
}
