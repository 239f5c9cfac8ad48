package device

import (
	"slices"
	"testing"

	"glint/cuda"
	"glint/cuda/optix"
)

// A batch is cut at each program: what lies between them may be a graph, programs never are.
func TestBatchesAreCutAtPrograms(t *testing.T) {
	d := &cudaDevice{}
	batch := []Launch{{Kernel: cuda.BeginPaths}, {Kernel: cuda.ExtendFirst}, {Kernel: cuda.ExtendPaths}, {Kernel: cuda.ShadePaths}, {Kernel: cuda.ShadowPaths, Arg: 3}}
	cuts := func() (at []int) {
		for rest, from := batch, 0; ; {
			n := d.beforeProgram(rest)
			if from += n; n == len(rest) {
				return at
			}
			at, rest, from = append(at, from), rest[n+1:], from+1
		}
	}
	if at := cuts(); at != nil {
		t.Errorf("without programs it is cut at %v", at)
	}
	d.programs = &programs{}
	for k := range cuda.KernelCount {
		if k.Program() {
			d.programs.pipelines[k] = &optix.Pipeline{}
		}
	}
	if at := cuts(); !slices.Equal(at, []int{2, 4}) {
		t.Errorf("it is cut at %v", at)
	}
	batch[4].Arg = recordedValues
	if at := cuts(); !slices.Equal(at, []int{2}) {
		t.Errorf("an argument without a record: it is cut at %v", at)
	}
}

// Frames without a tree, or after an error, are traced by kernels.
func TestKernelsTraceWithoutHardware(t *testing.T) {
	made, plain := &programs{}, &programs{}
	h := Hardware{programs: map[uint32]*programs{0: made, rayFeatures: plain}}
	f := cuda.Frame{}
	if h.of(&f) != nil {
		t.Error("a program without a tree")
	}
	if f.Scene.Hardware = 1; h.of(&f) != made {
		t.Error("no program")
	}
	if f.Scene.Missing = cuda.FeatureAlpha | cuda.FeatureGlass; h.of(&f) != made {
		t.Error("no program for a scene with panes")
	}
	if f.Scene.Missing = rayFeatures | cuda.FeatureGlass; h.of(&f) != plain {
		t.Error("not the program of plain scenes")
	}
	if h.failed = optix.ErrNotFound; h.of(&f) != nil {
		t.Error("a program after an error")
	}
}
