package schedule

import (
	"time"

	"glint/tracer/settings"
	"glint/tracer/view"
)

// Shown is what a picture on a processor shows. Display takes as long as many paths do.
type Shown struct {
	Stats    view.Stats
	Settings settings.Settings
	At       time.Time
}

// How old a picture gets while a sample is under way: what there is of it is shown now and then, and more often while
// exposure follows the light.
const (
	partEvery   = 500 * time.Millisecond
	adaptsEvery = 100 * time.Millisecond
)

// Outdated tells whether there is more to be seen than is shown. A denoised picture stays until there is another.
func (i *Shown) Outdated(stats view.Stats, s settings.Settings, now time.Time) bool {
	was, age := i.Stats, now.Sub(i.At)
	switch {
	case stats.Restarted || stats.Scale > 1 || s != i.Settings || stats.Shown != was.Shown || stats.Denoised != was.Denoised ||
		stats.ErrorMapSamples != was.ErrorMapSamples:
		return true
	case s.AutoExposure && age >= adaptsEvery:
		return true
	case stats.Denoised > 0 && !ShowsData(&s):
		return false
	}
	return stats.Samples != was.Samples || age >= partEvery
}
