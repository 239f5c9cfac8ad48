package device

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"glint/cuda"
	"glint/cuda/compiled"
	"glint/cuda/driver"
	"glint/cuda/images"
)

// cudaDevice runs the kernels through the CUDA driver, on one stream.
type cudaDevice struct {
	modules
	glBuffers
	context   *driver.Context
	stream    *driver.Stream
	general   general
	current   *module // the one that runs
	frames    frameQueue
	stopwatch stopwatch
	graphs    graphCache
	hardware  Hardware
	programs  *programs // that take the place of kernels in this frame; nil: none do
}

func openCUDA(ordinal int) (*cudaDevice, error) {
	context, err := driver.Open(driver.Options{Ordinal: ordinal})
	if err != nil {
		return nil, err
	}
	d := &cudaDevice{context: context, stopwatch: stopwatch{context: context}, graphs: graphCache{context: context},
		glBuffers: glBuffers{context: context, of: map[uint32]*driver.GLBuffer{}},
		modules:   modules{context: context, pending: map[uint32]chan compilation{}, failed: map[uint32]error{}}}
	if err := d.load(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// load loads the kernels that suit every scene.
func (d *cudaDevice) load() error {
	var err error
	from := kernels{compiled.Image, compiled.PTX}
	load := func(i images.Image) (*module, error) { return loadModule(d.context, i, 0) }
	if d.general, err = loadGeneral(from, d.context.Device.Major, d.context.Device.Minor, load); err != nil {
		return err
	}
	d.current = d.general.module
	d.ready = []*module{d.current}
	if d.stream, err = d.context.NewStream(); err != nil {
		return err
	}
	d.glBuffers.stream, d.graphs.stream = d.stream, d.stream
	return d.frames.open(d.context)
}

func (d *cudaDevice) Info() Info {
	return Info{Kind: KindCUDA, Device: d.context.Device.Name, Memory: d.context.Device.TotalMemory, Kernels: d.general.String()}
}

// Background is the device itself: queuing work on a GPU does not block.
func (d *cudaDevice) Background() Device { return d }

func (d *cudaDevice) Access() Access {
	return Access{Stream: d.stream.Handle(), Ordinal: d.context.Device.Ordinal}
}

func (d *cudaDevice) TimeWhole(work func() error) error { return d.stopwatch.aroundAll(d.stream, work) }

func (d *cudaDevice) Alloc(bytes int) (Buffer, error) {
	p, err := d.context.Alloc(uint64(bytes))
	return Buffer{Address: uint64(p), Size: bytes}, err
}

// Import is refused: kernels read the GPU's own memory.
func (d *cudaDevice) Lend([]byte) (Buffer, bool) { return Buffer{}, false }

// FreeMemory counts all programs that use the GPU.
func (d *cudaDevice) FreeMemory() (bytes uint64, known bool) {
	free, _, err := d.context.MemInfo()
	return free, err == nil
}

// Free ignores the driver's answer: memory of a lost device is gone already.
func (d *cudaDevice) Free(b Buffer) {
	if b.Address != 0 {
		_ = d.context.Free(driver.DevicePtr(b.Address))
	}
}

func (d *cudaDevice) Upload(b Buffer, data []byte) error {
	if len(data) == 0 {
		return nil
	}
	if err := d.Sync(); err != nil {
		return err
	}
	return d.context.CopyToDevice(driver.DevicePtr(b.Address), data)
}

func (d *cudaDevice) Download(b Buffer, data []byte) error {
	if err := d.Sync(); err != nil {
		return err
	}
	return d.context.CopyToHost(data, driver.DevicePtr(b.Address))
}

func (d *cudaDevice) Zero(b Buffer) error {
	if err := d.Sync(); err != nil {
		return err
	}
	return d.context.Memset(driver.DevicePtr(b.Address), 0, uint64(b.Size))
}

// SetFrame queues the frame for the launches that follow.
func (d *cudaDevice) SetFrame(f *cuda.Frame) error {
	p := d.best(f.Scene.Missing)
	if p != d.current || d.frames.full() {
		if err := d.Sync(); err != nil {
			return err
		}
	}
	if p != d.current {
		d.current = p
		if err := d.graphs.close(); err != nil { // they launch what the module before held
			return err
		}
	}
	d.programs = d.hardware.of(f)
	return d.frames.push(f, d.stream, d.current.frame)
}

// RunUntil queues the whole launch, which must start at 0.
func (d *cudaDevice) RunUntil(l Launch, _ int, _ time.Time) (int, error) {
	return l.Indices, d.launch(l)
}

// Submit queues a batch as one graph; where launches are timed, one by one. Programs never go into a graph: what lies between them does.
func (d *cudaDevice) Submit(batch []Launch) error {
	var steps []func() error
	for rest := batch; len(rest) > 0; {
		n := d.beforeProgram(rest)
		step, err := d.kernels(rest[:n])
		if err != nil {
			return err
		}
		steps = append(steps, step)
		if rest = rest[n:]; len(rest) > 0 {
			program := rest[0]
			steps, rest = append(steps, func() error { return d.launch(program) }), rest[1:]
		}
	}
	err := d.stopwatch.aroundAll(d.stream, func() error {
		for _, step := range steps {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
	return errors.Join(err, d.graphs.evict(len(d.hardware.programs) > 0))
}

// beforeProgram is how many launches come before the first that a program takes the place of.
func (d *cudaDevice) beforeProgram(batch []Launch) int {
	if i := slices.IndexFunc(batch, func(l Launch) bool { return d.programs.replace(l.Kernel, l.Arg) }); i >= 0 {
		return i
	}
	return len(batch)
}

// kernels is what queues launches of which none is a program's.
func (d *cudaDevice) kernels(batch []Launch) (step func() error, err error) {
	if len(batch) >= 2 && !d.stopwatch.each() {
		graph, err := d.graphs.of(batch, d.queue)
		return func() error { return graph.Launch(d.stream) }, err
	}
	return func() error {
		for _, l := range batch {
			if err := d.queue(l, d.stream); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// launch queues a program, where there is one, or a kernel. The first program that is refused turns hardware off.
func (d *cudaDevice) launch(l Launch) error {
	if d.programs.replace(l.Kernel, l.Arg) {
		err := d.stopwatch.around(SlotOf(l.Kernel, l.Arg), d.stream, func() error {
			return d.programs.launch(l.Kernel, l.Arg, l.Indices, d.stream, d.current.frame)
		})
		if err == nil {
			return nil
		}
		d.hardware.failed, d.programs = err, nil
	}
	return d.queue(l, d.stream)
}

// queue puts a launch into a stream, timed where somebody wants to know.
func (d *cudaDevice) queue(l Launch, s *driver.Stream) error {
	threads := l.Kernel.Threads()
	indices := l.Indices
	if l.Kernel.Fetches() {
		indices = min(indices, d.context.Device.Multiprocessors*l.Kernel.Blocks()*threads)
	}
	err := d.stopwatch.around(SlotOf(l.Kernel, l.Arg), s, func() error {
		return d.current.functions[l.Kernel].Launch(driver.Linear(uint32(indices), uint32(threads), s), driver.U32(l.Arg))
	})
	if err != nil {
		return fmt.Errorf("kernel %s: %w", l.Kernel, err)
	}
	return nil
}

// Hardware opens the library the first time.
func (d *cudaDevice) Hardware() (*Hardware, error) {
	h := &d.hardware
	h.memory, h.stream, h.cuda = d, d.stream, d.context
	if h.failed == nil {
		h.failed = h.open()
	}
	return h, h.failed
}

// WaitForKernels waits for kernels and for programs, of which only kernels cannot be done without.
func (d *cudaDevice) WaitForKernels() error {
	d.hardware.wait()
	return d.modules.WaitForKernels()
}

func (d *cudaDevice) Sync() error {
	if err := d.stream.Synchronize(); err != nil {
		return err
	}
	d.frames.used = 0
	d.stopwatch.collect()
	return nil
}

func (d *cudaDevice) Time(t *Timings) { d.stopwatch.on = t }

func (d *cudaDevice) Close() error {
	compiles, err := d.hardware.close()
	errs := []error{d.glBuffers.close(), d.stopwatch.close(), d.graphs.close(), err}
	if d.stream != nil {
		errs = append(errs, d.stream.Close())
	}
	errs = append(errs, d.context.FreeHost(d.frames.memory))
	abandoned, err := d.modules.close()
	errs = append(errs, err)
	if !abandoned && !compiles {
		errs = append(errs, d.context.Close())
	}
	return errors.Join(errs...)
}

// frameQueue hands frames to a GPU without waiting for the launches that read the one before: each is copied, in its turn
// among the launches, out of pinned memory of its own. Waiting between the parts of a picture would leave the GPU idle while
// the next ones are queued.
type frameQueue struct {
	memory driver.HostMemory
	used   int // slots since the stream was last waited for
}

const (
	frameSlots = 16 // more than a picture takes
	slotAlign  = 64
)

// slotSize is that of a frame, aligned [bytes].
func slotSize() int {
	return (len(BytesOf(make([]cuda.Frame, 1))) + slotAlign - 1) / slotAlign * slotAlign
}

func (q *frameQueue) open(c *driver.Context) (err error) {
	q.memory, err = c.AllocHost(frameSlots * slotSize())
	return err
}

func (q *frameQueue) full() bool { return q.used == frameSlots }

// push queues the copy of a frame to where kernels read it.
func (q *frameQueue) push(f *cuda.Frame, s *driver.Stream, to driver.DevicePtr) error {
	data, at := BytesOf([]cuda.Frame{*f}), q.used*slotSize()
	slot := q.memory.Slice(at, at+len(data))
	copy(slot.Bytes(), data)
	q.used++
	return s.CopyToDevice(to, slot)
}
