// Package upscale shows a small image at full size.
//
// A live view may be rendered at a fraction of its size: a small image is made each frame, by itself, and kernels bring it to
// full size by guides of the full size and by the frames before (cuda/kernels/upscale). Once the view rests, rendering goes on
// at full size, as if nothing had been upscaled, and that image fades in.
package upscale

import (
	"errors"
	"fmt"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/imageio"
	"glint/tracer/schedule"
	"glint/tracer/view"
)

// fadedSamples of the full size replace what was upscaled.
const fadedSamples = 32

// History is how many frames an upscaled image is made of at most.
const History = int(cuda.UpscaleFrames)

// Upscaler brings the small images of one view to full size.
type Upscaler struct {
	device    device.Device
	set       device.Set[int]  // by pixels
	guides    device.Buffer    // AOVs of the frame at full size
	image     device.Buffer    // float4: the small image at full size; later what fades in
	history   [2]device.Buffer // float4: the last upscaled image and the one before, by turns
	distances [2]device.Buffer // float: how far away what they show is
	smallSet  device.Set[int]  // by samples
	samples   device.Buffer    // cuda.LowResPixel per sample of the small image
	turn      int              // which history is the last

	key    view.Key    // of the history, without camera and number of the picture
	moves  int         // of the scene then
	camera cuda.Camera // of the frame before
	frames int         // that history has seen
	shown  uint64      // address of the image that is shown; 0: that of full size
}

// New is an upscaler on a device.
func New(d device.Device) *Upscaler { return &Upscaler{device: d} }

func (u *Upscaler) allocations(pixels int) []device.Allocation {
	return []device.Allocation{
		{Buffer: &u.guides, Bytes: 16 * int(cuda.AovFilterPlanes) * pixels}, {Buffer: &u.image, Bytes: 16 * pixels},
		{Buffer: &u.history[0], Bytes: 16 * pixels}, {Buffer: &u.history[1], Bytes: 16 * pixels},
		{Buffer: &u.distances[0], Bytes: 4 * pixels}, {Buffer: &u.distances[1], Bytes: 4 * pixels}}
}

// Begin makes everything ready for a frame of an image of so many pixels. Another light than that of key begins a new history.
func (u *Upscaler) Begin(key view.Key, pixels int) error {
	if !u.Continues(key) {
		u.key, u.moves, u.frames, u.shown = key.Light(), key.Moves, 0, 0
	}
	if u.set.Held() && u.set.Shape() != pixels {
		u.smallSet.Free(u.device)
		u.turn = 0
	}
	if _, err := u.set.Ensure(u.device, pixels, u.allocations); err != nil {
		return fmt.Errorf("buffers of upscaling: %w", err)
	}
	return nil
}

// Continues tells whether the light of key is that of the history, and nothing has moved.
func (u *Upscaler) Continues(key view.Key) bool { return key.Light() == u.key && key.Moves == u.moves }

// Held tells whether there is memory for frames: views are upscaled.
func (u *Upscaler) Held() bool { return u.set.Held() }

// Frames is how many history has seen.
func (u *Upscaler) Frames() int { return u.frames }

// Shows tells whether the upscaled image is to be shown.
func (u *Upscaler) Shows() bool { return u.shown != 0 }

// FillShown has the upscaled image shown where it is to be.
func (u *Upscaler) FillShown(f *cuda.Frame) bool {
	if !u.Shows() {
		return false
	}
	f.Display.Shown, f.Denoise.Denoised = cuda.ShownDenoised, u.shown
	return true
}

// Gather packs a small image with what it shows: small is a frame of that, with what is shown of it, and with the sample that
// it took last.
func (u *Upscaler) Gather(small cuda.Frame) error {
	n := int(small.Film.Width * small.Film.Height)
	if _, err := u.smallSet.Ensure(u.device, n, func(n int) []device.Allocation {
		return []device.Allocation{{Buffer: &u.samples, Bytes: device.SizeOf[cuda.LowResPixel]() * n}}
	}); err != nil {
		return fmt.Errorf("samples to upscale: %w", err)
	}
	small.Upscale.Samples = u.samples.Address
	err := u.device.SetFrame(&small)
	if err == nil {
		err = device.Run(u.device, device.Launch{Kernel: cuda.UpscaleGather, Indices: n})
	}
	if err != nil {
		return fmt.Errorf("upscale: %w", err)
	}
	return nil
}

// Upscale brings what was gathered of a small image to full size, and keeps it as history. Guides of each view have noise of their own: view
// and frame number it.
func (u *Upscaler) Upscale(full cuda.Frame, smallWidth, smallHeight, view, frame int) error {
	f := u.frame(full)
	f.Sampling.SampleIndex, f.Sampling.Seed = uint32(frame), f.Sampling.Seed+uint32(view)*guideStride
	f.Upscale.Width, f.Upscale.Height = uint32(smallWidth), uint32(smallHeight)
	n := device.Tiled(int(f.Film.Width), int(f.Film.Height))
	err := u.device.SetFrame(&f)
	if err == nil {
		err = u.device.Submit([]device.Launch{{Kernel: cuda.Guides, Indices: n}, {Kernel: cuda.FollowGuides, Indices: n}, {Kernel: cuda.UpscaleSpatial, Indices: n}, {Kernel: cuda.UpscaleTemporal, Indices: n}})
	}
	if err != nil {
		return fmt.Errorf("upscale: %w", err)
	}
	u.turn = 1 - u.turn
	u.camera = f.Camera
	u.frames++
	u.shown = u.history[u.turn].Address
	return nil
}

// frame is what the kernels at full size read.
func (u *Upscaler) frame(f cuda.Frame) cuda.Frame {
	f.Sampling.Flags |= cuda.FrameReplace
	f.Film.Aovs, f.Film.AovPlanes = u.guides.Address, cuda.AovFilterPlanes
	f.Previous = u.camera
	f.Upscale = cuda.UpscaleParams{Samples: u.samples.Address, Image: u.image.Address,
		History: u.history[u.turn].Address, Next: u.history[1-u.turn].Address,
		Distances: u.distances[u.turn].Address, NextDistances: u.distances[1-u.turn].Address}
	if u.frames > 0 {
		f.Upscale.Flags |= cuda.UpscaleHistory
		if u.camera == f.Camera {
			f.Upscale.Flags |= cuda.UpscaleStill
		}
	}
	return f
}

// guideStride keeps the seeds of guides at full size from meeting those of the small image.
const guideStride = 0xc2b2ae35

// FadeIn shows an image at full size of so many samples, at first by a share. Full is a frame of it, with what is shown of it.
func (u *Upscaler) FadeIn(full cuda.Frame, samples int) error {
	if u.frames == 0 || samples >= fadedSamples {
		u.shown = 0
		return nil
	}
	u.shown = u.image.Address
	return u.fade(full, u.image, fadeShare(samples))
}

// Remember makes what is shown of an image at full size the history of the view that follows.
func (u *Upscaler) Remember(full cuda.Frame, samples int) error {
	if u.frames == 0 || samples == 0 {
		return nil
	}
	return u.fade(full, u.history[u.turn], fadeShare(samples))
}

// Seed makes an image at full size the history, as a whole: what was shown stays on the screen when upscaling begins.
func (u *Upscaler) Seed(full cuda.Frame) error { return u.fade(full, u.history[u.turn], 1) }

// fade writes the upscaled image with a share of the image at full size.
func (u *Upscaler) fade(full cuda.Frame, to device.Buffer, share float32) error {
	f := u.frame(full)
	f.Upscale.Next, f.Upscale.Share = to.Address, share
	err := u.device.SetFrame(&f)
	if err == nil {
		err = device.Run(u.device, device.Launch{Kernel: cuda.UpscaleFade, Indices: int(f.Film.Width * f.Film.Height)})
	}
	if err != nil {
		return fmt.Errorf("fade: %w", err)
	}
	return nil
}

// fadeShare is the share of an image of so many samples: at first by the samples that the upscaled one stands for, in the end
// all.
func fadeShare(samples int) float32 {
	n := float32(min(samples, fadedSamples))
	return n / (n + schedule.WarmupFrames*(1-n/fadedSamples))
}

// Image reads back the upscaled image that is shown (linear, nits).
func (u *Upscaler) Image(width, height int) (*imageio.Image, error) {
	for _, b := range []device.Buffer{u.image, u.history[0], u.history[1]} {
		if b.Address != u.shown || u.shown == 0 {
			continue
		}
		pixels := make([][4]float32, width*height)
		if err := u.device.Download(b, device.BytesOf(pixels)); err != nil {
			return nil, fmt.Errorf("read the upscaled image: %w", err)
		}
		img := &imageio.Image{Width: width, Height: height, Pix: make([]float32, 0, 3*len(pixels))}
		for _, p := range pixels {
			img.Pix = append(img.Pix, p[:3]...)
		}
		return img, nil
	}
	return nil, errors.New("read the upscaled image: nothing is upscaled")
}

// Bytes is the memory that is held.
func (u *Upscaler) Bytes() int { return u.set.Bytes() + u.smallSet.Bytes() }

// Restart forgets every frame. Memory stays.
func (u *Upscaler) Restart() {
	u.moves = 0
	u.key, u.camera, u.frames, u.shown = view.Key{}, cuda.Camera{}, 0, 0
}

// Stop gives the memory back and forgets every frame.
func (u *Upscaler) Stop() {
	u.set.Free(u.device)
	u.smallSet.Free(u.device)
	*u = Upscaler{device: u.device}
}
