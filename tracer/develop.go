package tracer

import (
	"errors"
	"fmt"
	"image"
	"time"

	"glint/cuda"
	"glint/tracer/imageio"
)

// Develop shows a linear picture (nits) of the image's size, say a reference, as Film shows what was accumulated, which
// stays as it is.
func (r *Renderer) Develop(img *imageio.Image, s Settings) (*image.NRGBA, error) {
	out, err := r.developImage(img, s)
	if err != nil {
		return nil, fmt.Errorf("develop: %w", err)
	}
	return out, nil
}

func (r *Renderer) developImage(img *imageio.Image, s Settings) (*image.NRGBA, error) {
	if err := img.Validate(); err != nil {
		return nil, err
	}
	if r.scene == nil || img.Width != r.film.width || img.Height != r.film.height {
		return nil, errors.New("render an image of the same size first")
	}
	pixels := make([][4]float32, img.Width*img.Height)
	for i := range pixels {
		pixels[i] = [4]float32{img.Pix[3*i], img.Pix[3*i+1], img.Pix[3*i+2], 1}
	}
	if err := r.device.sync(); err != nil {
		return nil, err
	}
	r.progress.preview = 0 // its memory is borrowed
	if err := r.film.clearPreview(r.device, len(pixels)); err != nil {
		return nil, err
	}
	if err := r.device.upload(r.film.preview, bytesOf(pixels)); err != nil {
		return nil, err
	}
	v := View{Width: img.Width, Height: img.Height}
	f := r.frame(v, s)
	f.Film.Accumulation, f.Display.Target = r.film.preview.address, r.film.target.address
	if err := r.applyDisplay(&f, v, s); err != nil {
		return nil, err
	}
	if err := r.develop(&f, len(pixels)); err != nil {
		return nil, err
	}
	out := image.NewNRGBA(image.Rect(0, 0, img.Width, img.Height))
	return out, r.device.download(r.film.target, out.Pix)
}

// develop runs the film kernel, and before it those that it builds on.
func (r *Renderer) develop(f *cuda.Frame, pixels int) error {
	if err := r.device.setFrame(f); err != nil {
		return err
	}
	launches := append(metering(f), blooming(f)...)
	for _, l := range append(launches, launch{kernel: cuda.Resolve, indices: pixels}) {
		if _, err := r.device.launch(l.kernel, l.turn, 0, l.indices, time.Time{}); err != nil {
			return err
		}
	}
	if err := r.device.sync(); err != nil {
		return err
	}
	return r.readMeter(f)
}
