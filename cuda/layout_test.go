package cuda_test

import (
	"reflect"
	"testing"

	"glint/cuda"
)

// shared lists the structs of params.h by their Go twins.
var shared = []any{
	cuda.Camera{}, cuda.BvhNode{}, cuda.WideNode{}, cuda.SpreadNode{}, cuda.Triangle{}, cuda.Instance{}, cuda.Face{}, cuda.Vertex{}, cuda.Texture{}, cuda.TextureRef{},
	cuda.Flakes{}, cuda.Material{}, cuda.Light{}, cuda.AliasEntry{}, cuda.Environment{}, cuda.Ray{}, cuda.Hit{}, cuda.GBuffer{}, cuda.Reservoir{}, cuda.Shade{}, cuda.SeenPlace{}, cuda.Signal{}, cuda.Frame{},
	cuda.BuildNode{}, cuda.BuildForest{}, cuda.TreeBuild{}, cuda.SmallPixel{}, cuda.Upscaling{}, cuda.Meter{},
}

// The compilers of both languages must lay the structs out alike.
func TestLayoutMatchesC(t *testing.T) {
	layout := cuda.Layout()
	seen := 0
	for _, value := range shared {
		goType := reflect.TypeOf(value)
		if got, want := uint64(goType.Size()), layout[goType.Name()]; got != want {
			t.Errorf("sizeof %s: Go %d, C %d", goType.Name(), got, want)
		}
		seen++
		for i := range goType.NumField() {
			f := goType.Field(i)
			name := goType.Name() + "." + string(f.Name[0]|0x20) + f.Name[1:]
			want, ok := layout[name]
			if !ok { // a name of the field's own, such as W
				name = goType.Name() + "." + f.Name
				want, ok = layout[name]
			}
			if !ok || uint64(f.Offset) != want {
				t.Errorf("offsetof %s: Go %d, C %d (known %v)", name, f.Offset, want, ok)
			}
			seen++
		}
	}
	if seen != len(layout) {
		t.Errorf("%d entries compared, C lists %d: a struct is missing above", seen, len(layout))
	}
}

func TestKernelNames(t *testing.T) {
	want := []string{"trace_paths", "film", "meter_light", "set_exposure", "bloom_down", "bloom_up", "trace_rays_closest", "trace_rays_any", "albedo_table",
		"initial_samples", "temporal_find", "temporal_reuse", "temporal_fused", "boiling_filter", "spatial_find", "spatial_reuse", "spatial_fused", "show_reuse",
		"shade_samples", "thin_duplicates", "guides", "denoise_input", "atrous_demodulate", "atrous_accumulate", "atrous_errors", "atrous_filter", "steady_picture", "keep_halves", "compare_halves",
		"begin_paths", "begin_shared", "renew_paths", "renew_shared", "extend_first", "shade_paths", "shade_shared", "end_paths", "scan_count", "scan_sums", "scan_move", "order_count", "order_starts", "order_move", "end_shared",
		"build_keys", "sort_count", "sort_scan", "sort_scatter", "build_leaves", "find_merges", "scan_merges", "merge_clusters",
		"widen_nodes", "emit_nodes", "place_triangles",
		"upscale_gather", "upscale_spatial", "upscale_temporal", "upscale_fade",
		"regenerate_paths", "history_sees", "sees_history", "neighbours_see", "sees_neighbours", "sees_sample", "extend_paths", "shadow_paths", "shadow_shared",
		"queue_rays_closest", "queue_rays_any"}
	if len(want) != int(cuda.KernelCount) || cuda.KernelCount.String() != "" {
		t.Fatalf("Go knows %d kernels, the test %d, C ends with %q", cuda.KernelCount, len(want), cuda.KernelCount.String())
	}
	for i, name := range want {
		if got := cuda.Kernel(i).String(); got != name {
			t.Errorf("kernel %d is %q in C, want %q", i, got, name)
		}
	}
}
