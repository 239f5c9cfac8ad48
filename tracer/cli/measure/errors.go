package measure

import (
	"fmt"
	"image"
	"math"

	"glint/tracer"
	"glint/tracer/display"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/settings"
)

// Quality says how good a reference is.
type Quality struct {
	Samples int     // per pixel, if it was rendered here
	Noise   float64 // relMSE of the reference itself, estimated; NaN where that was not possible, 0 of a file
}

// Said is how noisy it is, in words.
func (q Quality) Said() string {
	if math.IsNaN(q.Noise) {
		return "not known: one sample, or a block of them, does not tell"
	}
	return fmt.Sprintf("%.4g", q.Noise)
}

// trimmedShare is the share of the worst pixels that the trimmed error leaves out.
const trimmedShare = 0.001

// Measurement is the error of a picture against the reference, at some number of samples.
type Measurement struct {
	Samples int     `json:"samples"` // in each pixel; of a live view the number of the frame
	Seconds float64 `json:"seconds"` // of rendering so far; of a live view of this frame
	RelMSE  float64 `json:"relmse"`
	Trimmed float64 `json:"relmse_trimmed"` // without the worst 0.1 % of the pixels
	FLIP    float64 `json:"flip"`           // mean, as displayed
}

// Result is a picture with what was measured of it.
type Result struct {
	Measurement
	HDRFLIP float64 // mean over the exposures that show the reference
	Linear  *imageio.Image
	Display *image.NRGBA
	Flip    *metric.Map
}

// Reference is the picture that others are measured against, displayed by the settings that all share.
type Reference struct {
	renderer *tracer.Renderer
	Settings settings.Settings
	Image    *imageio.Image
	Display  *image.NRGBA
	light    *imageio.Image // of the display that shows the reference
	Quality
}

// NewReference is a reference that r displays as it does what is measured.
func NewReference(r *tracer.Renderer, s settings.Settings, picture *imageio.Image) (*Reference, error) {
	if _, err := metric.Exposures(picture); err != nil {
		return nil, err
	}
	shown, ev, err := r.Image().Display(picture, s)
	if err == nil && s.AutoExposure { // all pictures are exposed as this one
		s.AutoExposure = false
		s.Exposure += ev
		shown, _, err = r.Image().Display(picture, s)
	}
	if err != nil {
		return nil, err
	}
	return &Reference{renderer: r, Settings: s, Image: picture, Display: shown, light: display.Light(shown)}, nil
}

// Measure compares a picture with the reference.
func (r *Reference) Measure(img *imageio.Image) (*Result, error) {
	e := &Result{Linear: img}
	var err error
	if e.RelMSE, err = metric.RelMSE(img, r.Image); err != nil {
		return nil, err
	}
	if e.Trimmed, err = metric.TrimmedRelMSE(img, r.Image, trimmedShare); err != nil {
		return nil, err
	}
	if e.Display, _, err = r.renderer.Image().Display(img, r.Settings); err != nil {
		return nil, err
	}
	if e.Flip, err = metric.FLIP(display.Light(e.Display), r.light, metric.DefaultPixelsPerDegree); err != nil {
		return nil, err
	}
	e.FLIP = e.Flip.Mean()
	return e, nil
}

// MeasureFinally adds what is too slow to compute more than once.
func (r *Reference) MeasureFinally(e *Result) error {
	m, err := metric.HDRFLIP(e.Linear, r.Image, metric.DefaultPixelsPerDegree)
	if err != nil {
		return err
	}
	e.HDRFLIP = m.Mean()
	return nil
}
