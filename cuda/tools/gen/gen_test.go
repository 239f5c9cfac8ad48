package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// The committed files must be what the kernel sources give.
func TestGeneratedFilesAreFresh(t *testing.T) {
	const cuda = "../.."
	files, err := generate(os.DirFS(cuda))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(cuda, name))
		if err != nil {
			t.Error(err)
		} else if string(got) != string(want) {
			t.Errorf("cuda/%s is stale: run `make kernels`", name)
		}
	}
}

// folder is a cuda folder with the given source of a kernel, or of shared structs.
func folder(name, text string) fstest.MapFS {
	m := fstest.MapFS{
		"kernels/params/film.h":  {},
		"kernels/params/frame.h": {Data: []byte("// All.\nstruct Frame {\n  uint32_t width;  // [pixels]\n};\n")},
		"kernels/a/one.cuh":      {Data: []byte("KERNEL(one, 128, 1, tool) {\n}\n")},
	}
	m[name] = &fstest.MapFile{Data: []byte(text)}
	return m
}

func TestOneDefinitionIsAllThatAKernelNeeds(t *testing.T) {
	before, err := generate(folder("kernels/a/notes.txt", ""))
	if err != nil {
		t.Fatal(err)
	}
	after, err := generate(folder("kernels/b/two.cuh", "RAY_KERNEL(second_of_all, 256, 7, reuse) { f(fetch); }\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"kernels_gen.go":                 `SecondOfAll: {name: "second_of_all", threads: 256, blocks: 7, category: CategoryReuse, fetches: true},`,
		"kernels/core/kernel_list_gen.h": "X(second_of_all, 256, 7)",
		"kernels/kernels_gen.cuh":        `#include "b/two.cuh"`,
	} {
		if strings.Contains(string(before[name]), want) || !strings.Contains(string(after[name]), want) {
			t.Errorf("%s lacks %s:\n%s", name, want, after[name])
		}
	}
}

func TestARowIsAllThatGoNeedsOfAnAOV(t *testing.T) {
	files, err := generate(folder("kernels/params/film.h", `#define LIGHT_AOVS(X) \
  X(SUN, Mean, AOV_SUN, 0, "R G B", "light [nit]")

#define VIEW_AOVS(X) \
  X(SHINE, First, AOV_B, 2, Number, "X Y", "low | mid | high", \
    "in two " \
    "pieces")
`))
	if err != nil {
		t.Fatal(err)
	}
	table := strings.Join(strings.Fields(string(files["aovs_gen.go"])), " ")
	for _, want := range []string{
		"ShownShine = ShownAovs + 1",
		`{Name: "sun", Help: "light [nit]", Channels: []string{"R", "G", "B"}, Shown: ShownSun,`,
		`{Name: "shine", Help: "in two pieces", Channels: []string{"X", "Y"}, Shown: ShownShine,`,
		`Scale: []string{"low", "mid", "high"},`,
		"source: aovFirst, plane: AovB, first: 2,",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("no %s in:\n%s", want, table)
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	for _, c := range []struct{ what, name, text, want string }{
		{"no threads", "kernels/b.cuh", "KERNEL(two) {\n}\n", "b.cuh, line 1"},
		{"another macro", "kernels/b.cuh", "\nFAST_KERNEL(two, 128, 1, tool) {\n}\n", "b.cuh, line 2"},
		{"a name twice", "kernels/b.cuh", "KERNEL(one, 128, 1, tool) {\n}\n", "kernels/a/one.cuh"},
		{"a field without a comment", "kernels/params/b.h", "struct B {\n  uint32_t x;\n};\n", "b.h: line 2"},
		{"an AOV without help", "kernels/params/film.h", "#define LIGHT_AOVS(X) \\\n  X(ONE, Mean, AOV_ONE, 0, \"R\")\n", "film.h: want rows"},
		{"an unreadable value", "kernels/params/b.h", "enum B : uint32_t {\n  X = 1 + 1,\n};\n", "b.h: line 2"},
	} {
		if files, err := generate(folder(c.name, c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v lacks %q (%v)", c.what, err, c.want, maps.Keys(files))
		}
	}
	if _, err := generate(fstest.MapFS{"kernels/params/frame.h": {Data: []byte("")}}); err == nil {
		t.Error("no kernels: no error")
	}
}
