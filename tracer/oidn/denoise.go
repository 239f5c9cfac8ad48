package oidn

import (
	"errors"
	"fmt"
)

// Quality trades time for cleanness.
type Quality int32

// The qualities (OIDNQuality).
const (
	Fast     Quality = 4 // live views
	Balanced Quality = 5
	High     Quality = 6 // stills
)

// Image is a picture of three floats a pixel in memory that the device reaches, rows without gaps. The zero value is none.
type Image struct {
	Address uint64 // of the first pixel
	Stride  int    // from one pixel to the next, bytes, at least 12
}

// Task is one picture to denoise. A task that equals the one before costs no preparation.
type Task struct {
	Width, Height int
	Color         Image // noisy, finite
	Albedo        Image // of what is seen, in [0, 1]; may be none
	Normal        Image // of what is seen, unit or zero; may be none, and is unless there is an albedo
	Output        Image // may be Color
	Quality       Quality
	HDR           bool // Color is radiance, not display values in [0, 1]
	// Prefilter denoises Albedo and Normal first, in place, and then trusts their every edge: best for stills, where time
	// matters less.
	Prefilter bool
}

// Denoiser keeps the filters of one task. Its methods are called by one goroutine at a time.
type Denoiser struct {
	*Device
	task       Task      // that the filters are made for
	prefilters []uintptr // they denoise the guides in place
	main       uintptr
}

// Denoiser is one more on this device, for pictures of its own.
func (d *Device) Denoiser() *Denoiser { return &Denoiser{Device: d} }

// Release gives the filters back; the next task makes new ones.
func (d *Denoiser) Release() {
	defer lockThread()()
	d.drop()
}

// OIDNFormat.
const formatFloat3 = 3

// Denoise writes the denoised picture; on a GPU it queues that.
func (d *Denoiser) Denoise(t Task) error {
	defer lockThread()()
	if err := t.check(); err != nil {
		return fmt.Errorf("denoise: %w", err)
	}
	if d.plans {
		return nil
	}
	if t != d.task || d.main == 0 {
		if err := d.prepare(t); err != nil {
			return fmt.Errorf("denoise %d×%d: %w", t.Width, t.Height, err)
		}
	}
	for _, filter := range append(d.prefilters[:len(d.prefilters):len(d.prefilters)], d.main) {
		if d.queued {
			d.lib.call.ExecuteFilterAsync(filter)
		} else {
			d.lib.call.ExecuteFilter(filter)
		}
	}
	if err := d.failure(); err != nil {
		return fmt.Errorf("denoise %d×%d: %w", t.Width, t.Height, err)
	}
	return nil
}

func (t Task) check() error {
	if t.Width <= 0 || t.Height <= 0 {
		return fmt.Errorf("image size %d×%d is not positive", t.Width, t.Height)
	}
	if t.Color.Address == 0 || t.Output.Address == 0 {
		return errors.New("a task needs Color and Output")
	}
	if t.Normal.Address != 0 && t.Albedo.Address == 0 {
		return errors.New("a normal guides only together with an albedo")
	}
	return nil
}

// prepare makes the filters of a task in place of those before.
func (d *Denoiser) prepare(t Task) error {
	d.drop()
	d.main = d.filter(t, t.Output, []named{{"color", t.Color}, {"albedo", t.Albedo}, {"normal", t.Normal}})
	if d.main != 0 {
		d.lib.call.SetFilterBool(d.main, "hdr", t.HDR)
		d.lib.call.SetFilterBool(d.main, "cleanAux", t.Prefilter && t.Albedo.Address != 0)
		d.lib.call.CommitFilter(d.main)
	}
	for _, guide := range []named{{"albedo", t.Albedo}, {"normal", t.Normal}} {
		if !t.Prefilter || guide.image.Address == 0 {
			continue
		}
		if f := d.filter(t, guide.image, []named{guide}); f != 0 {
			d.lib.call.CommitFilter(f)
			d.prefilters = append(d.prefilters, f)
		}
	}
	if err := d.failure(); err != nil {
		d.drop()
		return err
	}
	d.task = t
	return nil
}

// named is an image in its role.
type named struct {
	role  string
	image Image
}

// filter makes one that reads some images and writes another; it is to be committed.
func (d *Device) filter(t Task, output Image, inputs []named) uintptr {
	c := &d.lib.call
	f := c.NewFilter(d.handle, "RT")
	if f == 0 {
		return 0
	}
	for _, n := range append(inputs, named{"output", output}) {
		if n.image.Address == 0 {
			continue
		}
		stride := uintptr(n.image.Stride)
		c.SetSharedFilterImage(f, n.role, uintptr(n.image.Address), formatFloat3, uintptr(t.Width), uintptr(t.Height), 0, stride, stride*uintptr(t.Width))
	}
	c.SetFilterInt(f, "quality", int32(t.Quality))
	return f
}

// drop gives the filters back, once they have done their work.
func (d *Denoiser) drop() {
	if d.queued && d.main != 0 {
		d.lib.call.SyncDevice(d.handle)
	}
	for _, f := range append(d.prefilters, d.main) {
		if f != 0 {
			d.lib.call.ReleaseFilter(f)
		}
	}
	d.prefilters, d.main, d.task = nil, 0, Task{}
}
