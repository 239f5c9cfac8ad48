//go:build linux

package main

import (
	"bytes"
	"cmp"
	"debug/elf"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"glint/cuda/images"
	"glint/cuda/sources"
)

// compilers is where the compiler and the assembler lie; tests that need them are skipped where they have not been fetched.
func compilers(t *testing.T) (library, ptxas string) {
	t.Helper()
	fetched := filepath.Join("..", "..", "..", ".tools", "nvrtc", "nvidia")
	library = cmp.Or(os.Getenv("NVRTC_LIBRARY"), filepath.Join(fetched, "cuda_nvrtc", "lib", "libnvrtc.so.12"))
	ptxas = cmp.Or(os.Getenv("PTXAS"), filepath.Join(fetched, "cuda_nvcc", "bin", "ptxas"))
	if err := errors.Join(find(&library), find(&ptxas)); err != nil {
		t.Skip("needs the compilers that `make kernels` installs: ", err)
	}
	return library, ptxas
}

func TestRunPacksEveryTarget(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sample.tar.zst")
	library, ptxas := compilers(t)
	args := []string{
		"-library", library, "-ptxas", ptxas, "-sources", "testdata", "-out", path, "-main", "kernels.cuh", "-targets", "compute_75,sm_75,sm_90",
	}
	var out bytes.Buffer
	if err := run(args, &out); err != nil {
		t.Fatal(err)
	}
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files, err := sources.Read(os.DirFS("testdata"))
	if err != nil {
		t.Fatal(err)
	}
	archive := images.Archive(packed)
	if got, err := archive.Manifest(); err != nil || got.Sources != sources.Hash(files) {
		t.Errorf("made from %q, want %q: %v", got.Sources, sources.Hash(files), err)
	}
	for _, major := range []int{7, 9} {
		i, err := archive.For(major, 5)
		if err != nil || i.Target.IsPTX() || !bytes.HasPrefix(i.Data, []byte(elf.ELFMAG)) || !bytes.Contains(i.Data, []byte(".text.scale\x00")) {
			t.Errorf("%d.5: %s with %d bytes is no machine code of scale: %v", major, i.Target, len(i.Data), err)
		}
	}
	i, err := archive.PTX()
	if err != nil {
		t.Fatal(err)
	}
	ptx := i.Data
	for _, part := range []string{".version 8.1", ".target sm_75", ".visible .entry scale(", ".const .align 4 .b8 settings[12]"} {
		if !bytes.Contains(ptx, []byte(part)) {
			t.Errorf("PTX lacks %q", part)
		}
	}
	if bytes.Contains(ptx, []byte("fma.")) {
		t.Error("multiplication and addition were contracted")
	}
	if bytes.IndexByte(ptx, 0) >= 0 {
		t.Error("PTX holds a zero byte")
	}
	for _, target := range []string{"sm_75", "sm_90", "compute_75", path} {
		if !strings.Contains(out.String(), target+": ") {
			t.Errorf("%s is not reported in %q", target, out.String())
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := run(args, new(bytes.Buffer)); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(path); err != nil || !bytes.Equal(packed, again) {
		t.Errorf("a second run wrote other bytes: %v", err)
	}
}

// What was compiled once is not compiled again: from a cache come the same bytes, and an archive that has what is wanted stays.
func TestCompiledOnce(t *testing.T) {
	library, ptxas := compilers(t)
	folder := t.TempDir()
	path, cached := filepath.Join(folder, "sample.tar.zst"), filepath.Join(folder, "cache")
	make := func(targets string) string {
		t.Helper()
		var out bytes.Buffer
		args := []string{
			"-library", library, "-ptxas", ptxas, "-sources", "testdata", "-main", "kernels.cuh", "-out", path, "-cache", cached, "-targets", targets,
		}
		if err := run(args, &out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	read := func() []byte {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	make("compute_75,sm_90")
	first := read()
	if said := make("compute_75"); said != "" {
		t.Errorf("made again, though all was there: %s", said)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(filepath.Join(cached, "*", "*"))
	if err != nil || len(kept) != 2 {
		t.Fatalf("the cache holds %v: %v", kept, err)
	}
	for _, file := range kept { // a mark shows what is taken from the cache
		if err := os.WriteFile(file, []byte("from the cache"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	make("compute_75,sm_90")
	if i, err := images.Archive(read()).PTX(); err != nil || string(i.Data) != "from the cache" {
		t.Errorf("compiled again: %d bytes: %v", len(i.Data), err)
	}
	if bytes.Equal(first, read()) {
		t.Error("the archive did not change")
	}
}

func TestCacheForgetsTheOldest(t *testing.T) {
	folder := t.TempDir()
	for i := range kept + 3 {
		c := cache{folder: folder, manifest: images.Manifest{Sources: string(rune('a' + i)), Compilers: strings.Repeat("0", 64)}}
		if err := c.write(images.Image{Target: "sm_90", Data: []byte{byte(i)}}); err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(time.Duration(i-100) * time.Minute)
		if err := os.Chtimes(c.version(), old, old); err != nil {
			t.Fatal(err)
		}
		if _, found := c.read("sm_75"); found {
			t.Error("an image is found that nobody wrote")
		}
		if err := os.Chtimes(c.version(), old, old); err != nil {
			t.Fatal(err)
		}
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != kept || left[0].Name()[0] != 'd' {
		t.Errorf("%d versions are left, the first %v: %v", len(left), left[0], err)
	}
}

func TestAssemblerSaysWhatIsWrong(t *testing.T) {
	_, ptxas := compilers(t)
	if _, _, err := assembler(ptxas).assemble([]byte(".version 8.1\n.target sm_75\nnosuch\n"), "sm_90"); err == nil ||
		!strings.Contains(err.Error(), "sm_90") || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("%v names neither target nor line", err)
	}
}

func TestCompileErrorsNameFileAndLine(t *testing.T) {
	library, _ := compilers(t)
	n, err := loadNVRTC(library)
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
		{[]string{"-library", "testdata/device.h", "-ptxas", "/nowhere/ptxas"}, "/nowhere/ptxas"},
		{[]string{"-library", "testdata/device.h", "-ptxas", "testdata/device.h", "-sources", "testdata"}, "load NVRTC"},
		{[]string{"-nosuch"}, "-nosuch"},
		{[]string{"-targets", "sm_75,90"}, `"90" is no target`},
		{[]string{"-targets", "sm_75,compute_75"}, "want one of PTX, and that first"},
	} {
		if err := run(c.args, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v lacks %q", c.args, err, c.want)
		}
	}
}

func TestWriteReplacesWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "a.tar.zst")
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
