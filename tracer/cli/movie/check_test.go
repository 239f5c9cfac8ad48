package movie

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func box(kind string, payload int) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(8+payload))
	return append(append(b, kind...), make([]byte, payload)...)
}

// TestCheckVideoRefusesAnyPart: a video that lacks its end, however little, is found out.
func TestCheckVideoRefusesAnyPart(t *testing.T) {
	long := append([]byte{0, 0, 0, 1}, "mdat\x00\x00\x00\x00\x00\x00\x00\x14...."...)
	segment := append([]byte{0x1A, 0x45, 0xDF, 0xA3, 0x84, 1, 2, 3, 4, 0x18, 0x53, 0x80, 0x67, 0x01, 0, 0, 0, 0, 0, 0, 20}, make([]byte, 20)...)
	for name, whole := range map[string][]byte{
		"a.mp4": append(append(box("ftyp", 16), box("moov", 40)...), box("mdat", 100)...),
		"a.mov": append(append(box("ftyp", 8), long...), box("moov", 9)...),
		"a.mkv": segment,
	} {
		path := filepath.Join(t.TempDir(), name)
		for size := len(whole); size >= 0; size-- {
			if err := os.WriteFile(path, whole[:size], 0o666); err != nil {
				t.Fatal(err)
			}
			if err := checkVideo(path); (err == nil) != (size == len(whole)) {
				t.Errorf("%s, %d of %d bytes: %v", name, size, len(whole), err)
			}
		}
	}
	unknown := append([]byte(nil), segment...)
	copy(unknown[13:], "\x01\xff\xff\xff\xff\xff\xff\xff")
	path := filepath.Join(t.TempDir(), "a.mkv")
	if err := os.WriteFile(path, unknown, 0o666); err != nil {
		t.Fatal(err)
	}
	if checkVideo(path) == nil {
		t.Error("a segment whose length was never written is taken for whole")
	}
}

// TestCheckVideoTakesWhatFFmpegWrites: it does not refuse good files.
func TestCheckVideoTakesWhatFFmpegWrites(t *testing.T) {
	ffmpeg, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Skip("needs ffmpeg, whose files are checked")
	}
	for _, name := range []string{"a.mp4", "a.mov", "a.mkv"} {
		path := filepath.Join(t.TempDir(), name)
		e := encoding{path: path, fps: 30}
		cmd := exec.Command(ffmpeg, e.arguments(32, 32, path)...)
		cmd.Stdin, err = os.Open("/dev/zero")
		if err != nil {
			t.Fatal(err)
		}
		cmd.Args = append(cmd.Args[:len(cmd.Args)-1], "-frames:v", "9", cmd.Args[len(cmd.Args)-1])
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if err := checkVideo(path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, info.Size()-1); err != nil {
			t.Fatal(err)
		}
		if err := checkVideo(path); err == nil {
			t.Errorf("%s is taken for whole without its last byte", name)
		}
	}
}
