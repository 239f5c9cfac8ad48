// Package view is what is looked at, and when that is another picture.
package view

import (
	"context"
	"fmt"
	"time"

	"glint/tracer/scene"
)

// View is what is looked at, and how big.
type View struct {
	Camera        scene.Camera
	Width, Height int     // of the image, pixels
	Aspect        float32 // width over height of what the lens sees; 0: of the image
	// Frame numbers the pictures of a film. Another number begins a new image with noise of its own; what an integrator
	// carries over from the picture before stays.
	Frame int
	// FirstSample is the number of the image's first sample: parts of a still begin later than at 0, and find other light.
	FirstSample int
}

// ErrStopped says that a call was stopped before the sample was whole. As an error of a context that was canceled, it tells nothing else.
var ErrStopped = fmt.Errorf("stopped within a sample: %w", context.Canceled)

// Target is where display writes RGBA8, of the view's size.
type Target struct {
	Buffer uint32 // an attached GL buffer object, or 0
	Pixels []byte // 4·Width·Height, used when Buffer is 0
	FlipY  bool   // row 0 at the bottom, as OpenGL reads it
	Alpha  bool   // a background that is transparent stays so, and is no checkerboard
}

// Stats describe one call of Render.
type Stats struct {
	Samples          int // whole samples in every pixel so far
	Shown            int // those that the picture is made of: fewer where it was denoised a while ago, 0 where it is a preview
	Width            int // of the image that was rendered, pixels: smaller than the view where that is upscaled
	Height           int
	Restarted        bool          // accumulation began anew
	Integrator       string        // what auto stands for
	Scale            int           // what is shown was rendered at 1/Scale of the view's size
	Elapsed          time.Duration // of the call
	Paths            uint64        // camera paths traced by the call
	NonFinite        uint64        // samples dropped since the restart, as the last frame that was counted says
	Denoised         int           // samples of the denoised image that there is; 0: none
	Denoiser         string        // that made it, or is to make it
	DenoiserFallback error         // why that one stands in for the one that was asked for
	DenoiseError     error         // why a live view is not denoised though it should be
	ErrorMapSamples  int           // samples of the error map that there is; 0: none
	ErrorMapBy       string        // what denoised its halves
	BVHError         error         // why the BVH that was asked for cannot be had, told once; another is used
	Rays             string        // who traces them: software, with why where that was chosen, or hardware
	RaysError        error         // why hardware does not trace this scene's rays though it should, told once; software does
	HelperError      error         // why another device helps no more, told once
	// KernelsError is why this scene's specialised kernels could not be compiled; the general ones are used.
	KernelsError error
	Shortcuts    []string // of reuse, that make the mean of this frame a little wrong, each with what it does
	Background   string   // what is made in the background for this scene while something else stands in; empty: nothing
	Metered      float64  // exposure that auto exposure has found, EV; 0 without it
}

// Check refuses sizes that cannot be rendered, and a target of another size.
func (v View) Check(t Target) error {
	if v.Width <= 0 || v.Height <= 0 || v.Width > MaxSide || v.Height > MaxSide {
		return fmt.Errorf("image size %d×%d: each side must be 1 to %d pixels", v.Width, v.Height, MaxSide)
	}
	if t.Buffer == 0 && t.Pixels != nil && len(t.Pixels) != 4*v.Width*v.Height {
		return fmt.Errorf("target holds %d bytes, %d×%d pixels need %d", len(t.Pixels), v.Width, v.Height, 4*v.Width*v.Height)
	}
	return nil
}

// MaxSide bounds an image's width and height, pixels.
const MaxSide = 1 << 15
