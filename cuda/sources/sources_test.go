package sources

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func folder(extra map[string]string) fstest.MapFS {
	m := fstest.MapFS{
		"kernels.cuh":         {Data: []byte("#include \"device.h\"\n")},
		"device.h":            {Data: []byte("#pragma once\n")},
		"bsdf/lobes/ggx.cuh":  {Data: []byte("// lobe\n")},
		"doc.go":              {Data: []byte("package cuda")},
		"kernels.tar.zst":     {Data: []byte("old")},
		"bsdf/lobes/notes.md": {Data: []byte("notes")},
	}
	for name, text := range extra {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

func mustHash(t *testing.T, fsys fs.FS) string {
	t.Helper()
	files, err := Read(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return Hash(files)
}

func TestReadTakesWhatKernelsInclude(t *testing.T) {
	files, err := Read(folder(nil))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	if diff := cmp.Diff([]string{"bsdf/lobes/ggx.cuh", "device.h", "kernels.cuh"}, names); diff != "" {
		t.Error(diff)
	}
	if _, err := Read(fstest.MapFS{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("empty folder: %v", err)
	}
}

func TestHashSeesEveryKernelSource(t *testing.T) {
	before := mustHash(t, folder(nil))
	for _, c := range []struct {
		name, file, text string
		same             bool
	}{
		{"changed header", "device.h", "#pragma once\n\n", false},
		{"changed lobe", "bsdf/lobes/ggx.cuh", "// robe\n", false},
		{"new lobe", "bsdf/lobes/sheen.cuh", "", false},
		{"line ends", "device.h", "#pragma once\r\n", true},
		{"go file", "doc.go", "package other", true},
		{"what is made of them", "kernels.tar.zst", "", true},
	} {
		if same := mustHash(t, folder(map[string]string{c.file: c.text})) == before; same != c.same {
			t.Errorf("%s: same hash is %v, want %v", c.name, same, c.same)
		}
	}
}
