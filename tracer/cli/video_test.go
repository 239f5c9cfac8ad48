package cli_test

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"glint/tracer/tracertest"
)

// filmed runs `glint video` on a small film of 5 frames.
func filmed(t *testing.T, output string, more ...string) (code int, stderr string) {
	t.Helper()
	args := []string{"video", "cornell", "-o", output, "--orbit", "5", "--size", "24x16", "--spp", "2", "--backend", "cpu"}
	code, _, stderr = run(t, append(args, more...)...)
	return code, stderr
}

// withFFmpeg puts a script in ffmpeg's place; $out is the file it should write.
func withFFmpeg(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	text := "#!/bin/sh\nfor out; do :; done\nout=${out#file:}\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(dir, "ffmpeg"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// anyVideo is a script that writes a file as short as checkVideo lets pass.
const anyVideo = `printf '\0\0\0\011moov.\0\0\0\011mdat.' > "$out"`

func TestVideoFeedsFFmpeg(t *testing.T) {
	dir, heard := t.TempDir(), filepath.Join(t.TempDir(), "heard")
	t.Setenv("HEARD", heard)
	withFFmpeg(t, `echo "$@" > "$HEARD"; wc -c >> "$HEARD"; `+anyVideo)
	path := filepath.Join(dir, "orbit.mp4")
	if code, stderr := filmed(t, path, "--fps", "25", "--size", "25x15"); code != 0 || !strings.Contains(stderr, "24x14") {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	text, err := os.ReadFile(heard)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"-f rawvideo -pix_fmt rgb24 -video_size 25x15 -framerate 25 -i pipe:0", "libx264", "yuv420p", fmt.Sprintf("\n%d\n", 5*25*15*3)} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
	if left := names(t, dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestVideoWhenFFmpegFails(t *testing.T) {
	for name, script := range map[string]string{
		"at once":    `echo "no such encoder" >&2; exit 1`,
		"on the way": `head -c 100 > "$out"; echo "no such encoder" >&2; exit 1`,
		"at the end": `wc -c > "$out"; echo "no such encoder" >&2; exit 1`,
	} {
		t.Run(name, func(t *testing.T) {
			withFFmpeg(t, script)
			dir := t.TempDir()
			code, stderr := filmed(t, filepath.Join(dir, "orbit.mp4"))
			if code != 2 || !strings.Contains(stderr, "no such encoder") || len(names(t, dir)) != 0 {
				t.Errorf("exit %d, %q, files %v", code, stderr, names(t, dir))
			}
		})
	}
}

// TestVideoOnAFullDisk: ffmpeg 5.1 ends well although it could not write the end of the file.
func TestVideoOnAFullDisk(t *testing.T) {
	withFFmpeg(t, `cat > /dev/null; printf '\0\0\0\011moov.\0\0\0\100mdat.' > "$out"; echo "Error writing trailer: No space left" >&2`)
	dir := t.TempDir()
	path := filepath.Join(dir, "orbit.mp4")
	if err := os.WriteFile(path, []byte("the good film"), 0o666); err != nil {
		t.Fatal(err)
	}
	code, stderr := filmed(t, path)
	if code != 2 || !strings.Contains(stderr, "the video is not whole") || !strings.Contains(stderr, "Error writing trailer") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "the good film" || len(names(t, dir)) != 1 {
		t.Errorf("%v: %q, files %v", err, text, names(t, dir))
	}
}

func TestVideoInterrupted(t *testing.T) {
	withFFmpeg(t, `kill -INT $PPID; exec sleep 60`)
	dir := t.TempDir()
	code, stderr := filmed(t, filepath.Join(dir, "orbit.mp4"), "--spp", "9999999")
	if code != 130 || !strings.Contains(stderr, "interrupted: no video is written") || len(names(t, dir)) != 0 {
		t.Errorf("exit %d, %q, files %v", code, stderr, names(t, dir))
	}
}

func TestVideoWithoutFFmpeg(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := t.TempDir()
	code, stderr := filmed(t, filepath.Join(dir, "orbit.mp4"))
	if code != 2 || !strings.Contains(stderr, "install the package ffmpeg") {
		t.Errorf("exit %d: %q does not say what to do", code, stderr)
	}
	if code, stderr := filmed(t, filepath.Join(dir, "frames"), "--frames", "1:2"); code != 0 {
		t.Errorf("pictures need no ffmpeg: exit %d: %s", code, stderr)
	}
}

// TestVideoResumes: frames that are there stay, and the others become what they would have been.
func TestVideoResumes(t *testing.T) {
	dir := t.TempDir()
	whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts", "%03d.png")
	for _, c := range []struct{ output, frames string }{{whole, "0:5"}, {parts, "3:5"}, {parts, "1:2"}, {parts, "0:5"}} {
		if code, stderr := filmed(t, c.output, "--frames", c.frames); code != 0 {
			t.Fatalf("exit %d: %s", code, stderr)
		}
	}
	for frame := range 5 {
		a, b := tracertest.ReadPNG(t, filepath.Join(whole, fmt.Sprintf("frame-%05d.png", frame))), tracertest.ReadPNG(t, fmt.Sprintf(parts, frame))
		if !bytes.Equal(a.Pix, b.Pix) {
			t.Errorf("frame %d depends on where the film was resumed", frame)
		}
		if frame > 0 && bytes.Equal(a.Pix, tracertest.ReadPNG(t, filepath.Join(whole, "frame-00000.png")).Pix) {
			t.Errorf("frame %d is frame 0", frame)
		}
	}
}

// TestVideoStartsWithHistory: the first frame of a film, and the first of a run of frames that share a history, are as clean as those
// that others led up to, since some frames before them are rendered, too.
func TestVideoStartsWithHistory(t *testing.T) {
	for name, c := range map[string]struct {
		flags []string
		first int // of a run
		late  int // of that run
	}{
		"shared light": {strings.Fields("--orbit 400 --size 48x32 --show indirect --spp 1 --integrator restir-gi"), 16, 28},
		"upscaled":     {strings.Fields("--orbit 2000 --size 96x64 --spp 2 --render-scale 0.5"), 16, 30},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			film := func(folder string, frame int, more ...string) *image.NRGBA {
				flags := append(append(c.flags, "--frames", fmt.Sprintf("%d:%d", frame, frame+1)), more...)
				if code, stderr := filmed(t, filepath.Join(dir, folder), flags...); code != 0 {
					t.Fatalf("exit %d: %s", code, stderr)
				}
				return tracertest.ReadPNG(t, filepath.Join(dir, folder, fmt.Sprintf("frame-%05d.png", frame)))
			}
			off := func(frame int) float64 {
				return meanDifference(film("film", frame), film("truth", frame, "--spp", "256", "--integrator", "path", "--render-scale", "1"))
			}
			start, first, late := off(0), off(c.first), off(c.late)
			t.Logf("%.1f of 255 off in the first frame, %.1f in the first of a run, %.1f late in it", start, first, late)
			if first > 1.2*late || start > 1.2*late {
				t.Errorf("%.1f of 255 off in the first frame, %.1f in the first of a run, %.1f late in it", start, first, late)
			}
		})
	}
}

// TestVideoUpscaled: a film at a fraction of its size is as large as ever, and cleaner than one of full size by a quarter of its samples.
func TestVideoUpscaled(t *testing.T) {
	dir := t.TempDir()
	film := func(name string, more ...string) *image.NRGBA {
		flags := append([]string{"--orbit", "2000", "--size", "96x64", "--frames", "14:15", "--spp", "2"}, more...)
		if code, stderr := filmed(t, filepath.Join(dir, name), flags...); code != 0 {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		return tracertest.ReadPNG(t, filepath.Join(dir, name, "frame-00014.png"))
	}
	truth := film("truth", "--spp", "256")
	upscaled, full := meanDifference(film("upscaled", "--render-scale", "0.5"), truth), meanDifference(film("full", "--spp", "1"), truth)
	t.Logf("%.1f of 255 off, %.1f at full size", upscaled, full)
	if upscaled > full/1.5 {
		t.Errorf("%.1f of 255 off, %.1f at full size", upscaled, full)
	}
}

func meanDifference(a, b *image.NRGBA) float64 {
	sum := 0.0
	for i := range a.Pix {
		sum += max(float64(a.Pix[i])-float64(b.Pix[i]), float64(b.Pix[i])-float64(a.Pix[i]))
	}
	return sum / float64(len(a.Pix)) * 4 / 3 // alpha never differs
}

// A picture that is there but shows something else must neither pass for a frame nor be lost.
func TestVideoKeepsForeignFiles(t *testing.T) {
	dir := t.TempDir()
	if code, stderr := filmed(t, dir, "--frames", "1:2"); code != 0 {
		t.Fatal(stderr)
	}
	file := filepath.Join(dir, "frame-00001.png")
	before := tracertest.ReadPNG(t, file)
	for want, flags := range map[string][]string{
		"settings": {"--exposure", "1"}, "samples": {"--spp", "3"}, "size": {"--size", "16x16"}, "camera": {"--orbit", "6"},
	} {
		code, stderr := filmed(t, dir, append([]string{"--frames", "0:5"}, flags...)...)
		if code != 2 || !strings.Contains(stderr, file) || !strings.Contains(stderr, "another "+want) {
			t.Errorf("%v: exit %d, %q", flags, code, stderr)
		}
	}
	if !bytes.Equal(before.Pix, tracertest.ReadPNG(t, file).Pix) || len(names(t, dir)) != 1 {
		t.Errorf("it was touched: %v", names(t, dir))
	}
}

// TestVideoKnowsItsEdits: frames of a file with edits are none of the same file without them, or with others.
func TestVideoKnowsItsEdits(t *testing.T) {
	t.Chdir(t.TempDir())
	if code, _, stderr := run(t, "scene", "cornell", "-o", "room.glb"); code != 0 {
		t.Fatal(stderr)
	}
	film := func(more ...string) (code int, stderr string) {
		args := []string{"video", "room.glb", "-o", "frames", "--orbit", "5", "--size", "16x8", "--spp", "1", "--backend", "cpu", "--frames", "1:2"}
		code, _, stderr = run(t, append(args, more...)...)
		return code, stderr
	}
	red := []string{"--edit", "/materials/0/pbrMetallicRoughness/baseColorFactor=1,0,0,1"}
	if code, stderr := film(red...); code != 0 {
		t.Fatal(stderr)
	}
	for _, other := range [][]string{nil, {"--edit", "/materials/0/pbrMetallicRoughness/baseColorFactor=0,1,0,1"}} {
		if code, stderr := film(other...); code != 2 || !strings.Contains(stderr, "made with another") {
			t.Errorf("%v: exit %d, %q", other, code, stderr)
		}
	}
	if code, stderr := film(red...); code != 0 || !strings.Contains(stderr, "there already") {
		t.Errorf("the same edits: exit %d, %q", code, stderr)
	}
}

// TestVideoFollowsAPath: a resting camera has new noise in each frame, and both kinds of files say the same.
func TestVideoFollowsAPath(t *testing.T) {
	dir := t.TempDir()
	toml, json := filepath.Join(dir, "path.toml"), filepath.Join(dir, "path.json")
	const rest = `{"key": [{"time": 1, "eye": [0, 1, 3.4], "target": [0, 1, 0], "focus": 2},
		{"time": 1.1, "eye": [0, 1, 3.4], "target": [0, 1, 0], "focus": 2}]}`
	const same = "[[key]]\ntime = 1\neye = [0, 1, 3.4]\ntarget = [0, 1, 0]\nfocus = 2\n" +
		"[[key]]\ntime = 1.1\neye = [0, 1.0, 3.4]\ntarget = [0, 1, 0]\nfocus = 2.0\n"
	for path, text := range map[string]string{toml: same, json: rest} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		args := []string{"video", "cornell", "-o", path + "-frames", "--path", path, "--size", "24x16", "--spp", "1",
			"--frames", "0:4", "--aperture", "0.1", "--backend", "cpu"}
		if code, _, stderr := run(t, args...); code != 0 {
			t.Fatalf("exit %d: %s", code, stderr)
		}
	}
	first := tracertest.ReadPNG(t, toml+"-frames/frame-00000.png")
	if bytes.Equal(first.Pix, tracertest.ReadPNG(t, toml+"-frames/frame-00003.png").Pix) {
		t.Error("the noise is frozen")
	}
	if !bytes.Equal(first.Pix, tracertest.ReadPNG(t, json+"-frames/frame-00000.png").Pix) {
		t.Error("TOML and JSON differ")
	}
}

func TestVideoErrors(t *testing.T) {
	withFFmpeg(t, `cat > "$out"`)
	dir := t.TempDir()
	out, keys := filepath.Join(dir, "a.mp4"), filepath.Join(dir, "keys.toml")
	const one = "[[key]]\ntime = 0\neye = [0,1,3]\ntarget = [0,1,0]\n"
	for _, row := range []struct {
		want string
		path string // of --path, or what it holds
		args []string
	}{
		{want: "--orbit N or --path", args: nil},
		{want: "--orbit -3", args: []string{"--orbit", "-3"}},
		{want: "can't be used together", path: one, args: []string{"--orbit", "3"}},
		{want: "must end in", args: []string{"--orbit", "3", "-o", out + ".gif"}},
		{want: "--fps", args: []string{"--orbit", "3", "--fps", "NaN"}},
		{want: "at least one sample", args: []string{"--orbit", "3", "--spp", "0"}},
		{want: "such as 0:100", args: []string{"--orbit", "3", "--frames", "7"}},
		{want: "such as 0:100", args: []string{"--orbit", "3", "--frames", "2:2"}},
		{want: "the film has 3 frames", args: []string{"--orbit", "3", "--frames", "0:4", "-o", filepath.Join(dir, "f")}},
		{want: "counted from 0", args: []string{"--orbit", "3", "--shard", "4/4", "-o", filepath.Join(dir, "f")}},
		{want: "counted from 0", args: []string{"--orbit", "3", "--shard", "1", "-o", filepath.Join(dir, "f")}},
		{want: "--every 0", args: []string{"--orbit", "3", "--every", "0", "-o", filepath.Join(dir, "f")}},
		{want: "name a folder", args: []string{"--orbit", "3", "--frames", "0:2"}},
		{want: "want one %d", args: []string{"--orbit", "3", "--frames", "0:2", "-o", filepath.Join(dir, "%d-%s.png")}},
		{want: "two pixels", args: []string{"--orbit", "3", "--size", "1x8"}},
		{want: "want a direction", args: []string{"--orbit", "3", "--up", "0,0,0"}},
		{want: "1 key frames", path: one},
		{want: "no time", path: one + "[[key]]\neye = [0,1,3]\ntarget = [0,1,0]\n"},
		{want: "does not come after", path: one + one},
		{want: "three numbers", path: one + "[[key]]\ntime = 1\neye = [0,1]\ntarget = [0,1,0]\n"},
		{want: "same point", path: one + "[[key]]\ntime = 1\neye = [0,1,0]\ntarget = [0,1,0]\n"},
		{want: "vfov", path: one + "[[key]]\ntime = 1\neye = [0,1,3]\ntarget = [0,1,0]\nvfov = 180\n"},
		{want: "focus", path: one + "[[key]]\ntime = 1\neye = [0,1,3]\ntarget = [0,1,0]\nfocus = -1\n"},
		{want: "speed", path: one + "[[key]]\ntime = 1\nspeed = 3\n"},
		{want: "too far", path: one + "[[key]]\ntime = 1\neye = [1e300,1,3]\ntarget = [0,1,0]\n"},
		{want: "NaN", path: one + "[[key]]\ntime = nan\neye = [0,1,3]\ntarget = [0,1,0]\n"},
		{want: "above the limit", path: one + "[[key]]\ntime = 900000\neye = [0,1,3]\ntarget = [0,1,1]\n"},
		{want: "toml", path: "[[key"},
		{want: "no such", args: []string{"--path", filepath.Join(dir, "nothing.toml")}},
		{want: ".toml or .json", args: []string{"--path", dir + "/../" + filepath.Base(dir) + "/keys.toml.txt"}},
	} {
		args := []string{"video", "cornell", "-o", out, "--size", "8x8", "--spp", "1", "--backend", "cpu"}
		for _, name := range []string{keys, keys + ".txt"} {
			if err := os.WriteFile(name, []byte(row.path), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if row.path != "" {
			args = append(args, "--path", keys)
		}
		code, _, stderr := run(t, append(args, row.args...)...)
		if code != 2 || !strings.Contains(stderr, row.want) {
			t.Errorf("%q %v: exit %d, %q does not say %q", row.path, row.args, code, stderr, row.want)
		}
		if have := names(t, dir); len(have) != 2 {
			t.Fatalf("%q %v wrote %v", row.path, row.args, have)
		}
	}
}
