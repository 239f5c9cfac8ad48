//go:build linux

package main

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"glint/cuda/sources"
)

// library is where the compiler lies; tests that need it are skipped where it has not been fetched.
func library(t *testing.T) string {
	t.Helper()
	path := cmp.Or(os.Getenv("NVRTC_LIBRARY"), filepath.Join("..", "..", "..", ".tools", "nvrtc", "nvidia", "cuda_nvrtc", "lib", "libnvrtc.so.12"))
	found, err := findNVRTC(path)
	if err != nil {
		t.Skip(err)
	}
	return found
}

func TestRunWritesStampedPTX(t *testing.T) {
	args := []string{"-library", library(t), "-sources", "testdata", "-out", t.TempDir(), "-main", "kernels.cuh", "-arch", "75,90", "-name", "sample"}
	var out bytes.Buffer
	if err := run(args, &out); err != nil {
		t.Fatal(err)
	}
	files, err := sources.Read(os.DirFS("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	for _, arch := range []string{"75", "90"} {
		name := "sample_" + arch + ".ptx"
		ptx, err := os.ReadFile(filepath.Join(args[5], name))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := sources.Stamped(ptx), sources.Hash(files); got != want {
			t.Errorf("%s: stamped %q, want %q", name, got, want)
		}
		for _, part := range []string{".version 8.1", ".target sm_" + arch, ".visible .entry scale(", ".const .align 4 .b8 settings[12]"} {
			if !bytes.Contains(ptx, []byte(part)) {
				t.Errorf("%s lacks %q", name, part)
			}
		}
		if bytes.Contains(ptx, []byte("fma.")) {
			t.Errorf("%s: multiplication and addition were contracted", name)
		}
		if bytes.IndexByte(ptx, 0) >= 0 {
			t.Errorf("%s holds a zero byte", name)
		}
		if !strings.Contains(out.String(), name+": 1 kernels") {
			t.Errorf("%s is not reported in %q", name, out.String())
		}
	}
}

func TestDriverTestPTXIsFresh(t *testing.T) {
	folder := filepath.Join("..", "..", "driver", "testdata")
	files, err := sources.Read(os.DirFS(folder))
	if err != nil {
		t.Fatal(err)
	}
	ptx, err := os.ReadFile(filepath.Join(folder, "kernels_75.ptx"))
	if err != nil {
		t.Fatal(err)
	}
	if sources.Stamped(ptx) != sources.Hash(files) {
		t.Error("kernels_75.ptx is stale; compile it anew with the command at the top of kernels.cuh")
	}
}

func TestCompileErrorsNameFileAndLine(t *testing.T) {
	n, err := loadNVRTC(library(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		files []sources.File
		want  string
	}{
		{"error in a nested header", []sources.File{
			{Name: sources.Main, Text: []byte("#include \"lobes/a.cuh\"\n")},
			{Name: "lobes/a.cuh", Text: []byte("\n\nfloat f() { return nosuch; }\n")},
		}, "lobes/a.cuh(3): error"},
		{"missing header", []sources.File{{Name: sources.Main, Text: []byte("#include \"nosuch.h\"\n")}}, "nosuch.h"},
		{"missing main", []sources.File{{Name: "a.cuh"}}, "hold no kernels_gen.cuh"},
	} {
		if _, _, err := n.compile(c.files, sources.Main, "compute_75"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v lacks %q", c.name, err, c.want)
		}
	}
	good := []sources.File{{Name: sources.Main, Text: []byte("extern \"C\" __global__ void f() {}\n")}}
	if _, _, err := n.compile(good, sources.Main, "compute_1"); err == nil || !strings.Contains(err.Error(), "compute_1") {
		t.Errorf("impossible architecture: %v", err)
	}
}

func TestRunRefuses(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-library", "/nowhere/libnvrtc.so.12"}, "make kernels"},
		{[]string{"-library", "testdata/device.h"}, "load NVRTC"},
		{[]string{"-nosuch"}, "-nosuch"},
	} {
		if err := run(c.args, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v lacks %q", c.args, err, c.want)
		}
	}
}

func TestWriteReplacesWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "a.ptx")
	for _, text := range []string{"first", "2"} {
		if err := write(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != "2" {
		t.Errorf("%q, %v", got, err)
	}
	if left, _ := filepath.Glob(path + "*"); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}
