package bench

import "strings"

// kinds says by the beginning of its name what a kernel does, in the words of reference 004's table.
var kinds = []struct{ prefix, kind string }{
	{"begin_", "generation"}, {"extend_", "intersection"}, {"shadow_", "shadow rays"}, {"shade_", "shading"},
	{"trace_paths", "whole paths"}, {"initial_samples", "whole paths"},
}

// kindOf names what a kernel does.
func kindOf(kernel string) string {
	for _, row := range kinds {
		if strings.HasPrefix(kernel, row.prefix) {
			return row.kind
		}
	}
	return "other"
}

// byKind sums milliseconds.
func byKind(kernels map[string]float64) map[string]float64 {
	sums := map[string]float64{}
	for k, ms := range kernels {
		sums[kindOf(k)] += ms
	}
	return sums
}
