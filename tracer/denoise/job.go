package denoise

import (
	"time"

	"glint/cuda"
	"glint/tracer/device"
	"glint/tracer/guard"
	"glint/tracer/view"
)

// shape is what a denoiser's buffers depend on.
type shape struct {
	pixels   int
	denoiser string
	images   int  // that are denoised together
	outputs  int  // 2 where one is shown while the other is written, else 1
	passes   bool // pictures are looked at before paths have a turn
}

// buffers are what a denoiser reads and writes.
type buffers struct {
	set     device.Set[shape]
	inputs  device.Buffer // planes of float4 per pixel: enum DenoisePlane
	signals device.Buffer // of the built-in filters, twice
	outputs [2]device.Buffer
}

// kept are those that are looked at after a picture has been made.
func (b *buffers) kept(s shape) []device.Allocation {
	if s.passes {
		return nil
	}
	return b.pictures(s)
}

// pictures are what a denoiser writes.
func (b *buffers) pictures(s shape) (list []device.Allocation) {
	for i := range s.outputs {
		list = append(list, device.Allocation{Buffer: &b.outputs[i], Bytes: 16 * s.pixels * s.images})
	}
	return list
}

// passing are the buffers that nobody reads once the picture is made.
func (b *buffers) passing(s shape) []device.Allocation {
	plane := 16 * s.pixels * s.images
	list := []device.Allocation{{Buffer: &b.inputs, Bytes: plane * int(cuda.DenoisePlanes)}}
	if BuiltIn(s.denoiser) {
		list = append(list, device.Allocation{Buffer: &b.signals, Bytes: 2 * plane})
	}
	if s.passes {
		list = append(list, b.pictures(s)...)
	}
	return list
}

// Job is work in the background, on buffers that it keeps until it ends: on a processor, denoising takes longer than a window
// may wait. It is the only kind of background job of a renderer that uses the device.
type Job struct {
	buffers *buffers
	samples int // in what is denoised
	config  config
	key     view.Key      // of the image
	done    chan struct{} // closed when it has ended
	err     error         // why it failed, then
	took    time.Duration // then
}

func startJob(j *Job, work func() error) {
	j.done = make(chan struct{})
	begun := time.Now()
	guard.Go(work, func(err error) {
		j.err, j.took = err, time.Since(begun)
		close(j.done)
	})
}

// ended tells whether there is nothing left to wait for.
func (j *Job) ended() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// workplace is a denoiser's buffers, and the job that may be working on them, or on ones that it alone still needs.
type workplace struct {
	device  device.Device
	scratch *device.Scratch // for what nobody looks at after a picture has been made; nil: jobs keep that
	buffers *buffers
	job     *Job
}

// ensure makes the buffers fit; true when they are new.
func (w *workplace) ensure(s shape) (bool, error) {
	if w.buffers != nil && w.buffers.set.Shape() == s {
		return false, nil
	}
	w.drop()
	b := &buffers{}
	if _, err := b.set.Ensure(w.device, s, func(s shape) []device.Allocation {
		if w.scratch != nil {
			return b.kept(s)
		}
		return append(b.kept(s), b.passing(s)...)
	}); err != nil {
		return false, err
	}
	w.buffers = b
	return true, nil
}

// beginTurn makes room for what is not looked at after a picture has been made.
func (w *workplace) beginTurn() error {
	if w.scratch == nil {
		return nil
	}
	return w.scratch.Take(w, w.buffers.passing(w.buffers.set.Shape()))
}

// keeps tells whether the last picture is still there.
func (w *workplace) keeps() bool {
	return w.buffers != nil && (!w.buffers.set.Shape().passes || w.scratch.Has(w))
}

// drop gives the buffers back, or leaves that to the job that works on them.
func (w *workplace) drop() {
	if w.scratch != nil {
		w.scratch.Leave(w)
	}
	if w.buffers != nil && (w.job == nil || w.job.buffers != w.buffers) {
		w.buffers.set.Free(w.device)
	}
	w.buffers = nil
}

// poll is the job if it has ended just now; current tells whether it worked on the buffers that are in use.
func (w *workplace) poll() (job *Job, current bool) {
	if w.job == nil || !w.job.ended() {
		return nil, false
	}
	return w.end()
}

// await waits for the job, if there is one.
func (w *workplace) await() (job *Job, current bool) {
	if w.job == nil {
		return nil, false
	}
	<-w.job.done
	return w.end()
}

// end forgets a job that has ended, and gives its buffers back if they are of use to nobody.
func (w *workplace) end() (job *Job, current bool) {
	job, w.job = w.job, nil
	if current = job.buffers == w.buffers; !current {
		job.buffers.set.Free(w.device)
	}
	return job, current
}

// bytes is the memory that is in use.
func (w *workplace) bytes() int {
	if w.buffers == nil {
		return 0
	}
	bytes := w.buffers.set.Bytes()
	if w.scratch != nil {
		bytes += w.scratch.Wanted(w)
	}
	return bytes
}

// runOn fixes a frame and queues what reads it.
func runOn(d device.Device, f *cuda.Frame, launches ...device.Launch) error {
	if err := d.SetFrame(f); err != nil {
		return err
	}
	return d.Submit(launches)
}
