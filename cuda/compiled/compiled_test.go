package compiled_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"glint/cuda"
	"glint/cuda/compiled"
	"glint/cuda/images"
)

// targets are what this build has kernels for. Where it has none, the test is skipped; but continuous integration compiles them.
func targets(t *testing.T) []images.Target {
	t.Helper()
	archive, err := compiled.Archive()
	if errors.Is(err, compiled.ErrMissing) && os.Getenv("CI") == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := archive.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	return m.Targets
}

func TestImageSuitsTheGPU(t *testing.T) {
	there := targets(t)
	for _, c := range []struct {
		major, minor int
		want         images.Target
	}{
		{7, 5, "sm_75"}, {8, 0, "sm_80"}, {8, 6, "sm_86"}, {8, 7, "sm_86"}, {8, 9, "sm_89"}, {9, 0, "sm_90"}, {10, 0, "sm_100"}, {12, 0, "sm_120"},
		{13, 0, "compute_75"},
	} {
		if !slices.Contains(there, c.want) {
			continue
		}
		i, err := compiled.Image(c.major, c.minor)
		if err != nil || i.Target != c.want {
			t.Errorf("%d.%d: %s, want %s: %v", c.major, c.minor, i.Target, c.want, err)
		}
		if i.Target.IsPTX() == bytes.HasPrefix(i.Data, []byte(elf.ELFMAG)) {
			t.Errorf("%d.%d: %s begins with %q", c.major, c.minor, i.Target, i.Data[:min(4, len(i.Data))])
		}
		if bytes.Contains(i.Data, []byte("1516263773")) {
			t.Errorf("%d.%d: nobody has filled in what the scene lacks", c.major, c.minor)
		}
	}
}

// mustPTX is the text for scenes that lack so much.
func mustPTX(t *testing.T, lacks uint32) []byte {
	t.Helper()
	targets(t)
	i, err := compiled.PTX(lacks, 7)
	if err != nil {
		t.Fatal(err)
	}
	return i.Data
}

// What begins and traces rays, builds trees or moves vertices rounds as a CPU does, as far as a kernel does nothing else, and so does what it
// calls. The light that rays bring back may be approximate: paneAt says how much of it a pane lets through, lastStretch how much a volume.
func TestRaysAreExact(t *testing.T) {
	approximate := regexp.MustCompile(`\b(div\.full|(div|rcp|sqrt|rsqrt|ex2|lg2|sin|cos|tanh)\.approx)[^;]*;(   // then Newton)?`)
	call := regexp.MustCompile(`\bcall[^;]*?\b(_Z\w+)`)
	bodies := map[string]string{}
	for _, function := range regexp.MustCompile(`(?m)^\.(visible|func) `).Split(string(mustPTX(t, 0)), -1)[1:] {
		head, body, _ := strings.Cut(function, "{")
		name := regexp.MustCompile(`(\w+)\(\s`).FindStringSubmatch(head)
		if name == nil {
			t.Fatalf("no name in %q", head)
		}
		bodies[name[1]] += body
	}
	checked := map[string]bool{"_Z6paneAt3Hit6float311MediumStackj": true, "_Z11lastStretch11MediumStackf": true} // light
	var check func(name string)
	check = func(name string) {
		if checked[name] {
			return
		}
		checked[name] = true
		body, known := bodies[name]
		if !known {
			t.Errorf("%s is not known", name)
		}
		for _, at := range approximate.FindAllStringSubmatchIndex(body, -1) {
			refined := at[6] >= 0 // as midrangeInverse and midrangeSqrt do
			if after := body[at[1]:min(at[1]+800, len(body))]; !refined || strings.Count(after, "fma.rn.f32") < 2 {
				t.Errorf("%s: approximate %q: rays and points need exactDiv and exactSqrt (device.h)", name, body[at[0]:at[1]])
			}
		}
		for _, called := range call.FindAllStringSubmatch(body, -1) {
			check(called[1])
		}
	}
	for _, name := range []string{
		"begin_paths", "begin_gi_paths", "renew_paths", "extend_first", "extend_paths", "shadow_paths", "shadow_gi_paths", "final_vis",
		"queue_rays_closest", "queue_rays_any", "trace_rays_closest", "trace_rays_any", "trace_camera_rays", "camera_media",
		"_Z12traceClosest6float3S_fjb", "_Z8traceAny6float3S_fj", "_Z10stepBehind3Hit6float3", "_Z11nearestCell6float3j",
		"deform_vertices", "deform_triangles", "refit_nodes", "refit_wide", "build_keys", "build_leaves", "find_merges", "merge_clusters",
		"widen_nodes", "emit_nodes", "place_triangles",
	} {
		check(name)
	}
	if !strings.Contains(bodies["shade_paths"], "div.approx.ftz.f32") || bytes.Contains(mustPTX(t, 0), []byte("div.full")) {
		t.Error("light is divided exactly, or at length: the compiler's options are lost, or shorten (tools/nvrtc)")
	}
}

// What a scene lacks must get into the text, everywhere and nowhere else.
func TestPTXKnowsWhatASceneLacks(t *testing.T) {
	const some, other = 123454321, 987656789
	ptx := mustPTX(t, some)
	if n := bytes.Count(ptx, []byte("123454321")); n < 10 {
		t.Errorf("PTX asks %d times what the scene lacks", n)
	}
	for i, line := range bytes.Split(ptx, []byte("\n")) {
		if bytes.Contains(line, []byte("123454321")) && !bytes.Contains(line, []byte("mov.u32")) {
			t.Errorf("line %d: the mark stands for something else: %s", i+1, line)
		}
	}
	if changed := mustPTX(t, other); !bytes.Equal(bytes.ReplaceAll(ptx, []byte("123454321"), []byte("987656789")), changed) {
		t.Error("PTX differs in more than what the scene lacks")
	}
}

func TestPTXHasEveryKernel(t *testing.T) {
	ptx := mustPTX(t, 0)
	for k := range cuda.KernelCount {
		if !bytes.Contains(ptx, []byte(".entry "+k.String()+"(")) {
			t.Errorf("kernel %s is missing", k)
		}
	}
}

// machineCode is the machine code for a GPU, as the ELF file that it is.
func machineCode(t *testing.T, major, minor int) *elf.File {
	t.Helper()
	if target := images.Target(fmt.Sprintf("sm_%d%d", major, minor)); !slices.Contains(targets(t), target) {
		t.Skip("this build has no machine code for it: `make kernels` makes it for all")
	}
	i, err := compiled.Image(major, minor)
	if err != nil {
		t.Fatal(err)
	}
	const version = 20 // where e_version is, in which NVIDIA puts that of CUDA: the reader wants a 1
	if len(i.Data) < 64 {
		t.Fatalf("%s has %d bytes", i.Target, len(i.Data))
	}
	i.Data[version] = byte(elf.EV_CURRENT)
	f, err := elf.NewFile(bytes.NewReader(i.Data))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// generation is what a GPU offers to all blocks of a multiprocessor together.
type generation struct{ major, minor, threads int }

func (g generation) String() string { return fmt.Sprintf("sm_%d%d", g.major, g.minor) }

var generations = []generation{{7, 5, 1024}, {8, 0, 2048}, {8, 6, 1536}, {8, 9, 1536}, {9, 0, 2048}, {10, 0, 2048}, {12, 0, 1536}}

// No GPU is needed to see that machine code is for the right one, and has each kernel and the frame.
func TestMachineCodeHasEveryKernel(t *testing.T) {
	const nvidiaCUDA = 190 // the ELF machine number
	for _, g := range generations {
		t.Run(g.String(), func(t *testing.T) {
			f := machineCode(t, g.major, g.minor)
			if f.Class != elf.ELFCLASS64 || f.Machine != nvidiaCUDA {
				t.Errorf("class %v, machine %v", f.Class, f.Machine)
			}
			symbols, err := f.Symbols()
			if err != nil {
				t.Fatal(err)
			}
			size := map[string]uint64{}
			for _, s := range symbols {
				size[s.Name] = s.Size
			}
			for k := range cuda.KernelCount {
				if size[k.String()] == 0 || f.Section(".text."+k.String()) == nil {
					t.Errorf("kernel %s is missing", k)
				}
			}
			if want := cuda.Layout()["Frame"]; size["frame"] != want {
				t.Errorf("frame has %d bytes, want %d", size["frame"], want)
			}
		})
	}
}

// registersOf is how many registers each kernel takes, as the compiler notes them.
func registersOf(t *testing.T, f *elf.File) map[string]int {
	t.Helper()
	const (
		sized    = 4    // the format of notes that have a length; others take 4 bytes
		regcount = 0x2f // the note of a symbol's number and its registers
	)
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	notes, err := f.Section(".nv.info").Data()
	if err != nil {
		t.Fatal(err)
	}
	registers := map[string]int{}
	for len(notes) >= 4 {
		format, kind, length := notes[0], notes[1], 0
		if format == sized {
			length = int(binary.LittleEndian.Uint16(notes[2:]))
		}
		if note := notes[4 : 4+length]; kind == regcount {
			symbol := symbols[binary.LittleEndian.Uint32(note)-1] // Symbols leaves out the first
			registers[symbol.Name] = int(binary.LittleEndian.Uint32(note[4:]))
		}
		notes = notes[4+length:]
	}
	return registers
}

// A multiprocessor holds as many blocks of a kernel as its definition says, where it holds so many threads at all.
func TestMachineCodeKeepsToItsRegisters(t *testing.T) {
	const offered, unit = 65536, 8 // registers of a multiprocessor; a thread's are rounded up to units
	for _, g := range generations {
		t.Run(g.String(), func(t *testing.T) {
			registers := registersOf(t, machineCode(t, g.major, g.minor))
			for k := range cuda.KernelCount {
				each, resident := registers[k.String()], k.Threads()*k.Blocks()
				if each == 0 || resident <= g.threads && (each+unit-1)/unit*unit*resident > offered {
					t.Errorf("%s takes %d registers for each of %d threads", k, each, resident)
				}
			}
		})
	}
}

// Programs have the names of the kernels whose place they take, and nothing that OptiX forbids.
func TestProgramsForHardware(t *testing.T) {
	if !slices.Contains(targets(t), images.Rays) {
		t.Skip("this build has none")
	}
	ptx, err := compiled.Rays(0)
	if err != nil {
		t.Fatal(err)
	}
	for k := range cuda.KernelCount {
		if entry := []byte(".entry __raygen__" + k.String() + "("); bytes.Contains(ptx, entry) != k.Program() {
			t.Errorf("%s: a program %v, want %v", k, !k.Program(), k.Program())
		}
	}
	for _, forbidden := range []string{"shfl", "vote.", "match.", "activemask", "bar.", ".shared", "%tid", "%laneid", "%ctaid", "1516263773"} {
		if bytes.Contains(ptx, []byte(forbidden)) {
			t.Errorf("programs have %q", forbidden)
		}
	}
	if !bytes.Contains(ptx, []byte(fmt.Sprintf("frame[%d]", cuda.Layout()["Frame"]))) {
		t.Error("their frame has another size")
	}
}
