package denoise

import (
	"glint/cuda"
	"glint/tracer/schedule"
	"glint/tracer/settings"
	"glint/tracer/view"
)

// The denoisers, as setting denoise names them.
const (
	Off     = "off"
	Atrous  = "atrous"  // built in
	Learned = "learned" // built in, too: a net chooses its weights
	OIDN    = "oidn"    // Intel Open Image Denoise
)

// BuiltIn tells whether a denoiser is one of those that average light over time themselves, and leave the sky alone.
func BuiltIn(denoiser string) bool { return denoiser == Atrous || denoiser == Learned }

// Options say how a denoiser works.
type Options struct {
	Quality string  // of OIDN: fast, balanced or high
	Still   bool    // time does not matter
	Shared  bool    // pixels share samples, which are less noisy
	EV      float64 // that auto exposure adds, stops
	Record  uint64  // address of what filters learn from (cuda.RecordPlanes); 0: it is not kept
}

// Source is an image that is to be denoised.
type Source struct {
	View         schedule.Request
	Settings     settings.Settings // in which nothing is auto but the quality
	Options      Options
	Key          view.Key
	Samples      int  // whole ones in every pixel
	SinceReplace int  // of them the image's own
	Weight       int  // paths of each pixel in the film: a frame may take several
	Independent  int  // of its own those that do not err alike
	Image        int  // counts images
	Guided       bool // guides of a whole sample at least are kept
	Background   bool // somebody waits for an answer of a processor
	// Frame is a frame of the image with its planes of AOVs filled in.
	Frame func() cuda.Frame
}

// fillSamples fills in of how many samples the image is, and its moments. Those that are independent count as spread evenly over all.
func (src *Source) fillSamples(f *cuda.Frame) {
	f.Denoise.ImageSamples, f.Learned.Samples = float32(src.Independent), float32(max(src.Weight, 1))
	if weight := float64(src.Weight); weight > 0 { // in this order the quotient is exact where moments are of all
		f.Denoise.MomentImages = float32(float64(src.Independent) * (weight - float64(f.Film.MomentsSince)) / weight)
	}
}

// config is how an image is denoised, as the settings have it.
type config struct{ denoiser, quality string }

func configOf(s *settings.Settings) config {
	c := config{denoiser: s.Denoise}
	if s.Denoise == OIDN {
		c.quality = s.DenoiseQuality
	}
	return c
}
