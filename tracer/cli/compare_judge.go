package cli

import (
	"image"
	"math"

	"glint/tracer"
	"glint/tracer/imageio"
	"glint/tracer/metric"
	"glint/tracer/settings"
)

// trimmedShare is the share of the worst pixels that the trimmed error leaves out.
const trimmedShare = 0.001

// measurement is the error of a picture at some moment. The errors are against the reference.
type measurement struct {
	Samples int     `json:"samples"` // in each pixel; of a live view the number of the frame
	Seconds float64 `json:"seconds"` // of rendering so far; of a live view of this frame
	RelMSE  float64 `json:"relmse"`
	Trimmed float64 `json:"relmse_trimmed"` // without the worst 0.1 % of the pixels
	FLIP    float64 `json:"flip"`           // mean, as displayed
}

// exhibit is a picture with what was measured of it.
type exhibit struct {
	measurement
	HDRFLIP float64 // mean over the exposures that show the reference
	linear  *imageio.Image
	display *image.NRGBA
	flip    *metric.Map
}

// judge measures pictures against the reference, displayed by the settings that both sides share.
type judge struct {
	renderer  *tracer.Renderer
	settings  settings.Settings
	reference *imageio.Image
	display   *image.NRGBA
	light     *imageio.Image // of the display that shows the reference
	noise     float64        // relMSE of the reference itself, estimated; 0 when not known
}

func newJudge(r *tracer.Renderer, s settings.Settings, reference *imageio.Image) (*judge, error) {
	if _, err := metric.Exposures(reference); err != nil {
		return nil, err
	}
	s, err := r.Metered(reference, s)
	if err != nil {
		return nil, err
	}
	display, err := r.Develop(reference, s)
	if err != nil {
		return nil, err
	}
	return &judge{renderer: r, settings: s, reference: reference, display: display, light: displayLight(display)}, nil
}

// measure compares a picture with the reference.
func (j *judge) measure(img *imageio.Image) (*exhibit, error) {
	e := &exhibit{linear: img}
	var err error
	if e.RelMSE, err = metric.RelMSE(img, j.reference); err != nil {
		return nil, err
	}
	if e.Trimmed, err = metric.TrimmedRelMSE(img, j.reference, trimmedShare); err != nil {
		return nil, err
	}
	if e.display, err = j.renderer.Develop(img, j.settings); err != nil {
		return nil, err
	}
	if e.flip, err = metric.FLIP(displayLight(e.display), j.light, metric.DefaultPixelsPerDegree); err != nil {
		return nil, err
	}
	e.FLIP = e.flip.Mean()
	return e, nil
}

// measureFinally adds what is too slow to ask for on the way.
func (j *judge) measureFinally(e *exhibit) error {
	m, err := metric.HDRFLIP(e.linear, j.reference, metric.DefaultPixelsPerDegree)
	if err != nil {
		return err
	}
	e.HDRFLIP = m.Mean()
	return nil
}

// displayLight is the linear light of a display that shows a picture (sRGB, IEC 61966-2-1), 0 to 1.
func displayLight(img *image.NRGBA) *imageio.Image {
	var light [256]float32
	for i := range light {
		v := float64(i) / 255
		if v <= 0.04045 {
			light[i] = float32(v / 12.92)
		} else {
			light[i] = float32(math.Pow((v+0.055)/1.055, 2.4))
		}
	}
	out := &imageio.Image{Width: img.Rect.Dx(), Height: img.Rect.Dy()}
	for i := 0; i < len(img.Pix); i += 4 {
		out.Pix = append(out.Pix, light[img.Pix[i]], light[img.Pix[i+1]], light[img.Pix[i+2]])
	}
	return out
}
