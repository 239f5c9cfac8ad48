package session

import (
	"errors"
	"image"

	"glint/tracer/view"
)

// OwnPicture is one that no renderer makes. The zero value has none.
type OwnPicture struct {
	Picture    Picture // nil until there is one
	newPicture func() Picture
}

// onProcessor says that pictures are made without the device.
type onProcessor struct{}

func (onProcessor) Attach(uint32) error { return errors.New("it is made on the processor") }
func (onProcessor) Detach(uint32) error { return nil }

// show brings an image to the window.
func (o *OwnPicture) show(img *image.NRGBA) error {
	if o.Picture == nil {
		o.Picture = o.newPicture()
	}
	if err := o.Picture.Resize(onProcessor{}, img.Rect.Dx(), img.Rect.Dy()); err != nil {
		return err
	}
	return o.Picture.Fill(func(t view.Target) error {
		for y := range img.Rect.Dy() {
			row := y
			if t.FlipY {
				row = img.Rect.Dy() - 1 - y
			}
			copy(t.Pixels[row*img.Stride:(row+1)*img.Stride], img.Pix[y*img.Stride:])
		}
		return nil
	})
}

// release frees the picture.
func (o *OwnPicture) release() {
	if o.Picture != nil {
		o.Picture.Release()
		o.Picture = nil
	}
}
