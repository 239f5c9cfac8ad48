package integrator

import (
	"glint/cuda"
)

// Shortcuts are what makes the mean of a task's samples a little wrong, each with what it does. Without any it is unbiased.
func Shortcuts(t *Task) []string {
	var acting []string
	if t.Settings.Clamp > 0 {
		acting = append(acting, "clamped samples: too dark")
	}
	if !Reuses(t.Settings.Integrator) {
		return acting
	}
	var f cuda.Frame
	warmup := warmingUp(t)
	f.Restir.MisMode, f.Restir.Flags = misMode(&t.Settings, warmup), restirFlags(&t.Settings, warmup, true)
	f.Restir.Boiling = boilingLimit(t.Settings.RestirBoiling)
	reuses := f.Restir.Flags&(cuda.RestirTemporal|cuda.RestirSpatial) != 0
	for _, row := range []struct {
		on   bool
		what string
	}{
		{reuses && f.Restir.MisMode == cuda.MisNaive, "naive weights: wrong, too bright or too dark"},
		{reuses && f.Restir.MisMode == cuda.MisBasic, "basic weights: too dark where neighbours see differently"},
		{f.Restir.Flags&cuda.RestirTemporal != 0 && f.Restir.Flags&cuda.RestirInteractive != 0, "history of 30 frames at most: a little too dark"},
		{filtersBoiling(&f), "boiling filter: a little too dark"},
	} {
		if row.on {
			acting = append(acting, row.what)
		}
	}
	return acting
}
