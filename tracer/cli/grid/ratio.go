package grid

import (
	"image"
	"math"
	"slices"
)

// setup is what integrators are compared in.
type setup struct {
	Motion   string  `json:"motion"`    // or rest
	Budget   float64 `json:"budget_ms"` // for a frame; at rest for the image
	Denoiser string  `json:"denoiser"`
}

// outcome is what was measured of an integrator in a scene: means over frames.
type outcome struct {
	Scene string `json:"scene"`
	setup
	Integrator string  `json:"integrator"`
	MsSample   float64 `json:"ms_per_sample"`
	MsGather   float64 `json:"ms_gathering"` // of a sample that is shared with the next
	MsDenoise  float64 `json:"ms_denoising"`
	Ms         float64 `json:"ms"`      // that a frame took
	Samples    int     `json:"samples"` // in a frame
	RelMSE     float64 `json:"relmse"`
	Trimmed    float64 `json:"relmse_trimmed"` // without the worst 0.1 % of the pixels
	FLIP       float64 `json:"flip"`
	Flicker    float64 `json:"flicker,omitempty"` // of the error of a displayed pixel from frame to frame, of 255
	Dots       float64 `json:"lone_dots"`         // in a frame

	picture *image.NRGBA // the last frame
}

// errorKinds are the errors whose ratios are told.
func errorKinds() []errorKind {
	return []errorKind{
		{"FLIP", "flip", func(o *outcome) float64 { return o.FLIP }},
		{"relMSE", "relmse", func(o *outcome) float64 { return o.RelMSE }},
		{"trimmed relMSE", "relmse_trimmed", func(o *outcome) float64 { return o.Trimmed }},
		{"flicker", "flicker", func(o *outcome) float64 { return o.Flicker }},
	}
}

// errorKind is an error with its name in tables and in JSON.
type errorKind struct {
	name, key string
	of        func(*outcome) float64
}

// comparedRatios are the errors of an integrator over those of the first one, in one setup.
type comparedRatios struct {
	setup
	Integrator string                `json:"integrator"`
	Ratios     map[string]ratioRange `json:"ratios"` // by the key of the metric; without one that no scene has
}

// ratioRange is a ratio of errors over scenes.
type ratioRange struct {
	Mean   float64            `json:"geometric_mean"`
	Worst  float64            `json:"worst"`
	Scene  string             `json:"worst_scene"`
	Scenes map[string]float64 `json:"scenes"`
}

// ratiosOver compares every integrator with the first, in each setup, over all scenes in which both were measured. A scene in which one of them
// has no error at all has no ratio.
func ratiosOver(outcomes []*outcome, first string) []comparedRatios {
	var rows []comparedRatios
	for _, o := range outcomes {
		if o.Integrator == first {
			continue
		}
		base := slices.IndexFunc(outcomes,
			func(b *outcome) bool { return b.Integrator == first && b.Scene == o.Scene && b.setup == o.setup })
		if base < 0 {
			continue
		}
		at := slices.IndexFunc(rows, func(r comparedRatios) bool { return r.setup == o.setup && r.Integrator == o.Integrator })
		if at < 0 {
			at = len(rows)
			rows = append(rows, comparedRatios{o.setup, o.Integrator, map[string]ratioRange{}})
		}
		for _, m := range errorKinds() {
			if mine, others := m.of(o), m.of(outcomes[base]); mine > 0 && others > 0 {
				rows[at].Ratios[m.key] = rows[at].Ratios[m.key].with(o.Scene, mine/others)
			}
		}
	}
	return rows
}

// with is the range with another scene.
func (r ratioRange) with(scene string, ratio float64) ratioRange {
	if r.Scenes == nil {
		r.Scenes = map[string]float64{}
	}
	r.Scenes[scene] = ratio
	if ratio > r.Worst {
		r.Worst, r.Scene = ratio, scene
	}
	sum := 0.0
	for _, x := range r.Scenes {
		sum += math.Log(x)
	}
	r.Mean = math.Exp(sum / float64(len(r.Scenes)))
	return r
}
